"""Reads the blocks of a page with their markup, and those of the pages in it.

MarkupReader(PageLinks())(parse_html("<p>See <em>this</em>."))
# [{'text': 'See this.', 'tag': 'p', 'path': 'body/p', 'links': 0, 'spans': [[4, 8, 'em']]}]
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...native.page_table import PageTable, table_of
from ...record import Block
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import Holder
from ..blocks.visual_blocks import RuledBlocks
from .markup_builder import MarkupBuilder
from .markup_context import PageNumbers
from .page_details import details_of_page
from .page_links import PageLinks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


class MarkupReader:
    """Reads the blocks of a page and of the pages in it, which share the numbers of tables, code and items."""

    def __init__(self, links: PageLinks, max_blocks: int = sys.maxsize) -> None:
        self._links = links
        self._max_blocks = max_blocks
        self._numbers = PageNumbers()

    def __call__(self, tree: LexborHTMLParser, holders: list[Holder] | None = None) -> list[Block]:
        """The visual blocks of a tree, with all fields of markup (see nc-stream(5)). Raises OverflowError as
        `block_reader` does."""
        return [] if tree.root is None else self.blocks_of(table_of(tree.root), holders).records()

    def blocks_of(
        self,
        table: PageTable,
        holders: list[Holder] | None = None,
        marks: dict[int, str] | None = None,
        text_rows: list[tuple[int, int]] | None = None,
    ) -> BlockTable:
        """The same as a table, of the table of a tree. *marks*: the rules of its elements (see `RuledBlocks`);
        *text_rows* is as in `visual_blocks.block_table`."""
        details = details_of_page(table, self._numbers)
        kind = _RuledBuilder if marks else MarkupBuilder
        reader = kind(table, self._links, details, self._numbers, self._max_blocks, holders)
        if isinstance(reader, _RuledBuilder):
            reader.marks = marks or {}
        if text_rows is not None:
            reader.text_rows = text_rows
        return reader.read()


class _RuledBuilder(RuledBlocks, MarkupBuilder):
    """Blocks with markup and the names of rules."""
