"""Decisions about posts."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.options import ContentOptions
from ncfilters.selection.posts import keep_posts
from ncfilters.selection.scored_table import table_of

PARTS: list[dict[str, Any]] = [
    {"part": "byline"},
    {},
    {"part": "furniture"},
    {"path": "body/blockquote"},
    {"part": "rest"},
]


def kept(segments: list[dict[str, Any]], before: list[bool], policy: str = "main", forum: float = 0.0) -> list[bool]:
    rows = table_of([{"text": "Rain.", "post": 1, "score": 0.0, **segment} for segment in segments])
    return keep_posts(rows, before, ContentOptions(policy), {"odds": 5.0, "types": {"forum": forum}})


@pytest.mark.parametrize("before", [True, False])
def test_parts(before: bool) -> None:
    assert kept(PARTS, [before] * 5) == [False, True, False, before, before]
    assert kept(PARTS, [before] * 5, "all") == [True, True, False, True, before]


def test_only_the_first_post_is_the_article() -> None:
    assert kept([{"post": 0}, {"post": 1}], [True, True], "article") == [True, False]
    assert kept([{"post": 0}, {"post": 1}], [False, True], "article") == [False, False]


def test_comments() -> None:
    comments = [{"part": "comment"}, {"part": "comment", "post": 2}]
    assert kept(comments, [False, False]) == [False, False]
    assert kept(comments, [False, False], "all") == [True, True]
    assert kept(comments, [False, False], forum=0.9) == [True, True]
    with_answers = [{"post": 3}, {"post": 4}, *comments]
    assert kept(with_answers, [False] * 4, forum=0.9) == [True, True, False, False]


def test_other_segments_stay() -> None:
    table = table_of([{"text": "Rain.", "score": 0.0}])
    assert keep_posts(table, [True], ContentOptions(), {"odds": 5.0}) == [True]


def test_excluded_roles_and_hidden_text_go() -> None:
    segments = [
        {"text": "Rain.", "post": 0, "score": 0.0, "role": "comment", "role_probability": 0.9},
        {"text": "Rain.", "post": 0, "score": 0.0, "role": "text", "role_probability": 0.9, "hidden": "display"},
    ]
    options = ContentOptions(excluded=frozenset(["comment"]))
    assert keep_posts(table_of(segments), [False, True], options, {"odds": 5.0}) == [False, False]


def test_posts_below_an_article_are_comments() -> None:
    article = {"text": "It rained. " * 50}
    table = table_of([{"score": 0.0, **article}, {"text": "Rain.", "post": 0, "score": -3.0}])
    for forum, expected in ((0.0, False), (0.9, True)):
        page = {"odds": 5.0, "types": {"forum": forum}}
        assert keep_posts(table, [True, False], ContentOptions(), page) == [True, expected]


def test_what_stands_between_posts_is_of_none_of_them() -> None:
    segments = [{"post": 0}, {"text": "Replies 2"}, {"type": "h", "text": "2 answers"}, {"post": 1}, {"text": "Rules"}]
    table = table_of([{"text": "Rain.", "type": "p", "score": 1.0, **segment} for segment in segments])
    for policy, forum, summary in (("main", 0.9, False), ("main", 0.1, True), ("all", 0.9, True)):
        page = {"odds": 5.0, "types": {"forum": forum}}
        assert keep_posts(table, [True] * 5, ContentOptions(policy), page) == [True, summary, True, True, True]
