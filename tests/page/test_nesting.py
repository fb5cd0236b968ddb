"""How many elements a parser has open, by their tags alone (that the parser has no more: test_limits)."""

from __future__ import annotations

import pytest

from ncfilters.page.nesting import OpenElements


@pytest.mark.parametrize(
    ("tags", "number"),
    [
        ("div /div", 0),
        ("div /span", 1),
        ("section /x section /x", 2),
        ("div span b /div", 1),
        ("div b /div /b", 0),
        ("em b i /em /i", 1),
        ("div object /div", 2),
        ("div object /div /object", 1),
        ("b div /b", 2),
        ("span div /span", 2),
        ("table div /table", 0),
        ("table template /table", 2),
        ("button div /button", 2),
        ("svg div /svg", 1),
        ("/div", 0),
        ("svg g /svg", 0),
        ("svg td td", 3),
    ],
)
def test_end_tags_close_what_the_parser_closes(tags: str, number: int) -> None:
    opened = OpenElements()
    for tag in tags.split():
        if tag.startswith("/"):
            opened.end(tag[1:])
        else:
            opened.start(tag)
    assert len(opened) == number
