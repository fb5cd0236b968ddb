"""A page to blocks, by a profile: `visual` (what a text browser sets apart) or `justext` (jusText's paragraphs).

blocks_of_html("<p>One.<p>Two.")[1]["text"]    # 'Two.'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from ..head import add_head
from ..native.page_table import PageTable
from ..record import Block, PageText, Record
from .blocks import visual_blocks
from .blocks.block_table import BlockTable
from .blocks.open_elements import Holder
from .blocks.visual_blocks import block_table, blocks, ruled_table
from .embedded import hidden_content
from .metadata.declarations import declared_address, head_of_page
from .page_options import DEFAULT_OPTIONS as DEFAULT_OPTIONS
from .page_options import PROFILES as PROFILES
from .page_options import PageOptions as PageOptions
from .posts.post_blocks import posts_in_blocks
from .tree import guards, html_parser
from .tree.html_parser import HtmlSource, source_of
from .tree.survey import Survey, survey


def blocks_of_html(html: str, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None) -> list[Block]:
    """The blocks of a page at *url*, in reading order. Raises ValueError for an unknown parser."""
    return head_and_blocks(html, options, url)[1]


class PageBlocks(NamedTuple):
    """A page: its head (see `declarations`), its blocks, the table of its tree (the profile `justext` has none), its
    address, if it is known or declared, and its posts (see `post_blocks`)."""

    head: Record
    blocks: BlockTable
    table: PageTable | None
    url: str | None
    posts: Sequence[Record] = ()


def page_blocks(
    html: str | PageText | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None
) -> PageBlocks:
    """A page at *url*, or at the address that it declares (see `meta_tags`). With the option markup, its head has
    the metadata of the page (see `page_metadata`).

    With the profile `justext` there is neither a head nor embedded content, and no declared address. Raises ValueError
    for an unknown parser, and RecordError for a page that is beyond a bound (see `guards`).
    """
    source = source_of(html)
    size = len(source.utf8)
    read = _justext_page if options.profile == "justext" else _visual_page
    try:
        page = read(source, options, url, guards.max_blocks(size))
    except OverflowError as error:
        raise guards.too_many_blocks(str(error), size) from None
    html_parser.return_memory(size)
    return page


def head_and_blocks(
    html: str | PageText | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, url: str | None = None
) -> tuple[Record, list[Block]]:
    """The head and the blocks of `page_blocks`, these as records."""
    page = page_blocks(html, options, url)
    return page.head, page.blocks.records()


def _visual_page(source: HtmlSource, options: PageOptions, url: str | None, max_blocks: int) -> PageBlocks:
    table = html_parser.page_table(source, options.parser)
    found = survey(table)
    url = url or declared_address(found)
    head = head_of_page(table, found)
    marks = _marks(table, options, url)
    text_rows: list[tuple[int, int]] = []
    holders: list[Holder] = []
    read: hidden_content.ReadBlocks = partial(blocks, max_blocks=max_blocks)
    if options.markup:
        from .markup import markup_reader, page_links  # start-up: only --markup needs them

        read = reader = markup_reader.MarkupReader(page_links.links_of_page(table, url), max_blocks)
        own = reader.blocks_of(table, holders, marks, text_rows)
    elif marks:
        own = ruled_table(table, marks, holders, max_blocks, text_rows)
    else:
        own = block_table(table, holders, max_blocks, text_rows)
    posts = posts_in_blocks(own, text_rows, table, head.get("kinds", ()))
    has_metadata = options.metadata or options.markup
    if has_metadata or _may_have_price(found):
        from .metadata import page_metadata, structured_data  # start-up: only metadata and products need them

        if has_metadata:
            head = page_metadata.with_metadata(head, table, found, url or "", posts)
            price = head.get("price", "")
        else:
            price = page_metadata.declared_price(table, found)
        structured_data.mark_price(own, price)
    hidden_content.add_hidden_rows(own, table, holders, read, options.embedded)
    return PageBlocks(head, own, table, url, posts)


def _marks(table: PageTable, options: PageOptions, url: str | None) -> dict[int, str]:
    """The rules of the user for elements of a page, by their rows."""
    if not options.elements:
        return {}
    from .element_rules import SiteRules, marked_rows  # start-up: few runs have rules

    return marked_rows(table, tuple(map(SiteRules._make, options.elements)), url)


def _may_have_price(found: Survey) -> bool:
    """Whether a page may declare a price: in tags, in JSON-LD or in microdata."""
    return (
        any(name is not None and name.lower().endswith("price:amount") for name, _ in found.metas)
        or any('"offers"' in text for text in found.linked_data)
        or any("Offer" in name for name in found.item_types)
    )


def _justext_page(source: HtmlSource, options: PageOptions, url: str | None, max_blocks: int) -> PageBlocks:
    from .blocks import justext_blocks  # start-up: only this profile needs it

    return PageBlocks({}, justext_blocks.blocks_of_html(source, options.parser, max_blocks), None, url)


def render_record(record: Record, options: PageOptions = DEFAULT_OPTIONS) -> Record:
    """The record with `blocks` instead of `html`, and with its `head`. Raises RecordError if it has no `html`."""
    record = html_parser.decode_html(record)
    page = page_blocks(record["html"], options, record.get("url"))
    out = _without_html(record)
    add_page(out, page)
    out["blocks"] = page.blocks.records()
    return out


def add_page(record: Record, page: PageBlocks) -> None:
    """Adds what a page says of itself to its *record*: its `url`, if it is not known, its `head` and its `posts`."""
    add_head(record, page.head, page.url)
    if page.posts:
        record["posts"] = [*page.posts]


def dump_record(record: Record, width: int = visual_blocks.DEFAULT_WIDTH) -> Record:
    """The record with `text`, a plain-text dump of *width* columns of what the page shows, instead of `html`. Raises
    RecordError if it has no `html`."""
    record = html_parser.decode_html(record)
    blocks = head_and_blocks(record["html"], PageOptions(embedded=False))[1]
    return {**_without_html(record), "text": visual_blocks.dump(blocks, width)}


def _without_html(record: Record) -> Record:
    return {name: value for name, value in record.items() if name != "html"}
