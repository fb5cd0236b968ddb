"""Content that a page declares in JSON-LD or microdata, and shows: blocks that show it say which property it is.

    html = '<li>2 eggs<script type="application/ld+json">{"@type": "Recipe", "recipeIngredient": "2 eggs"}</script>'
    profiles.blocks_of_html(html)
    # [{"text": "2 eggs", "tag": "li", "path": "body/li", "links": 0, "marker": "*",
    #   "declared": "Recipe.recipeIngredient"}]

Texts are compared by their letters and digits (see `visible_text.comparison_key`), so that a declared line may be shown
by several blocks, and several declared sentences by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...native.element_names import ITEMPROP, ITEMTYPE
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ...text.sentence_ends import cut_pattern
from ..blocks.block_table import BlockTable
from ..tree.survey import rows_with
from .visible_text import MAX_WHOLE_BYTES, MIN_KEY_BYTES, comparison_key

# Properties that are content, and types whose names and texts are. On 320 pages of recipes, 97 % of the segments that
# show them are lines of the recipe. Bodies of articles, posts and answers are not among them: on 1,497 pages of WCXB, F
# is 0.02 to 0.05 points lower with them, because they are whole pages, with buttons, captions and related articles.
PROPERTIES = frozenset(("recipeIngredient", "ingredients", "recipeInstructions", "tool", "supply"))
STEP_TYPES, STEP_PROPERTIES = frozenset(("HowToSection", "HowToStep", "HowToDirection")), frozenset(("name", "text"))
# Bytes of comparison keys. A shorter text must be all that some blocks show: `salt` stands in many words.
MIN_INSIDE_BYTES = 20
# A block shows declared text if at least this share of its letters and digits is declared.
MIN_SHARE = 0.5
# Bytes that are searched for one page; elements with microdata that are read, and characters of them.
MAX_SEARCHED_BYTES, MAX_ELEMENTS, MAX_CHARS = 16 << 20, 1_000, 1 << 20
# Different properties of a page: their numbers are bytes.
MAX_NAMES = 255

_MICRODATA = PROPERTIES | STEP_PROPERTIES
_LINE_TAG = lazy_pattern(r"<(?:/?(?:p|div|li|[uod]l|h[1-6]|tr|t[dh]|table|section|d[dt])|br)(?![\w-])[^<>]*>", re.I)
_TAG = lazy_pattern(r"</?[a-z][^<>]*>", re.I)


def mark_declared(blocks: BlockTable, table: PageTable, linked: Iterable[tuple[str, str]]) -> None:
    """Gives blocks that show declared content its type and property as the field `declared`. *linked*: the names and
    texts of JSON-LD. Linear in the page."""
    declared = [(name, text) for name, text in linked if is_content(name)]
    declared += _microdata(table)
    if not declared:
        return
    keys = [comparison_key(text) for text in blocks.text]
    shown = _ShownKeys(keys)
    for name, text in declared:
        for line in _lines(text):
            shown.mark(name, line)
    for row, name in enumerate(shown.names_of_blocks()):
        if name:
            blocks.fields(row)["declared"] = name


def is_content(name: str) -> bool:
    """Whether a property, named with its type, is content: `Recipe.recipeIngredient`."""
    kind, _, field = name.partition(".")
    return field in PROPERTIES or kind in STEP_TYPES and field in STEP_PROPERTIES


def _microdata(table: PageTable) -> Iterator[tuple[str, str]]:
    """The names and texts of elements whose `itemprop` says that they are content."""
    left, num_left = MAX_CHARS, MAX_ELEMENTS
    for row in rows_with(table, 0, ITEMPROP, 0, table.size):
        for field in (table.attribute_of(row, "itemprop") or "").split():
            name = f"{_item_type(table, row)}.{field}" if field in _MICRODATA else ""
            if is_content(name) and left > 0 and num_left > 0:
                text = table.text_below(row)
                left -= len(text)
                num_left -= 1
                yield name, text


def _item_type(table: PageTable, row: int) -> str:
    """The type of the item that an element is a property of, without the address of its vocabulary."""
    above = table.parent[row]
    while above >= 0 and not table.flags[above] & ITEMTYPE:
        above = table.parent[above]
    kind = table.attribute_of(above, "itemtype") if above >= 0 else None
    return (kind or "").strip().rstrip("/").rpartition("/")[2]


def _lines(text: str) -> Iterator[str]:
    """The lines of a declared text, which may be HTML."""
    if "&" in text:
        from html import unescape  # start-up: many pages have no such text

        text = unescape(text)
    if "<" in text:
        text = _TAG.sub("", _LINE_TAG.sub("\n", text))
    return filter(None, text.replace("\r", "\n").split("\n"))


class _ShownKeys:
    """The comparison keys of the blocks of a page in a row, and which of their bytes are declared."""

    def __init__(self, keys: list[bytes]) -> None:
        self._sizes = [len(key) for key in keys]
        self._text = b"".join(keys)
        self._numbers = bytearray(len(self._text))  # of the property of each byte; 0 for none
        self._bounds = {0}  # where blocks begin and end
        end = 0
        for size in self._sizes:
            end += size
            self._bounds.add(end)
        self._names = [""]
        self._known: set[bytes] = set()
        self._left = MAX_SEARCHED_BYTES

    def mark(self, name: str, line: str) -> None:
        """Marks what shows a line: as a whole, or if it is long, its sentences."""
        key = comparison_key(line)
        if len(key) <= MAX_WHOLE_BYTES:
            self._mark_key(name, key)
            return
        start = 0
        for end in [*(match.end() for match in cut_pattern().finditer(line)), len(line)]:
            key = comparison_key(line[start:end])
            if len(key) >= MIN_KEY_BYTES:
                self._mark_key(name, key)
            start = end

    def _mark_key(self, name: str, key: bytes) -> None:
        size = len(key)
        if not size or key in self._known or name not in self._names and len(self._names) > MAX_NAMES:
            return
        self._known.add(key)
        at = self._find(key, 0)
        while at >= 0:
            if size >= MIN_INSIDE_BYTES or at in self._bounds and at + size in self._bounds:
                if name not in self._names:
                    self._names.append(name)
                self._numbers[at : at + size] = bytes([self._names.index(name)]) * size
            at = self._find(key, at + size)

    def _find(self, key: bytes, start: int) -> int:
        """The first place of a key from *start* on; -1 if there is none, or too much has been searched."""
        if self._left <= 0:
            return -1
        at = self._text.find(key, start)
        self._left -= (at if at >= 0 else len(self._text)) - start + 1
        return at

    def names_of_blocks(self) -> Iterator[str]:
        """For each block the property that it shows; empty for others."""
        at = 0
        for size in self._sizes:
            own = self._numbers[at : at + size]
            at += size
            declared = size - own.count(0)
            yield self._names[max(own)] if size and declared >= MIN_SHARE * size else ""
