"""Tables of results."""

from __future__ import annotations

from typing import Any

from ncfilters.dataset.gold import Gold
from ncfilters.evaluation.report.summary import evaluation_tables
from ncfilters.evaluation.results import Evaluation, System

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


def predicted() -> Evaluation:
    """Twelve pages of ten words; page n has n right ones, and a predicted precision of (n + 1) / 20."""
    golds = {str(n): Gold(" ".join(f"w{n}" for n in range(10))) for n in range(12)}
    one = System("x")
    for n in range(12):
        right = [f"w{n}" for n in range(n)] if n < 11 else []
        one.add({"id": n, "text": " ".join([*right, "y " * (10 - len(right))]) if n < 11 else "", "quality": n / 20})
    one.add({"id": "no gold", "text": "a", "quality": 1.0})
    return Evaluation([one], golds, ["words"], jobs=1)


def test_tables_of_one_system() -> None:
    first, last = evaluation_tables(found(OURS, names=("words", "required")), None, [])
    assert first.title == "3 pages, per cent"
    assert first.header == ["measure", "F (or share)", "precision", "recall"]
    assert first.rows == [
        ["words, pooled", "87.50", "87.50", "87.50"],
        ["words, mean ± sd", "83.33 ± 28.87", "83.33 ± 28.87", "83.33 ± 28.87"],
        ["required, mean ± sd", "50.00", "", ""],
    ]
    assert last.title == "Signatures" and [row[0] for row in last.rows] == ["words", "required", "ours"]


def test_tables_of_groups_and_of_two_systems() -> None:
    some = {table.title: table for table in evaluation_tables(found(OURS, THEIRS, names=("words",)), "type", [])}
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
