"""Significance tests of the difference between two systems on the same pages.

    compare([92.1, 88.0, 95.5], [90.0, 88.0, 91.2]).t.p    # 0.214…

The distributions and the signed-rank test are scipy's. The interval of the pseudo-median is ours: scipy has none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

_Floats = NDArray[np.float64]

# The confidence level of the intervals.
CONFIDENCE = 0.95
# Up to this number of differences, the distribution of the rank sum is computed exactly; beyond, it is normal.
MAX_EXACT_DIFFERENCES = 50
# Decimal digits of a difference that are significant: further ones are rounding errors.
DIGITS = 9


@dataclass(frozen=True)
class SignificanceTest:
    """A test's statistic, its degrees of freedom or number of pairs, two-sided p, and the confidence interval of the
    difference."""

    statistic: float
    n: int
    p: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same pages: the mean difference, wins, losses and ties, and two significance tests.

    *t* is the paired t-test; *wilcoxon* is the signed-rank test, with the interval of the pseudo-median (Hodges and
    Lehmann 1963). None where a test is undefined: fewer than two pages, or no differences.
    """

    pages: int
    difference: float
    wins: int
    losses: int
    ties: int
    t: SignificanceTest | None
    wilcoxon: SignificanceTest | None


def compare(ours: Sequence[float], theirs: Sequence[float]) -> Comparison:
    """The comparison of two lists of figures, page by page; the differences are *ours* - *theirs*.

    Raises ValueError for empty lists or lists of different lengths.
    """
    if len(ours) != len(theirs) or not ours:
        raise ValueError(f"figures of {len(ours)} and {len(theirs)} pages: a comparison needs the same pages")
    # a difference in rounding is a tie
    differences = (np.asarray(ours, float) - np.asarray(theirs, float)).round(DIGITS)
    return Comparison(
        len(differences),
        float(differences.mean()),
        int((differences > 0).sum()),
        int((differences < 0).sum()),
        int((differences == 0).sum()),
        _t(differences),
        _wilcoxon(differences),
    )


def _t(differences: _Floats) -> SignificanceTest | None:
    """The paired t-test. A constant difference has an infinite statistic."""
    n = len(differences)
    if n < 2 or not differences.any():
        return None
    if (differences == differences[0]).all():
        mean = float(differences.mean())
        return SignificanceTest(math.copysign(math.inf, mean), n - 1, 0.0, mean, mean)
    test = stats.ttest_1samp(differences, 0)
    low, high = test.confidence_interval(CONFIDENCE)
    return SignificanceTest(float(test.statistic), n - 1, float(test.pvalue), float(low), float(high))


def _wilcoxon(differences: _Floats) -> SignificanceTest | None:
    """The signed-rank test without pages of equal figures, as in Wilcoxon (1945); the statistic is the smaller sum of
    ranks."""
    nonzero = differences[differences != 0]
    if len(nonzero) < 2:
        return None
    result = stats.wilcoxon(nonzero)
    low, high = _walsh_interval(nonzero)
    return SignificanceTest(float(result.statistic), len(nonzero), float(result.pvalue), low, high)


def _walsh_interval(differences: _Floats) -> tuple[float, float]:
    """The confidence interval of the pseudo-median: order statistics of the means of all pairs (Hollander, Wolfe and
    Chicken 2014, section 3.3). Infinite if there are too few differences."""
    lowest = _critical_value(len(differences))
    if lowest < 0:
        return -math.inf, math.inf
    ordered = np.sort(differences)
    pairs = len(ordered) * (len(ordered) + 1) // 2
    return _mean_of_pair(ordered, lowest), _mean_of_pair(ordered, pairs - 1 - lowest)


def _critical_value(n: int) -> int:
    """The critical value of the rank sum of *n* differences, as in tables: the highest value that is reached or
    undercut with a probability of at most (1 - CONFIDENCE) / 2 if there is no effect; -1 if there is none."""
    tail = (1 - CONFIDENCE) / 2
    if n > MAX_EXACT_DIFFERENCES:
        return int(n * (n + 1) / 4 + float(stats.norm.ppf(tail)) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    ways = np.ones(1)  # the number of ways to get each sum: exact, below 2 ** 53
    for rank in range(1, n + 1):
        ways = np.convolve(ways, [1, *[0] * (rank - 1), 1])
    return int((ways.cumsum() <= tail * 2**n).sum()) - 1


def _mean_of_pair(ordered: _Floats, place: int) -> float:
    """The mean of a pair (a number may be paired with itself) with *place* smaller ones among all pairs, to DIGITS.

    Found by bisection: there may be more pairs than fit into memory.
    """
    places = np.arange(len(ordered))
    low, high = float(ordered[0]), float(ordered[-1])
    while high - low > 10**-DIGITS / 2:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        below = np.searchsorted(ordered, 2 * middle - ordered, side="right") - places
        if int(np.maximum(below, 0).sum()) > place:
            high = middle
        else:
            low = middle
    return round(high, DIGITS)
