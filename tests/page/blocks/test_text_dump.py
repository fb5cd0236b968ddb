"""Blocks as a plain text dump."""

from __future__ import annotations

from ncfilters.page.blocks import text_dump
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser


def dump(html: str, width: int = 80) -> str:
    return text_dump.dump(blocks_of_tree(html_parser.parse_html(html)), width)


def test_layout_is_that_of_lynx() -> None:
    html = "<h1>Title</h1><p>Some text.</p><ul><li>one<li>two</ul><ol><li>three</ol><p>end"
    assert dump(html).splitlines() == [
        "Title",
        "",
        "   Some text.",
        "",
        "     * one",
        "     * two",
        "    1. three",
        "",
        "   end",
    ]


def test_lines_are_wrapped() -> None:
    lines = dump("<p>" + "word " * 100, 40).splitlines()
    assert max(map(len, lines)) <= 40 and " ".join(" ".join(lines).split()) == ("word " * 100).strip()
    assert dump("<p>" + "word " * 100, 0).count("\n") == 0


def test_hidden_blocks_are_left_out() -> None:
    assert dump("<p hidden>a</p><p aria-hidden=true>b</p><p style='display:none'>c</p><p>d").split() == ["b", "d"]


def test_preformatted_lines_stay() -> None:
    assert dump("<pre>a\n  b</pre>") == "   a\n     b"
