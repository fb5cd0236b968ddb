"""The selected segments as a tree of blocks: the one place where forms read the fields of markup.

block_tree([{"text": "one", "type": "l", "depth": 1}], {})
# [Node('item_list', '', [Node('item', (None, None), [Node('paragraph', None, ['one'])])])]

| kind | value | content |
|---|---|---|
| paragraph, quote | None | text; blocks |
| heading | its level, from 1 to 6 | text |
| listing | the name of its programming language, or empty | its text as one string |
| images | objects with `src` and `alt` | the text of their caption |
| item_list | the path of its element | items |
| item | its number, None in lists with bullets; `x` for a task that is done, a space for one that is not | blocks |
| footnote | its label | blocks |
| post | author and date, empty where not known, or where the post goes on after what is none of it | blocks |
| table | its captions | rows of cells, see `tables` |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from ...page.dom_path import ELLIPSIS, HEADING, ITEM, LIST, tag_names
from ...record import MARKUP_FIELDS, Record
from .images import Image, add_images, images_beside, is_caption_of, with_images_at_captions
from .notes import heading_of, label_end, note_id, page_at, without_links_back
from .plain import NUMBER
from .spans import Node, Nodes, inline_nodes, listing, walk, without_bold
from .tables import is_caption, is_frame, table_block, table_runs

# Quotes and lists in one another; what is deeper stays at this depth.
MAX_DEPTH = 12
_LISTS_AND_QUOTES = re.compile(r"/(?:(blockquote)|ul|ol|menu|dir)(?![\w-])")
_QUOTE, _SOURCE = re.compile(r"/blockquote(?![\w-])[^/]*"), re.compile(r"/(?:footer|cite)(?![\w-])")
# A number at the start of a segment that looks like an item, and a bullet.
_OWN_NUMBER, _OWN_BULLET = re.compile(r"(\d{1,9})[.)]\s+(?=\S)"), re.compile(r"[•‣◦▪▸►·●○■□]\s+(?=\S)")
_ITEM_FIELDS, _TABLE_FIELDS = frozenset(("depth", "item", "marker")), frozenset(("table", "cells"))
_PHRASES = frozenset(("strong", "em", "link", "reference", "code"))
_HAS_NO_MARKUP = frozenset(MARKUP_FIELDS).isdisjoint


def block_tree(segments: Sequence[Record], labels: dict[str, str], url: object = None) -> Nodes:
    """The blocks of the segments in order. *labels* are those of footnotes by their ids, *url* is the address of the
    page."""
    marked = not all(map(_HAS_NO_MARKUP, segments))
    builder = _Builder(labels, marked, page_at(url))
    if marked:
        segments = with_images_at_captions(segments)
    for run, is_table in table_runs(segments, marked):
        if is_table:
            builder.add_table(run)
        else:
            for segment in run:
                builder.add(segment)
    return builder.root


def heading_level(segment: Record) -> int | None:
    """The level of a heading; None if it is in no heading element."""
    if "level" in segment:
        level: int = segment["level"]
        return level if 1 <= level <= 6 else None
    match = HEADING.search(segment.get("path", "")) if segment["type"] == "h" else None
    return int(match[1]) if match else None


@dataclass(slots=True)
class _Open:
    """An open quote or footnote, or an open item at a *depth* of lists, with its number on the page and its path. A
    quote *has_source* if its last segment says who said it."""

    node: Node
    depth: int = 0
    item: int | None = None
    path: str = "\0"
    has_source: bool = False


class _Builder:
    """Puts each segment into the quotes and list items that are open, and opens and closes these."""

    def __init__(self, labels: dict[str, str], marked: bool, page: str) -> None:
        self.root: Nodes = []
        self._labels, self._page = labels, page
        self._open: list[_Open] = []
        self._note: str | None = None  # the id of the footnote that is the first open block
        self._labelled: set[str] = set()  # footnotes without the label in their text
        self._around = 0  # lists and quotes that the footnote is in
        self._marked = marked  # segments say which item they are in; what only looks like one is one if it has a marker

    def add(self, segment: Record) -> None:
        """A segment outside of tables, between its images that are in fewer lists or quotes than itself."""
        own, outside = _shared(segment, "depth", "quote")
        self._add_outside(outside, False)
        note = note_id(own)
        if note is None or note not in self._labels:
            self._end_note()
        elif note != self._note or self.root[-1] is not self._open[0].node:
            own = self._start_note(own, note)
        self._add_inside(own)
        self._add_outside(outside, True)

    def add_table(self, segments: list[Record]) -> None:
        """The segments of a table."""
        self._end_note()
        path: str = segments[0].get("path", "")
        around = path[: path.rfind("/table")] if "/table" in path else ""
        self._enter({"text": "", "path": around}, list_count(around), opens=False)
        shared = [_shared(segment, "table") for segment in segments]
        own, outside = [segment for segment, _ in shared], [image for _, images in shared for image in images]
        self._add_outside(outside, False)
        end = len(own)
        while end > 1 and is_caption(own[end - 1]):  # the page has it below the rows
            end -= 1
        table = table_block(own[:end])
        if "table" in own[0] and is_frame(table):
            for segment in own[:end]:
                self.add({name: value for name, value in segment.items() if name not in _TABLE_FIELDS})
        else:
            self._here().append(table)
        for caption in own[end:]:
            self._add_leaf(caption, 0)
        self._add_outside(outside, True)

    def _here(self) -> Nodes:
        return self._open[-1].node.content if self._open else self.root

    def _add_outside(self, images: Sequence[Image], after: bool) -> None:
        """Of the images outside a segment, those before or *after* it, each where its lists and quotes end."""
        own = images_beside({"text": "", "figure": images}, after)
        for (depth, quote), run in groupby(own, lambda image: (image.get("depth", MAX_DEPTH), image.get("quote"))):
            quotes = 0 if self._note is None else -1
            for at, entry in enumerate(self._open):
                quotes += not entry.depth
                if entry.depth > depth or quote is not None and quotes > quote:
                    del self._open[at:]
                    break
            add_images(self._here(), list(run))

    # ---- footnotes

    def _start_note(self, segment: Record, note: str) -> Record:
        """Opens a footnote without the list and the quote that it stands in. Images before it are of what is above."""
        if before := images_beside(segment, after=False):
            add_images(self.root, before)
            segment = {**segment, "figure": [image for image in segment["figure"] if image.get("after") is True]}
        node = Node("footnote", self._labels[note])
        self.root.append(node)
        self._note, self._open = note, [_Open(node)]
        self._around = len(
            holders(segment.get("path", ""), segment.get("quote"), min(segment.get("depth", 0), MAX_DEPTH))
        )
        return segment

    def _end_note(self) -> None:
        if self._note is not None:
            self._note, self._around = None, 0
            self._open.clear()

    # ---- lists and quotes

    def _add_inside(self, segment: Record) -> None:
        segment, start = _outside_code(segment), 0
        path: str = segment.get("path", "")
        if "depth" in segment or "item" in segment:
            start = _own_marker(segment) if "marker" in segment and self._note is None else 0
            self._enter(segment, self._depth(segment, path))
        elif self._note is None and segment["type"] == "l" and not segment.get("pre") and self._is_item(segment):
            start = _own_marker(segment)
            self._enter(segment, max(list_count(path), 1))
        else:
            self._enter(segment, 0 if self._marked or segment["type"] == "h" else list_count(path), opens=False)
        self._add_leaf(segment, start)

    def _is_item(self, segment: Record) -> bool:
        """Whether a segment that looks like an item is one."""
        return not self._marked or "marker" in segment or _own_marker(segment) > 0

    def _depth(self, segment: Record, path: str) -> int:
        """The depth of the list that a segment is in."""
        for entry in self._open:
            if entry.depth and entry.item == segment.get("item", -1):
                return entry.depth
        return max(segment.get("depth") or list_count(path), 1)

    def _enter(self, segment: Record, depth: int, opens: bool = True) -> None:
        """Leaves what a segment is not in, and opens its quotes and, if it *opens* one, its item. Outer items that are
        not selected are left out."""
        path: str = segment.get("path", "")
        at, quotes = int(self._note is not None), 0
        for place, (level, quote) in enumerate(holders(path, segment.get("quote"), min(depth, MAX_DEPTH))):
            quotes += not level
            if place < self._around:
                continue
            current = self._open[at] if at < len(self._open) else None
            if not level:
                is_source = names_source(segment, quote)
                is_new = segment.get("new_quote") == quotes or current is None or current.depth > 0
                if current is not None and quote:  # it has another path, or has ended with who said it
                    has_ended = current.has_source and not is_source
                    is_new = is_new or has_ended or current.path not in (quote, "")
                if is_new:
                    del self._open[at:]
                    node = Node("quote")
                    self._here().append(node)
                    self._open.append(_Open(node, path=quote))
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
        is_heading = heading_level(segment) is not None
        own = None if "item" in segment and not marker or is_heading else _OWN_NUMBER.match(segment["text"])
        number = int(own[1]) if own else int(marker[:-1]) if NUMBER.fullmatch(marker) else None
        item = Node("item", (number, None))
        if blocks and blocks[-1].kind == "item_list" and _goes_on(blocks[-1], list_path, number):
            blocks[-1].content.append(item)
            blocks[-1].value = list_path
        else:
            blocks.append(Node("item_list", list_path, [item]))
        self._open.append(_Open(item, depth, segment.get("item"), f"{element}/" if element else "\0"))

    # ---- leaves

    def _add_leaf(self, segment: Record, start: int) -> None:
        """The block of a segment, whose text begins at *start*, between its images."""
        blocks = self._here()
        before, after = images_beside(segment, after=False), images_beside(segment, after=True)
        is_caption = segment.get("tag") == "figcaption" and not segment.get("pre") and "note" not in segment
        images = before or after
        own = [image for image in images if is_caption_of(segment, image)] or (images if is_caption else [])
        if own:
            add_images(blocks, [image for image in before if image not in own])
            add_images(blocks, own, inline_nodes(segment))
            add_images(blocks, [image for image in after if image not in own])
            return
        block = self._block_of(segment, start)
        if block.kind in ("paragraph", "heading") and "spans" in segment and "item" not in segment:
            start_images, end_images = _floating(block.content)
            if block.kind == "heading":
                after = start_images + end_images + after
            else:
                before, after = before + start_images, end_images + after
        add_images(blocks, before)
        last = blocks[-1] if blocks and blocks[-1].kind == "images" else None
        if last and not last.content and segment.get("tag") == "figcaption" and block.kind == "paragraph":
            last.content = block.content
        elif block.content:
            tasks = [span[3] for span in segment.get("spans", ()) if span[2] == "task"]
            if tasks and not (blocks or start) and block.kind == "paragraph" and self._open and self._open[-1].depth:
                self._open[-1].node.value = (self._open[-1].node.value[0], tasks[0])
            blocks.append(block)
        add_images(blocks, after)

    def _block_of(self, segment: Record, start: int) -> Node:
        whole = [span[2] for span in segment.get("spans", ()) if span[:2] == [0, len(segment["text"])]]
        if segment.get("pre") and "math" not in whole:
            return listing(segment)
        if (level := heading_level(segment)) is not None:
            return Node("heading", level, heading_of(without_bold(inline_nodes(segment)), segment, self._page))
        if self._note is None:
            content = inline_nodes(segment, start)
        else:
            if self._note not in self._labelled:
                start = label_end(segment, self._labels[self._note])
                self._labelled.add(self._note)
            content = without_links_back(inline_nodes(segment, start))
        if (
            segment["type"] == "h"
            and segment.get("bold") is True
            and not any(n.kind == "strong" for n in walk(content))
        ):
            content = [Node("strong", None, content)]
        return Node("paragraph", None, content)


# ---- what paths say


@lru_cache(maxsize=1 << 12)
def holders(path: str, quotes: int | None, depth: int) -> list[tuple[int, str]]:
    """What is around a segment, from the outermost on: the depth of each list; 0 for a quote, with the path of that, if
    the path has it. The path says in which order; if it does not have them all, quotes are outside of lists."""
    if not quotes and (quotes == 0 or "/blockquote" not in path):
        return [(level, "") for level in range(1, depth + 1)]
    found = [match[1] is None for match in _LISTS_AND_QUOTES.finditer(tag_names(path))]
    quotes = min(found.count(False) if quotes is None else quotes, MAX_DEPTH)
    if found.count(False) != quotes or found.count(True) != depth:
        found = [False] * quotes + [True] * depth
    ends = [] if ELLIPSIS in path else [match.end() for match in _QUOTE.finditer(path)]
    paths = iter([path[:end] for end in ends] if len(ends) == quotes else [""] * quotes)
    levels = iter(range(1, depth + 1))
    return [(next(levels), "") if is_list else (0, next(paths)) for is_list in found]


@lru_cache(maxsize=1 << 12)
def item_paths(path: str) -> tuple[str, str]:
    """The paths of the innermost list item and of its list."""
    element = path[: max([match.end() for match in ITEM.finditer(path)], default=0)]
    return element, element.rpartition("/")[0]


@lru_cache(maxsize=1 << 12)
def list_count(path: str) -> int:
    """The number of lists in a path."""
    return len(LIST.findall(path))


def is_below(path: str, list_path: str) -> bool:
    """Whether a path is that of a list or leads below it. Long paths lack elements in the middle, not always the same:
    then the ends of both count."""
    if f"{path}/".startswith(f"{list_path}/"):
        return True
    if ELLIPSIS not in path or ELLIPSIS not in list_path:
        return False
    shorter, longer = sorted([one.rpartition(ELLIPSIS)[2] for one in (path, list_path)], key=len)
    return longer.endswith(shorter)


def names_source(segment: Record, quote: str) -> bool:
    """Whether a segment in a *quote*, given by its path, says who said it: the end of most quotes."""
    if segment.get("tag") == "blockquote" and "blockquote.twitter-tweet" in quote:
        return True
    return quote != "" and _SOURCE.search(segment.get("path", ""), len(quote)) is not None


def _is_in(current: _Open, segment: Record, path: str) -> bool:
    """Whether a segment is in an open item."""
    if "item" in segment:
        return current.item == int(segment["item"])
    if "depth" in segment:
        return "marker" not in segment
    return segment.get("type") != "l" and f"{path}/".startswith(current.path)


def _goes_on(before: Node, list_path: str, number: int | None) -> bool:
    """Whether an item may be in the list before it: that of its own path, or one whose numbers it goes on with."""
    last: int | None = before.content[-1].value[0]
    if last is None or number is None:
        return last is number and is_below(before.value, list_path)
    return number == last + 1 or number > last and is_below(before.value, list_path)


# ---- what segments say


def _shared(segment: Record, *holders: str) -> tuple[Record, list[Image]]:
    """A segment without the images beside it that are in fewer of its *holders*, and these."""
    figures = segment.get("figure")
    if not figures:
        return segment, []
    outside = [
        image for image in figures if any(image[name] < segment.get(name, 0) for name in holders if name in image)
    ]
    if not outside:
        return segment, []
    return {**segment, "figure": [image for image in figures if image not in outside]}, outside


def _outside_code(segment: Record) -> Record:
    """A segment without the lists that are in its code, whose items are lines."""
    if "depth" not in segment or not segment.get("pre"):
        return segment
    path: str = segment.get("path", "")
    at = path.find("/pre")
    if at < 0 or not LIST.search(path, at):
        return segment
    return {name: value for name, value in segment.items() if name not in _ITEM_FIELDS} | {"path": path[: at + 4]}


def _own_marker(segment: Record) -> int:
    """Where the text of an item begins: after a number or bullet of its own. The number of a segment outside of lists
    stays if it is in a link or bold with the words after it, as in headings that are none."""
    number = _OWN_NUMBER.match(segment["text"])
    if number is None:
        bullet = _OWN_BULLET.match(segment["text"])
        return bullet.end() if bullet else 0
    if "spans" in segment and "item" not in segment and "depth" not in segment:
        for start, end, kind, *_ in segment["spans"]:
            if start == 0 and end > number.end() and kind in _PHRASES:
                return 0
    return number.end()


def _floating(content: Nodes) -> tuple[list[Image], list[Image]]:
    """The images at the start and at the end of a text, which are taken out of its *content*: they float beside it, or
    have a line of their own by style. Beside others and formulas in the text, they are signs."""
    is_image = [not isinstance(node, str) and node.kind == "image" for node in content]
    if not is_image or not (is_image[0] or is_image[-1]):
        return [], []
    start = is_image.index(False) if False in is_image else len(content)
    end = max(len(content) - is_image[::-1].index(False), start) if False in is_image else start
    if any(node.kind in ("image", "math") for node in walk(content[start:end])):
        return [], []
    first, last = ([node.value for node in part] for part in (content[:start], content[end:]))
    content[:] = content[start:end]
    return first, last
