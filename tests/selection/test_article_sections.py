"""Sections of an article that look like comments."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.article_sections import MIN_HEADING, with_sections
from ncfilters.selection.options import DEFAULTS
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of

PAGE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.7, "forum": 0.3}}
HEADING = " ".join(["Rain"] * MIN_HEADING)


def segment(text: str, path: str, **more: Any) -> dict[str, Any]:
    kind = "h" if "/h" in path else "p"
    return {"text": text, "type": kind, "path": f"body/main/{path}", "score": 1.0, "role": "comment"} | more


LEAD = segment("It rained all day. " * 9, "article/p", role="text")


def sections(*segments: dict[str, Any], by_main: bool = True) -> list[bool]:
    """What is kept of what stands below the lead."""
    number = len(segments)
    out = with_sections(table_of([LEAD, *segments]), [True] + [False] * number, [True] + [by_main] * number)
    assert out[0]
    return out[1:]


def test_entries_with_headings_are_kept() -> None:
    entry = [segment(HEADING, "article/div.entry/h3"), segment("Streets are under water.", "article/div.entry/p")]
    assert sections(*entry, *entry) == [True] * 4
    assert sections(*entry, by_main=False) == [False] * 2


@pytest.mark.parametrize(
    ("heading", "path", "more"),
    [
        (HEADING, "section.comments/div/h3", {}),  # outside
        ("Ann Lee", "article/div/h3", {}),  # the name of an author
        (HEADING, "article/div/b", {}),
        (HEADING, "article/div/h3", {"rule": "links"}),
    ],
)
def test_comments_stay_away(heading: str, path: str, more: dict[str, Any]) -> None:
    text = segment("I got wet.", path.rpartition("/")[0] + "/p")
    assert sections(segment(heading, path, **more), text) == [False, False]


def test_other_roles_and_marked_segments_stay_as_they_are() -> None:
    texts = [
        segment("Snow in May", "article/p", role="related"),
        segment("Share", "article/p", rule="widget"),
        segment("I got wet.", "section/p"),
    ]
    assert sections(segment(HEADING, "article/h3"), *texts) == [True, False, False, False]


def test_a_page_without_an_element_of_the_article() -> None:
    text = [{"text": "It rained all day.", "path": "body/p"}, {"text": HEADING, "path": "body/h3", "role": "comment"}]
    assert with_sections(table_of(text), [True, False], [True, True]) == [True, False]
    assert with_sections(table_of([]), [], []) == []


def test_the_policy_article_keeps_them() -> None:
    scores = {"role_probability": 0.6, "score": 4.0, "score_article": -4.0}
    entry = [segment(HEADING, "article/h3", **scores), segment("Streets are under water.", "article/p", **scores)]
    lead = LEAD | {"role_probability": 0.9, "score": 5.0, "score_article": 5.0}
    options = DEFAULTS._replace(content=DEFAULTS.content._replace(policy="article"))
    table = table_of([lead, *entry])
    assert policy(options)(table, PAGE) == policy(options)(table, {"odds": 5.0}) == [True] * 3
    thread = {"odds": 5.0, "types": {"forum": 0.7, "article": 0.3}}
    assert policy(options)(table, thread) == [True, False, False]
