"""The body of an article that a page declares in JSON-LD and does not show."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.hidden_body import MIN_WORDS, keep_hidden_body
from ncfilters.selection.options import ContentOptions, PolicyOptions
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of

PAGE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.7, "listing": 0.3}}


def body(words: int, path: str = "NewsArticle/articleBody") -> dict[str, Any]:
    name = path.rpartition("/")[2]
    return {"text": "rain " * words, "path": f"json-ld/{path}", "origin": f"json-ld:{name}", "type": "p", "score": -4.0}


def shown(text: str, path: str = "body/p") -> dict[str, Any]:
    return {"text": text, "path": path, "type": "p", "score": 3.0}


def kept(*segments: dict[str, Any], page: dict[str, Any] = PAGE) -> list[bool]:
    return keep_hidden_body(table_of([*segments]), ["score" in part and part["score"] > 0 for part in segments], page)


@pytest.mark.parametrize(
    ("teaser", "declared", "is_kept"),
    [(0, MIN_WORDS, True), (0, MIN_WORDS - 1, False), (49, 200, True), (50, 200, False)],
)
def test_a_body_is_kept_where_little_is_shown(teaser: int, declared: int, is_kept: bool) -> None:
    assert kept(shown("word " * teaser), body(declared)) == [True, is_kept]


def test_a_body_of_another_article_is_not() -> None:
    for title, is_kept in (("More rain", True), ("Page not found", False)):
        assert kept(shown(title, "body/h1"), body(200)) == [True, is_kept]


def test_all_steps_of_instructions_are_kept() -> None:
    steps = [body(60, "HowTo/description"), body(2, "HowToStep/name"), body(60, "HowToDirection/text")]
    assert kept(*steps, body(60, "Person/description")) == [True] * 3 + [False]


def test_other_text_of_json_ld_and_that_of_listings_stay_dropped() -> None:
    assert kept(body(200, "Product/description")) == [False]
    assert kept(body(200), page={"odds": 5.0, "types": {"article": 0.2, "listing": 0.8}}) == [False]
    assert kept(shown("rain")) == [True]
    assert kept() == []


def test_the_decision_keeps_it_as_text() -> None:
    segments = [shown("word " * 20), body(200)]
    assert policy()(segments, PAGE) == [True, True]
    without = policy(PolicyOptions(content=ContentOptions(excluded=frozenset({"text"}))))
    assert without([{**part, "role": "boilerplate", "role_probability": 0.9} for part in segments], PAGE) == [
        True,
        False,
    ]
