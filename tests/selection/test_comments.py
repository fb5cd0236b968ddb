"""Comments of readers below an article."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.comments import MIN_ARTICLE, without_comments
from ncfilters.selection.options import DEFAULTS
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of

PAGE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.7, "forum": 0.3}}


def segment(text: str, path: str = "body/main/p", **more: Any) -> dict[str, Any]:
    return {"text": text, "type": "p", "path": path, "score": 2.0, "role": "text", "role_probability": 0.9} | more


ARTICLE = segment("word " * MIN_ARTICLE, score=5.0)


def kept(*segments: dict[str, Any], page: dict[str, Any] = PAGE) -> list[bool]:
    return without_comments(table_of([*segments]), [True] * len(segments), page)


@pytest.mark.parametrize(
    "name",
    ["div.commentText", "div#readerComments", "ol.commentlist", "div.artikel-kommentar", "section#disqus_thread"],
)
def test_elements_of_comments_go(name: str) -> None:
    assert kept(ARTICLE, segment("I got wet.", f"body/{name}/p"), segment("Rain.")) == [True, False, True]


@pytest.mark.parametrize("name", ["div.commentary", "div.commentator-name", "div.command"])
def test_other_elements_stay(name: str) -> None:
    assert kept(ARTICLE, segment("It rained.", f"body/{name}/p")) == [True, True]


@pytest.mark.parametrize(
    "label",
    ["Comments", "3 Comments", "Reader comments (12)", "No responses yet", "27 thoughts on “Rain”", "Leave a Reply"]
    + ["{ 2 comments… read them below or add one }"]
    + ["Kommentare (3)", "KOMENTARZE", "Комментарии: 0", "Dodaj komentarz", "Commentaires", "评论"],
)
def test_what_follows_a_label_goes(label: str) -> None:
    assert kept(ARTICLE, segment(label, type="h"), segment("I got wet.")) == [True, False, False]
    assert kept(segment("Rain. " * 9), segment(label, type="h"), ARTICLE) == [True] * 3  # above the article
    assert kept(ARTICLE, segment(label, type="h", links=8), segment("Rain.")) == [True] * 3  # leads to comments
    assert kept(ARTICLE, segment(label), segment("Rain.")) == [True] * 3  # in a sentence


@pytest.mark.parametrize(
    "label", ["Comments are welcome, as long as they are on rain.", "Response times", "Response:", "Opinion"]
)
def test_other_texts_are_no_labels(label: str) -> None:
    assert kept(ARTICLE, segment(label, type="h"), segment("It rained.")) == [True] * 3


@pytest.mark.parametrize("example", [{"pre": True, "path": "body/main/pre"}, {"path": "body/main/table/tr/th"}])
def test_examples_are_no_comments(example: dict[str, Any]) -> None:
    segments = [ARTICLE, segment("Responses", type="h"), segment("A forecast.", score=1.0)]
    assert kept(*segments) == [True, False, False]
    assert kept(*segments, segment("forecast: rain", score=1.0) | example) == [True] * 4


def test_text_of_the_article_stays_whatever_it_is_called() -> None:
    section = segment("Use a number sign.", score=4.0)
    assert kept(ARTICLE, segment("Comments", type="h", score=4.0), section) == [True] * 3
    text = segment("word " * MIN_ARTICLE, "body/div.comment-content/p", score=5.0)
    assert kept(segment("Menu " * MIN_ARTICLE, score=0.5), text) == [True] * 2


def test_a_page_of_comments_keeps_them() -> None:
    comment = segment("I got wet.", "body/div.comment/p")
    for page in {"odds": 5.0, "types": {"forum": 0.7, "article": 0.3}}, PAGE:
        assert kept(comment, comment, page=page) == [True, True]
    assert kept(ARTICLE, comment, page={"odds": 5.0}) == [True, False]
    assert without_comments(table_of([]), [], PAGE) == []


def test_posts_are_not_decided_here() -> None:
    assert kept(ARTICLE, segment("I got wet.", "body/ol.comments/li", post=0)) == [True, True]


def test_those_who_ask_for_comments_get_them() -> None:
    table = table_of([ARTICLE, segment("I got wet.", "body/div.comments/p")])
    for options, is_kept in (DEFAULTS.content, False), (DEFAULTS.content._replace(policy="all"), True):
        assert policy(DEFAULTS._replace(content=options))(table, PAGE) == [True, is_kept]
