"""The body of an article that a page declares in JSON-LD and does not show."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.hidden_body import MIN_WORDS, keep_hidden_body
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of


def body(words: int, path: str = "NewsArticle/articleBody") -> dict[str, Any]:
    name = path.rpartition("/")[2]
    return {"text": "word " * words, "path": f"json-ld/{path}", "origin": f"json-ld:{name}", "type": "p", "score": -4.0}


def teaser(words: int) -> dict[str, Any]:
    return {"text": "word " * words, "path": "body/p", "type": "p", "score": 3.0}


@pytest.mark.parametrize(
    ("shown", "declared", "is_kept"),
    [(0, MIN_WORDS, True), (0, MIN_WORDS - 1, False), (49, 200, True), (50, 200, False)],
)
def test_a_body_is_kept_where_little_is_shown(shown: int, declared: int, is_kept: bool) -> None:
    assert keep_hidden_body(table_of([teaser(shown), body(declared)]), [True, False]) == [True, is_kept]


def test_all_steps_of_instructions_are_kept() -> None:
    steps = [body(60, "HowTo/description"), body(2, "HowToStep/name"), body(60, "HowToDirection/text")]
    assert keep_hidden_body(table_of([*steps, body(60, "Person/description")]), [False] * 4) == [True] * 3 + [False]


def test_other_text_of_json_ld_stays_dropped() -> None:
    assert keep_hidden_body(table_of([body(200, "Product/description")]), [False]) == [False]
    assert keep_hidden_body(table_of([teaser(20)]), [True]) == [True]
    assert keep_hidden_body(table_of([]), []) == []


def test_the_decision_keeps_it() -> None:
    assert policy()([teaser(20), body(200)], {"odds": 5.0}) == [True, True]
