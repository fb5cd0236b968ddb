"""The sources of metadata, read in one call."""

from __future__ import annotations

from ncfilters.page.html_parser import parse_html
from ncfilters.page.metadata.page_sources import MAX_SCRIPTS, lines, page_sources, statements_by_field
from ncfilters.page.metadata.structured_data import Statements
from ncfilters.page.page_search import search_page


def test_statements_by_field() -> None:
    pair = ("Ann", "x")
    sources: dict[str, Statements] = {
        "byline": {"author": [pair]},
        "json-ld": {"author": [("Bob", "y")] * 2, "title": []},
        "rel-author": {"author": [pair] * 4, "license": [pair]},
        "unknown": {"author": [pair]},
        "meta": {"date": [(str(number), "z") for number in range(1500)], "author": [pair]},
        "time": {"date": [pair]},
    }
    out = statements_by_field(sources)
    assert out["author"] == [("json-ld", ("Bob", "y"))] * 2 + [("meta", pair), ("byline", pair)]
    assert len(out["date"]) == 1000 and out["license"] == [("rel-author", pair)]


def test_lines() -> None:
    assert lines([("meta", ("It  rained\n&amp; snowed", "x"))]) == ["It rained & snowed"]


def test_the_number_of_scripts_is_bounded() -> None:
    other, empty = (f"<script type=application/ld+json>{text}</script>" for text in ('{"a": 1}', ""))
    article = '<script type=application/ld+json>{"@type": "Article", "author": {"name": "Ann Lee"}}</script>'
    for before, expected in ((MAX_SCRIPTS - 1, True), (MAX_SCRIPTS, False)):
        search = search_page(parse_html(empty + other * before + article))
        assert ("author" in page_sources(search).statements) is expected
