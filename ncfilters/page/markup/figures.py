"""Images that stand as blocks of their own: the block beside each that says most about it.

An image belongs to the block that is in the same container: that before it or that after it. It is never attached to
its own caption, which may be left out, if there is another one there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ...native.element_names import CLASS, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..blocks.block_table import BlockTable
from ..tree.elements import BLOCK, KINDS, NOSCRIPT, name_at
from .images import Image
from .markup_context import Context
from .markup_run import Mark, linked_image, sort_spans

CAPTION_TAGS = frozenset(("figcaption", "caption"))
# An image outside of one of these is no part of it.
_CLOSED = tag_groups({1: "li td th blockquote"})
_FIGURE_TAG = number_of_tag("figure")
# Characters of text beside an image; more text does not make a block a better place.
ENOUGH_CHARS = 100

_FIGURE = lazy_pattern(r"(?:^|\s)(?:wp-caption|figure)(?:\s|$)")
_CAPTION = lazy_pattern(r"(?:^|\s)(?:wp-caption-text|(?:[\w-]*(?:image|photo|img|picture)[_-]?)?caption)(?:\s|$)")
_IMAGE = lazy_pattern(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", re.I)

# Blocks of a `<figure>` that its images are not attached to.
MAX_WAITED = 10

# The number of a block, and the row of its element.
Place = tuple[int, int]


class Figure:
    """An image, its block *element*, the inline elements around it (*marks*), the block *before* it, and its *context*.
    *figure* is the outermost `<figure>` that it is in, and *inner* the innermost one; *around* is the element around
    these."""

    def __init__(
        self,
        page: PageTable,
        image: Image,
        element: int,
        before: Place | None,
        marks: tuple[Mark, ...],
        context: Context,
    ) -> None:
        self.page, self.image, self.before, self.marks, self.context = page, image, before, marks, context
        self.waited = 0  # blocks of its <figure>
        self.element = self.around = element
        self.inner = self.figure = figure_around(page, element)
        while self.figure >= 0:
            self.around = page.parent[self.figure]
            outer = figure_around(page, self.around)
            if outer < 0:
                break
            self.figure = outer

    def add_caption(self, text: str, element: int) -> None:
        """Adds text of its `<figcaption>`, in an *element*. What follows is no caption if it is in an outer `<figure>`
        alone, such as that of a gallery."""
        if figure_around(self.page, element) == self.inner:
            self.figure = self.inner
        text = text.removesuffix("¶").rstrip()  # the link of a caption to itself, which no segment has
        if not text:
            return
        caption = self.image.get("caption")
        self.image["caption"] = f"{caption} {text}" if caption else text

    def waits(self, blocks: BlockTable, row: int, element: int, is_caption: bool, is_of_next: bool) -> bool:
        """Whether the image is not attached to the block of a *row* in an *element*: one in its `<figure>`, a
        caption, or the text of a link to the image itself (its size, as a rule). A caption *is_of_next* if an image
        waits for its first."""
        self.waited += 1
        if self.waited >= MAX_WAITED:
            return False
        if blocks.links[row] == len(blocks.text[row]) and any(map(_is_link_to_image, self.marks)):
            return True
        if self.figure < 0:
            return is_caption and not (is_of_next and "caption" in self.image)
        return figure_around(self.page, element) in (self.figure, self.inner)

    def attach(self, blocks: BlockTable, after: Place | None) -> None:
        """Adds the image to the block before it or to the one *after* it."""
        image, before = linked_image(self.image, self.marks), self.before
        is_after = before is not None and (after is None or self._rank(blocks, before) >= self._rank(blocks, after))
        place = before if is_after else after
        if place is None:
            return
        row = place[0]
        fields = blocks.extra[row]
        if fields is None:
            fields = blocks.extra[row] = {}
        if "math" in image:
            at = len(blocks.text[row]) if is_after else 0
            spans = [*fields.get("spans", ()), [at, at, *image["math"][:2], "display"]]
            sort_spans(spans)
            fields["spans"] = spans
        else:
            own = {**image, **self._place_at(fields, place[1])}
            fields.setdefault("figure", []).append({**own, "after": True} if is_after else own)

    def _place_at(self, fields: dict[str, Any], element: int) -> dict[str, int]:
        """What a block with *fields*, in an *element*, does not say of the place of the image: the numbers of lists and
        quotes around it and of its table, if those of the block are higher; the row and the column, if the block is of
        another cell of the table (an image alone in a cell has no block there)."""
        page, details = self.page, self.context.details
        lists = max(self.context.lists, self.context.fields.get("depth", 0))  # an item may be in no list
        holders = (("depth", lists), ("quote", len(self.context.quotes)), ("table", details.get("table", 0)))
        out = {name: own for name, own in holders if own < fields.get(name, 0)}
        if details.get("cell") is not None:
            cell = self.element
            while cell >= 0 and name_at(page, cell) not in ("td", "th"):
                cell = page.parent[cell]
            table = cell
            while table >= 0 and name_at(page, table) != "table":
                table = page.parent[table]
            if table >= 0 and table <= element < page.end[table] and not cell <= element < page.end[cell]:
                out |= {"row": details["cell"].row, "column": details["cell"].column}
        return out

    def _rank(self, blocks: BlockTable, block: Place) -> tuple[int, bool, bool, int]:
        """How near a block is: the innermost block element that it shares with the image, whether it is no caption,
        whether it is in no list item, cell or quote that the image is not in, and its text that is not a link."""
        row, at = block
        page, is_outside = self.page, True
        while at >= 0 and not at <= self.around < page.end[at]:
            if _CLOSED[page.tag[at]]:
                is_outside = False
            at = page.parent[at]
        while at >= 0 and not 0 < KINDS[page.tag[at]] <= NOSCRIPT:
            at = page.parent[at]
        text = min(len(blocks.text[row]) - blocks.links[row], ENOUGH_CHARS)
        return at, blocks.tag[row] not in CAPTION_TAGS, is_outside, text


@lru_cache(maxsize=1 << 12)
def is_caption_class(classes: str) -> bool:
    """Whether a class is that of a caption."""
    return "caption" in (lower := classes.lower()) and _CAPTION.search(lower) is not None


def is_image_address(url: str) -> bool:
    """Whether an address is that of an image."""
    return _IMAGE.search(url) is not None


def figure_around(page: PageTable, row: int) -> int:
    """The innermost `<figure>` that an element is, or is in; -1 if there is none."""
    while row >= 0 and not _is_figure(page, row):
        row = page.parent[row]
    return row


def _is_figure(page: PageTable, row: int) -> bool:
    if page.tag[row] == _FIGURE_TAG:
        return True
    if not page.flags[row] & CLASS or KINDS[page.tag[row]] != BLOCK:
        return False
    classes = page.attribute_of(row, "class") or ""
    return ("figure" in classes or "wp-caption" in classes) and _FIGURE.search(classes) is not None


def _is_link_to_image(mark: Mark) -> bool:
    return mark.entry[0] == "link" and is_image_address(mark.entry[1])
