"""The selected segments as a tree of blocks: headings, paragraphs, lists, quotes, code, tables, figures, footnotes.

block_tree([{"text": "A title", "type": "h", "level": 2}, {"text": "one", "type": "l", "depth": 1}], NO_NOTES)
# [Heading({…}, 2), ListBlock([ListItem(None, [Paragraph({…})])], '')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeGuard

from ...page.dom_path import HEADING, LIST
from ...page.markup.markup_fields import without_images
from ...record import MARKUP_FIELDS, Record
from .block_types import Block, Code, Heading, ImageBlock, ListBlock, ListItem, NoteText, Paragraph, Quote
from .captions import is_sign, with_images_at_captions
from .list_paths import MAX_DEPTH, holders, is_below, item_paths, list_count, names_source, quote_paths
from .notes import Notes, note_id
from .plain import NUMBER
from .spans import checked_span, span_kinds
from .tables import Image, grid, images, is_caption, is_in_no_table, is_outside, table_runs
from .urls import picture_of

# A number at the start of a segment that looks like an item, and a bullet.
_OWN_NUMBER, _OWN_BULLET = re.compile(r"(\d{1,9})[.)]\s+(?=\S)"), re.compile(r"[•‣◦▪▸►·●○■□]\s+(?=\S)")
_ITEM_FIELDS = frozenset(("depth", "item", "marker"))
_PHRASES = frozenset(("strong", "em", "link", "reference", "code"))
_SIGNS = frozenset(("image", "math"))
_TABLE_FIELDS = frozenset(("table", "cells"))
_HAS_NO_MARKUP = frozenset(MARKUP_FIELDS).isdisjoint


def block_tree(segments: Sequence[Record], notes: Notes) -> list[Block]:
    """The blocks of the segments in order. Raises RecordError."""
    marked = not all(map(_HAS_NO_MARKUP, segments))
    builder = _Builder(notes, marked)
    if marked:
        segments = with_images_at_captions(segments)
    for run, is_table in table_runs(segments, marked):
        if is_table:
            builder.add_table(run)
        else:
            for segment in run:
                builder.add(segment)
    return builder.blocks


def heading_level(segment: Record) -> int | None:
    """The level of a heading; None if it is in no heading element."""
    if "level" in segment:
        level: int = segment["level"]
        return level if 1 <= level <= 6 else None
    match = HEADING.search(segment.get("path", "")) if segment["type"] == "h" else None
    return int(match[1]) if match else None


@dataclass(slots=True)
class _Open:
    """An open quote, or an open item at a depth of lists, with its number on the page and its path. A quote
    *has_source* if its last segment says who said it."""

    blocks: list[Block]
    depth: int | None = None
    item: int | None = None
    path: str = "\0"
    has_source: bool = False


class _Builder:
    """Puts each segment into the quotes and list items that are open, and opens and closes these."""

    def __init__(self, notes: Notes, marked: bool) -> None:
        self.blocks: list[Block] = []
        self._notes = notes
        self._open: list[_Open] = []
        self._note: str | None = None  # the id of the footnote that the last segment is part of
        self._in_note: _InNote
        self._marked = marked  # segments say which item they are in; what only looks like one is one if it has a marker

    def add(self, segment: Record) -> None:
        """A segment outside of tables, between its images that are in fewer lists or quotes than itself."""
        figures = segment.get("figure", ())
        outside = [image for image in figures if is_outside(image, segment)] if figures else []
        segment = without_images(segment, outside)
        self._add_outside(segment, outside, False)
        self._add_inside(segment)
        self._add_outside(segment, outside, True)

    def _add_outside(self, segment: Record, outside: list[Image], after: bool) -> None:
        """Of the images *outside* the segment, those before or *after* it, each where its lists and quotes end."""
        own = [image for image in images({"figure": outside}, after) if not is_sign(image, segment)]
        for (depth, quote), run in groupby(own, lambda image: (image.get("depth", MAX_DEPTH), image.get("quote"))):
            quotes = 0
            for at, entry in enumerate(self._open):
                quotes += entry.depth is None
                if (entry.depth or 0) > depth or quote is not None and quotes > quote:
                    del self._open[at:]
                    break
            _add_images(self._here(), list(run))

    def _add_inside(self, segment: Record) -> None:
        if "note" in segment and (label := self._notes.label(segment)) is not None:
            self._add_note(segment, label)
            return
        self._note = None
        start = 0
        segment = _outside_code(segment)
        path: str = segment.get("path", "")
        if "depth" in segment or "item" in segment:
            start = _own_marker(segment) if "marker" in segment else 0
            self._enter(segment, path, self._depth(segment, path))
        elif segment["type"] == "l" and not segment.get("pre") and self._is_item(segment):
            start = _own_marker(segment)
            self._enter(segment, path, max(list_count(path), 1))
        else:
            self._enter(segment, path, 0 if self._marked or segment["type"] == "h" else list_count(path), opens=False)
        self._add_leaf(segment, start)

    def add_table(self, segments: list[Record]) -> None:
        """The segments of a table."""
        self._note = None
        path: str = segments[0].get("path", "")
        outside = path[: path.rfind("/table")] if "/table" in path else ""
        self._enter({"text": "", "path": outside}, outside, list_count(outside), opens=False)
        beside = [
            image for segment in segments for image in segment.get("figure", ()) if is_in_no_table(image, segment)
        ]
        segments = [without_images(segment, beside) for segment in segments]
        self._add_outside(segments[0], beside, False)
        end = len(segments)
        while end > 1 and is_caption(segments[end - 1]):  # the page has it below the rows
            end -= 1
        table = grid(segments[:end])
        if "table" in segments[0] and table.is_frame:
            for segment in segments[:end]:
                self.add({name: value for name, value in segment.items() if name not in _TABLE_FIELDS})
        else:
            self._here().append(table)
        for caption in segments[end:]:
            self._add_leaf(caption, 0)
        self._add_outside(segments[-1], beside, True)

    def _is_item(self, segment: Record) -> bool:
        """Whether a segment that looks like an item is one."""
        return not self._marked or "marker" in segment or _own_marker(segment) > 0

    def _here(self) -> list[Block]:
        return self._open[-1].blocks if self._open else self.blocks

    def _add_note(self, segment: Record, label: str) -> None:
        last = self.blocks[-1] if self.blocks else None
        if not (isinstance(last, NoteText) and self._note == note_id(segment)):
            if "figure" in segment and (before := images(segment, after=False)):  # of what is above the footnotes
                self.blocks.append(ImageBlock(before))
                segment = {**segment, "figure": [image for image in segment["figure"] if image.get("after") is True]}
            last = NoteText(label)
            self.blocks.append(last)
            self._in_note = _InNote(_Builder(Notes(), self._marked), segment)
            self._in_note.builder.blocks = last.blocks
        self._note = note_id(segment)
        self._in_note.add(segment)

    def add_paragraph(self, segment: Record) -> None:
        """A segment outside of quotes, lists and tables."""
        self._open.clear()
        self._add_leaf(segment, 0)

    def _depth(self, segment: Record, path: str) -> int:
        """The depth of the list that a segment is in."""
        for entry in self._open:
            if entry.depth is not None and entry.item == segment.get("item", -1):
                return entry.depth
        return max(segment.get("depth") or list_count(path), 1)

    def _enter(self, segment: Record, path: str, depth: int, opens: bool = True) -> None:
        """Leaves what a segment is not in, and opens its quotes and, if it *opens* one, its item. Outer items that are
        not selected are left out."""
        chain = holders(path, segment.get("quote"), min(depth, MAX_DEPTH))
        if not chain:
            self._open.clear()
            return
        at = depth_of_quote = 0
        quotes = quote_paths(path, chain.count(None))
        for level in chain:
            current = self._open[at] if at < len(self._open) else None
            if level is None:
                own = next(quotes, "")
                is_source = names_source(segment, own)
                depth_of_quote += 1
                is_new = segment.get("new_quote") == depth_of_quote
                if is_new or current is None or current.depth is not None or _is_other_quote(current, own, is_source):
                    del self._open[at:]
                    quote = Quote()
                    self._here().append(quote)
                    self._open.append(_Open(quote.blocks, path=own))
                self._open[at].has_source = is_source
                at += 1
            elif current and current.depth == level and (opens and level < depth or _is_in(current, segment, path)):
                at += 1
            elif opens and level == depth:
                del self._open[at:]
                self._open_item(segment, path, depth)
                at += 1
        del self._open[at:]

    def _open_item(self, segment: Record, path: str, depth: int) -> None:
        """A new item in the list that ends the open block, or in a new one."""
        blocks = self._here()
        element, list_path = item_paths(path)
        marker = segment.get("marker", "")
        keeps_number = "item" in segment and not marker or heading_level(segment) is not None
        own = None if keeps_number else _OWN_NUMBER.match(segment["text"])
        number = int(own[1]) if own else int(marker[:-1]) if NUMBER.fullmatch(marker) else None
        item = ListItem(number)
        last = blocks[-1] if blocks else None
        before = last.items[-1].number if isinstance(last, ListBlock) else None
        if isinstance(last, ListBlock) and (
            is_below(last.path, list_path)
            and _continues(before, number)
            or before is not None
            and number == before + 1  # of another list, or of none, which goes on with the numbers
        ):
            last.items.append(item)
            last.path = list_path
        else:
            blocks.append(ListBlock([item], list_path))
        self._open.append(_Open(item.blocks, depth, segment.get("item"), f"{element}/" if element else "\0"))

    def _add_leaf(self, segment: Record, start: int) -> None:
        """The block of a segment, between its images."""
        blocks = self._here()
        before: list[Image] = []
        after: list[Image] = []
        if "figure" in segment:
            before, after = ([one for one in images(segment, at) if not is_sign(one, segment)] for at in (False, True))
            if _is_caption(segment, before or after):
                own = _captioned(segment, before or after)
                _add_images(blocks, [image for image in before if image not in own])
                _add_images(blocks, own, segment)
                _add_images(blocks, [image for image in after if image not in own])
                return
        if "spans" in segment and "item" not in segment:
            segment, floating, last_ones = _without_floating(segment)
            is_heading = heading_level(segment) is not None
            before, after = before + floating * (not is_heading), floating * is_heading + last_ones + after
        _add_images(blocks, before)
        if "pre" in segment and segment["pre"] and not _is_formula(segment):
            blocks.append(Code(segment))
        elif (level := heading_level(segment)) is not None:
            blocks.append(Heading(segment, level))
        elif segment.get("tag") == "figcaption" and blocks and _lacks_caption(last := blocks[-1]):
            last.caption = segment
        else:
            is_bold = segment["type"] == "h" and segment.get("bold") is True and "strong" not in span_kinds([segment])
            blocks.append(Paragraph(segment, start, is_bold))
        _add_images(blocks, after)


def _without_floating(segment: Record) -> tuple[Record, list[Image], list[Image]]:
    """A segment without the images at its start and at its end, and these: they float beside its text, or have a line
    of their own by style. Beside others and formulas in the text, they are signs."""
    spans = segment["spans"]
    size, start, end = len(segment["text"]), 0, len(spans)
    while start < end and checked_span(spans[start])[:3] == (0, 0, "image"):
        start += 1
    while end > start and checked_span(spans[end - 1])[:3] == (size, size, "image"):
        end -= 1
    first, last = ([span[3] for span in part] for part in (spans[:start], spans[end:]))
    if not (first or last) or not _SIGNS.isdisjoint([span[2] for span in spans[start:end]]):
        return segment, [], []
    return {**segment, "spans": spans[start:end]}, first, last


def _add_images(blocks: list[Block], images: list[Image], caption: Record | None = None) -> None:
    """Adds images, perhaps with a caption. Of several of one picture, between which no text is selected, one is enough:
    the one with a caption, else the largest in the place of the first."""
    own = _pictures(images)
    last = blocks[-1] if blocks else None
    if isinstance(last, ImageBlock) and own:
        before = _pictures(last.images)
        if caption is None:
            again = [own.pop(key) for key in before if key in own]
            last.images = list(_pictures([*before.values(), *again]).values())
        elif last.caption is None:
            last.images = [image for key, image in before.items() if key not in own]
            if not last.images:
                blocks.pop()
    if own:
        blocks.append(ImageBlock(list(own.values()), caption))


def _pictures(images: list[Image]) -> dict[str, Image]:
    """Of each picture the largest image, by what its sizes have in common, in the order of the first ones."""
    found: dict[str, tuple[int, Image]] = {}
    for image in images:
        key, size = picture_of(image)
        if key not in found or size > found[key][0]:
            found[key] = size, image
    return {key: image for key, (_, image) in found.items()}


class _InNote:
    """Adds the segments of a footnote to a builder of its own, without the list and the quote that it stands in."""

    def __init__(self, builder: _Builder, first: Record) -> None:
        path: str = first.get("path", "")
        self.builder = builder
        self._depth, self._quote = first.get("depth", 0), first.get("quote", 0)
        self._path = f"{item_paths(path)[0] or path.rpartition('/')[0]}/"

    def add(self, segment: Record) -> None:
        """A segment of the footnote."""
        depth, quote = segment.get("depth", 0) - self._depth, segment.get("quote", 0) - self._quote
        own = segment if depth > 0 else {name: value for name, value in segment.items() if name not in _ITEM_FIELDS}
        if depth <= 0 and quote <= 0:
            self.builder.add_paragraph(own)
            return
        path: str = segment.get("path", "")
        inside = path[len(self._path) - 1 :] if path.startswith(self._path) else ""
        fields = {"path": inside, "quote": max(quote, 0), "new_quote": segment.get("new_quote", 0) - self._quote}
        self.builder.add({**own, **fields, **({"depth": depth} if depth > 0 else {})})


def _is_other_quote(current: _Open, path: str, is_source: bool) -> bool:
    """Whether an open quote is not the one with this path: it has another one, or it has ended with who said it."""
    return path != "" and (current.path != path and current.path != "" or current.has_source and not is_source)


def _is_formula(segment: Record) -> bool:
    """Whether preformatted text is a formula alone."""
    end = len(segment["text"])
    return any(
        span[2] == "math" and span[0] == 0 and span[1] == end for span in map(checked_span, segment.get("spans", ()))
    )


def _outside_code(segment: Record) -> Record:
    """A segment without the lists that are in its code, whose items are lines."""
    if "depth" not in segment or not segment.get("pre"):
        return segment
    path: str = segment.get("path", "")
    at = path.find("/pre")
    if at < 0 or not LIST.search(path, at):
        return segment
    return {name: value for name, value in segment.items() if name not in _ITEM_FIELDS} | {"path": path[: at + 4]}


def _lacks_caption(block: Block) -> TypeGuard[ImageBlock]:
    return isinstance(block, ImageBlock) and block.caption is None


def _is_in(current: _Open, segment: Record, path: str) -> bool:
    """Whether a segment is in an open item."""
    if "item" in segment:
        return current.item == int(segment["item"])
    if "depth" in segment:
        return "marker" not in segment
    return segment.get("type") != "l" and f"{path}/".startswith(current.path)


def _own_marker(segment: Record) -> int:
    """Where the text of an item begins: after a number or bullet of its own."""
    if _is_number_marked(segment):
        return 0
    own = _OWN_NUMBER.match(segment["text"]) or _OWN_BULLET.match(segment["text"])
    return own.end() if own else 0


def _is_number_marked(segment: Record) -> bool:
    """Whether the number at the start of a segment outside of lists is in a link or bold with the words after it, as
    in headings that are none: it stays with them."""
    if "spans" not in segment or "item" in segment or "depth" in segment:
        return False
    own = _OWN_NUMBER.match(segment["text"])
    if own is None:
        return False
    return any(
        start == 0 and end > own.end() and kind in _PHRASES
        for start, end, kind, _ in map(checked_span, segment["spans"])
    )


def _continues(before: int | None, number: int | None) -> bool:
    """Whether an item may follow another one in one list: both without number, or with a higher one."""
    return before is number is None or before is not None and number is not None and number > before


def _is_caption(segment: Record, images: list[Image]) -> bool:
    """Whether a segment is the caption of its images."""
    if not images or segment.get("pre") or "note" in segment:
        return False
    text = " ".join(segment["text"].split())
    return segment.get("tag") == "figcaption" or any(image.get("caption") == text for image in images)


def _captioned(segment: Record, images: list[Image]) -> list[Image]:
    """The *images* that a segment is the caption of: those that have it, or all if none has."""
    text = " ".join(segment["text"].split())
    return [image for image in images if image.get("caption") == text] or images
