"""An evaluation as data: figures, groups, comparisons, calibration, signatures; and as tables."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.errors import RecordError
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.report.summary import tables
from ncfilters.evaluation.results import BINS, Evaluation, System

GOLDS = {
    "1": Gold("a b c d", fields={"type": "news"}),
    "2": Gold("e f", fields={"type": "shop"}, required=("e", "z")),
    "3": Gold("<p>g h", True, fields={}),
}


def system(name: str, **texts: str) -> System:
    out = System(name)
    for key, text in texts.items():
        out.take({"id": key.removeprefix("_"), "text": text})
    return out


OURS = system("ours", _1="a b c d", _2="e x", _3="<p>g h")
THEIRS = system("theirs", _1="a b x y", _2="e", _9="not of the gold")
NAMES = ("words", "cleaneval", "segments", "unlabelled", "similarity", "bag", "rouge", "required", "forbidden")


def found(*systems: System, names: tuple[str, ...] = NAMES, **how: Any) -> Evaluation:
    return Evaluation(systems, GOLDS, names, jobs=1, **how)


def figure(some: list[dict[str, Any]], **what: Any) -> Any:
    (one,) = [fact for fact in some if all(fact[key] == value for key, value in what.items())]
    return one["value"]


# ---- systems ------------------------------------------------------------------------------------------------


def test_a_system_takes_what_its_records_say() -> None:
    one = System("x")
    one.take({"id": 5, "text": "t", "quality": 0.5, "models": ["en:1", "xx:2"], "lang": "de", "html": "<p>"})
    one.take({"url": "http://a.example/", "text": "", "quality": 7, "models": "en"})
    assert one.texts == {"5": "t", "http://a.example/": ""}
    assert one.quality == {"5": 0.5}
    assert one.models == {"en:1", "xx:2"}
    assert one.fields["5"]["lang"] == "de" and "html" not in one.fields["5"]


@pytest.mark.parametrize(
    ("page", "message"),
    [({"text": "a"}, "id: missing"), ({"id": 2}, "text: missing"), ({"id": "1", "text": ""}, "'1' a second time")],
)
def test_records_that_cannot_be_taken(page: dict[str, Any], message: str) -> None:
    one = system("x", _1="first")
    with pytest.raises(RecordError, match=message):
        one.take(page)
    assert one.texts == {"1": "first"}


# ---- figures ------------------------------------------------------------------------------------------------


def test_figures_of_each_system_and_missing_pages_are_empty() -> None:
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


def test_measures_that_apply_to_no_page_are_left_out() -> None:
    assert found(OURS).names == [name for name in NAMES if name != "forbidden"]
    assert Evaluation([OURS], {"1": GOLDS["1"]}, NAMES, jobs=1).names == ["words", "similarity", "bag", "rouge"]


def test_pages_in_the_order_of_the_gold() -> None:
    rows = facts.pages(found(THEIRS, OURS, names=("words", "required")), "type")
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
    some = facts.groups(found(OURS, names=("words",)), "type")
    assert [(fact["group"], fact["part"], fact["pages"]) for fact in some] == [
        (group, part, 1) for group in ("", "news", "shop") for part in "FPR"
    ]
    assert [fact["value"] for fact in some if fact["part"] == "P"] == [100, 100, 50]


def test_the_field_of_a_group_may_be_in_the_texts_record() -> None:
    one = System("x")
    one.take({"id": "1", "text": "", "type": "of the text", "lang": "de"})
    assert found(one).group("type") == ["news", "shop", ""]
    assert found(one).group("lang") == ["de", "", ""]


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
    """Twelve pages of ten words; page n has n right ones, and a predicted precision of (n + 1) / 20."""
    golds = {str(n): Gold(" ".join(f"w{n}" for n in range(10))) for n in range(12)}
    one = System("x")
    for n in range(12):
        right = [f"w{n}" for n in range(n)] if n < 11 else []
        one.take({"id": n, "text": " ".join([*right, "y " * (10 - len(right))]) if n < 11 else "", "quality": n / 20})
    one.take({"id": "no gold", "text": "a", "quality": 1.0})
    return Evaluation([one], golds, ["words"], jobs=1)


def test_predictions_are_of_pages_with_text() -> None:
    results = predicted()
    some = facts.predictions(results.systems[0], results, 0)
    assert some == [(n / 20, pytest.approx(n / 10)) for n in range(11)]


def test_calibration_has_every_page_in_one_bin() -> None:
    results = predicted()
    bins = facts.calibration(results.systems[0], results, 0)
    assert len(bins) == BINS and sum(bin["pages"] for bin in bins) == 11
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


def test_what_a_minimum_of_quality_keeps() -> None:
    results = predicted()
    some = facts.predictions(results.systems[0], results, 0)
    kept, dropped = facts.apart(some, 0.4)
    assert (kept["what"], kept["pages"], kept["bad"]) == ("kept", 3, 0)
    assert kept["precision"] == pytest.approx(0.9)
    assert (dropped["what"], dropped["pages"], dropped["bad"]) == ("dropped", 8, 7)
    assert facts.apart(some, 2)[0]["precision"] is None


# ---- signatures ---------------------------------------------------------------------------------------------


def signatures(results: Evaluation) -> dict[str, str]:
    return {fact.get("measure") or fact["system"]: fact["signature"] for fact in facts.signatures(results)}


def test_a_signature_says_what_made_the_figures() -> None:
    made = signatures(found(OURS, THEIRS))
    assert re.fullmatch(
        r"measure:words\|norm:cleaneval, no markers\|ascii:no\|by:difflib python \d+\.\d+\.\d+"
        r"\|pages:3\|gold:[0-9a-f]{12}\|ncfilters:[\d.]+",
        made["words"],
    )
    assert re.search(r"\|by:rapidfuzz \d+\.\d+", made["similarity"])
    assert re.fullmatch(r"tests:.*\|by:scipy \d+\.\d+.*\|pages:3\|gold:.*", made["comparison"])
    assert re.fullmatch(r"system:ours\|text:[0-9a-f]{12}\|models:unknown", made["ours"])
    assert made.keys() == {*found(OURS).names, "comparison", "ours", "theirs"}
    assert "comparison" not in signatures(found(OURS))


def test_signatures_change_with_what_they_stand_for_alone() -> None:
    def of(gold: dict[str, Gold], **how: Any) -> str:
        return signatures(Evaluation([OURS], gold, ["words"], jobs=1, **how))["words"]

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
        made = signatures(found(*systems))
        return [made[one.name].partition("|")[2] for one in systems]

    assert text(OURS)[0] == text(system("x", _2="e x", _3="<p>g h", _1="a b c d", _9="z"))[0]
    assert len({*text(OURS), *text(THEIRS), *text(system("x", _1="a b c d", _2="e x", _3="g h"))}) == 3


def test_models_of_a_system() -> None:
    one = System("x", models={"b:2", "a:1"})
    assert signatures(found(one))["x"].endswith("|models:a:1+b:2")


# ---- tables -------------------------------------------------------------------------------------------------


def test_tables_of_one_system() -> None:
    first, last = tables(found(OURS, names=("words", "required")), None, [])
    assert first.title == "3 pages, per cent"
    assert first.header == ["measure", "F (or share)", "precision", "recall"]
    assert first.rows == [
        ["words, pooled", "87.50", "87.50", "87.50"],
        ["words, mean ± sd", "83.33 ± 28.87", "83.33 ± 28.87", "83.33 ± 28.87"],
        ["required, mean ± sd", "50.00", "", ""],
    ]
    assert last.title == "Signatures" and [row[0] for row in last.rows] == ["words", "required", "ours"]


def test_tables_of_groups_and_of_two_systems() -> None:
    some = {table.title: table for table in tables(found(OURS, THEIRS, names=("words",)), "type", [])}
    assert [row[:2] for row in some["3 pages, per cent"].rows] == [
        ["words, pooled", "ours"],
        ["words, pooled", "theirs"],
        ["words, mean ± sd", "ours"],
        ["words, mean ± sd", "theirs"],
    ]
    by = some["By type, per cent"]
    assert by.header[:4] == ["group", "pages", "measure", "system"]
    assert [row[:4] for row in by.rows][:2] == [
        ["(none)", "1", "words, mean ± sd", "ours"],
        ["(none)", "1", "words, mean ± sd", "theirs"],
    ]
    less = some["theirs less ours, points"]
    assert [row[0] for row in less.rows] == ["words F", "words P", "words R"]
    assert less.rows[2][1] == "-50.00" and less.rows[2][-3:] == ["0", "2", "1"]
    assert all(len(row) == len(table.header) for table in some.values() for row in table.rows)


def test_tables_of_quality() -> None:
    titles = [table.title for table in tables(predicted(), None, [0.3, 0.4])]
    assert titles[1:3] == ["x: predicted quality and word precision", "x: nc-select --min-quality"]
    kept = list(tables(predicted(), None, [0.3, 0.4]))[2]
    assert kept.rows == [
        ["0.3", "kept", "5", "0.800", "1"],
        ["0.3", "dropped", "6", "0.250", "6"],
        ["0.4", "kept", "3", "0.900", "0"],
        ["0.4", "dropped", "8", "0.350", "7"],
    ]
