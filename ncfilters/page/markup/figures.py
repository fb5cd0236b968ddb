"""Images that stand as blocks of their own: the block beside each that says most about it.

An image belongs to the block that is in the same container: that before it or that after it. It is never attached to
its own caption, which may be left out, if there is another one there.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...native.element_names import CLASS
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import OpenElement
from .images import Image
from .markup_run import Mark, linked_image

CAPTION_TAGS = frozenset(("figcaption", "caption"))
# An image outside of one of these is no part of it.
_CLOSED_TAGS = frozenset(("li", "td", "th", "blockquote"))
# Characters of text beside an image; more text does not make a block a better place.
ENOUGH_CHARS = 100

_FIGURE = lazy_pattern(r"(?:^|\s)(?:wp-caption|figure)(?:\s|$)")
_CAPTION = lazy_pattern(r"(?:^|\s)(?:wp-caption-text|(?:[\w-]*(?:image|photo|img|picture)[_-]?)?caption)(?:\s|$)")
_IMAGE = lazy_pattern(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", re.I)

# Blocks of a `<figure>` that its images are not attached to.
MAX_WAITED = 10

# The row of a block, and the block elements around it.
Place = tuple[int, list[OpenElement]]


class Figure:
    """An image, its *element* and the block elements *around* it, the inline elements around it (*marks*), and the
    block *before* it. *figure* is the outermost `<figure>` that it is in, and *inner* the innermost one. *cell* is the
    cell of a data table that it is in, and its table; *place* the row and the column of that. *lists* and *quotes* are
    the numbers of these around it, *table* is that of its data table, or 0."""

    def __init__(
        self, page: PageTable, image: Image, around: list[OpenElement], before: Place | None, marks: tuple[Mark, ...]
    ) -> None:
        self.page, self.image, self.before, self.marks = page, image, before, marks
        self.waited = 0  # blocks of its <figure>
        self.element: OpenElement | None = around[-1]
        self.around = around
        self.figure: OpenElement | None = None
        self.inner: OpenElement | None = None
        for at, element in enumerate(around):
            if _is_figure(page, element):
                if self.figure is None:
                    self.around, self.figure = around[:at], element
                self.inner = element
        self.cell: tuple[OpenElement, OpenElement] | None = None
        self.place = (0, 0)
        self.lists = self.quotes = self.table = 0

    def set_cell(self, around: list[OpenElement], place: tuple[int, int]) -> None:
        """Sets the cell, if one is among the elements *around* the image, and its place in the table."""
        inner = iter(reversed(around))
        cell = next((element for element in inner if element.name in ("td", "th")), None)
        table = next((element for element in inner if element.name == "table"), None)
        if cell is not None and table is not None:
            self.cell, self.place = (cell, table), place

    def add_caption(self, text: str, elements: list[OpenElement]) -> None:
        """Adds text of its `<figcaption>`, in these *elements*. What follows is no caption if it is in an outer
        `<figure>` alone, such as that of a gallery."""
        if _innermost(self.page, elements) is self.inner:
            self.figure = self.inner
        text = text.removesuffix("¶").rstrip()  # the link of a caption to itself, which no segment has
        if not text:
            return
        caption = self.image.get("caption")
        self.image["caption"] = f"{caption} {text}" if caption else text

    def waits(
        self, blocks: BlockTable, row: int, elements: list[OpenElement], is_caption: bool, is_of_next: bool
    ) -> bool:
        """Whether the image is not attached to the block of a *row* in these *elements*: one in its `<figure>`, a
        caption, or the text of a link to the image itself (its size, as a rule). A caption *is_of_next* if an image
        waits for its first."""
        self.waited += 1
        if self.waited >= MAX_WAITED:
            return False
        if blocks.links[row] == len(blocks.text[row]) and any(map(_is_link_to_image, self.marks)):
            return True
        if self.figure is None:
            return is_caption and not (is_of_next and "caption" in self.image)
        around = _innermost(self.page, elements)
        return around is self.figure or around is self.inner

    def attach(self, blocks: BlockTable, after: Place | None) -> None:
        """Adds the image to the block before it or to the one *after* it."""
        before = self.before
        if before is None and after is None:
            return
        image = linked_image(self.image, self.marks)
        if (
            after is None
            or before is not None
            and self._rank(blocks, before[0], before[1]) >= self._rank(blocks, after[0], after[1])
        ):
            assert before is not None
            _figures_of(blocks, before[0]).append({**image, **self._place_at(blocks, before), "after": True})
        else:
            _figures_of(blocks, after[0]).append({**image, **self._place_at(blocks, after)})

    def _place_at(self, blocks: BlockTable, block: Place) -> dict[str, int]:
        """What a block does not say of the place of the image: the numbers of lists and quotes around it and of its
        table, if those of the block are higher; the row and the column, if the block is of another cell of the table
        (an image alone in a cell has no block there)."""
        row, elements = block
        fields = blocks.extra[row] or {}
        holders = (("depth", self.lists), ("quote", self.quotes), ("table", self.table))
        out = {name: own for name, own in holders if own < fields.get(name, 0)}
        if self.cell is None:
            return out
        cell, table = self.cell
        if any(element is cell for element in elements) or not any(element is table for element in elements):
            return out
        return {**out, "row": self.place[0], "column": self.place[1]}

    def _rank(self, blocks: BlockTable, row: int, elements: list[OpenElement]) -> tuple[int, bool, bool, int]:
        """How near a block is: the depth of the innermost container that it shares with the image, whether it is no
        caption, whether it is in no list item, cell or quote that the image is not in, and its text that is not a
        link."""
        depth, size = 0, min(len(self.around), len(elements))
        while depth < size and self.around[depth] is elements[depth]:
            depth += 1
        is_outside = True
        for element in elements[depth:]:
            if element.name in _CLOSED_TAGS:
                is_outside = False
        text = min(len(blocks.text[row]) - blocks.links[row], ENOUGH_CHARS)
        return depth, blocks.tag[row] not in CAPTION_TAGS, is_outside, text


@lru_cache(maxsize=1 << 12)
def is_caption_class(classes: str) -> bool:
    """Whether a class is that of a caption."""
    return "caption" in (lower := classes.lower()) and _CAPTION.search(lower) is not None


def is_image_address(url: str) -> bool:
    """Whether an address is that of an image."""
    return _IMAGE.search(url) is not None


def _figures_of(blocks: BlockTable, row: int) -> list[Image]:
    """The images beside a block."""
    extra = blocks.extra[row]
    if extra is None:
        extra = blocks.extra[row] = {}
    out: list[Image] = extra.setdefault("figure", [])
    return out


def _innermost(page: PageTable, elements: list[OpenElement]) -> OpenElement | None:
    """The innermost `<figure>`."""
    for element in reversed(elements):
        if _is_figure(page, element):
            return element
    return None


def _is_figure(page: PageTable, element: OpenElement) -> bool:
    if element.name == "figure":
        return True
    row = element.row
    if row < 0 or not page.flags[row] & CLASS:
        return False
    classes = page.attribute_of(row, "class") or ""
    return ("figure" in classes or "wp-caption" in classes) and _FIGURE.search(classes) is not None


def _is_link_to_image(mark: Mark) -> bool:
    return mark.entry[0] == "link" and is_image_address(mark.entry[1])
