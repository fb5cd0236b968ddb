"""Embedded content, outside the visible tree: JSON-LD, hydration data, templates, `srcdoc`, the description.

    html = '<script type="application/ld+json">{"@type": "Article", "articleBody": "It rained."}</script>'
    profiles.blocks_of_html(html)
    # [{"text": "It rained.", "tag": "p", "path": "json-ld/Article/articleBody", "links": 0,
    #   "origin": "json-ld:articleBody"}]

Text that the page shows is not added, and no text is added twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from ...native.element_names import DATA, NAME, PROPERTY, UNKNOWN, number_of_tag
from ...native.page_table import PageTable
from ...record import Block
from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import is_prose
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import HeldElement, Holder
from ..blocks.visual_blocks import blocks as blocks_of_tree
from ..dom_path import MAX_NAME_CHARS, join_path
from ..tree.elements import DATA_ATTRIBUTES
from ..tree.html_parser import parse_html
from ..tree.survey import rows_with
from . import script_data
from .visible_text import VisibleText, comparison_key, mark_declared

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Makes the blocks of a tree.
ReadBlocks = Callable[["LexborHTMLParser"], list[Block]]

# A page that shows fewer characters of prose may have its text in hydration data, or its subject in the description. On
# the WCXB development pages, such pages have two thirds of the gold text that hydration data adds but 7 % of the blocks
# that it adds, and nearly all gold text that the description adds.
MIN_PROSE_CHARS = 1_000
# A block of at least so many characters is prose, unless at least this share of it is links.
MIN_PROSE_BLOCK_CHARS, MAX_PROSE_LINKS = 80, 0.5
# Pages of more blocks are not searched for hydration data.
MAX_HYDRATED_BLOCKS = 300
# Texts of a page that are examined. Of the 3,927 development pages, the most have 798.
MAX_SOURCES = 2_000
# Scripts of JSON-LD that are read. Development pages have at most 666 scripts of all kinds.
MAX_LINKED = 1_000

_HEAD, _SCRIPT, _META = map(number_of_tag, ("head", "script", "meta"))
_DESCRIPTIONS = (("name", "description"), ("property", "og:description"))
_PLACEHOLDER = lazy_pattern(r"\{\{|\$\{|<%|\{%")
_NOT_IN_NAMES = lazy_pattern(r"[^\w/-]+")

# A page that shows more characters is considered complete.
MAX_VISIBLE_CHARS = 1 << 20
# Text in `<noscript>` of at least so many characters that the page also shows is a repetition, not a coincidence.
MIN_REPEATED_CHARS = 40
# Blocks added to one page, and characters of HTML that are parsed for one text.
MAX_BLOCKS, MAX_HTML_CHARS = 5_000, 1 << 22
# Texts of HTML that are parsed for one page, and one more for so many characters of all texts: each takes 25 µs. Of the
# 3,927 development pages, the most have 56.
MAX_PARSED, CHARS_PER_PARSED = 100, 500

_TAG = lazy_pattern(
    r"</?(?:p|br|hr|div|span|h[1-6]|[uod]l|li|d[td]|a|strong|em|[biu]|su[bp]|table|tr|td|th|blockquote|section|article"
    r"|figure|img|pre|code|small)(?=[\s/>])[^<>]*>",
    re.I,
)
_PLAIN_FIELDS = frozenset(("text", "tag", "path", "links", "br", "bold", "hidden"))
_ENTITY = lazy_pattern(r"&(?:#\d+|#x[\da-f]+|[a-z]+\d*);", re.I)
# Text of these origins is always HTML.
_HTML_ORIGINS = ("srcdoc", "template")


class HiddenText(NamedTuple):
    """A text that may be missing in the page: the number of blocks before it, its rank (texts of a lower rank are
    compared first), its origin and path, and its source, which may be HTML."""

    position: int
    rank: int
    origin: str
    path: str
    source: str


def add_hidden_rows(
    blocks: BlockTable,
    table: PageTable,
    holders: list[Holder],
    read: ReadBlocks = blocks_of_tree,
    embedded: bool = True,
) -> list[int]:
    """Says which of the *blocks* of a page show declared content (see `mark_declared`), and if *embedded*, adds those
    of its embedded content, in the place of the element or at the end.

    *holders* are the elements that `visual_blocks` found; *read* makes the blocks of HTML. Each new block has its
    `origin`. Blocks of `<noscript>` that repeat others go. Linear in the page. Returns the rows that the blocks had
    before; those of new ones come after all of these.
    """
    size = len(blocks.text)
    sources = hidden_texts(table, holders, size, has_little_prose(blocks.text, blocks.links))
    linked = [text for text in sources if text.origin.startswith("json-ld:")]
    # the type and the property of each, such as `Recipe.recipeIngredient`
    mark_declared(blocks, table, [(text.path.partition("/")[2].replace("/", "."), text.source) for text in linked])
    if not embedded:
        return list(range(size))
    new = _new_blocks(sources, blocks.text, read) if sources else []
    repeated = _repeated_rows(blocks) if "noscript" in blocks.origin else set()
    if not new and not repeated:
        return list(range(size))
    order: list[int] = []
    done = 0
    for position, block in [*new, (size, None)]:
        order += [row for row in range(done, min(position, size)) if row not in repeated]
        done = max(done, min(position, size))
        if block is not None:
            order.append(blocks.append_record(block))
    blocks.take(order)
    return order


def _repeated_rows(blocks: BlockTable) -> set[int]:
    """The rows of blocks in `<noscript>` whose text the page also shows."""
    shown = VisibleText("".join([text for text, origin in zip(blocks.text, blocks.origin) if origin is None]))
    return {
        row
        for row, text in enumerate(blocks.text)
        if blocks.origin[row] == "noscript" and len(text) >= MIN_REPEATED_CHARS and shown.contains(comparison_key(text))
    }


def _new_blocks(sources: list[HiddenText], shown: list[str], read: ReadBlocks) -> list[tuple[int, Block]]:
    """The blocks of texts that are not in the *shown* ones, each with its position, in order of position, then of
    *sources*."""
    if sum(map(len, shown)) > MAX_VISIBLE_CHARS:
        return []
    visible = VisibleText("".join(shown))
    out: list[tuple[int, int, list[Block]]] = []
    left, left_html = MAX_BLOCKS, MAX_PARSED + sum([len(text.source) for text in sources]) // CHARS_PER_PARSED
    known: set[tuple[str, str]] = set()  # what has been added is visible
    for number, text in sorted(enumerate(sources), key=lambda item: item[1].rank)[:MAX_SOURCES]:
        if left <= 0:
            break
        if (text.origin, text.source) in known or text.origin == "json-ld:price" and _has_price(visible, text.source):
            continue
        known.add((text.origin, text.source))
        source, is_html = _source_of(text)
        if not is_html:
            new = _missing_lines(text, source, visible)
        elif len(source) > MAX_HTML_CHARS or left_html <= 0:
            continue
        else:
            left_html -= 1
            new = _missing_blocks(_placed(read(parse_html(source)), text), visible)
        out.append((text.position, number, new[:left]))
        left -= len(new)
    return [(position, block) for position, _, new in sorted(out, key=lambda item: item[:2]) for block in new]


def _source_of(text: HiddenText) -> tuple[str, bool]:
    """The source of a text, and whether it is HTML; plain text without its entities."""
    source = text.source
    has_tags = "<" in source and _TAG.search(source) is not None
    if not has_tags and "&" in source and _ENTITY.search(source):
        from html import unescape  # start-up: many pages have no such text

        source = unescape(source)
        has_tags = "<" in source and _TAG.search(source) is not None
    return source, has_tags or text.origin in _HTML_ORIGINS


def _placed(blocks: list[Block], text: HiddenText) -> list[Block]:
    """The blocks of a text that is HTML with its origin and their places in the page, without empty ones."""
    for block in blocks:
        inner = block["path"].partition("/")[2]
        block["path"] = join_path(text.path, inner) if inner else text.path
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


# ---- the texts that a page has --------------------------------------------------------------------------------------


def hidden_texts(table: PageTable, holders: list[Holder], end: int, sparse: bool) -> list[HiddenText]:
    """The texts of a page with *end* visible blocks; *sparse*: with little prose. *holders* are the elements that
    `visual_blocks` found. Linear in the page."""
    nodes = [HeldElement(table, row) for row in _scripts_in_head(table)]
    nodes += [holder.node for holder in holders if holder.node.tag == "script"]
    scripts = [(node, (table.attribute_of(node.row, "type") or "").lower()) for node in nodes]
    linked = [node.text() for node, kind in scripts if "ld+json" in kind]
    sources = list(islice(_held_sources(holders), MAX_SOURCES))
    sources += _linked_sources(linked[:MAX_LINKED], end, everything=sparse)
    if sparse:
        if end <= MAX_HYDRATED_BLOCKS:
            sources += _hydration_sources(scripts, table, end)
        sources += [HiddenText(end, 2, "meta", "head/meta", content) for content in _descriptions(table)]
    return sources


def has_little_prose(texts: list[str], links: list[int]) -> bool:
    """Whether a page with blocks of these *texts*, with so many characters in *links*, shows little prose."""
    left = MIN_PROSE_CHARS
    for text, link_chars in zip(texts, links):
        size = len(text)
        if size >= MIN_PROSE_BLOCK_CHARS and link_chars < MAX_PROSE_LINKS * size:
            left -= size
            if left <= 0:
                return False
    return True


def _scripts_in_head(table: PageTable) -> list[int]:
    """The scripts in the head of a page; none if it has no body."""
    at = 1
    while at < table.size and table.tag[at] != _HEAD:
        at = table.end[at]
    if at >= table.size or table.root.parser.body is None:
        return []
    return rows_with(table, _SCRIPT, 0, at, table.end[at])


def _descriptions(table: PageTable) -> Iterator[str]:
    """The descriptions that the page gives itself."""
    for row in rows_with(table, _META, NAME | PROPERTY, 0, table.size):
        for attribute, name in _DESCRIPTIONS:
            if (table.attribute_of(row, attribute) or "").lower() == name:
                yield from filter(None, [table.attribute_of(row, "content")])


def _held_sources(holders: list[Holder]) -> Iterator[HiddenText]:
    """The pages in frames and the prose in templates, at the positions of these elements."""
    for position, path, node in holders:
        if node.tag == "iframe":
            if source := node.attributes.get("srcdoc"):
                yield HiddenText(position, 0, "srcdoc", join_path(path, "iframe"), source)
        elif node.tag == "template":
            source = (node.html or "").partition(">")[2].rpartition("</")[0]
            if len(source) >= MIN_PROSE_BLOCK_CHARS and not _PLACEHOLDER.search(source):
                yield HiddenText(position, 0, "template", join_path(path, "template"), source)


def _linked_sources(data: Iterable[str], position: int, everything: bool) -> Iterator[HiddenText]:
    """The content of JSON-LD: *everything*, or only sentences, and the questions and steps they belong to."""
    places: dict[tuple[str, str], tuple[int, str, str]] = {}
    for linked in data:
        for kind, field, text in script_data.linked_texts(script_data.load_json(linked), everything):
            place = places.get((kind, field))
            if place is None:
                place = places[kind, field] = _linked_place(kind, field)
            yield HiddenText(position, *place, text)


def _linked_place(kind: str, field: str) -> tuple[int, str, str]:
    """The rank, the origin and the path of a property of JSON-LD."""
    path = join_path(join_path("json-ld", _path_name(kind)[:MAX_NAME_CHARS]), field)
    return 0 if field in script_data.BODIES else 1, f"json-ld:{field}", path


def _hydration_sources(scripts: list[tuple[HeldElement, str]], table: PageTable, position: int) -> Iterator[HiddenText]:
    carriers = rows_with(table, UNKNOWN, DATA, 0, table.size)
    data = (("json", table.attribute_of(row, name) or "") for row in carriers for name in DATA_ATTRIBUTES)
    contents = ((kind, node.text()) for node, kind in scripts)  # memory: one at a time
    for path, text in script_data.prose_texts(chain(contents, data)):
        yield HiddenText(position, 1, "hydration", join_path("hydration", _path_name(path)), text)


def _path_name(text: str) -> str:
    """A name in data as part of a path."""
    return _NOT_IN_NAMES.sub("_", text) or "_"
