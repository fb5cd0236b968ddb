"""A page to blocks, by a profile: `visual` (what a text browser sets apart) or `justext` (jusText's paragraphs).

blocks_of_html("<p>One.<p>Two.")[1]["text"]    # 'Two.'
"""

from __future__ import annotations

import sys
from functools import partial
from typing import NamedTuple

from ..native.page_table import PageTable
from ..record import Block, PageText, Record
from .blocks import text_dump
from .blocks.block_table import BlockTable
from .blocks.open_elements import Holder
from .blocks.visual_blocks import block_table, blocks
from .embedded import hidden_content
from .metadata import page_head
from .metadata.head_record import add_head
from .page_options import DEFAULT_OPTIONS as DEFAULT_OPTIONS
from .page_options import PROFILES as PROFILES
from .page_options import PageOptions as PageOptions
from .tree import density, html_parser
from .tree.html_source import HtmlSource, source_of


def blocks_of_html(html: str, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None) -> list[Block]:
    """The blocks of a page at *url*, in reading order. Raises ValueError for an unknown parser."""
    return head_and_blocks(html, options, url)[1]


class PageBlocks(NamedTuple):
    """A page: its head (see `page_head.head_of_page`), its blocks, and the table of its tree; None with the profile
    `justext` and with markup."""

    head: Record
    blocks: BlockTable
    table: PageTable | None


def page_blocks(
    html: str | PageText | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None
) -> PageBlocks:
    """A page at *url*, which is for links. With the option markup, its head has the metadata of the page (see
    `page_metadata`).

    With the profile `justext` there is neither a head nor embedded content. Raises ValueError for an unknown parser,
    and RecordError for a page that is too dense.
    """
    source = source_of(html)
    if not options.dense:
        density.check_tree(source)
    max_blocks = sys.maxsize if options.dense else density.max_blocks(source.num_chars)
    read = _justext_page if options.profile == "justext" else _marked_page if options.markup else _visual_page
    try:
        page = read(source, options, url, max_blocks)
    except OverflowError as error:
        raise density.too_many(str(error), source.num_chars) from None
    html_parser.return_memory(source.num_chars)
    return page


def head_and_blocks(
    html: str | PageText | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None
) -> tuple[Record, list[Block]]:
    """The head and the blocks of `page_blocks`, these as records."""
    page = page_blocks(html, options, url)
    return page.head, page.blocks.records()


def _visual_page(source: HtmlSource, options: PageOptions, url: str | None, max_blocks: int) -> PageBlocks:
    table = html_parser.page_table(source, options.parser, options.dense)
    head = _full_head(table, url) if options.metadata else page_head.head_of_page(table)
    if not options.embedded:
        return PageBlocks(head, block_table(table, None, max_blocks), table)
    holders: list[Holder] = []
    own = block_table(table, holders, max_blocks)
    read = partial(blocks, max_blocks=max_blocks)
    hidden_content.add_hidden_rows(own, table, holders, read, options.dense)
    return PageBlocks(head, own, table)


def _marked_page(source: HtmlSource, options: PageOptions, url: str | None, max_blocks: int) -> PageBlocks:
    from .markup import markup_reader, page_links  # start-up: only --markup needs them

    table = html_parser.page_table(source, options.parser, options.dense)
    head = _full_head(table, url)
    read = markup_reader.MarkupReader(page_links.links_of_page(table, url), max_blocks)
    holders: list[Holder] = []
    own = read.blocks_of(table, holders)
    if options.embedded:
        hidden_content.add_hidden_rows(own, table, holders, read, options.dense)
    return PageBlocks(head, own, table)


def _full_head(table: PageTable, url: str | None) -> Record:
    """The head of a page with its metadata."""
    from .metadata import page_metadata  # start-up: only metadata needs them
    from .tree import survey

    found = survey.survey(table)
    return page_metadata.with_metadata(page_head.head_of_page(table, found), table, found, url or "")


def _justext_page(source: HtmlSource, options: PageOptions, url: str | None, max_blocks: int) -> PageBlocks:
    from .blocks import justext_blocks  # start-up: only this profile needs it

    return PageBlocks({}, justext_blocks.blocks_of_html(source, options.parser, max_blocks, options.dense), None)


def render_record(record: Record, options: PageOptions = DEFAULT_OPTIONS, keep: bool = False) -> Record:
    """The record with `blocks` instead of `html` (with *keep*, in addition to it), and with its `head`.

    Raises RecordError if the record has no `html`.
    """
    record = html_parser.decode_html(record)
    head, blocks = head_and_blocks(record["html"], options, record.get("url"))
    out = _without_html(record, keep)
    add_head(out, head)
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


def _without_html(record: Record, keep: bool) -> Record:
    return dict(record) if keep else {name: value for name, value in record.items() if name != "html"}
