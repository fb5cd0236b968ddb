"""The blocks of a page in the compiled core, for stages that read them there: no dicts are made.

    page = page_in_columns(source_of("<p>It rained."))    # its head, and a capsule for segmentation's core

They are those of `profiles.head_and_blocks`, which is the reference: its visible blocks in `columns`, its embedded ones
as dicts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..record import Block, Record
from . import density, hidden_content, hidden_texts, html_parser, walks
from .hidden_content import ShownBlocks
from .html_source import HtmlSource
from .metadata import page_head
from .open_elements import Holder
from .page_options import PageOptions

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


# Makes a page of a tree, the characters of its HTML, and options.
ReadTree = Callable[["LexborHTMLParser", int, PageOptions], "PageColumns | None"]


class PageColumns(NamedTuple):
    """A page: its head, the capsule of its visible blocks, the numbers of those of `<noscript>` that repeat others, and
    its embedded blocks, each with the number of visible ones before it."""

    head: Record
    columns: Any
    repeated: list[int]
    embedded: list[tuple[int, Block]]


def page_in_columns(source: HtmlSource, options: PageOptions) -> PageColumns | None:
    """The page, with the profile visual and without markup; None without a compiled core. Raises RecordError for a page
    that is too dense, OverflowError for one with too many blocks, and UnicodeDecodeError for one with text that only
    the walk in Python reads."""
    return None if walks.core_of_walk() is None else read_page(source, options, _page_of_tree)


def read_page(source: HtmlSource, options: PageOptions, read: ReadTree) -> PageColumns | None:
    """What *read* makes of the tree of the page, as `page_in_columns`."""
    html_parser.return_memory(source.num_chars, html_parser.LARGE_PAGE)
    page = _read_tree(source, options, read)
    html_parser.return_memory(source.num_chars)
    return page


def _read_tree(source: HtmlSource, options: PageOptions, read: ReadTree) -> PageColumns | None:
    """What *read* makes of the tree of the page."""
    if not options.dense:
        density.check_tree(source)
    tree = html_parser.parse_html(source, options.parser, options.dense)
    return read(tree, source.num_chars, options)


def _page_of_tree(tree: LexborHTMLParser, num_chars: int, options: PageOptions) -> PageColumns | None:
    """The page with this tree."""
    core = walks.core_of_walk()
    head = page_head.head_of_page(tree)
    root = html_parser.walked_root(tree)
    if root is None:
        return None
    max_blocks = sys.maxsize if options.dense else density.max_blocks(num_chars)
    node_at = walks.Nodes(root).node_at
    held: list[walks.FoundHolder] | None = [] if options.embedded else None
    columns = core.columns(root.mem_id, node_at, held, max_blocks, False)
    page = PageColumns(head, columns, [], [])
    if held is None:
        return page
    shown = shown_blocks(columns)
    holders: list[Holder] = walks.holders_of(core, held)
    read = partial(walks.blocks, max_blocks=max_blocks)
    return with_embedded(page, hidden_content.new_blocks(shown, tree, holders, read, options.dense))


def shown_blocks(columns: Any) -> ShownBlocks:
    """What embedded content is compared with."""
    core = walks.core_of_walk()
    number, is_sparse = core.column_state(
        columns, hidden_texts.MIN_PROSE_CHARS, hidden_texts.MIN_PROSE_BLOCK_CHARS, hidden_texts.MAX_PROSE_LINKS
    )
    return ShownBlocks(number, is_sparse, lambda: core.column_text(columns, True))


def with_embedded(page: PageColumns, embedded: list[tuple[int, Block]]) -> PageColumns:
    """The page with its *embedded* blocks, and with what `<noscript>` repeats."""
    core = walks.core_of_walk()
    in_noscript = core.column_noscript(page.columns, hidden_content.MIN_REPEATED_CHARS)
    repeated: list[int] = []
    if in_noscript:
        repeated = hidden_content.repeated_texts(in_noscript, core.column_text(page.columns, False))
    return page._replace(repeated=repeated, embedded=embedded) if repeated or embedded else page
