"""Decisions by role: content policies, included and excluded roles, sections of an article, posts."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.record import Record
from ncfilters.selection.decision import policy
from ncfilters.selection.options import PolicyOptions
from ncfilters.selection.posts import keep_posts
from ncfilters.selection.roles import (
    MIN_HEADING,
    OUTSIDE_PROBABILITY,
    check_roles,
    decide_roles,
    keep_sections,
    with_policy_scores,
)
from ncfilters.selection.scored_page import page_of

from .steps import ARTICLE, FORUM, after, content, page_with, row, shown, words


def of(role: str, probability: float, score: float = 2.0, path: str = "", **fields: Any) -> Record:
    """A segment of a role."""
    text = f"{role} of many words, as others have"
    return row(text, path, score, role=role, role_probability=probability, **fields)


def decided(rows: list[Record], options: PolicyOptions, evidence: Record = ARTICLE) -> str:
    """What the whole policy keeps."""
    return shown(policy(options)(page_with(*rows), evidence))


LEAST = OUTSIDE_PROBABILITY
SURE = [of("text", 0.9), of("byline", LEAST), of("byline", LEAST - 0.1), of("boilerplate", 1.0)]
WITH_BYLINE, WITHOUT_BYLINE = content("article", "byline"), content(excluded="byline")


@pytest.mark.parametrize(
    ("rows", "options", "before", "expected"),
    [
        ([of("text", 0.9), of("text", 0.9), of("caption", 0.5)], content(), "+++", "+++"),
        (SURE, content(), "++++", "+-++"),
        (SURE, content("all"), "++++", "++++"),
        (SURE, WITH_BYLINE, "----", "-++-"),
        (SURE, WITHOUT_BYLINE, "++++", "+--+"),
        ([of("related", 1.0)], content(), "+", "-"),
        ([of("related", 1.0)], content("all"), "+", "+"),  # the score decides on links
        ([of("title", 1.0)], content(excluded="title"), "+", "+"),  # see `title`
        ([row()], content(), "+", "+"),
    ],
)
def test_a_role_outside_the_policy_is_dropped_if_it_is_certain(
    rows: list[Record], options: PolicyOptions, before: str, expected: str
) -> None:
    assert after(decide_roles, *rows, options=options, before=before) == expected


ASKED = [of("text", 0.9), of("comment", 0.4, -6.0), of("caption", 0.4, 6.0), of("byline", 0.3)]
ABOVE = [of("byline", 0.5, 0.0, "body/h2"), of("text", 0.9, 5.0, "body/p")]
RELATED = [of("text", 0.9, 5.0, "body/p"), of("related", 0.6, -5.0, "body/aside/h2")]
RELATED.append(of("boilerplate", 0.9, -5.0, "body/aside/p"))


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        ([of("text", 0.9), of("text", 0.9, -6.0), of("caption", 0.5)], content(), "+-+"),
        # whatever the scores are
        (ASKED, content(included="comment", excluded="caption byline"), "++--"),
        (ASKED, content(included="comment")._replace(method="threshold"), "++++"),
        # the structure neither brings back excluded roles nor drops included ones
        (ABOVE, content(), "++"),
        (ABOVE, WITHOUT_BYLINE, "-+"),
        (RELATED, content(), "+--"),
        (RELATED, content(included="related"), "++-"),
        # the score is that of the policy
        ([of("text", 0.9, 3.0, score_article=-4.0, score_all=4), of("text", 0.9, 3.0)], content("article"), "-+"),
    ],
)
def test_roles_that_are_asked_for(rows: list[Record], options: PolicyOptions, expected: str) -> None:
    assert decided(rows, options) == expected


def test_scores_under_a_policy() -> None:
    page = page_of([of("text", 0.9, 3.0, score_article=-4.0, score_all="1"), of("text", 0.9, 3.0)])
    assert with_policy_scores(page, "article").score == [-4.0, 3.0]
    assert with_policy_scores(page, "main") is page and page.score == [3.0, 3.0]
    with pytest.raises(RecordError, match=r"segments\[0\].score_all: expected a number, got a string"):
        with_policy_scores(page, "all")


PLAIN = {"text": "a", "type": "p", "score": 1.0}
SHARE = r"segments\[1\].role_probability: expected a number from 0 to 1"


@pytest.mark.parametrize(
    ("fields", "required", "message"),
    [
        ({"role": "headline"}, False, r"segments\[1\].role: expected one of title, byline"),
        ({"role": ["text"]}, False, r"segments\[1\].role: expected one of title, byline"),
        *[({"role_probability": wrong}, False, SHARE) for wrong in ("1", 1.5, float("nan"), None)],
        ({"role": None}, True, r"segments\[1\].role: missing: --policy, --with and --without need"),
        ({"role": None}, False, r"segments\[1\].role: missing$"),
    ],
)
def test_wrong_roles_are_errors(fields: Record, required: bool, message: str) -> None:
    with pytest.raises(RecordError, match=f"^{message}"):
        check_roles(page_of([of("text", 0.9), of("text", 0.9) | fields]), required)


def test_roles_may_be_missing_if_they_are_not_asked_for() -> None:
    check_roles(page_of([PLAIN, PLAIN]), False)
    with pytest.raises(RecordError, match=r"segments\[0\].role: missing: --policy, --with and --without need"):
        check_roles(page_of([PLAIN]), True)
    with pytest.raises(RecordError, match=r"segments\[0\].role_probability: missing"):
        check_roles(page_of([{**PLAIN, "role": "text"}]), False)
    assert policy(content("all"))([], None) == []


# ---- sections of an article that look like comments


def section(text: str, path: str, **fields: Any) -> Record:
    """A segment that is kept under the policy `main`, but not under `article`."""
    return row(text, f"body/main/{path}", -4.0) | {"role": "comment", "score_main": 4.0} | fields


RAIN = " ".join(["Rain"] * MIN_HEADING)
LEAD = row("It rained all day. " * 9, "body/main/article/p", role="text")
ENTRY = [section(RAIN, "article/div.entry/h3"), section("Streets are under water.", "article/div.entry/p")]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([*ENTRY, *ENTRY], "++++"),
        ([ENTRY[0] | {"score_main": -4.0}, ENTRY[1]], "--"),
        ([ENTRY[0], ENTRY[1] | {"score_main": -4.0}], "+-"),
        # comments
        ([section(RAIN, "section.comments/div/h3"), section("Wet.", "section.comments/div/p")], "--"),
        ([section("Ann Lee", "article/div/h3"), section("Wet.", "article/div/p")], "--"),
        ([section(RAIN, "article/div/b"), section("Wet.", "article/div/p")], "--"),
        ([section(RAIN, "article/div/h3", rule="links"), section("Wet.", "article/div/p")], "--"),
        # other roles and marked segments
        ([ENTRY[0], section("Snow in May", "article/p", role="related")], "+-"),
        ([ENTRY[0], section("Share", "article/p", rule="widget")], "+-"),
        ([ENTRY[0], section("I got wet.", "section/p"), ENTRY[1]], "+--"),
    ],
)
def test_sections_with_headings_are_kept(rows: list[Record], expected: str) -> None:
    page = page_with(LEAD, *rows)
    page.main = page.with_scores([one.get("score_main", one["score"]) for one in (LEAD, *rows)])
    kept = bytearray([1] + [0] * len(rows))
    keep_sections(page, kept, content("article"))
    assert shown(kept) == "+" + expected


def test_pages_without_an_element_of_the_article() -> None:
    assert after(keep_sections, row(path="body/p"), row(RAIN, "body/h3", role="comment"), before="+-") == "+-"
    assert after(keep_sections) == ""


def test_the_policy_article_keeps_sections() -> None:
    scores = {"role_probability": 0.6, "score": 4.0, "score_article": -4.0}
    rows = [LEAD | {"role_probability": 0.9, "score": 5.0}, *[one | scores for one in ENTRY]]
    found = [decided(rows, content("article"), evidence) for evidence in (ARTICLE, {"odds": 5.0}, FORUM)]
    assert found == ["+++", "+++", "+--"]


# ---- posts


def post(number: int = 1, text: str = "Rain.", **fields: Any) -> Record:
    return row(text, fields.pop("path", "body/p"), 0.0, post=number, **fields)


PARTS = [post(part="byline"), post(), post(part="furniture"), post(path="body/blockquote"), post(part="rest")]
COMMENTS = [post(part="comment"), post(2, part="comment")]
TEXT, SUMMARY = words(100), [post(0), row("Replies 2"), row("2 answers", "body/h2"), post(1), row("Rules")]
REPEATED = "What the page says of the first post, and again."


@pytest.mark.parametrize(
    ("rows", "before", "options", "evidence", "expected"),
    [
        (PARTS, "+++++", content(), ARTICLE, "-+-++"),
        (PARTS, "-----", content(), ARTICLE, "-+---"),
        (PARTS, "+++++", content("all"), ARTICLE, "++-++"),
        (PARTS, "-----", content("all"), ARTICLE, "++-+-"),
        # only the first post is the article
        ([post(0), post(1)], "++", content("article"), ARTICLE, "+-"),
        ([post(0), post(1)], "-+", content("article"), ARTICLE, "--"),
        # comments
        (COMMENTS, "--", content(), ARTICLE, "--"),
        (COMMENTS, "--", content("all"), ARTICLE, "++"),
        (COMMENTS, "--", content(), FORUM, "++"),
        ([post(3), post(4), *COMMENTS], "----", content(), FORUM, "++--"),
        ([TEXT, post(0)], "+-", content(), ARTICLE, "+-"),
        ([TEXT, post(0)], "+-", content(), FORUM, "++"),
        # excluded roles and hidden text
        (
            [post(0, role="comment"), post(0, role="text", hidden="display")],
            "-+",
            content(excluded="comment"),
            ARTICLE,
            "--",
        ),
        # what stands between posts
        (SUMMARY, "+++++", content(), FORUM, "+-+++"),
        (SUMMARY, "+++++", content(), ARTICLE, "+++++"),
        (SUMMARY, "+++++", content("all"), FORUM, "+++++"),
        ([row(REPEATED), post(0, REPEATED), row(REPEATED, "body/h2")], "+++", content(), ARTICLE, "-+-"),
        ([row()], "+", content(), ARTICLE, "+"),
    ],
)
def test_posts(rows: list[Record], before: str, options: PolicyOptions, evidence: Record, expected: str) -> None:
    assert after(keep_posts, *rows, before=before, options=options, evidence=evidence) == expected
