"""Roles: the facts of a page, and the rows of the tables."""

from __future__ import annotations

import json

from bench import roles

TEXT = "The old bridge over the river is closed for repairs until the end of the summer."
PAGE = {
    "id": "wcxb-dev/1",
    "page_type": "article",
    "lang": "en",
    "gold": {"text": TEXT, "title": "Bridge closed", "author": "Ann Lee", "date": "2024-05-03"},
    "segments": [
        {"text": "Bridge closed", "type": "h", "tag": "h1", "role": "title", "keep": True},
        {"text": "3 May 2024", "type": "p", "role": "byline", "keep": False},
        {"text": TEXT, "type": "p", "role": "text", "keep": True},
        {"text": "More about ferries", "type": "p", "role": "related", "keep": True},
    ],
}


def test_facts_and_rows_of_a_page() -> None:
    facts = roles.page_facts(json.dumps(PAGE).encode())
    assert (facts.set, facts.kind, facts.title) == ("wcxb-dev", "article", True)
    assert facts.other.roles["title"] == 2  # this gold text has no title
    assert facts.counts.right["title"] == facts.counts.right["text"] == facts.counts.missed["date"] == 1
    rows = list(roles.role_rows("en", [facts]))
    assert [row[:4] for row in rows] == [["`en`", "wcxb-dev", "3", "66.7"], ["`en`", "all", "3", "66.7"]]
    (dates,) = (row for row in roles.role_details("en", [facts]) if row[1] == "date")
    assert dates[-1] == "byline 1"
    assert next(roles.title_rows("en", [facts])) == ["`en`", "wcxb-dev", "1", "1", "100.0"]
    assert not list(roles.other_rows("en", "main", [facts]))


def test_the_share_of_pages_with_much_other_text() -> None:
    page = {**PAGE, "id": "dragnet/1", "gold": {"text": f"Bridge closed\n{TEXT}"}}
    much = {**page, "segments": [*page["segments"], {"text": f"More about mills {TEXT}", "type": "p", "keep": True}]}
    pages = [roles.page_facts(json.dumps(one).encode()) for one in (page, much)]
    (row,) = roles.other_rows("en", "main", pages)
    assert row[:5] == ["`en`", "dragnet-dev", "main", "2", "50.0"]


def test_pages_that_training_does_not_use_have_no_facts() -> None:
    assert roles.page_facts(json.dumps({**PAGE, "error": {"stage": "score"}}).encode()) is None
    assert roles.page_facts(json.dumps({**PAGE, "gold": "words that are somewhere else entirely"}).encode()) is None
