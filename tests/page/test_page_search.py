"""Elements with metadata or details, found in one pass."""

from __future__ import annotations

from ncfilters.page.html_parser import parse_html
from ncfilters.page.page_search import BYLINES, ELEMENTS, HINTS, search_page


def test_elements_of_a_page() -> None:
    page = "<title>Log</title><h1 itemprop=headline>Rain</h1><p class=Byline>Ann<a href=#top>up</a><sup>1</sup>"
    found = search_page(parse_html(page))
    assert found.survey.titles == [("Log", False)]
    assert [node.tag for node in found.nodes(ELEMENTS)] == ["h1", "h1"]  # two selectors match it
    assert [node.tag for node in found.nodes(BYLINES)] == ["p"]
    assert found.nodes(HINTS)[-1].tag == "sup"
