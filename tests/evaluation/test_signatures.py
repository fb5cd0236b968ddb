"""Signatures: how a figure is computed."""

from __future__ import annotations

import re
from typing import Any

from ncfilters.dataset.gold import Gold
from ncfilters.evaluation.results import Evaluation, System
from ncfilters.evaluation.signatures import signatures

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


def by_name(results: Evaluation) -> dict[str, str]:
    return {fact.get("measure") or fact["system"]: fact["signature"] for fact in signatures(results)}


def test_a_signature_describes_metric_and_data() -> None:
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


def test_the_signature_of_a_system_has_its_models() -> None:
    one = System("x", models={"b:2", "a:1"})
    assert by_name(found(one))["x"].endswith("|models:a:1+b:2")
