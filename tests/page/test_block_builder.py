"""Blocks of the parser's nodes, which markup builds on; their cases are those of `test_block_reader`."""

from __future__ import annotations

from ncfilters.page.block_builder import blocks
from ncfilters.page.html_parser import parse_html


def test_blocks_of_a_page() -> None:
    assert [block["text"] for block in blocks(parse_html("<p>One <b>two</b><p>three"))] == ["One two", "three"]
