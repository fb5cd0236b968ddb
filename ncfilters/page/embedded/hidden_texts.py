"""The texts that a page has outside its visible tree: of JSON-LD, hydration data, frames, templates, the description.

    table = page_table('<script type="application/ld+json">{"@type": "Article", "articleBody": "It rained."}</script>')
    hidden_texts(table, [], 0, True)
    # [HiddenText(position=0, rank=0, origin="json-ld:articleBody", path="json-ld/Article/articleBody",
    #   source="It rained.")]

Which of them the page shows, `hidden_content` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ...native.element_names import DATA, NAME, PROPERTY, UNKNOWN, number_of_tag
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..blocks.open_elements import HeldElement, Holder
from ..dom_path import MAX_NAME_CHARS, join_path
from ..tree.elements import DATA_ATTRIBUTES
from ..tree.survey import rows_with
from . import hydration, json_ld
from .json_ld import load_json

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


class HiddenText(NamedTuple):
    """A text that may be missing in the page: the number of blocks before it, its rank (texts of a lower rank are
    compared first), its origin and path, and its source, which may be HTML."""

    position: int
    rank: int
    origin: str
    path: str
    source: str


def hidden_texts(table: PageTable, holders: list[Holder], end: int, sparse: bool) -> list[HiddenText]:
    """The texts of a page with *end* visible blocks; *sparse*: with little prose. *holders* are the elements that
    `visual_blocks` found. Linear in the page."""
    in_head = [HeldElement(table, row) for row in _scripts_in_head(table)]
    heads = list(zip(in_head, _types(in_head)))
    linked = [node.text() for node, kind in heads if "ld+json" in kind]
    if not (holders or linked or sparse):
        return []
    nodes = [holder.node for holder in holders if holder.node.tag == "script"]
    scripts = list(zip(nodes, _types(nodes)))
    linked += [node.text() for node, kind in scripts if "ld+json" in kind]
    sources = list(islice(_held_sources(holders), MAX_SOURCES)) if len(holders) > len(scripts) else []
    sources += _linked_sources(linked[:MAX_LINKED], end, everything=sparse)
    if sparse:
        if end <= MAX_HYDRATED_BLOCKS:
            sources += _hydration_sources([*heads, *scripts], table, end)
        sources += [HiddenText(end, 2, "meta", "head/meta", content) for content in _descriptions(table)]
    return sources


def linked_names(sources: list[HiddenText]) -> list[tuple[str, str]]:
    """The type and the property of each text of JSON-LD, such as `Recipe.recipeIngredient`, and the text."""
    return [
        (text.path.partition("/")[2].replace("/", "."), text.source)
        for text in sources
        if text.origin.startswith("json-ld:")
    ]


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


def _types(nodes: Sequence[HeldElement]) -> list[str]:
    """The attribute `type` of each node, in lower case."""
    return [(node.table.attribute_of(node.row, "type") or "").lower() for node in nodes]


def _descriptions(table: PageTable) -> list[str]:
    """The descriptions that the page gives itself."""
    found = []
    for row in rows_with(table, _META, NAME | PROPERTY, 0, table.size):
        for attribute, name in _DESCRIPTIONS:
            if (table.attribute_of(row, attribute) or "").lower() == name:
                found.append(table.attribute_of(row, "content"))
    return [content for content in found if content]


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
        for kind, field, text in json_ld.linked_texts(load_json(linked), everything):
            place = places.get((kind, field))
            if place is None:
                place = places[kind, field] = _linked_place(kind, field)
            yield HiddenText(position, *place, text)


def _linked_place(kind: str, field: str) -> tuple[int, str, str]:
    """The rank, the origin and the path of a property of JSON-LD."""
    path = join_path(join_path("json-ld", _path_name(kind)[:MAX_NAME_CHARS]), field)
    return 0 if field in json_ld.BODIES else 1, f"json-ld:{field}", path


def _hydration_sources(scripts: list[tuple[HeldElement, str]], table: PageTable, position: int) -> Iterator[HiddenText]:
    carriers = rows_with(table, UNKNOWN, DATA, 0, table.size)
    data = (("json", table.attribute_of(row, name) or "") for row in carriers for name in DATA_ATTRIBUTES)
    contents = ((kind, node.text()) for node, kind in scripts)  # memory: one at a time
    for path, text in hydration.prose_texts(chain(contents, data)):
        yield HiddenText(position, 1, "hydration", join_path("hydration", _path_name(path)), text)


def _path_name(text: str) -> str:
    """A name in data as part of a path."""
    return _NOT_IN_NAMES.sub("_", text) or "_"
