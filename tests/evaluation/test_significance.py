"""Significance tests: as in scipy, by hand, and with the coverage of their intervals."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import stats

from ncfilters.evaluation.significance import compare

OURS = [92.1, 88.0, 95.5, 70.2, 81.7, 99.0, 64.4, 91.3]
THEIRS = [90.0, 88.0, 91.2, 73.4, 80.0, 90.5, 60.1, 91.2]


def pairs(number: int, seed: int, digits: int = 1, gain: float = 2) -> tuple[list[float], list[float]]:
    rnd = random.Random(seed)
    theirs = [round(rnd.uniform(20, 90), digits) for _ in range(number)]
    return [round(value + rnd.gauss(gain, 6), digits) for value in theirs], theirs


def walsh(differences: list[float]) -> list[float]:
    """The means of all pairs, each number with itself too, in order."""
    values = np.array(differences)
    first, second = np.triu_indices(len(values))
    return sorted((values[first] + values[second]) / 2)


def test_a_comparison_by_hand() -> None:
    found = compare(OURS, THEIRS)
    assert (found.pages, found.wins, found.losses, found.ties) == (8, 6, 1, 1)
    assert found.difference == pytest.approx(17.8 / 8)
    # differences 2.1 0 4.3 -3.2 1.7 8.5 4.3 0.1; the negative one has rank 4 of 7
    assert found.wilcoxon is not None
    assert (found.wilcoxon.statistic, found.wilcoxon.n) == (4, 7)


@pytest.mark.oracle
@pytest.mark.parametrize(("number", "digits"), [(8, 2), (30, 2), (60, 3), (158, 1), (1497, 3)])
def test_statistics_are_those_of_scipy(number: int, digits: int) -> None:
    ours, theirs = pairs(number, number, digits)
    found = compare(ours, theirs)
    t = stats.ttest_rel(ours, theirs)
    assert found.t is not None and found.wilcoxon is not None
    assert (found.t.statistic, found.t.p, found.t.n) == pytest.approx((t.statistic, t.pvalue, number - 1))
    interval = t.confidence_interval(0.95)
    assert (found.t.low, found.t.high) == pytest.approx((interval.low, interval.high))
    differences = [round(a - b, 6) for a, b in zip(ours, theirs)]
    wilcoxon = stats.wilcoxon([value for value in differences if value])
    assert (found.wilcoxon.statistic, found.wilcoxon.p) == pytest.approx((wilcoxon.statistic, wilcoxon.pvalue))
    assert found.wilcoxon.n == sum(value != 0 for value in differences)


@pytest.mark.parametrize(("number", "place"), [(6, 0), (7, 2), (8, 3), (10, 8), (20, 52), (50, 434)])
def test_the_pseudo_median_interval_is_that_of_the_tables(number: int, place: int) -> None:
    """*place* is the critical value of the signed-rank statistic at 5 %: the number of means below the interval."""
    ours, theirs = pairs(number, 7, 4)
    found = compare(ours, theirs).wilcoxon
    means = walsh([a - b for a, b in zip(ours, theirs)])
    assert found is not None
    assert (found.low, found.high) == pytest.approx((means[place], means[-1 - place]))


def test_intervals_of_ties_and_of_many_pages() -> None:
    ours, theirs = pairs(400, 9, 0)
    found = compare(ours, theirs).wilcoxon
    means = walsh([a - b for a, b in zip(ours, theirs) if a != b])
    assert found is not None
    assert found.low in means and found.high in means
    assert found.low <= means[len(means) // 2] <= found.high
    many = compare(*pairs(50_000, 3, 6)).wilcoxon  # all pairs would be ten gigabytes
    assert many is not None
    assert many.low < 2 < many.high and many.high - many.low < 0.3


def test_intervals_have_a_coverage_of_95_per_cent() -> None:
    held = [0, 0]
    for seed in range(400):
        found = compare(*pairs(25, seed, 5))
        for test, of in enumerate((found.t, found.wilcoxon)):
            assert of is not None and of.low <= of.high
            held[test] += of.low <= 2 <= of.high
    assert all(0.92 <= count / 400 <= 0.98 for count in held), held


def test_significance_and_interval_agree() -> None:
    for seed in range(60):
        found = compare(*pairs(40, seed, 5, gain=1.8)).t
        assert found is not None
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_comparisons_are_symmetric() -> None:
    one, other = compare(OURS, THEIRS), compare(THEIRS, OURS)
    assert (one.wins, one.losses) == (other.losses, other.wins)
    assert one.difference == pytest.approx(-other.difference)
    assert one.t and other.t and one.wilcoxon and other.wilcoxon
    assert (one.t.p, one.t.low) == pytest.approx((other.t.p, -other.t.high))
    assert (one.wilcoxon.p, one.wilcoxon.low) == pytest.approx((other.wilcoxon.p, -other.wilcoxon.high))


def test_equal_figures_cannot_be_tested() -> None:
    found = compare(OURS, OURS)
    assert (found.difference, found.wins, found.losses, found.ties) == (0, 0, 0, 8)
    assert found.t is None and found.wilcoxon is None


def test_differences_in_rounding_are_ties() -> None:
    found = compare([100 * (0.1 + 0.2), 50, 40], [30.0, 50, 40])
    assert (found.wins, found.ties, found.t) == (0, 3, None)


def test_a_constant_difference_has_an_infinite_statistic() -> None:
    found = compare([1.1, 2.1, 3.1], [1.0, 2.0, 3.0])
    assert found.t is not None
    assert (found.t.statistic, found.t.p) == (math.inf, 0)
    assert (found.t.low, found.t.high) == pytest.approx((0.1, 0.1))
    assert compare([1.0, 2.0], [2.0, 3.0]).t.statistic == -math.inf  # type: ignore[union-attr]


def test_few_pages_have_infinite_intervals() -> None:
    found = compare([3.0], [1.0])
    assert (found.pages, found.difference, found.t, found.wilcoxon) == (1, 2, None, None)
    found = compare([3.0, 5.0], [1.0, 5.0])  # one pair with a difference
    assert found.t is not None and found.wilcoxon is None
    five, six = (compare([float(n * n) for n in range(1, few + 1)], [0.0] * few).wilcoxon for few in (5, 6))
    assert five is not None and six is not None
    assert (five.low, five.high, five.p > 0.05) == (-math.inf, math.inf, True)
    assert (six.low, six.high, six.p < 0.05) == (1, 36, True)


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([1.0], []), ([1.0, 2.0], [1.0])])
def test_lists_of_different_lengths_are_errors(ours: list[float], theirs: list[float]) -> None:
    with pytest.raises(ValueError, match="a comparison needs the same pages"):
        compare(ours, theirs)
