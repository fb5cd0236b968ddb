"""Whether one system is better than another on the same pages.

compared([92.1, 88.0, 95.5], [90.0, 88.0, 91.2]).t.p
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Floats = NDArray[np.float64]

# Of the intervals.
CONFIDENCE = 0.95
# Differences that are counted out; the sum of more ranks is normal.
EXACT = 50
# Decimals of a difference; what is behind them is rounding.
DIGITS = 9


@dataclass(frozen=True)
class Test:
    """A test's statistic, degrees of freedom or pairs, two-sided p, and confidence interval of the difference."""

    statistic: float
    n: int
    p: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same pages: the mean difference, wins, losses and ties, and two tests of it.

    *t* is the paired t-test, *wilcoxon* the signed-rank test, with the interval of the pseudo-median (Hodges and
    Lehmann). None where a test cannot be made: fewer than two pages, or no differences.
    """

    pages: int
    difference: float
    wins: int
    losses: int
    ties: int
    t: Test | None
    wilcoxon: Test | None


def compared(ours: Sequence[float], theirs: Sequence[float]) -> Comparison:
    """The comparison of two lists of figures, page by page; differences are ours less theirs.

    Raises ValueError for lists of different lengths, or empty ones.
    """
    import numpy as np

    if len(ours) != len(theirs) or not ours:
        raise ValueError(f"figures of {len(ours)} and {len(theirs)} pages: the same pages are wanted")
    # where only rounding differs nobody wins
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


def _t(differences: _Floats) -> Test | None:
    from scipy import stats

    n = len(differences)
    if n < 2 or not differences.any():
        return None
    mean, error = float(differences.mean()), float(differences.std(ddof=1)) / math.sqrt(n)
    if (differences == differences[0]).all():
        return Test(math.copysign(math.inf, mean), n - 1, 0.0, mean, mean)
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1)) * error
    t = mean / error
    return Test(t, n - 1, float(2 * stats.t.sf(abs(t), n - 1)), mean - half, mean + half)


def _wilcoxon(differences: _Floats) -> Test | None:
    """Pages without a difference are left out, as Wilcoxon did; the statistic is the smaller sum of ranks."""
    from scipy import stats

    nonzero = differences[differences != 0]
    if len(nonzero) < 2:
        return None
    found = stats.wilcoxon(nonzero)
    low, high = _walsh_interval(nonzero)
    return Test(float(found.statistic), len(nonzero), float(found.pvalue), low, high)


def _walsh_interval(differences: _Floats) -> tuple[float, float]:
    """The confidence interval of the pseudo-median: order statistics of the means of all pairs (Hollander, Wolfe and
    Chicken 2014, section 3.3). Infinite where there are too few for any."""
    import numpy as np

    lowest = _critical(len(differences))
    if lowest < 0:
        return -math.inf, math.inf
    ordered = np.sort(differences)
    pairs = len(ordered) * (len(ordered) + 1) // 2
    return _mean_of_pair(ordered, lowest), _mean_of_pair(ordered, pairs - 1 - lowest)


def _critical(n: int) -> int:
    """The highest sum of ranks that is too low on either side, as tables have it (-1 where none is): of n differences
    that are up or down by chance, it or less comes in (1 - CONFIDENCE) / 2 of cases at most."""
    from scipy import stats

    tail = (1 - CONFIDENCE) / 2
    if n > EXACT:
        return int(n * (n + 1) / 4 + float(stats.norm.ppf(tail)) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    ways = [1]  # to have each sum
    for rank in range(1, n + 1):
        ways = [a + b for a, b in zip([*ways, *[0] * rank], [*[0] * rank, *ways])]
    return sum(1 for found in accumulate(ways) if found <= tail * 2**n) - 1


def _mean_of_pair(ordered: _Floats, place: int) -> float:
    """The mean that has *place* smaller ones among those of all pairs (each number with itself too), to DIGITS.

    Found by halving the interval it is in: there may be more pairs than fit into memory.
    """
    import numpy as np

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
