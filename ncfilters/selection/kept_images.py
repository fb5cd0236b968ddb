"""Images of segments that are dropped: those of captions, and those beside text, stay with the text around them.

    page = page_of([{"text": "It rained.", "score": 2.0}, {"text": "Rain", "role": "caption", "figure": [IMAGE]},
                      {"text": "Then it stopped.", "score": 2.0}])
    keep_images(page, [True, False, True])[0]["figure"]    # [{**IMAGE, "after": True}]

Segments have images with markup alone (see nc-segment --markup). The time is linear in the page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ..record import HOLDERS, Record
from ..text.lazy_pattern import lazy_pattern
from .scored_page import ScoredPage

# An image that is dropped with its caption goes to a segment that is kept, if one is so near on both sides; captions
# between them, as of a gallery, do not count.
MAX_DISTANCE = 4
# … or in or beside such a segment with at most so many characters, and is no decoration by its address or its text. Of
# every sixth page of the sets of bench/markup.py, WCXB has 84.2 instead of 81.8 % of the images right by what is in
# such segments and by one more for the distance, Dragnet 84.5 instead of 82.0 %; distances of 5 and 8 are no better.
MAX_BESIDE = 150
MENU_RULES = frozenset(("nav", "links"))
_ICON = lazy_pattern(
    r"/ads?/|adserv|gravatar|facebook|twitter|(?<![a-z])(?:banner|button|icon|spacer|pixel|avatar|logo|sprite|badge|emoji"
    r"|smil(?:ey|ie)|share|rating|stars?|arrow|headshot|placeholder|flag|qr-?code)s?(?![a-z])|qrserver",
    re.I,
)
# In the text of a caption these are signs, not photographs.
_DRAWING = lazy_pattern(r"\.(?:gif|svg)(?:$|[?#&])|loader", re.I)
CAPTIONS = frozenset(("figcaption", "caption"))
# The fields of what holds a segment.
_HOLDERS = ("table", "item", "quote")


def keep_images(page: ScoredPage, kept: list[bool]) -> Sequence[Record]:
    """The segments, those that are kept with the images of captions and short segments that are not, in copies. The
    images are after the segment before, or before the next one if only that is in no other table, item or quote."""
    segments: Sequence[Record] = page.segments
    if "figure" not in page.names and "spans" not in page.names:
        return segments
    out = list(segments)
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
        if "table" in segment and not ("table" in out[before] or "table" in out[after]):
            continue  # the table is dropped
        counts = counts or list(accumulate([not _is_in_gallery(other) for other in segments], initial=0))
        is_caption = _is_caption(segment)
        is_near = counts[index] - counts[before + 1] < MAX_DISTANCE and counts[after] - counts[index + 1] < MAX_DISTANCE
        if is_near and (is_caption or len(segment["text"]) <= MAX_BESIDE and segment.get("rule") not in MENU_RULES):
            images = [image for image in found if is_caption or not _is_icon(image)]
            images = [image for image in images if not _is_card(image, segment)]
            if not images:
                continue
            is_next = after in led or not _is_around(out[before], segment) and _is_around(out[after], segment)
            place_of_images = after if is_next else before
            other = out[place_of_images]
            figure = list(other.get("figure", ()))
            start = led[after] if is_next else len(figure)
            figure[start:start] = [_moved(image, segment, other, is_next) for image in images]
            out[place_of_images] = {**other, "figure": figure}
            if is_next:
                led[after] += len(images)
    return out


def _moved(image: Record, segment: Record, other: Record, is_next: bool) -> Record:
    """An image of a *segment* after the *other* one, or before that if it *is_next*: with the numbers of its lists and
    quotes if those of the other are higher, without its cell if that is one of another table."""
    is_in_cell = not is_next and segment.get("table") == other.get("table")
    out = {name: number for name in HOLDERS if (number := segment.get(name, 0)) < other.get(name, 0)}
    dropped = ("after",) if is_in_cell else ("after", "row", "column")
    out |= {name: value for name, value in image.items() if name not in dropped}
    return out if is_next else {**out, "after": True}


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
        inside = [span[3] for span in segment["spans"] if span[2] == "image"]
        out += [image for image in inside if not _is_icon(image) and not _DRAWING.search(image["src"])]
    return out


def _is_icon(image: Record) -> bool:
    """Whether an image is decoration by its address or its text."""
    return _ICON.search(f"{image['src']} {image.get('alt')}") is not None


def _is_card(image: Record, segment: Record) -> bool:
    """Whether an image that leads to another page belongs to a reference or a byline."""
    if (link := image.get("link")) is None:
        return False
    if segment.get("role") in ("related", "byline", "date"):
        return True
    return any(span[2] == "link" and span[3] == link for span in segment.get("spans", ())) and _is_caption(segment)
