"""Elements with details."""

from __future__ import annotations

from ncfilters.page.html_parser import parse_html
from ncfilters.page.page_search import BASES, HINTS, search_page


def test_elements_of_a_page() -> None:
    found = search_page(parse_html("<p class=Byline>Ann<a href=#top>up</a><sup>1</sup>"))
    assert [node.tag for node in found.nodes(HINTS)] == ["a", "sup"] and not found.has(BASES)
