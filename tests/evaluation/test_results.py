"""Results: aggregates, signatures, significance."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import re
import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.errors import RecordError, UsageError
from ncfilters.evaluation import results
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.report import evaluation_tables
from ncfilters.evaluation.results import (
    CALIBRATION_BINS,
    MIN_PARALLEL_PAGES,
    Evaluation,
    PageScores,
    averages,
    mean_and_sd,
    measure_pages,
    part_names,
    score_part,
    signatures,
)
from ncfilters.evaluation.significance import compare
from ncfilters.evaluation.systems import System

GOLDS = {
    "1": Gold("a b c d", fields={"type": "news"}),
    "2": Gold("e f", fields={"type": "shop"}, required=("e", "z")),
    "3": Gold("<p>g h", True, fields={}),
}


def system(name: str, **texts: str) -> System:
    out = System(name)
    for key, text in texts.items():
        out.add({"id": key.removeprefix("_"), "text": text})
    return out


OURS = system("ours", _1="a b c d", _2="e x", _3="<p>g h")
THEIRS = system("theirs", _1="a b x y", _2="e", _9="not of the gold")
NAMES = ("words", "cleaneval", "segments", "unlabelled", "similarity", "bag", "required", "forbidden")


def found(*systems: System, names: tuple[str, ...] = NAMES, **how: Any) -> Evaluation:
    return Evaluation(systems, GOLDS, names, jobs=1, **how)


def figure(some: list[dict[str, Any]], **conditions: Any) -> Any:
    (one,) = [fact for fact in some if all(fact[key] == value for key, value in conditions.items())]
    return one["value"]


# ---- systems ------------------------------------------------------------------------------------------------
def test_a_system_collects_the_fields_of_its_records() -> None:
    one = System("x")
    one.add({"id": 5, "text": "t", "quality": 0.5, "models": ["en:1", "xx:2"], "lang": "de", "html": "<p>"})
    one.add({"url": "http://a.example/", "text": "", "quality": 7, "models": "en"})
    assert one.texts == {"5": "t", "http://a.example/": ""}
    assert one.quality == {"5": 0.5}
    assert one.models == {"en:1", "xx:2"}
    assert one.fields["5"]["lang"] == "de" and "html" not in one.fields["5"]


@pytest.mark.parametrize(
    ("page", "message"),
    [({"text": "a"}, "id: missing"), ({"id": 2}, "text: missing"), ({"id": "1", "text": ""}, "'1' occurs twice")],
)
def test_records_without_id_or_text_are_errors(page: dict[str, Any], message: str) -> None:
    one = system("x", _1="first")
    with pytest.raises(RecordError, match=message):
        one.add(page)
    assert one.texts == {"1": "first"}


# ---- figures ------------------------------------------------------------------------------------------------
def test_figures_of_missing_pages_and_metrics() -> None:
    some = facts.figures(found(OURS, THEIRS))
    words = {"measure": "words", "average": "micro"}
    assert figure(some, system="ours", part="P", **words) == pytest.approx(100 * 7 / 8)
    assert figure(some, system="theirs", part="P", **words) == pytest.approx(100 * 3 / 5)
    assert figure(some, system="theirs", part="R", **words) == pytest.approx(100 * 3 / 8)
    assert figure(some, system="theirs", part="R", measure="words", average="macro") == pytest.approx(
        100 * (0.5 + 0.5 + 0) / 3
    )
    assert figure(some, system="ours", measure="required") == 50
    assert {fact["pages"] for fact in some if fact["measure"] == "required"} == {1}
    assert found(OURS).names == [name for name in NAMES if name != "forbidden"]
    assert Evaluation([OURS], {"1": GOLDS["1"]}, NAMES, jobs=1).names == ["words", "similarity", "bag"]
    rows = facts.page_figures(found(THEIRS, OURS, names=("words", "required")), "type")
    assert [(row["system"], row["id"], row["group"]) for row in rows] == [
        (name, key, group) for name in ("theirs", "ours") for key, group in (("1", "news"), ("2", "shop"), ("3", ""))
    ]
    assert rows[1] == {
        "system": "theirs", "id": "2", "group": "shop", "words F": pytest.approx(200 / 3), "words P": 100,
        "words R": 50, "words TP": 1, "words FP": 0, "words FN": 1, "required": 50,
    }  # fmt: skip
    assert rows[0]["required"] is None


def test_groups_are_means_over_their_pages() -> None:
    some = facts.group_figures(found(OURS, names=("words",)), "type")
    assert [(fact["group"], fact["part"], fact["pages"]) for fact in some] == [
        (group, part, 1) for group in ("", "news", "shop") for part in "FPR"
    ]
    assert [fact["value"] for fact in some if fact["part"] == "P"] == [100, 100, 50]
    one = System("x")
    one.add({"id": "1", "text": "", "type": "of the text", "lang": "de"})
    assert found(one).field_values("type") == ["news", "shop", ""]
    assert found(one).field_values("lang") == ["de", "", ""]


# ---- quality ------------------------------------------------------------------------------------------------
def predicted() -> Evaluation:
    """Twelve pages of ten words; page n has n correct words and a predicted precision of n / 20."""
    golds = {str(n): Gold(" ".join(f"w{n}" for n in range(10))) for n in range(12)}
    one = System("x")
    for n in range(12):
        right = [f"w{n}" for n in range(n)] if n < 11 else []
        one.add({"id": n, "text": " ".join([*right, "y " * (10 - len(right))]) if n < 11 else "", "quality": n / 20})
    one.add({"id": "no gold", "text": "a", "quality": 1.0})
    return Evaluation([one], golds, ["words"], jobs=1)


def test_qualities_are_paired_in_bins_and_split() -> None:
    results = predicted()
    some = facts.quality_pairs(results, 0)
    assert some == [(n / 20, pytest.approx(n / 10)) for n in range(11)]
    results = predicted()
    bins = facts.calibration(results)
    assert len(bins) == CALIBRATION_BINS and sum(bin["pages"] for bin in bins) == 11
    assert bins[0] == {
        "system": "x", "from": 0, "to": 0.05, "pages": 2, "predicted": 0.025, "actual": pytest.approx(0.05), "bad": 2,
    }  # fmt: skip
    assert sum(bin["bad"] for bin in bins) == 7
    assert facts.calibration(found(OURS)) == []
    results = predicted()
    some = facts.quality_pairs(results, 0)
    kept, dropped = facts.quality_split(some, 0.4)
    assert (kept["what"], kept["pages"], kept["bad"]) == ("kept", 3, 0)
    assert kept["precision"] == pytest.approx(0.9)
    assert (dropped["what"], dropped["pages"], dropped["bad"]) == ("dropped", 8, 7)
    assert facts.quality_split(some, 2)[0]["precision"] is None


NAMES_AGGREGATE = ("words", "segments", "bag", "similarity", "required")


def test_tables_of_predicted_quality() -> None:
    titles = [table.title for table in evaluation_tables(predicted(), None, [0.3, 0.4])]
    assert titles[1:3] == ["x: predicted quality and word precision", "x: nc-select --min-quality"]
    kept = list(evaluation_tables(predicted(), None, [0.3, 0.4]))[2]
    assert kept.rows == [
        ["0.3", "kept", "5", "0.800", "1"],
        ["0.3", "dropped", "6", "0.250", "6"],
        ["0.4", "kept", "3", "0.900", "0"],
        ["0.4", "dropped", "8", "0.350", "7"],
    ]


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


def own_process(*_: object, **__: object) -> PageScores:
    return {"pid": (os.getpid(),)}


def dies(*_: object, **__: object) -> None:
    os._exit(9)


def test_processes_are_used_only_for_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("only forked processes see the patch")
    monkeypatch.setattr(results, "measure_page", own_process)

    def processes(number: int, jobs: int) -> set[int]:
        return {int(row["pid"][0]) for row in measure_pages(pages(number), ["words"], jobs=jobs) if row["pid"]}

    assert processes(MIN_PARALLEL_PAGES - 1, 2) == processes(MIN_PARALLEL_PAGES, 1) == {os.getpid()}
    assert os.getpid() not in processes(MIN_PARALLEL_PAGES, 2)


def test_processes_that_die_or_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[tuple[str, Gold]]:
        yield from pages(MIN_PARALLEL_PAGES + 3)
        yield "text", None  # type: ignore[misc]

    with pytest.raises(AttributeError):
        list(measure_pages(broken(), ["words"], jobs=2))
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("only forked processes see the patch")
    monkeypatch.setattr(results, "measure_page", dies)
    with pytest.raises(UsageError, match="a process died"):
        list(measure_pages(pages(MIN_PARALLEL_PAGES), NAMES_AGGREGATE, jobs=2))


def test_averages_by_hand() -> None:
    rows: list[PageScores] = [{"words": (6, 2, 0)}, {"words": (1, 0, 3)}, {"words": (0, 0, 0)}]
    found = {(one["part"], one["average"]): one for one in averages(rows, ["words"])}
    micro = {which: found[which, "micro"]["value"] for which in "PRF"}
    assert micro == pytest.approx({"P": 100 * 7 / 9, "R": 70, "F": 100 * 14 / 19})
    assert all(found[which, "micro"]["sd"] is None for which in "PRF")
    macro = {which: found[which, "macro"] for which in "PRF"}
    assert macro["P"]["value"] == pytest.approx(100 * (6 / 8 + 1 + 1) / 3)
    assert macro["R"]["value"] == pytest.approx(100 * (1 + 1 / 4 + 1) / 3)
    assert macro["F"]["value"] == pytest.approx(100 * (6 / 7 + 2 / 5 + 1) / 3)
    assert macro["F"]["sd"] == pytest.approx(statistics.stdev([600 / 7, 40, 100]))
    assert {one["pages"] for one in found.values()} == {3}


def test_parts_and_averages_of_values() -> None:
    # pages that a metric does not apply to are omitted
    rows: list[PageScores] = [{"required": (0.5,), "segments": None}, {"required": None, "segments": None}]
    (one,) = averages(rows, ["required", "segments"])
    assert tuple(one.values()) == ("required", "", "macro", 50, None, 1)
    assert score_part(rows[1], "required", "") is None
    assert score_part(rows[0], "required", "") == 0.5
    # bags are not pooled
    rows: list[PageScores] = [{"bag": (1, 1, 0), "segments": (0, 0, 0)}]
    assert {(one["measure"], one["average"]) for one in averages(rows, ["bag", "segments"])} == {
        ("bag", "macro"),
        ("segments", "micro"),
        ("segments", "macro"),
    }
    assert [score_part(rows[0], "segments", which) for which in part_names("segments")] == [0, 0, 0]
    assert [score_part(rows[0], "bag", which) for which in part_names("bag")] == pytest.approx([2 / 3, 0.5, 1])
    # the part of a value
    row: PageScores = {"similarity": (0.4,)}
    assert [score_part(row, "similarity", which) for which in part_names("similarity")] == [0.4]
    # mean and standard deviation of a sample
    values = [93.1, 2.5, 77.7, 77.7, 100]
    mean, sd = mean_and_sd(values)
    assert (mean, sd) == pytest.approx((statistics.fmean(values), statistics.stdev(values)))
    assert mean_and_sd([5]) == (5, None)
    assert mean_and_sd([1e8 + 0.1] * 1000) == (pytest.approx(1e8 + 0.1), pytest.approx(0, abs=1e-6))
    assert not math.isnan(mean)


def by_name(results: Evaluation) -> dict[str, str]:
    return {fact.get("measure") or fact["system"]: fact["signature"] for fact in signatures(results)}


def test_signatures_of_metrics_data_and_models() -> None:
    made = by_name(found(OURS, THEIRS))
    assert re.fullmatch(
        r"measure:words\|norm:cleaneval, no markers\|ascii:no\|by:difflib python \d+\.\d+\.\d+"
        r"\|pages:3\|gold:[0-9a-f]{12}\|ncfilters:[\d.]+",
        made["words"],
    )
    assert re.search(r"\|by:rapidfuzz \d+\.\d+", made["similarity"])
    assert re.fullmatch(r"tests:.*\|by:scipy \d+\.\d+.*\|pages:3\|gold:.*", made["comparison"])
    assert re.fullmatch(r"system:ours\|text:[0-9a-f]{12}\|models:unknown", made["ours"])
    assert made.keys() == {*found(OURS).names, "comparison", "ours", "theirs"}
    assert "comparison" not in by_name(found(OURS))
    one = System("x", models={"b:2", "a:1"})
    assert by_name(found(one))["x"].endswith("|models:a:1+b:2")


def test_signatures_change_only_with_metric_or_data() -> None:
    def of(gold: dict[str, Gold], **how: Any) -> str:
        return by_name(Evaluation([OURS], gold, ["words"], jobs=1, **how))["words"]

    known = of(GOLDS)
    assert of(dict(reversed(GOLDS.items()))) == known
    assert of({**GOLDS, "1": Gold("a b c d", fields={"type": "other"})}) == known
    changed = [
        of({**GOLDS, "1": Gold("a b c")}),
        of({**GOLDS, "1": Gold("a b c d", required=("a",))}),
        of({**GOLDS, "1": Gold("a b c d", forbidden=("a",))}),
        of({"1": GOLDS["1"], "2": GOLDS["2"]}),
        of(GOLDS, ascii=True),
    ]
    assert len({known, *changed}) == 6

    def text(*systems: System) -> list[str]:
        made = by_name(found(*systems))
        return [made[one.name].partition("|")[2] for one in systems]

    assert text(OURS)[0] == text(system("x", _2="e x", _3="<p>g h", _1="a b c d", _9="z"))[0]
    assert len({*text(OURS), *text(THEIRS), *text(system("x", _1="a b c d", _2="e x", _3="g h"))}) == 3


OURS_SIGNIFICANCE = [92.1, 88.0, 95.5, 70.2, 81.7, 99.0, 64.4, 91.3]
THEIRS_SIGNIFICANCE = [90.0, 88.0, 91.2, 73.4, 80.0, 90.5, 60.1, 91.2]


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
    found = compare(OURS_SIGNIFICANCE, THEIRS_SIGNIFICANCE)
    assert (found.pages, found.wins, found.losses, found.ties) == (8, 6, 1, 1)
    assert found.difference == pytest.approx(17.8 / 8)
    # differences 2.1 0 4.3 -3.2 1.7 8.5 4.3 0.1; the negative one has rank 4 of 7
    assert found.wilcoxon is not None
    assert (found.wilcoxon.statistic, found.wilcoxon.n) == (4, 7)


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


def test_what_cannot_be_tested() -> None:
    # equal figures cannot be tested
    found = compare(OURS_SIGNIFICANCE, OURS_SIGNIFICANCE)
    assert (found.difference, found.wins, found.losses, found.ties) == (0, 0, 0, 8)
    assert found.t is None and found.wilcoxon is None
    # differences in rounding are ties
    found = compare([100 * (0.1 + 0.2), 50, 40], [30.0, 50, 40])
    assert (found.wins, found.ties, found.t) == (0, 3, None)
    # a constant difference has an infinite statistic
    found = compare([1.1, 2.1, 3.1], [1.0, 2.0, 3.0])
    assert found.t is not None
    assert (found.t.statistic, found.t.p) == (math.inf, 0)
    assert (found.t.low, found.t.high) == pytest.approx((0.1, 0.1))
    assert compare([1.0, 2.0], [2.0, 3.0]).t.statistic == -math.inf  # type: ignore[union-attr]
    # few pages have infinite intervals
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
