"""The blocks of a page with markup in the compiled core (see `columns`).

    page = marked_page_in_columns(source_of("<p>It <em>rained</em>."), PageOptions(markup=True), "http://a.example/")

A module of its own for start-up: only --markup needs what it imports.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from . import density, hidden_content, page_search, walks
from .columns import PageColumns, check_number, check_text, read_page, shown_blocks, with_embedded
from .condensed_html import CondensedHtml
from .html_source import HtmlSource
from .markup import markup_walks, page_links
from .metadata import page_head, page_metadata
from .open_elements import Holder
from .page_options import PageOptions

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


def marked_page_in_columns(source: HtmlSource, options: PageOptions, url: str | None) -> PageColumns | None:
    """As `columns.page_in_columns`, with markup, of a page at *url*; None also if an image has details
    that are no formula."""
    return None if walks.core_of_walk() is None else read_page(source, options, partial(_marked_page_of_tree, url))


def _marked_page_of_tree(
    url: str | None, tree: LexborHTMLParser, num_chars: int, options: PageOptions, short: CondensedHtml | None
) -> PageColumns | None:
    """The page with this tree. Raises LookupError as without markup, and for condensed HTML of special pages."""
    is_condensed = short is not None
    if is_condensed and options.embedded:
        check_text(tree)
    search = page_search.search_page(tree, short.texts if short else None)
    if short is not None and short.may_be_special and search.has_special:
        raise LookupError("special")
    found = search.survey_of_head(page_head.META_FIELDS, page_head.MAX_DATA_CHARS)
    # before the walk: what the search has visited is still in the cache of the processor
    head = page_metadata.with_metadata(page_head.head_of_page(tree, *found), search, url or "")
    max_blocks = sys.maxsize if options.dense else density.max_blocks(num_chars)
    read = markup_walks.MarkupReader(page_links.links_of_page(tree, url, search), max_blocks=max_blocks, search=search)
    holders: list[Holder] = []
    columns = read.columns(tree, holders, is_condensed)
    if columns is None:
        return None
    page = PageColumns(head, columns, [], [], is_condensed)
    if options.embedded:
        shown = shown_blocks(columns)
        if is_condensed and shown.is_sparse:
            check_number(shown)
        elif is_condensed:
            holders = list(filter(_may_have_content, holders))
        page = with_embedded(page, hidden_content.new_blocks(shown, tree, holders, read, options.dense))
    return page


def _may_have_content(holder: Holder) -> bool:
    """Whether a holder is none of the JSON-LD that surely has no content of the page."""
    return holder.node.tag != "script" or bool(walks.core_of_walk().may_script_have_content(holder.node.mem_id))
