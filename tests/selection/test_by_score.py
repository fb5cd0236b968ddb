"""Decisions by scores alone: the best expected F of words, thresholds, operating points, the best sequence."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import inf, log2, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operations import assert_linear
from uncompiled import both_forms

from ncfilters.record import Record
from ncfilters.selection import viterbi
from ncfilters.selection.by_score import decide_by_score, least_score, relations
from ncfilters.selection.expected_f import (
    BALANCE,
    MULTI_TOPIC_TYPES,
    OPERATING_POINTS,
    best_expected_f,
    score_threshold,
)
from ncfilters.selection.options import DEFAULTS, PolicyOptions
from ncfilters.selection.scored_page import page_of

from .steps import page_with, row, shown, words

PAGE, UNSCALED = {"odds": 3.0, "types": {"article": 1.0}}, {}
EXPECTED, RECALL = PolicyOptions("expected"), PolicyOptions(favour="recall")


def decided(*rows: Record, options: PolicyOptions = DEFAULTS, evidence: Record = PAGE) -> str:
    return shown(decide_by_score(page_with(*rows, evidence=evidence), options))


# ---- the best expected F


def test_best_f_is_that_of_the_best_set() -> None:
    chances, sizes = [0.9, 0.2, 0.55, 0.4, 0.05, 0.7], [3.0, 10.0, 1.0, 6.0, 40.0, 2.0]
    whole = sum(p * w for p, w in zip(chances, sizes))
    sets = [chosen for size in range(1, 7) for chosen in combinations(range(6), size)]
    of_set = {
        chosen: 2 * sum(chances[i] * sizes[i] for i in chosen) / (sum(sizes[i] for i in chosen) + whole)
        for chosen in sets
    }
    best = max(of_set, key=lambda chosen: of_set[chosen])
    assert best_expected_f(chances, sizes) == pytest.approx(of_set[best])
    assert [at for at, chance in enumerate(chances) if chance > of_set[best] / 2] == list(best)
    assert best_expected_f([], []) == best_expected_f([0.0, 0.0], [3.0, 4.0]) == 0


@pytest.mark.parametrize("highest", [1.0, 0.45, 1e-9])
def test_best_f_is_that_of_the_best_cut(highest: float) -> None:
    """Of the segments from the most to the least probable, every number is tried."""
    rnd = random.Random(4)
    for size in (1, 2, 5, 60):
        chances = [rnd.choice([highest, rnd.random() * highest, rnd.random() ** 5 * highest]) for _ in range(size)]
        sizes = [rnd.choice([1.0, 2.5, 40.0]) for _ in range(size)]
        whole = sum(p * w for p, w in zip(chances, sizes))
        order = sorted(zip(chances, sizes), reverse=True)
        cuts = [order[:cut] for cut in range(1, size + 1)]
        expected = max(2 * sum(p * w for p, w in cut) / (sum(w for _, w in cut) + whole) for cut in cuts)
        assert best_expected_f(chances, sizes) == pytest.approx(expected, rel=1e-12)


@given(st.lists(st.tuples(st.floats() | st.integers(-(2**60), 2**60), st.text(max_size=9)), max_size=20))
def test_both_forms_are_the_same(rows: list[tuple[float, str]]) -> None:
    page, found = page_of([{"text": text, "score": score} for score, text in rows]), []
    for form in both_forms("ncfilters.selection.expected_f"):
        chances = form.probabilities(page)
        found.append((chances, form.best_expected_f(chances, page.words())))
    assert found[0] == found[-1]


def threshold(*rows: Record, favour: str = "balance", evidence: Record = UNSCALED) -> float:
    return score_threshold(page_with(*rows, evidence=evidence), OPERATING_POINTS[favour])


def test_score_threshold_is_a_probability_in_bits() -> None:
    # best expected F: 1, so that half of it is even odds
    assert threshold(words(30, score=20.0)) == pytest.approx(0.58, abs=0.01)
    assert threshold(words(30, score=20.0), favour="precision") > 1.5
    assert threshold(words(3, score=20.0)) == pytest.approx(0, abs=0.01)
    assert threshold() < -2.8


def test_models_without_words_and_unknown_types_need_more_evidence() -> None:
    rows, page = [words(50, score=3.0), words(50, score=0.8)], {"odds": 3.0, "types": {"article": 0.9, "forum": 0.1}}
    others: list[Record] = [page | {"words": False}, {"odds": 3.0}, {"odds": 3.0, "types": {}, "words": False}]
    sure = threshold(*rows, evidence=page)
    assert sure < min(threshold(*rows, evidence=other) for other in others)
    assert len({threshold(*rows, evidence=other) for other in others}) == 1
    listing = {**page, "types": {"listing": 1.0}}
    assert threshold(*rows, evidence=listing) == threshold(*rows, evidence={**listing, "words": False}) < sure


DOUBT, SURE = words(4, score=-0.3), words(36, score=9.0)


@pytest.mark.parametrize(
    ("rows", "options", "evidence", "expected"),
    [
        # uncertain text is kept where all is uncertain
        ([DOUBT, words(2, score=-0.9)], EXPECTED, PAGE, "++"),
        ([DOUBT, SURE], EXPECTED, PAGE, "-+"),
        ([DOUBT, SURE], RECALL, PAGE, "++"),
        # the type of the page
        ([words(50, score=8.0), words(10, score=-0.2)], DEFAULTS, PAGE, "+-"),
        ([words(50, score=8.0), words(10, score=-0.2)], DEFAULTS, {"odds": 3.0, "types": {"listing": 1.0}}, "++"),
        ([words(50, score=8.0), words(10, score=-0.2)], DEFAULTS, {"types": {"listing": 0.05, "forum": 0.95}}, "+-"),
        ([words(50, score=8.0), words(10, score=0.9)], DEFAULTS, {"odds": 3.0}, "+-"),
        # auto is expected F with a page, else a threshold
        ([words(3, score=-0.4), words(2, score=-0.6)], DEFAULTS, PAGE, "++"),
        ([words(3, score=-0.4), words(2, score=-0.6)], EXPECTED, PAGE, "++"),
        ([words(3, score=-0.4), words(2, score=-0.6)], DEFAULTS, UNSCALED, "--"),
        ([words(3, score=-0.4), words(2, score=-0.6)], PolicyOptions(threshold=0.0), PAGE, "--"),
        ([words(3, score=-0.4), words(2, score=-0.6)], PolicyOptions(threshold=-0.5), PAGE, "+-"),
    ],
)
def test_the_best_expected_f(rows: list[Record], options: PolicyOptions, evidence: Record, expected: str) -> None:
    assert decided(*rows, options=options, evidence=evidence) == expected


def test_extreme_scores_do_not_change_other_decisions() -> None:
    ordinary = [words(4, score=score) for score in (-3.0, -1.2, 0.4, 2.5)]
    extreme = [words(1, score=score) for score in (nan, -inf, -1e300, -5000)]
    assert decided(*ordinary, *extreme, options=EXPECTED) == decided(*ordinary, options=EXPECTED) + "----"


@pytest.mark.parametrize("score", [-4.0, -1.0, 0.0, 2.0])
def test_equal_scores_have_equal_decisions(score: float) -> None:
    ties = [words(size, score=score) for size in (1, 9, 2, 30)]
    assert len({*decided(*ties)}) == len({*decided(*ties, words(20, score=8.0))[:4]}) == 1


# ---- all methods

METHODS = pytest.mark.parametrize("method", ["auto", "threshold", "expected", "viterbi"])
EVIDENCE = pytest.mark.parametrize("evidence", [PAGE, UNSCALED])


@METHODS
@EVIDENCE
def test_pages_of_one_segment_and_of_none(method: str, evidence: Record) -> None:
    options = PolicyOptions(method)
    for rows, expected in (
        ([], ""),
        ([row(score=3.0)], "+"),
        ([row(score=-9.0)], "-"),
        ([row("", score=1e300), row("x", score=-1e300), row("y", score=nan)], "+--"),
    ):
        assert decided(*rows, options=options, evidence=evidence) == expected
    for favour in OPERATING_POINTS:  # the best segment of a page without text is none
        options = PolicyOptions(method, favour=favour)
        assert decided(row(score=-9.0), row(score=-30.0), options=options, evidence=evidence) == "--"


@METHODS
@EVIDENCE
def test_operating_points_keep_more_or_less(method: str, evidence: Record) -> None:
    rows = [row(f"Text number {at} of the page.", score=at / 4) for at in (36, *range(-32, 33))]
    numbers = [
        decided(*rows, options=PolicyOptions(method, favour=favour), evidence=evidence).count("+")
        for favour in ("precision", "balance", "recall")
    ]
    assert 0 < numbers[0] < numbers[1] < numbers[2] < len(rows)


@pytest.mark.parametrize("favour", OPERATING_POINTS)
def test_certain_page_types_leave_a_valid_threshold(favour: str) -> None:
    """The threshold stays a probability, whatever the shares of the types are."""
    evidence = {"odds": 3.0, "types": dict.fromkeys(MULTI_TOPIC_TYPES, 1)}
    for method in ("auto", "expected", "viterbi"):
        options = PolicyOptions(method, favour=favour)
        assert decided(row("one", score=30.0), row("two", score=-30.0), options=options, evidence=evidence) == "+-"


MARKED = [row(score=6.0), row("Marked text.", score=6.0, rule="bars"), row("More of it.", score=6.0)]


@METHODS
def test_marked_segments_are_dropped_without_a_page(method: str) -> None:
    options = PolicyOptions(method)
    assert decided(*MARKED, options=options) == "+++"
    assert decided(*MARKED, options=options, evidence=UNSCALED) == "+-+"
    assert decided(*MARKED, options=options._replace(rules=False), evidence=UNSCALED) == "+++"


@pytest.mark.parametrize("method", ["expected", "viterbi", "justext"])
def test_embedded_segments_do_not_change_other_decisions(method: str) -> None:
    rows, options = [row(score=1.0), row("Good title", "body/h2", -0.1), row(score=1.0)], PolicyOptions(method)
    extra = row("Not shown.", score=9.0, rule="embedded", origin="template")
    alone = decided(*rows, options=options, evidence=UNSCALED)
    found = decided(rows[0], extra, *rows[1:], options=options, evidence=UNSCALED)
    assert found == f"{alone[0]}-{alone[1:]}"


MENU_AND_TEXT = [row(score=3.0), row(score=5.0, rule="bars"), row(score=12.5), row(score=0.0), row(score=-4.0)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "+-+--"),
        ({"threshold": 3.0}, "--+--"),
        ({"threshold": -1}, "+-++-"),
        ({"threshold": 100}, "-----"),
        ({"rules": False}, "+++--"),
        ({"rules": False, "threshold": 4}, "-++--"),
    ],
)
def test_thresholds_keep_higher_scores_without_a_mark(options: dict[str, Any], expected: str) -> None:
    own = PolicyOptions("threshold", **options)
    assert decided(*MENU_AND_TEXT, options=own, evidence=UNSCALED) == expected


def test_the_least_score_is_that_of_the_decision() -> None:
    page = page_with(words(50, score=8.0), words(10, score=-0.2), evidence=PAGE)
    assert least_score(DEFAULTS, page) == least_score(EXPECTED, page) == score_threshold(page, BALANCE)
    assert least_score(PolicyOptions(threshold=2.0), page) == 2.0
    page.evidence = UNSCALED
    points = {favour: least_score(PolicyOptions(favour=favour), page) for favour in OPERATING_POINTS}
    assert points == {"precision": 5.0, "balance": 0.0, "recall": -5.0}
    assert log2(1) == least_score(DEFAULTS, page)


@pytest.mark.parametrize("method", ["expected", "viterbi"])
def test_decisions_take_linear_time(method: str) -> None:
    def make(size: int) -> list[Record]:
        return [row(f"Some words of text {at}", "body/div/ul/li", at % 17 - 9.0) for at in range(size)]

    assert_linear(lambda rows: decided(*rows, options=PolicyOptions(method)), make, 500)


# ---- the best sequence


def bits(odds: list[float], relations: list[str], share: float, states: list[bool]) -> float:
    total = sum(own for own, state in zip(odds, states) if state)
    around = [False, *states, False]
    for before, after, name in zip(around, around[1:], ["section", *relations, "section"]):
        leave, enter = viterbi.CHANGE_COSTS[name]
        total -= share * (leave if before and not after else enter if after and not before else 0)
    return total


def test_no_sequence_is_better() -> None:
    chance = random.Random(5)
    for size, _, share in product((1, 2, 3, 5, 8), range(40), (0.25, 1.0)):
        odds = [chance.gauss(0, 2) for _ in range(size)]
        relations = chance.choices(list(viterbi.CHANGE_COSTS), k=size - 1)
        best = max(bits(odds, relations, share, list(states)) for states in product([False, True], repeat=size))
        assert bits(odds, relations, share, viterbi.best_sequence(odds, relations, share)) == pytest.approx(best)


@pytest.mark.parametrize(
    ("odds", "relations", "factor", "expected"),
    [
        ([2.0, -0.5, 2.0], ["path", "path"], (), "+++"),
        ([2.0, -0.5, 2.0], ["path", "path"], (0,), "+-+"),
        ([-2.0, 0.5, -2.0], ["path", "path"], (), "---"),
        ([0.1], [], (), "-"),  # the edges are boilerplate
        ([], [], (), ""),
        ([9.0, -inf, 9.0], ["path", "path"], (1.0,), "+-+"),
        ([-inf, -inf], ["path"], (), "--"),
        ([0.8, 3.0], ["heading"], (1.0,), "++"),
        ([0.8, -3.0], ["heading"], (1.0,), "--"),
    ],
)
def test_neighbours_decide_uncertain_segments(
    odds: list[float], relations: list[str], factor: tuple[float, ...], expected: str
) -> None:
    assert shown(viterbi.best_sequence(odds, relations, *factor)) == expected


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ({"path": "a/b/c"}, {"path": "a/b/c"}, "path"),
        ({"path": "a/b/c"}, {"path": "a/b/d"}, "parent"),
        ({"path": "a/b/c"}, {"path": "a/x/c"}, "grandparent"),
        ({"path": "a/b/c"}, {"path": "x/b/c"}, "section"),
        ({"path": "a/b/c"}, {"path": "a/b"}, "section"),
        ({"path": "a/b/c"}, {}, "plain"),
        ({}, {}, "plain"),
        ({"path": "a", "type": "h"}, {"path": "a"}, "heading"),
        ({"path": "a", "type": "h"}, {"path": "a", "type": "h"}, "path"),
        ({"path": "a"}, {"path": "a", "type": "h"}, "path"),
        ({"path": "a", "type": "h"}, {"path": "a", "origin": "noscript"}, "origin"),
        ({"path": "a", "origin": "json-ld:name"}, {"path": "a", "origin": "json-ld:text"}, "path"),
    ],
)
def test_relations(before: Record, after: Record, name: str) -> None:
    page = page_of([{"text": "a", "type": "p", **before}, {"text": "b", "type": "p", **after}])
    assert relations(page) == [name]
