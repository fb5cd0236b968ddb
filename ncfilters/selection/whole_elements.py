"""Elements that are kept or dropped as a whole where segments have markup (see nc-segment --markup): data tables, code,
items, quotes; footnotes go with their marks, displayed formulas and images with the text around them.

    table = table_of([{"text": "It rained [1].", "spans": [[10, 13, "note", "fn1"]], "score": 2.0},
                      {"text": "Not much.", "note": {"id": "fn1"}, "score": -1.0}])
    keep_whole(table, [True, False])    # [True, True]

The time is linear in the page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .container_details import is_displayed, is_menu
from .scored_table import ScoredTable
from .structure import HEADING_SCORE

# An element is kept if at least this share of its words is: a table, code, a quote; the rest of an item.
TABLE_SHARE, CODE_SHARE, QUOTE_SHARE, REST_SHARE = 0.3, 0.3, 0.3, 0.5
# An image that is dropped with its caption goes to a segment that is kept, if one is so near on both sides; captions
# between them, as of a gallery, do not count.
MAX_DISTANCE = 4
# … or in or beside such a segment with at most so many characters, and is no decoration by its address or its text. Of
# every sixth page of the sets of bench/markup.py, WCXB has 84.2 instead of 81.8 % of the images right by what is in
# such segments and by one more for the distance, Dragnet 84.5 instead of 82.0 %; distances of 5 and 8 are no better.
MAX_BESIDE = 150
MENU_RULES = frozenset(("nav", "links"))
_ICON = lazy_pattern(
    r"/ads?/|adserv|banner|button|icon|spacer|pixel|avatar|logo|sprite|badge|emoji|smil|share|rating|stars|arrow|"
    r"gravatar|headshot|placeholder|facebook|twitter",
    re.I,
)
# In the text of a caption these are signs, not photographs.
_DRAWING = lazy_pattern(r"\.(?:gif|svg)(?:$|[?#&])|loader", re.I)
CAPTIONS = frozenset(("figcaption", "caption"))

_QUOTE = lazy_pattern(r".*/blockquote(?![\w-])[^/]*", re.DOTALL)
# The fields of what holds a segment.
_HOLDERS = ("table", "item", "quote")
# The fields that make a segment a part of an element.
_FIELDS = frozenset(("table", "code", "item", "quote", "note", "spans"))


def keep_whole(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, corrected by the rules of this module; unchanged where segments have no markup."""
    out = list(kept)
    if _FIELDS.isdisjoint(table.names) or True not in out:
        return out
    sizes, segments = table.words(), table.segments
    for group in _groups(table, "table"):
        if is_menu(segments[group[0]]):
            for index in group:
                out[index] = False
        _decide(group, sizes, out, TABLE_SHARE)
    for group in _groups(table, "code", 1):
        if len(group) > 1:
            _decide(group, sizes, out, CODE_SHARE)
        if not out[group[0]] and _is_between_kept(group, out):
            for index in group:
                out[index] = True
    for group in _groups(table, "item"):
        if out[group[0]]:  # the rest of an item goes with its beginning, not the other way round
            _decide(group, sizes, out, REST_SHARE, drop=False)
    for group in _groups(table, "quote"):
        _decide(group, sizes, out, QUOTE_SHARE, drop=False)
    if "spans" in table.names:
        _keep_formulas(table, out)
        _keep_notes(segments, out)
    return out


def _is_between_kept(group: list[int], kept: Sequence[bool]) -> bool:
    """Whether the segments right before and right after a group are kept."""
    before, after = group[0] - 1, group[-1] + 1
    return before >= 0 and after < len(kept) and kept[before] and kept[after]


def keep_headings(table: ScoredTable, before: list[bool], kept: list[bool]) -> list[bool]:
    """*kept*, and with it the headings right above what is in *kept* but not in *before*."""
    out = list(kept)
    if before == kept or "level" not in table.names:
        return out
    below = -1  # the row of the next visible segment
    for row in reversed(table.visible):
        if below >= 0 and out[below] and not before[below] and not out[row] and table.score[row] > HEADING_SCORE:
            out[row] = "level" in table.segments[row] and _container(table.path[row]) in f"{table.path[below]}/"
        below = row
    return out


def _container(path: str) -> str:
    """The path of the element that a heading is in, with a final slash."""
    return f"{path.rpartition('/')[0]}/"


