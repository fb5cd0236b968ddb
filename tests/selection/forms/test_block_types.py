"""The blocks of a text."""

from __future__ import annotations

import pytest
from made_segments import code, h, p

from ncfilters.selection.forms.block_types import Code, Heading, ListBlock, ListItem, Paragraph, is_simple


@pytest.mark.parametrize(
    ("number", "is_ordered", "ends_paragraph"),
    [(None, False, True), (1, True, True), (2, True, False), (0, True, False)],
)
def test_the_first_item_says_what_a_list_is(number: int | None, is_ordered: bool, ends_paragraph: bool) -> None:
    found = ListBlock([ListItem(number), ListItem(3)], "body/ol")
    assert (found.ordered, found.ends_paragraph) == (is_ordered, ends_paragraph)


def test_a_paragraph_with_lists_below_is_simple() -> None:
    paragraph, below = Paragraph(p("x")), ListBlock([ListItem(None)], "")
    assert is_simple([paragraph]) and is_simple([paragraph, below, below])
    assert not is_simple([paragraph, paragraph]) and not is_simple([below]) and not is_simple([Heading(h("x"), 1)])


@pytest.mark.parametrize(("name", "language"), [("c++", "c++"), ("x` y", ""), ("", ""), ("a" * 99, "")])
def test_names_of_languages(name: str, language: str) -> None:
    assert Code({**code("x"), "code_language": name}).language == language
    assert Code(code("x")).language == ""
