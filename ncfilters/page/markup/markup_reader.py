"""Reads the blocks of a page with their markup, and those of the pages in it.

MarkupReader(PageLinks())(parse_html("<p>See <em>this</em>."))
# [{'text': 'See this.', 'tag': 'p', 'path': 'body/p', 'links': 0, 'spans': [[4, 8, 'em']]}]
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...record import Block
from ..open_elements import Holder
from ..present_selectors import Search
from .detail_builder import blocks_with_details
from .markup_context import Numbers
from .page_details import PageNumbers, details_of_page
from .page_links import PageLinks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


class MarkupReader:
    """Reads the blocks of a page and of the pages in it, which share the numbers of tables, code and items."""

    def __init__(self, links: PageLinks, max_blocks: int = sys.maxsize, search: Search | None = None) -> None:
        self._links = links
        self._search = search  # of the page
        self._max_blocks = max_blocks
        self._numbers = PageNumbers()
        self._items = Numbers()

    def __call__(self, tree: LexborHTMLParser, holders: list[Holder] | None = None) -> list[Block]:
        """The visual blocks of a tree, with all fields of markup (see nc-stream(5)). Raises OverflowError as
        `block_builder.blocks` does."""
        search = self._search if self._search and self._search.tree is tree else None
        details = details_of_page(tree, self._numbers, search)
        details.max_blocks = self._max_blocks
        return blocks_with_details(tree, details, self._links, self._items, holders)
