"""The visual blocks of a page (see `block_reader`).

blocks(parse_html("<p>One <b>two</b><p>three"))[1]["text"]    # 'three'
block_table(parse_html("<p>One <b>two</b><p>three")).text     # ['One two', 'three']
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...native.page_table import PageTable, table_of
from ...record import Block
from .block_reader import BlockReader
from .block_table import BlockTable
from .open_elements import Holder
from .ruled_blocks import RuledBlocks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


def blocks(tree: LexborHTMLParser, holders: list[Holder] | None = None, max_blocks: int = sys.maxsize) -> list[Block]:
    """The visual blocks of a page (see `html_parser.parse_html`), in reading order.

    Each is a dict: `text` (white space collapsed, except in `<pre>`), `tag` (the nearest block element), `path` (the
    block ancestors, `name#id.class`, joined by `/`), `links` (characters of text inside `<a>`), and where they
    apply: `br` (only one `<br>` separates it from the block before), `marker` (of a list item: `*` or `3.`),
    `hidden` (`display`, `hidden` or `aria`), `pre`, `bold` (all of it), `origin` (`noscript` or `shadow`). Linear in
    the page. Elements that may have content outside the visible tree are appended to *holders*. Raises OverflowError
    for more than *max_blocks*.
    """
    return block_table(tree, holders, max_blocks).records()


def block_table(
    page: LexborHTMLParser | PageTable,
    holders: list[Holder] | None = None,
    max_blocks: int = sys.maxsize,
    text_rows: list[tuple[int, int]] | None = None,
) -> BlockTable:
    """The same as a table, of a page or of its table. *text_rows* gets the rows of the first and the last text of each
    block."""
    if not isinstance(page, PageTable):
        if page.root is None:
            return BlockTable()
        page = table_of(page.root)
    return _read(BlockReader(page, max_blocks, holders), text_rows)


def ruled_table(
    page: PageTable,
    marks: dict[int, str],
    holders: list[Holder] | None,
    max_blocks: int,
    text_rows: list[tuple[int, int]] | None = None,
) -> BlockTable:
    """The same, with the rules of elements that *marks* has by their rows (see `ruled_blocks`)."""
    reader = _RuledReader(page, max_blocks, holders)
    reader.marks = marks
    return _read(reader, text_rows)


def _read(reader: BlockReader, text_rows: list[tuple[int, int]] | None) -> BlockTable:
    if text_rows is not None:
        reader.text_rows = text_rows
    return reader.read()


class _RuledReader(RuledBlocks, BlockReader):
    """Blocks with the names of rules."""
