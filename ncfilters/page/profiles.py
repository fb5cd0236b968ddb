"""Pages to blocks, by a profile: what a browser sets apart (`visual`), or jusText's paragraphs (`justext`).

blocks_of_html("<p>One.<p>Two.")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record import Record
from . import block_builder, hidden_content, html_parser, justext_blocks, metadata, text_dump
from .block_builder import Block

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

PROFILES = ("visual", "justext")


@dataclass(frozen=True)
class PageOptions:
    """How a page becomes blocks."""

    parser: str = "lexbor"  # one of html_parser.PARSERS
    profile: str = "visual"  # one of PROFILES
    embedded: bool = True  # also what the page has but does not show (see `hidden_content`)


DEFAULTS = PageOptions()


def blocks_of_html(html: str, options: PageOptions = DEFAULTS) -> list[Block]:
    """The blocks of a page. Raises ValueError for an unknown parser."""
    return cut(html, options)[1]


def cut(html: str, options: PageOptions = DEFAULTS) -> tuple[Record, list[Block]]:
    """The metadata of a page (see `metadata`) and its blocks. The profile of jusText has neither metadata nor embedded
    content. Raises ValueError for an unknown parser."""
    if options.profile == "justext":
        return {}, justext_blocks.of_html(html, options.parser)
    tree = html_parser.parsed(html, options.parser)
    return metadata.of_page(tree), _of_tree(tree, options.embedded)


def _of_tree(tree: LexborHTMLParser, embedded: bool) -> list[Block]:
    if not embedded:
        return block_builder.blocks(tree)
    places: list[hidden_content.Place] = []
    shown = block_builder.blocks(tree, places)
    return hidden_content.completed(shown, tree, places, lambda inner: block_builder.blocks(html_parser.parsed(inner)))


def with_blocks(record: Record, options: PageOptions = DEFAULTS, keep: bool = False) -> Record:
    """The record with `blocks` in place of `html` (*keep* leaves that), and with its `head`. Raises RecordError without
    `html`."""
    record = html_parser.with_text(record)
    head, blocks = cut(record["html"], options)
    out = _without_html(record, keep)
    metadata.put(out, head)
    out["blocks"] = blocks
    return out


def with_dump(record: Record, options: PageOptions, keep: bool = False, width: int = text_dump.WIDTH) -> Record:
    """The record with `text`, a plain dump of *width* columns, in place of `html`. Raises RecordError without `html`."""
    record = html_parser.with_text(record)
    blocks = cut(record["html"], options)[1]
    return {**_without_html(record, keep), "text": text_dump.dump(blocks, width)}


def _without_html(record: Record, keep: bool) -> Record:
    return dict(record) if keep else {name: value for name, value in record.items() if name != "html"}
