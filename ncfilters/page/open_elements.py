"""Open elements of the block builder: block elements with their paths, and table rows.

element = OpenBlock("ol", {"start": "4", "hidden": None}, None, None)
number_of(element.attributes, "start", 1), hiding_of(element.attributes)    # (4, 'hidden')
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..native.element_names import ARIA_HIDDEN as _ARIA_HIDDEN
from ..native.element_names import HIDDEN, START, STYLE
from ..native.page_table import PageTable
from ..record import Block
from ..text.lazy_pattern import lazy_pattern
from .dom_path import join_path, path_element

Attributes = dict[str, "str | None"]

# Characters of a cell. The cells of a row are one block if none is longer and each holds only inline text; otherwise
# the table is layout, and its cells are blocks.
MAX_CELL_CHARS = 160
# The elements that may hold the inline text of such a cell.
CELL_TEXT_TAGS = frozenset(("td", "th", "p", "div", "center"))
ARIA_HIDDEN = "aria-hidden"

_HIDING_STYLE = lazy_pattern(r"display:\s*none|visibility:\s*hidden", re.I)
_NUMBER = lazy_pattern(r"\s*-?\d{1,9}")


class Holder(NamedTuple):
    """An element that may contain text: the number of blocks before it, its path, and the element itself."""

    position: int
    path: str
    node: Any


class HeldElement:
    """An element that may hold hidden content: the row of a table, read as a node of the parser."""

    def __init__(self, table: PageTable, row: int) -> None:
        self.table, self.row = table, row

    @property
    def tag(self) -> str:
        """Its name."""
        return self.table.name_of(self.row)

    @property
    def attributes(self) -> dict[str, str | None]:
        """Its attributes."""
        return self.table.attributes_of(self.row)

    def text(self, deep: bool = True) -> str:
        """The text in it; *deep* is there for the sake of nodes."""
        return self.table.text_below(self.row)

    @property
    def html(self) -> str | None:
        """Its markup."""
        html: str | None = self.table.node_of(self.row).html
        return html


class OpenBlock:
    """An open block element: its tag *name* and *attributes*, its *path* (None until it is first needed), and how it is
    *hidden*, if it is."""

    __slots__ = ("attributes", "hidden", "name", "path")

    def __init__(self, name: str, attributes: Attributes, path: str | None, hidden: str | None) -> None:
        self.name = name
        self.attributes = attributes
        self.path = path
        self.hidden = hidden


class OpenElement:
    """An open block element: its *row* in the table of the page, its *name*, its *path* (None until it is first
    needed), and how it is *hidden*, if it is."""

    def __init__(self, row: int, name: str, path: str | None, hidden: str | None) -> None:
        self.row, self.name, self.path, self.hidden = row, name, path, hidden


class OpenCells:
    """An open table row: its first block, the first block of its last cell, and whether every cell is one block."""

    def __init__(self, start: int) -> None:
        self.start = self.cell_start = start
        self.is_data = True


class OpenRow:
    """An open table row: its first block, the first block of its last cell, and whether every cell is one block."""

    __slots__ = ("cell_start", "is_data", "start")

    def __init__(self, start: int) -> None:
        self.start = self.cell_start = start
        self.is_data = True

    def join_cells(self, blocks: list[Block], open_blocks: list[OpenBlock]) -> None:
        """Replaces the blocks of the row, at the end of *blocks*, by one block with tabs between the cells, if the
        cells are short. The last of *open_blocks* is the row."""
        cells = blocks[self.start :]
        if not self.is_data or len(cells) < 2 or len({cell.get("hidden") for cell in cells}) > 1:
            return
        if any(len(cell["text"]) > MAX_CELL_CHARS or cell["tag"] not in CELL_TEXT_TAGS for cell in cells):
            return
        block = {
            "text": "\t".join(cell["text"] for cell in cells),
            "tag": "tr",
            "path": path_of(open_blocks),
            "links": sum(cell["links"] for cell in cells),
        }
        for field in ("hidden", "origin"):
            if field in cells[0]:
                block[field] = cells[0][field]
        blocks[self.start :] = [block]


def path_of(open_blocks: list[OpenBlock]) -> str:
    """The path of the last of these elements; the paths of all are stored in them."""
    at = len(open_blocks) - 1
    while (path := open_blocks[at].path) is None:
        at -= 1
    for element in open_blocks[at + 1 :]:
        name, attributes = element.name, element.attributes
        path = element.path = join_path(path, path_element(name, attributes) if attributes else name)
    return path


def hiding_of(attributes: Attributes) -> str | None:
    """How attributes hide an element: `hidden`, `display` (by style), `aria`, or None."""
    if "hidden" in attributes:
        return "hidden"
    style = attributes.get("style")
    if style and _HIDING_STYLE.search(style):
        return "display"
    return "aria" if attributes.get(ARIA_HIDDEN) == "true" else None


def number_of(attributes: Attributes, name: str, default: int) -> int:
    """The integer that an attribute begins with, up to nine digits; without one, *default*."""
    match = _NUMBER.match(attributes.get(name) or "")
    return int(match[0]) if match else default


def hiding_in(table: PageTable, row: int) -> str | None:
    """How attributes hide the element in a row: `hidden`, `display` (by style), `aria`, or None."""
    flags = table.flags[row]
    if flags & HIDDEN:
        return "hidden"
    if flags & STYLE and _HIDING_STYLE.search(table.attribute_of(row, "style") or ""):
        return "display"
    return "aria" if flags & _ARIA_HIDDEN and table.attribute_of(row, ARIA_HIDDEN) == "true" else None


def number_in(table: PageTable, row: int, attribute: int, default: int) -> int:
    """The integer that an attribute, START or VALUE, begins with, up to nine digits; without one, *default*."""
    if not table.flags[row] & attribute:
        return default
    match = _NUMBER.match(table.attribute_of(row, "start" if attribute == START else "value") or "")
    return int(match[0]) if match else default
