"""Elements with metadata or details, found in one pass."""

from __future__ import annotations

import pytest

from bench.same_walks import PageMaker
from ncfilters.page import page_search
from ncfilters.page.html_parser import parse_html
from ncfilters.page.page_search import BYLINES, CODE_FORMULAS, ELEMENTS, HINTS, SIDENOTES, USERS, search_page
from ncfilters.page.present_selectors import Search

LISTS = (BYLINES, CODE_FORMULAS, ELEMENTS, SIDENOTES, USERS)


def test_elements_of_a_page() -> None:
    page = "<title>Log</title><h1 itemprop=headline>Rain</h1><p class=Byline>Ann<a href=#top>up</a><sup>1</sup>"
    found = search_page(parse_html(page))
    assert found.survey.titles == [("Log", False)]
    assert [node.tag for node in found.nodes(ELEMENTS)] == ["h1", "h1"]  # two selectors match it
    assert [node.tag for node in found.nodes(BYLINES)] == ["p"]
    assert found.nodes(HINTS)[-1].tag == "sup"


@pytest.mark.parametrize("seed", range(3))
def test_the_elements_are_those_of_the_parser(seed: int) -> None:
    maker = PageMaker(seed, [])
    for _ in range(200):
        tree = parse_html(maker.page())
        found, expected = page_search.search_page(tree), Search(tree)
        for selectors in LISTS:
            nodes = [node.mem_id for node in expected.nodes(selectors)]
            assert [node.mem_id for node in found.nodes(selectors)] == nodes
        assert found.survey == expected.survey
