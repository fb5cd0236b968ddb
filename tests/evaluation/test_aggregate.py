"""Metrics on several cores, and averages as in the papers."""

from __future__ import annotations

import math
import multiprocessing
import os
import statistics
from collections.abc import Iterator

import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.errors import UsageError
from ncfilters.evaluation import aggregate
from ncfilters.evaluation.aggregate import (
    MIN_PARALLEL_PAGES,
    PageScores,
    averages,
    mean_and_sd,
    measure_pages,
    part_names,
    score_part,
)

NAMES = ("words", "segments", "bag", "similarity", "required")


def pages(number: int) -> list[tuple[str, Gold]]:
    """Page n has n + 1 words right, one wrong, and misses n % 3."""
    return [
        (f"{'right ' * (n + 1)} wrong", Gold(f"{'right ' * (n + 1)} {'missed ' * (n % 3)}", required=("right", str(n))))
        for n in range(number)
    ]


@pytest.mark.parametrize(
    "number", [0, 1, *(MIN_PARALLEL_PAGES + more for more in (-1, 0, 1)), 3 * MIN_PARALLEL_PAGES + 5]
)
def test_pages_are_in_order_on_any_number_of_cores(number: int) -> None:
    alone = list(measure_pages(pages(number), ["words", "required"], jobs=1))
    assert [row["words"] for row in alone] == [(n + 1, 1, n % 3) for n in range(number)]
    assert list(measure_pages(iter(pages(number)), ["words", "required"], jobs=3)) == alone


def test_processes_are_used_only_for_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("only forked processes see the patch")
    monkeypatch.setattr(aggregate, "measure_page", lambda *_: {"pid": (os.getpid(),)})

    def processes(number: int, jobs: int) -> set[int]:
        return {int(row["pid"][0]) for row in measure_pages(pages(number), ["words"], jobs=jobs) if row["pid"]}

    assert processes(MIN_PARALLEL_PAGES - 1, 2) == processes(MIN_PARALLEL_PAGES, 1) == {os.getpid()}
    assert os.getpid() not in processes(MIN_PARALLEL_PAGES, 2)


def test_a_process_that_dies_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("only forked processes see the patch")
    monkeypatch.setattr(aggregate, "measure_page", lambda *_: os._exit(9))
    with pytest.raises(UsageError, match="a process died"):
        list(measure_pages(pages(MIN_PARALLEL_PAGES), NAMES, jobs=2))


def test_errors_in_a_process_are_raised() -> None:
    def broken() -> Iterator[tuple[str, Gold]]:
        yield from pages(MIN_PARALLEL_PAGES + 3)
        yield "text", None  # type: ignore[misc]

    with pytest.raises(AttributeError):
        list(measure_pages(broken(), ["words"], jobs=2))


def test_averages_by_hand() -> None:
    rows: list[PageScores] = [{"words": (6, 2, 0)}, {"words": (1, 0, 3)}, {"words": (0, 0, 0)}]
    found = {(one.part, one.average): one for one in averages(rows, ["words"])}
    micro = {which: found[which, "micro"].value for which in "PRF"}
    assert micro == pytest.approx({"P": 100 * 7 / 9, "R": 70, "F": 100 * 14 / 19})
    assert all(found[which, "micro"].sd is None for which in "PRF")
    macro = {which: found[which, "macro"] for which in "PRF"}
    assert macro["P"].value == pytest.approx(100 * (6 / 8 + 1 + 1) / 3)
    assert macro["R"].value == pytest.approx(100 * (1 + 1 / 4 + 1) / 3)
    assert macro["F"].value == pytest.approx(100 * (6 / 7 + 2 / 5 + 1) / 3)
    assert macro["F"].sd == pytest.approx(statistics.stdev([600 / 7, 40, 100]))
    assert {one.pages for one in found.values()} == {3}


def test_pages_that_a_metric_does_not_apply_to_are_omitted() -> None:
    rows: list[PageScores] = [{"required": (0.5,), "segments": None}, {"required": None, "segments": None}]
    (one,) = averages(rows, ["required", "segments"])
    assert (one.measure, one.part, one.average, one.value, one.sd, one.pages) == ("required", "", "macro", 50, None, 1)
    assert score_part(rows[1], "required", "") is None
    assert score_part(rows[0], "required", "") == 0.5


def test_bags_are_not_pooled() -> None:
    rows: list[PageScores] = [{"bag": (1, 1, 0), "segments": (0, 0, 0)}]
    assert {(one.measure, one.average) for one in averages(rows, ["bag", "segments"])} == {
        ("bag", "macro"),
        ("segments", "micro"),
        ("segments", "macro"),
    }
    assert [score_part(rows[0], "segments", which) for which in part_names("segments")] == [0, 0, 0]
    assert [score_part(rows[0], "bag", which) for which in part_names("bag")] == pytest.approx([2 / 3, 0.5, 1])


def test_the_part_of_a_value() -> None:
    row: PageScores = {"similarity": (0.4,)}
    assert [score_part(row, "similarity", which) for which in part_names("similarity")] == [0.4]


def test_mean_and_standard_deviation_of_a_sample() -> None:
    values = [93.1, 2.5, 77.7, 77.7, 100]
    mean, sd = mean_and_sd(values)
    assert (mean, sd) == pytest.approx((statistics.fmean(values), statistics.stdev(values)))
    assert mean_and_sd([5]) == (5, None)
    assert mean_and_sd([1e8 + 0.1] * 1000) == (pytest.approx(1e8 + 0.1), pytest.approx(0, abs=1e-6))
    assert not math.isnan(mean)
