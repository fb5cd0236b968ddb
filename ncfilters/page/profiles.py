"""A page to blocks, by a profile: `visual` (what a text browser sets apart) or `justext` (jusText's paragraphs).

blocks_of_html("<p>One.<p>Two.")[1]["text"]    # 'Two.'
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ..record import Block, Record
from . import density, hidden_content, html_parser, text_dump, walks
from .html_source import HtmlSource, source_of
from .metadata import page_head
from .open_elements import Holder
from .page_options import DEFAULT_OPTIONS as DEFAULT_OPTIONS
from .page_options import PROFILES as PROFILES
from .page_options import PageOptions as PageOptions

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser


def blocks_of_html(html: str, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None) -> list[Block]:
    """The blocks of a page at *url*, in reading order. Raises ValueError for an unknown parser."""
    return head_and_blocks(html, options, url)[1]


def head_and_blocks(
    html: str | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None
) -> tuple[Record, list[Block]]:
    """The head of a page (see `page_head.head_of_page`) and its blocks. *url* is its address, for links. With the
    option markup, the head has the metadata of the page (see `page_metadata`).

    With the profile `justext` there is neither a head nor embedded content. Raises ValueError for an unknown parser,
    and RecordError for a page that is too dense.
    """
    source = source_of(html)
    if not options.dense:
        density.check_tree(source)
    max_blocks = sys.maxsize if options.dense else density.max_blocks(source.num_chars)
    try:
        page = _head_and_blocks(source, options, url, max_blocks)
        html_parser.return_memory(source.num_chars)
        return page
    except OverflowError as error:
        raise density.too_many(str(error), source.num_chars) from None


def _head_and_blocks(
    html: HtmlSource, options: PageOptions, url: str | None, max_blocks: int
) -> tuple[Record, list[Block]]:
    """As `head_and_blocks`. Raises OverflowError for more than *max_blocks*."""
    if options.profile == "justext":
        from . import justext_blocks  # start-up: only this profile needs it

        return {}, justext_blocks.blocks_of_html(html, options.parser, max_blocks, options.dense)
    tree = html_parser.parse_html(html, options.parser, options.dense)
    if not options.markup:
        return page_head.head_of_page(tree), _visual_blocks(tree, options, max_blocks)
    from . import page_search  # start-up: only --markup needs them
    from .markup import markup_reader, page_links  # start-up: only --markup needs them
    from .metadata import page_metadata  # start-up: only --markup needs them

    search = page_search.search_page(tree)
    head = page_metadata.with_metadata(page_head.head_of_page(tree, search.survey), search, url or "")
    read = markup_reader.MarkupReader(page_links.links_of_page(tree, url, search), max_blocks=max_blocks, search=search)
    return head, _visual_blocks(tree, options, max_blocks, read)


def render_record(record: Record, options: PageOptions = DEFAULT_OPTIONS, keep: bool = False) -> Record:
    """The record with `blocks` instead of `html` (with *keep*, in addition to it), and with its `head`.

    Raises RecordError if the record has no `html`.
    """
    record = html_parser.decode_html(record)
    head, blocks = head_and_blocks(record["html"], options, record.get("url"))
    out = _without_html(record, keep)
    page_head.add_head(out, head)
    out["blocks"] = blocks
    return out


def dump_record(
    record: Record, options: PageOptions = DEFAULT_OPTIONS, keep: bool = False, width: int = text_dump.DEFAULT_WIDTH
) -> Record:
    """The record with `text`, a plain-text dump of *width* columns, instead of `html` (with *keep*, in addition to it).

    Raises RecordError if the record has no `html`.
    """
    record = html_parser.decode_html(record)
    blocks = head_and_blocks(record["html"], options)[1]
    return {**_without_html(record, keep), "text": text_dump.dump(blocks, width)}


def _visual_blocks(
    tree: LexborHTMLParser, options: PageOptions, max_blocks: int, read: Callable[..., list[Block]] | None = None
) -> list[Block]:
    read = read or partial(walks.blocks, max_blocks=max_blocks)
    if not options.embedded:
        return read(tree)
    holders: list[Holder] = []
    visible = read(tree, holders)
    return hidden_content.add_hidden_content(visible, tree, holders, read, options.dense)


def _without_html(record: Record, keep: bool) -> Record:
    return dict(record) if keep else {name: value for name, value in record.items() if name != "html"}
