"""The best sequence of text and boilerplate: exact, and plausible."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from ncfilters.selection import viterbi


def best_of_all(odds: list[float], relations: list[str], share: float) -> float:
    """The bits of the best of all sequences."""
    return max(bits(odds, relations, share, list(states)) for states in product([False, True], repeat=len(odds)))


def bits(odds: list[float], relations: list[str], share: float, states: list[bool]) -> float:
    total = sum(own for own, state in zip(odds, states) if state)
    around = [False, *states, False]
    for before, after, name in zip(around, around[1:], ["section", *relations, "section"]):
        leave, enter = viterbi.CHANGE_COSTS[name]
        total -= share * (leave if before and not after else enter if after and not before else 0)
    return total


def test_no_sequence_is_better() -> None:
    chance = random.Random(5)
    for size in (1, 2, 3, 5, 8):
        for _ in range(40):
            odds = [chance.gauss(0, 2) for _ in range(size)]
            relations = chance.choices(list(viterbi.CHANGE_COSTS), k=size - 1)
            for share in (0.25, 1.0):
                states = viterbi.best_sequence(odds, relations, share)
                assert bits(odds, relations, share, states) == pytest.approx(best_of_all(odds, relations, share))


def test_neighbours_decide_uncertain_segments() -> None:
    assert viterbi.best_sequence([2.0, -0.5, 2.0], ["path", "path"]) == [True, True, True]
    assert viterbi.best_sequence([2.0, -0.5, 2.0], ["path", "path"], factor=0) == [True, False, True]
    assert viterbi.best_sequence([-2.0, 0.5, -2.0], ["path", "path"]) == [False, False, False]
    assert viterbi.best_sequence([0.1], []) == [False]  # the edges are boilerplate
    assert viterbi.best_sequence([], []) == []


def test_impossible_segments_are_never_text() -> None:
    nothing = float("-inf")
    assert viterbi.best_sequence([9.0, nothing, 9.0], ["path", "path"], 1.0) == [True, False, True]
    assert viterbi.best_sequence([nothing, nothing], ["path"]) == [False, False]


def test_headings_follow_the_next_segment() -> None:
    assert viterbi.best_sequence([0.8, 3.0], ["heading"], 1.0) == [True, True]
    assert viterbi.best_sequence([0.8, -3.0], ["heading"], 1.0) == [False, False]


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
def test_relations(before: dict[str, Any], after: dict[str, Any], name: str) -> None:
    assert viterbi.relation({"type": "p", **before}, {"type": "p", **after}) == name
