"""How many elements a parser has open, by their tags alone (that the parser has no more: test_limits)."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.page.tree.nesting"), ids=lambda form: form.__name__)


@FORMS
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
        ("X-Y /x-y x-z", 1),
        ("ul li li", 2),
        ("ul li div li", 2),
        ("dl dt dd", 2),
        ("select div /div", 1),
        ("select div span /div", 3),
        ("b div i /b", 3),
    ],
)
def test_end_tags_close_what_the_parser_closes(form: ModuleType, tags: str, number: int) -> None:
    opened = form.OpenElements()
    for tag in tags.split():
        name = opened.number_of(tag.encode(), tag.startswith("/"), len(tag))
        if tag.startswith("/"):
            opened.end(name)
        else:
            opened.start(name)
    assert opened.depth == number == len(opened.names_from(0))


@FORMS
def test_names_are_known_in_any_case(form: ModuleType) -> None:
    opened = form.OpenElements()
    number = opened.number_of(b"<X-Y>", 1, 4)
    assert opened.number_of(b"</x-y ", 2, 5) == number and opened.name_of(number) == b"x-y"
    assert opened.kinds_of(number) == 0
    assert opened.kinds_of(opened.number_of(b"<TABLE>", 1, 6)) == form.KINDS["table"]
