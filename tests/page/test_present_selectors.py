"""Elements that match lists of selectors."""

from __future__ import annotations

from ncfilters.page.html_parser import parse_html
from ncfilters.page.present_selectors import PresentSelectors


def test_a_search_finds_the_elements_of_each_list() -> None:
    found = PresentSelectors("li, b", "[name]").search(parse_html("<ul><li id=a>One <b>two</b><li name=x>Three</ul>"))
    assert [node.tag for node in found.nodes("li, b")] == ["li", "b", "li"]
    assert found.has("[name]") and not found.has("table")


def test_elements_in_an_element() -> None:
    selectors = PresentSelectors("b, .x, [lang='EN']")
    first, second = parse_html("<div><p><b>a</b><i class='x y'>b</i></p></div><p lang=EN><b>c</b></p>").css("p")
    assert [node.tag for node in selectors.nodes_in(first)] == ["b", "i"]
    assert [node.tag for node in selectors.nodes_in(second)] == ["p", "b"]
    assert selectors.may_be_in(first) and not PresentSelectors("table").may_be_in(first)
