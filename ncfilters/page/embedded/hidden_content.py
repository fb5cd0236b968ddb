"""Embedded content, outside the visible tree: JSON-LD, hydration data, templates, `srcdoc`, the description.

    html = '<script type="application/ld+json">{"@type": "Article", "articleBody": "It rained."}</script>'
    profiles.blocks_of_html(html)
    # [{"text": "It rained.", "tag": "p", "path": "json-ld/Article/articleBody", "links": 0,
    #   "origin": "json-ld:articleBody"}]

Text that the page shows is not added, and no text is added twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import count
from typing import TYPE_CHECKING

from ...native.page_table import PageTable
from ...record import Block
from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import is_prose
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import Holder
from ..blocks.visual_blocks import blocks as blocks_of_tree
from ..dom_path import join_path
from ..tree.html_parser import parse_html
from .hidden_texts import MAX_SOURCES, HiddenText, has_little_prose, hidden_texts, linked_names
from .visible_text import VisibleText, comparison_key, mark_declared

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Makes the blocks of a tree.
ReadBlocks = Callable[["LexborHTMLParser"], list[Block]]

# A page that shows more characters is considered complete.
MAX_VISIBLE_CHARS = 1 << 20
# Text in `<noscript>` of at least so many characters that the page also shows is a repetition, not a coincidence.
MIN_REPEATED_CHARS = 40
# Blocks added to one page, and characters of HTML that are parsed for one text.
MAX_BLOCKS, MAX_HTML_CHARS = 5_000, 1 << 22
# Texts of HTML that are parsed for one page, and one more for so many characters of all texts: each takes 25 µs. Of the
# 3,927 development pages, the most have 56.
MAX_PARSED, CHARS_PER_PARSED = 100, 500
# Pages repeat frames of so few characters. Their blocks are kept, unless they may have numbers, as lists, tables, code
# and notes have.
MAX_KNOWN_CHARS = 500

_TAG = lazy_pattern(
    r"</?(?:p|br|hr|div|span|h[1-6]|[uod]l|li|d[td]|a|strong|em|[biu]|su[bp]|table|tr|td|th|blockquote|section|article"
    r"|figure|img|pre|code|small)(?=[\s/>])[^<>]*>",
    re.I,
)
# Elements of which a page has numbers, or whose text depends on others; and images.
_NUMBERED = lazy_pattern(
    r"<(?:li|[uod]l|menu|dir|d[td]|t|pre|code|sup|math|img|script|listing|xmp|plaintext|figure|h\d)|\b(?:role|class|id|href)\s*=",
    re.I,
)
_PLAIN_FIELDS = frozenset(("text", "tag", "path", "links", "br", "bold", "hidden"))
_ENTITY = lazy_pattern(r"&(?:#\d+|#x[\da-f]+|[a-z]+\d*);", re.I)
# Text of these origins is always HTML.
_HTML_ORIGINS = ("srcdoc", "template")


def add_hidden_rows(
    blocks: BlockTable,
    table: PageTable,
    holders: list[Holder],
    read: ReadBlocks = blocks_of_tree,
    embedded: bool = True,
) -> list[int]:
    """Says which of the *blocks* of a page show declared content (see `declared_content`), and if *embedded*, adds
    those of its embedded content, in the place of the element or at the end.

    *holders* are the elements that `visual_blocks` found; *read* makes the blocks of HTML. Each new block has its
    `origin`. Blocks of `<noscript>` that repeat others go. Linear in the page. Returns the rows that the blocks had
    before; those of new ones come after all of these.
    """
    size = len(blocks.text)
    sources = hidden_texts(table, holders, size, has_little_prose(blocks.text, blocks.links))
    mark_declared(blocks, table, linked_names(sources))
    if not embedded:
        return list(range(size))
    new = _new_blocks(sources, blocks.text, read) if sources else []
    repeated: set[int] = set()
    if "noscript" in blocks.origin:
        texts = list(zip(count(), blocks.text, blocks.origin))
        in_noscript = [(n, own) for n, own, origin in texts if origin == "noscript" and len(own) >= MIN_REPEATED_CHARS]
        if in_noscript:
            repeated.update(repeated_texts(in_noscript, "".join([own for _, own, origin in texts if origin is None])))
    if not new and not repeated:
        return list(range(size))
    order: list[int] = []
    done = 0
    for position, block in new:
        order += range(done, min(position, size))
        order.append(blocks.append_record(block))
        done = max(done, min(position, size))
    order += range(done, size)
    order = [row for row in order if row not in repeated]
    blocks.take(order)
    return order


def repeated_texts(numbered: Iterable[tuple[int, str]], visible: str) -> list[int]:
    """The numbers of those texts that the *visible* text contains."""
    text = VisibleText(visible)
    return [number for number, own in numbered if text.contains(comparison_key(own))]


def _new_blocks(sources: list[HiddenText], shown: list[str], read: ReadBlocks) -> list[tuple[int, Block]]:
    """The blocks of texts that are not in the *shown* ones, each with its position, in order of position, then of
    *sources*."""
    if sum(map(len, shown)) > MAX_VISIBLE_CHARS:
        return []
    visible = VisibleText("".join(shown))
    out: list[tuple[int, int, list[Block]]] = []
    left = MAX_BLOCKS
    html = _EmbeddedHtml(read, MAX_PARSED + sum([len(text.source) for text in sources]) // CHARS_PER_PARSED)
    for number, text in sorted(enumerate(sources), key=lambda item: item[1].rank)[:MAX_SOURCES]:
        if left <= 0:
            break
        source, is_html = _source_of(text)
        blocks = _blocks_of_html(text, source, html) if is_html else []
        if text.origin == "json-ld:price" and _has_price(visible, text.source):
            new = []
        elif is_html:
            new = _missing_blocks(blocks, visible)
        else:
            new = _missing_lines(text, source, visible)
        out.append((text.position, number, new[:left]))
        left -= len(new)
    return [(position, block) for position, _, new in sorted(out, key=lambda item: item[:2]) for block in new]


class _EmbeddedHtml:
    """Reads HTML in texts of a page, by *read*; nothing more once *left* texts have been parsed."""

    def __init__(self, read: ReadBlocks, left: int) -> None:
        self._read, self._left = read, left
        self._known: dict[str, list[Block]] = {}

    def blocks(self, source: str) -> list[Block]:
        """The blocks of HTML."""
        if source in self._known:
            return [block.copy() for block in self._known[source]]
        self._left -= 1
        if len(source) > MAX_HTML_CHARS or self._left < 0:
            return []
        blocks = self._read(parse_html(source))
        if (
            len(source) <= MAX_KNOWN_CHARS
            and not _NUMBERED.search(source)
            and all(map(_PLAIN_FIELDS.issuperset, blocks))
        ):
            self._known[source] = [block.copy() for block in blocks]
        return blocks


def _source_of(text: HiddenText) -> tuple[str, bool]:
    """The source of a text, and whether it is HTML; plain text without its entities."""
    source = text.source
    has_tags = _has_tags(source)
    if not has_tags and "&" in source and _ENTITY.search(source):
        from html import unescape  # start-up: many pages have no such text

        source = unescape(source)
        has_tags = _has_tags(source)
    return source, has_tags or text.origin in _HTML_ORIGINS


def _has_tags(source: str) -> bool:
    return "<" in source and _TAG.search(source) is not None


def _blocks_of_html(text: HiddenText, source: str, html: _EmbeddedHtml) -> list[Block]:
    """The blocks of a text that is HTML, without empty ones."""
    blocks = html.blocks(source)
    paths: dict[str, str] = {}
    for block in blocks:
        path = block["path"]
        if path not in paths:
            inner = path.partition("/")[2]
            paths[path] = join_path(text.path, inner) if inner else text.path
        block["path"] = paths[path]
        block["origin"] = text.origin
    return [block for block in blocks if block["text"]]


def _missing_lines(text: HiddenText, source: str, visible: VisibleText) -> list[Block]:
    """As `_missing_blocks`, of plain text, each line of which is a paragraph, or a row of a table."""
    lines = list(filter(None, source.replace("\r", "\n").split("\n")))
    if text.origin == "json-ld:property":
        own = {"path": text.path, "links": 0, "origin": text.origin}
        return _missing_blocks([{"text": line, "tag": "tr", **own} for line in lines], visible)
    return [
        {"text": run, "tag": "p", "path": text.path, "links": 0, "origin": text.origin}
        for line in lines
        for run in visible.add_missing(" ".join(line.split()))
    ]


def _missing_blocks(blocks: list[Block], visible: VisibleText) -> list[Block]:
    """The blocks that are not visible, as a whole or reduced to their missing sentences. Changes *blocks*, and adds the
    text to *visible*."""
    out = []
    for block in blocks:
        text = block["text"]
        block.pop("br", None)
        if block["origin"] == "template" and not is_prose(text):
            continue
        if "pre" in block or "\t" in text:
            if visible.add_if_missing(text):
                out.append(block)
            continue
        end = 0
        runs = visible.add_missing(text)
        if runs == [text]:  # memory: no copy
            block["links"] = min(block["links"], len(text))
            out.append(block)
            continue
        for run in runs:
            part = {**block, "text": run, "links": min(block["links"], len(run))}
            if run != text and not _PLAIN_FIELDS.issuperset(part.keys() - {"origin"}):
                from ..markup import markup_fields  # start-up: only --markup needs it

                if markup_fields.has_markup(part):
                    start = text.find(run, end)
                    end = start + len(run)
                    markup_fields.keep_part(part, start, end)
            out.append(part)
            block.pop("marker", None)
            block.pop("figure", None)
    return out


def _has_price(visible: VisibleText, price: str) -> bool:
    """Whether the amount is visible, with or without cents."""
    amount = price.split()[0]
    without_cents = amount.removesuffix(".00").removesuffix(".0")
    return visible.contains(comparison_key(amount)) or visible.contains(comparison_key(without_cents))
