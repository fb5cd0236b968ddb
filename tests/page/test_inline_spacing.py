"""Words that only styles separate, in the parser's nodes; the cases are those of `test_word_spaces`."""

from __future__ import annotations

from ncfilters.page.block_builder import blocks
from ncfilters.page.html_parser import parse_html


def test_spaces_at_the_edges_of_inline_elements() -> None:
    page = parse_html("<p><span>Author</span><span>12 May</span>, foo<wbr>Bar")
    assert [block["text"] for block in blocks(page)] == ["Author 12 May, fooBar"]
