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
from . import condensed_html, density, hidden_content, hidden_texts, html_parser, survey, walks
from .condensed_html import CondensedHtml
from .hidden_content import ShownBlocks
from .html_source import HtmlSource
from .metadata import page_head
from .open_elements import Holder
from .page_options import PageOptions

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


# Makes a page of a tree, the characters of its HTML, options, and the condensed HTML if the tree is that of it.
ReadTree = Callable[["LexborHTMLParser", int, PageOptions, "CondensedHtml | None"], "PageColumns | None"]


class PageColumns(NamedTuple):
    """A page: its head, the capsule of its visible blocks, the numbers of those of `<noscript>` that repeat others, and
    its embedded blocks, each with the number of visible ones before it; whether its tree is that of condensed HTML."""

    head: Record
    columns: Any
    repeated: list[int]
    embedded: list[tuple[int, Block]]
    is_condensed: bool = False


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
    """What *read* makes of the tree of the page, condensed where it can be."""
    if not options.dense and not source.is_plain:  # speed: before the limits of many tags
        density.check_tree(source)
    is_lexbor = options.parser == "lexbor"
    limited_html = html_parser.limited(source) if is_lexbor and not source.is_plain else None
    short = condensed_html.condensed(source, options.markup, limited_html) if is_lexbor else None
    if not options.dense and source.is_plain:
        density.check_tree(source, short.num_attributes if short else None)
    if short is not None:
        tree = html_parser.lexbor_tree(short.utf8, options.dense, source.num_chars)
        # with markup, *read* searches the page for that, too
        if options.markup or not (short.may_be_special and survey.has_special(tree)):
            limited_html = None  # memory: it is made again for the few pages that are parsed again
            try:
                return read(tree, source.num_chars, options, short)
            except LookupError:
                pass
        del tree  # memory: one tree at a time
    tree = html_parser.parse_html(source, options.parser, options.dense, limited_html)
    return read(tree, source.num_chars, options, None)


def _page_of_tree(
    tree: LexborHTMLParser, num_chars: int, options: PageOptions, short: CondensedHtml | None
) -> PageColumns | None:
    """The page with this tree. Raises LookupError if it is the tree of condensed HTML, and what it lacks is needed."""
    is_condensed = short is not None
    core = walks.core_of_walk()
    if is_condensed and options.embedded:
        check_text(tree)
    head = page_head.head_of_page(tree)
    root = html_parser.walked_root(tree)
    if root is None:
        return None
    max_blocks = sys.maxsize if options.dense else density.max_blocks(num_chars)
    node_at = walks.Nodes(root).node_at
    held: list[walks.FoundHolder] | None = [] if options.embedded else None
    columns = core.columns(root.mem_id, node_at, held, max_blocks, is_condensed)
    page = PageColumns(head, columns, [], [], is_condensed)
    if held is None:
        return page
    shown = shown_blocks(columns)
    if is_condensed and shown.is_sparse:
        check_number(shown)
        held = []  # all JSON-LD is read: those that were left out, too
        core.find_holders(root.mem_id, walks.Nodes(root).node_at, held, max_blocks)
    holders: list[Holder] = walks.holders_of(core, held)
    read = partial(walks.blocks, max_blocks=max_blocks)
    return with_embedded(page, hidden_content.new_blocks(shown, tree, holders, read, options.dense))


def check_text(tree: LexborHTMLParser) -> None:
    """Raises LookupError for a page of so little text that it is sparse, before more of it is read in vain."""
    root = html_parser.walked_root(tree)
    if root is not None and walks.core_of_walk().has_little_text(root.mem_id, hidden_texts.MIN_PROSE_CHARS):
        raise LookupError("hydration data")


def check_number(shown: ShownBlocks) -> None:
    """Raises LookupError for a sparse page of so few blocks that its hydration data is read."""
    if shown.number <= hidden_texts.MAX_HYDRATED_BLOCKS:
        raise LookupError("hydration data")


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
