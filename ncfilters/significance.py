"""Whether one system is better than another on the same pages.

compared([92.1, 88.0, 95.5], [90.0, 88.0, 91.2]).t.p
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Floats = NDArray[np.float64]

# Of the intervals.
CONFIDENCE = 0.95


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
    differences = np.asarray(ours, float) - np.asarray(theirs, float)
    # of figures that are equal but for rounding nobody wins
    differences[np.abs(differences) < 1e-9] = 0
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
    if not error:  # the same difference on every page
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
    """The confidence interval of the pseudo-median: order statistics of the means of all pairs, by the normal
    approximation (Hollander, Wolfe and Chicken 2014, section 3.3)."""
    import numpy as np
    from scipy import stats

    n = len(differences)
    first, second = np.triu_indices(n)
    means = (differences[first] + differences[second]) / 2
    spread = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    lowest = min(max(int(n * (n + 1) / 4 - spread), 0), len(means) - 1)
    ordered = np.partition(means, (lowest, len(means) - 1 - lowest))
    return float(ordered[lowest]), float(ordered[len(means) - 1 - lowest])
