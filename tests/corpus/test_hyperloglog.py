"""The count is within its error, and the same for every order."""

from __future__ import annotations

import pytest

from ncfilters.corpus.hyperloglog import HyperLogLog


@pytest.mark.parametrize("size", [0, 1, 10, 1_000, 10_000, 40_000, 60_000, 200_000])
def test_the_count_is_within_four_deviations(size: int) -> None:
    types = HyperLogLog()
    words = [f"word {number}" for number in range(size)]
    for start in range(0, size, 5_000):
        types.add(words[start : start + 5_000])
    assert types.count() == pytest.approx(size, rel=4 * types.error)


def test_the_mean_of_many_counts_has_no_bias() -> None:
    for size in (500, 2_000, 5_000, 20_000):  # about 0.5 to 20 times the registers
        counts = []
        for seed in range(40):
            types = HyperLogLog(10)
            types.add([f"{seed} {number}" for number in range(size)])
            counts.append(types.count())
        assert sum(counts) / len(counts) == pytest.approx(size, rel=4 * types.error / 40**0.5)


def test_strings_count_once_in_any_order() -> None:
    words = [f"{number}" for number in range(3_000)]
    one, other = HyperLogLog(), HyperLogLog()
    one.add(words)
    for word in reversed(words):
        other.add([word, word])
    assert one.count() == other.count()
    other.add(["\ud800", ""])
    assert other.count() > one.count()
