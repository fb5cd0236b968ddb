"""Values by element."""

from __future__ import annotations

from ncfilters.page.element_map import ElementMap
from ncfilters.page.html_parser import parse_html


def test_values_and_tags() -> None:
    nodes = parse_html("<p>One<b>two</b><p>three").css("p, b")
    found: ElementMap[str] = ElementMap()
    for node in nodes:
        found.put(node, node.text(deep=True))
    assert found.tags == {"p", "b"} and [found[node.mem_id] for node in nodes] == ["Onetwo", "two", "three"]
