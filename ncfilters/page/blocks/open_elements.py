"""Open elements of the reader of blocks: block elements with their paths, and table rows.

table = table_of(parse_html("<ol start=4 hidden>").root)
number_in(table, 3, START, 1), hiding_in(table, 3)    # (4, 'hidden')
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from ...native.element_names import ARIA_HIDDEN, BLANK, CLASS, HIDDEN, ID, ROLE, START, STYLE, TEXT, number_of_tag
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ...words.element_names import ROLES
from ..dom_path import dotted_classes, dotted_id

# Characters of a cell. The cells of a row are one block if none is longer and each holds only inline text; otherwise
# the table is layout, and its cells are blocks.
MAX_CELL_CHARS = 160
# The elements that may hold the inline text of such a cell.
CELL_TEXT_TAGS = frozenset(("td", "th", "p", "div", "center"))
# Attributes of which one may hide an inline element.
MAY_HIDE_INLINE = STYLE | HIDDEN | ARIA_HIDDEN | CLASS

_HIDING_STYLE = lazy_pattern(r"display:\s*none|visibility:\s*hidden", re.I)
# A sign of an icon font, which its text names; the link of Sphinx from a name to its source, as is the pilcrow.
_SIGN = lazy_pattern(r"(?:^|\s)(?:(?:google-)?material-(?:icons|symbols)(?![^\s_-])|viewcode-link(?!\S))")
# Signs of what unfolds and closes, as the text of an icon.
_DRAWN = frozenset("+-−–×✕")
_NUMBERS = lazy_pattern(r"list-style(?:-type)?\s*:[^;]{0,40}?\bdecimal", re.I)
# The box of a post's text in vBulletin 4 and XenForo 1 is a block quote.
_POST_BOX = lazy_pattern(r"(?:^|\s)(?:postcontent|messageText)(?:\s|$)")
_BLOCKQUOTE, _CITE, _DIV = map(number_of_tag, ("blockquote", "cite", "div"))
_ROLES = {role: f":{name}" for role, name in ROLES.items()}
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

    def text(self) -> str:
        """The text in it."""
        return self.table.text_below(self.row)

    @property
    def html(self) -> str | None:
        """Its markup."""
        html: str | None = self.table.node_of(self.row).html
        return html


class OpenElement:
    """An open block element: its *row* in the table of the page, its *name*, its *element* in the table of elements (-1
    until it is first needed), and how it is *hidden*, if it is. The row and the element of the *last* block element in
    it of which the element was needed."""

    def __init__(self, row: int, name: str, element: int, hidden: str | None) -> None:
        self.row, self.name, self.element, self.hidden = row, name, element, hidden
        self.last, self.last_element = -1, 0


class OpenCells:
    """An open table row: its first block, the first block of its last cell, and whether every cell is one block."""

    def __init__(self, start: int) -> None:
        self.start = self.cell_start = start
        self.is_data = True


def name_in(table: PageTable, row: int) -> str:
    """The name of the element in a row; `div` for a block quote that quotes nothing, and a `<cite>` that is a block."""
    if table.tag[row] == _CITE:
        return "div"
    is_box = table.tag[row] == _BLOCKQUOTE and table.flags[row] & CLASS
    if is_box and _POST_BOX.search(table.attribute_of(row, "class") or ""):
        return "div"
    return table.name_of(row)


def path_element(table: PageTable, row: int, name: str) -> str:
    """The element in a row, of this *name*, in a path: `div:dialog#cart.drawer`."""
    flags = table.flags[row]
    if flags & ROLE:
        name += _ROLES.get(table.attribute_of(row, "role") or "", "")
    if flags & ID:
        name += dotted_id(table.attribute_of(row, "id") or "")
    if flags & CLASS:
        name += dotted_classes(table.attribute_of(row, "class") or "")
    return name


def says_who_is_quoted(table: PageTable, row: int) -> bool:
    """Whether an element begins a block quote, or a `<div>` of one, that goes on after it: software of forums has a
    `<cite>` there, which is a line."""
    parent, before = table.parent[row], table.before[row]
    is_first = before < 0 or table.tag[before] == TEXT and table.flags[before] & BLANK and table.before[before] < 0
    if parent < 0 or not is_first or table.end[row] == table.end[parent]:
        return False
    if table.tag[parent] == _DIV:
        parent = table.parent[parent]
    return parent >= 0 and table.tag[parent] == _BLOCKQUOTE


def hiding_in(table: PageTable, row: int) -> str | None:
    """How attributes hide the element in a row: `hidden`, `display` (by style), `aria`, or None."""
    flags = table.flags[row]
    if flags & HIDDEN:
        return "hidden"
    if flags & STYLE:
        style = table.attribute_of(row, "style") or ""
        if _HIDING_STYLE.search(style):
            return "display"
    return "aria" if flags & ARIA_HIDDEN and table.attribute_of(row, "aria-hidden") == "true" else None


def is_sign(table: PageTable, row: int) -> bool:
    """Whether the text of an element whose class is known is a sign: its name, such as `local_shipping`; [source]; or
    the plus of what unfolds."""
    classes = table.attribute_of(row, "class") or ""
    if "icon" in classes and table.end[row] - row == 2 and table.text_below(row).strip() in _DRAWN:
        return True
    return _has_sign(classes)


@lru_cache(maxsize=1 << 12)
def _has_sign(classes: str) -> bool:
    return ("material-" in classes or "viewcode-" in classes) and _SIGN.search(classes) is not None


def has_numbers(table: PageTable, row: int) -> bool:
    """Whether the style of a list or an item numbers it, as plugins for recipes do."""
    return table.flags[row] & STYLE != 0 and _NUMBERS.search(table.attribute_of(row, "style") or "") is not None


def number_in(table: PageTable, row: int, attribute: int, default: int) -> int:
    """The integer that an attribute, START or VALUE, begins with, up to nine digits; without one, *default*."""
    if not table.flags[row] & attribute:
        return default
    match = _NUMBER.match(table.attribute_of(row, "start" if attribute == START else "value") or "")
    return int(match[0]) if match else default
