"""Where tags and scripts end; what is too deep (with the parser: test_limits)."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from ncfilters.page import deep_markup


@pytest.mark.parametrize("tag", ["<a/>", "<a />", "<a b='c'/>", "<a b=c />", "<a b='>'/>", '<a b="/>" c/>', "<a 'b/>"])
def test_a_tag_ends_itself(tag: str) -> None:
    assert deep_markup._tag_end(f"{tag}'", 2) == (len(tag), True)


@pytest.mark.parametrize("tag", ["<a>", "<a b=c/>", "<a b= />", "<a b='/>'>", "<a / >"])
def test_a_slash_in_a_value_ends_no_tag(tag: str) -> None:
    assert deep_markup._tag_end(f"{tag}'", 2) == (len(tag), False)


def test_tags_that_do_not_end_are_none() -> None:
    for tag in ("<a", "<a b='>", "<a b=", '<a b="c" d'):
        assert deep_markup._tag_end(tag, 2)[0] > len(tag)


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "<!--",
        "<!-- </b --> <x>",
        "<!--<script></script>--",
        "<!--<script>-->",
        "<!--><script>",
        "<!--<scripts>",
        "</scripts>",
    ],
)
def test_scripts_end_where_the_parser_ends_them(text: str) -> None:
    page = f"{text}</SCRIPT >"
    assert deep_markup._script_end(page, 0) == len(text)
    tree = LexborHTMLParser(f"<body><script>{page}<b>c</b>")
    assert tree.css_first("b").text() == "c" and tree.css_first("script").text() == text
