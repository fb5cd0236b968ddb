"""Segments of a page that are looked for: its title, its headings, those around a place.

segments = [{"text": "Rain"}, {"text": "By Ann Lee", "tag": "p"}, {"text": "It rained.", "tag": "h1"}]
places_of_title(segments, "Rain"), first_heading(segments), first_long(segments, 10)    # ((0, None), 2, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..page.metadata.site_name import title_key
from ..record import Segment

# Characters that one becomes when its case is folded; and of a segment, for each of the title that it is.
MAX_CASEFOLDED, MAX_TITLE_TIMES = 3, 2
# The indexes of two segments, each None if there is none.
Places = tuple["int | None", "int | None"]

_HEADINGS = frozenset(("h1", "h2"))


class Around(NamedTuple):
    """Numbers of segments before and after one, and the least and the most characters of these segments."""

    before: int
    after: int
    most: int
    least: int = 0


def places_of_title(segments: Sequence[Segment], title: str) -> Places:
    """The index of the first h1 or h2 with the `title_key` of *title*, or else of the first such segment; and that of
    the first such segment before it. They have at most MAX_TITLE_TIMES its characters."""
    key, most, first = title_key(title), MAX_TITLE_TIMES * len(title), None
    word, least = key.partition(" ")[0], len(key) // MAX_CASEFOLDED
    if not key:
        return None, None
    for number, segment in enumerate(segments):
        text = segment["text"]
        size = len(text)
        if least <= size <= most and word in text.casefold() and title_key(text) == key:
            if segment.get("tag") in _HEADINGS:
                return number, first
            first = number if first is None else first
    return first, None


def first_part(segments: Sequence[Segment], parts: list[str], least: int) -> tuple[str, int] | None:
    """The first of the *parts* of a title, with at least *least* characters in its `title_key`, for which
    `places_of_title` finds a segment, and the index of that."""
    for part in parts:
        if len(title_key(part)) >= least and (found := places_of_title(segments, part)[0]) is not None:
            return part, found
    return None


def first_heading(segments: Sequence[Segment]) -> int | None:
    """The index of the first segment of an h1; None if there is none."""
    return next((number for number, segment in enumerate(segments) if segment.get("tag") == "h1"), None)


def first_long(segments: Sequence[Segment], least: int) -> int | None:
    """The index of the first segment of at least so many characters; None if there is none."""
    return next((number for number, segment in enumerate(segments) if len(segment["text"]) >= least), None)


def numbers_around(segments: Sequence[Segment], place: int, where: Around) -> list[int]:
    """The indexes of the segments around one, however long; what follows it is nearer than what is before it."""
    last, first = min(place + 1 + where.after, len(segments)), max(place - where.before, 0)
    return [*range(place + 1, last), *range(place - 1, first - 1, -1)]


def short_around(segments: Sequence[Segment], place: int, where: Around) -> list[int]:
    """Those of the same that have at least and at most the characters of *where*."""
    near = numbers_around(segments, place, where)
    return [number for number in near if where.least <= len(segments[number]["text"]) <= where.most]