def keep_images(table: ScoredTable, kept: list[bool]) -> list[Record]:
    """The segments, those that are kept with the images of captions and short segments that are not, in copies. The
    images are after the segment before, or before the next one if only that is in no other table, item or quote."""
    segments = table.segments
    out = list(segments)
    if "figure" not in table.names and "spans" not in table.names:
        return out
    places = [index for index, keep in enumerate(kept) if keep]
    counts: list[int] = []  # of the segments before each that are in no gallery
    led: dict[int, int] = defaultdict(int)  # how many of the images before a segment are of others
    place = 0  # in *places*, of the next segment that is kept
    for index, segment in enumerate(segments):
        while place < len(places) and places[place] <= index:
            place += 1
        if kept[index] or not 0 < place < len(places) or not (found := _images_of(segment)):
            continue
        before, after = places[place - 1], places[place]
        counts = counts or list(accumulate([not _is_in_gallery(other) for other in segments], initial=0))
        is_caption = _is_caption(segment)
        is_near = counts[index] - counts[before + 1] < MAX_DISTANCE and counts[after] - counts[index + 1] < MAX_DISTANCE
        if is_near and (is_caption or len(segment["text"]) <= MAX_BESIDE and segment.get("rule") not in MENU_RULES):
            images = [image for image in found if is_caption or not _is_icon(image)]
            if images and (after in led or not _is_around(out[before], segment) and _is_around(out[after], segment)):
                out[after] = _led_by(out[after], images, led[after])
                led[after] += len(images)
                continue
            images = [{**image, "after": True} for image in images]
            if segment.get("table") != out[before].get("table"):
                images = [_without_place(image) for image in images]
            out[before] = {**out[before], "figure": [*out[before].get("figure", ()), *images]}
    return out


def _led_by(segment: Record, images: list[Any], number: int) -> Record:
    """A segment with images before it, behind so many others."""
    own = segment.get("figure", ())
    new = [{name: value for name, value in _without_place(image).items() if name != "after"} for image in images]
    return {**segment, "figure": [*own[:number], *new, *own[number:]]}


def _is_around(other: Record, segment: Record) -> bool:
    """Whether a segment is in the table, the item and the quote that another is in."""
    return all(other[name] == segment.get(name) for name in _HOLDERS if name in other)


def _is_caption(segment: Record) -> bool:
    return segment.get("role") == "caption" or segment.get("tag") in CAPTIONS


def _is_in_gallery(segment: Record) -> bool:
    """Whether a segment is a caption, or beside an image that has one."""
    return _is_caption(segment) or any("caption" in image for image in segment.get("figure", ()))


def _images_of(segment: Record) -> list[Any]:
    """The images beside a segment, and the photographs in a short one, such as a caption in its `<figure>`."""
    out = list(segment.get("figure", ()))
    if "spans" in segment and len(segment["text"]) <= MAX_BESIDE:
        inside = [span[3] for span in segment["spans"] if len(span) > 3 and span[2] == "image"]
        out += [image for image in inside if not _is_icon(image) and not _DRAWING.search(str(image.get("src")))]
    return out


def _is_icon(image: object) -> bool:
    """Whether an image is decoration by its address or its text."""
    return not isinstance(image, dict) or _ICON.search(f"{image.get('src')} {image.get('alt')}") is not None


def _without_place(image: Record) -> Record:
    """An image without its cell, which is one of another table."""
    return {name: value for name, value in image.items() if name not in ("row", "column")}


def _groups(table: ScoredTable, name: str, least: int = 2) -> list[list[int]]:
    """The rows of each element of at least *least* segments: those with the same value of the field *name*; of quotes,
    those in a row that have the same innermost one."""
    if name not in table.names:
        return []
    found: dict[object, list[int]] = {}
    run, last = 0, -1
    for row in table.visible:
        segment = table.segments[row]
        if name not in segment:
            continue
        own = segment[name]
        if name == "quote":
            match = _QUOTE.match(table.path[row])
            if match is None:
                continue
            run += row != last + 1
            last = row
            own = match[0], run
        found.setdefault(own, []).append(row)
    return [group for group in found.values() if len(group) >= least]


def _decide(group: list[int], sizes: list[float], kept: list[bool], least: float, drop: bool = True) -> None:
    """Keeps a whole group if *least* of its words are kept; else drops it, if *drop*."""
    words = sum(sizes[index] for index in group)
    decision = sum(sizes[index] for index in group if kept[index]) >= least * words
    if (decision or drop) and any(kept[index] for index in group):
        for index in group:
            kept[index] = decision


def _keep_formulas(table: ScoredTable, kept: list[bool]) -> None:
    """Keeps displayed formulas right below text that is kept."""
    above = False
    for row in table.visible:
        above = kept[row] = kept[row] or above and is_displayed(table.segments[row])


def _keep_notes(segments: list[Record], kept: list[bool]) -> None:
    """Keeps the footnotes whose marks are kept."""
    marks = {
        span[3]
        for segment, keep in zip(segments, kept)
        if keep
        for span in segment.get("spans", ())
        if span[2] == "note" and len(span) > 3
    }
    for index, segment in enumerate(segments):
        note = segment.get("note")
        if isinstance(note, dict) and isinstance(name := note.get("id"), str) and name in marks:
            kept[index] = True
