"""The results of an evaluation as data: figures, groups, comparisons, calibration."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.errors import RecordError
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.results import CALIBRATION_BINS, Evaluation, System

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
def test_missing_pages_count_as_empty() -> None:
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


def test_metrics_that_apply_to_no_page_are_omitted() -> None:
    assert found(OURS).names == [name for name in NAMES if name != "forbidden"]
    assert Evaluation([OURS], {"1": GOLDS["1"]}, NAMES, jobs=1).names == ["words", "similarity", "bag"]


def test_pages_are_in_the_order_of_the_gold() -> None:
    rows = facts.page_figures(found(THEIRS, OURS, names=("words", "required")), "type")
    assert [(row["system"], row["id"], row["group"]) for row in rows] == [
        (name, key, group) for name in ("theirs", "ours") for key, group in (("1", "news"), ("2", "shop"), ("3", ""))
    ]
    assert rows[1] == {
        "system": "theirs",
        "id": "2",
        "group": "shop",
        "words F": pytest.approx(200 / 3),
        "words P": 100,
        "words R": 50,
        "words TP": 1,
        "words FP": 0,
        "words FN": 1,
        "required": 50,
    }
    assert rows[0]["required"] is None


def test_groups_are_means_over_their_pages() -> None:
    some = facts.group_figures(found(OURS, names=("words",)), "type")
    assert [(fact["group"], fact["part"], fact["pages"]) for fact in some] == [
        (group, part, 1) for group in ("", "news", "shop") for part in "FPR"
    ]
    assert [fact["value"] for fact in some if fact["part"] == "P"] == [100, 100, 50]


def test_the_field_of_a_group_may_be_in_the_text_records() -> None:
    one = System("x")
    one.add({"id": "1", "text": "", "type": "of the text", "lang": "de"})
    assert found(one).field_values("type") == ["news", "shop", ""]
    assert found(one).field_values("lang") == ["de", "", ""]


def test_comparisons_with_the_first_system() -> None:
    some = facts.comparisons(found(THEIRS, OURS, THEIRS, names=("words", "required")))
    assert [(fact["system"], fact["baseline"], fact["measure"], fact["part"]) for fact in some] == [
        (name, "theirs", *which)
        for name in ("ours", "theirs")
        for which in (("words", "F"), ("words", "P"), ("words", "R"), ("required", ""))
    ]
    recall = some[2]
    assert (recall["difference"], recall["pages"]) == (pytest.approx(100 * (0.5 + 0 + 1) / 3), 3)
    assert (recall["wins"], recall["losses"], recall["ties"]) == (2, 0, 1)
    assert recall["t"]["n"] == 2 and recall["wilcoxon"]["n"] == 2
    assert some[3]["pages"] == 1 and some[3]["t"] is None
    assert [fact["difference"] for fact in some[4:]] == [0, 0, 0, 0]


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


def test_quality_pairs_are_of_pages_with_text() -> None:
    results = predicted()
    some = facts.quality_pairs(results.systems[0], results, 0)
    assert some == [(n / 20, pytest.approx(n / 10)) for n in range(11)]


def test_calibration_has_every_page_in_one_bin() -> None:
    results = predicted()
    bins = facts.calibration(results.systems[0], results, 0)
    assert len(bins) == CALIBRATION_BINS and sum(bin["pages"] for bin in bins) == 11
    assert bins[0] == {
        "system": "x",
        "from": 0,
        "to": 0.05,
        "pages": 2,
        "predicted": 0.025,
        "actual": pytest.approx(0.05),
        "bad": 2,
    }
    assert sum(bin["bad"] for bin in bins) == 7
    assert facts.calibration(OURS, found(OURS), 0) == []


def test_a_minimum_quality_splits_the_pages() -> None:
    results = predicted()
    some = facts.quality_pairs(results.systems[0], results, 0)
    kept, dropped = facts.quality_split(some, 0.4)
    assert (kept["what"], kept["pages"], kept["bad"]) == ("kept", 3, 0)
    assert kept["precision"] == pytest.approx(0.9)
    assert (dropped["what"], dropped["pages"], dropped["bad"]) == ("dropped", 8, 7)
    assert facts.quality_split(some, 2)[0]["precision"] is None
