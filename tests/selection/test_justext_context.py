"""jusText's context-sensitive pass: runs between decided classes, headings, classes from scores."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.record import Record
from ncfilters.scoring.justext.rules import CLASSES
from ncfilters.selection import justext_context
from ncfilters.selection.decision import policy
from ncfilters.selection.justext_context import decide_by_neighbours
from ncfilters.selection.options import NeighbourOptions, PolicyOptions

from .steps import page_with, row, shown


def kept(names: str, headings: str = "", lengths: Sequence[int] = (), distance: int = 200, **options: bool) -> str:
    """The final classes (G or B) of the classes b, s, n, g; headings are marked with h below."""
    full = {"b": "bad", "s": "short", "n": "neargood", "g": "good"}
    good = justext_context.good_in_context(
        [full[name] for name in names],
        lengths or [10] * len(names),
        [mark == "h" for mark in headings.ljust(len(names))],
        NeighbourOptions(distance, **options),
    )
    return "".join("G" if is_good else "B" for is_good in good)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", ""),
        ("s", "B"),
        ("n", "B"),
        ("gsg", "GGG"),
        ("bsnsb", "BBBBB"),
        ("gsb", "GBB"),
        ("gsnsb", "GGGBB"),
        ("bsnsg", "BBGGG"),
        ("bsnsnsg", "BBGGGGG"),
        ("gsnsnsb", "GGGGGBB"),
        ("sg", "BG"),
        ("nsg", "GGG"),
        ("gs", "GB"),
        ("gn", "GG"),
    ],
)
def test_runs_between_good_and_bad(given: str, expected: str) -> None:
    assert kept(given) == expected


def test_headings_before_good_text() -> None:
    assert kept("bsbg", " h  ") == "BGBG"
    assert kept("bbbg", " h  ") == "BBBG"  # bad ones stay bad
    assert kept("bsbg", " h  ", [0, 9, 200, 9]) == "BGBG"
    assert kept("bsbg", " h  ", [0, 9, 201, 9]) == "BBBG"
    assert kept("bssg", " h  ") == "BGBG"
    assert kept("bssg", " h  ", published=True) == "BGGG"


def test_headings_that_become_good_do_not_help_headings() -> None:
    assert kept("bsssg", " hhs ", [0, 50, 50, 50, 300], distance=60) == "BBGBG"


def test_reads_of_classes_are_linear_in_the_page() -> None:
    size = 100_000
    reads = 0

    class Counted(list[str]):
        def __getitem__(self, at: Any) -> Any:
            nonlocal reads
            reads += 1
            return super().__getitem__(at)

    found = Counted(["good", *["short"] * size, "neargood", *["short"] * size, "bad"])
    good = justext_context.good_in_context(found, [10] * len(found), [True] * len(found))
    assert sum(good) == size + 2
    assert reads < 5 * len(found)


def test_scores_become_classes() -> None:
    of = {bits: justext_context.score_class(bits, 0, 5) for bits in (-5, -4.9, 0, 0.1, 5)}
    assert of == {-5: "bad", -4.9: "short", 0: "short", 0.1: "neargood", 5: "good"}
    assert justext_context.score_class(7, threshold=2, decided_bits=5) == "good"
    assert justext_context.score_class(0, threshold=0, decided_bits=0) == "bad"


PAGE = {"odds": 3.0, "types": {"article": 1.0}}


def decided(scores: list[float], evidence: Record | None = None, fields: Record | None = None, **options: Any) -> str:
    page = page_with(*[row(score=score, **fields or {}) for score in scores], evidence=evidence or {})
    return shown(decide_by_neighbours(page, PolicyOptions("justext", **options)))


UNDECIDED = [-4, 2.5, -0.8, 2.5, -4]


@pytest.mark.parametrize(
    ("scores", "evidence", "fields", "options", "expected"),
    [
        # undecided scores follow their neighbours
        ([9, -2, 9, -2, -9], None, {}, {}, "+++--"),
        ([9, -5, 9], None, {}, {}, "+-+"),
        # classes have priority over scores
        ([9, 9], None, {"class": "bad"}, {}, "--"),
        ([-9, -9], None, {"class": "good"}, {}, "++"),
        # calibrated scores are relative to the best expected F, and know the marks
        (UNDECIDED, None, {}, {}, "-----"),
        (UNDECIDED, PAGE, {}, {}, "-+++-"),
        (UNDECIDED, PAGE, {}, {"threshold": 3.0}, "-----"),
        ([2.5, 2.5], PAGE, {"rule": "nav"}, {}, "++"),
        ([2.5, 2.5], PAGE, {"rule": "nav", "class": "good"}, {}, "--"),
        # marked segments are bad
        ([9, 9], None, {"rule": "links"}, {}, "--"),
        ([9, 9], None, {"rule": "links"}, {"rules": False}, "++"),
    ],
)
def test_decisions(
    scores: list[float], evidence: Record | None, fields: Record, options: dict[str, Any], expected: str
) -> None:
    assert decided(scores, evidence, fields, **options) == expected


def test_marked_segments_are_bad_neighbours() -> None:
    rows = [row(score=9), row(score=-2, rule="links"), row(score=9), row(score=9, rule="nav")]
    assert shown(policy(PolicyOptions("justext"))(rows)) == "+-+-"
    assert shown(policy(PolicyOptions("justext", rules=False))(rows)) == "++++"


@pytest.mark.parametrize("wrong", ["fine", None, ["good"], 1])
def test_unknown_classes_are_errors(wrong: Any) -> None:
    with pytest.raises(RecordError, match=r"^segments\[0\]\.class: expected bad, short, neargood or good, got "):
        decided([1], fields={"class": wrong})


@pytest.mark.oracle
@pytest.mark.parametrize("published", [False, True])
def test_decisions_are_those_of_the_package(published: bool) -> None:
    core = pytest.importorskip("justext.core")

    class Given:
        """A paragraph with its class."""

        def __init__(self, cf_class: str, length: int, heading: bool) -> None:
            self.cf_class, self.text, self.heading = cf_class, "x" * length, heading
            # empty in the package when it looks for good text after headings: see good_in_context
            self.class_type = cf_class if published else ""

    chance = random.Random(2)
    for _ in range(6000):
        size = chance.randrange(15)
        found = chance.choices(CLASSES, [chance.random() + 0.05 for _ in CLASSES], k=size)
        lengths = [chance.choice([0, 1, 50, 100, 199, 200, 201]) for _ in found]
        headings = [chance.random() < 0.4 for _ in found]
        distance = chance.choice([0, 50, 200])
        options = NeighbourOptions(distance, published=published)
        paragraphs = [Given(*each) for each in zip(found, lengths, headings)]
        core.revise_paragraph_classification(paragraphs, distance)
        expected = [each.class_type == "good" for each in paragraphs]
        assert justext_context.good_in_context(found, lengths, headings, options) == expected, (
            found,
            lengths,
            headings,
        )
