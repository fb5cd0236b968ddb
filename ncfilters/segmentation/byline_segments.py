"""Author and date of a page, from the short segments around its title.

segments = [{"text": "Rain"}, {"text": "By Ann Lee"}, {"text": "3 May 2024"}]
statements_of_segments(segments, "Rain")    # {'author': ['Ann Lee'], 'date': '2024-05-03'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..page.author_names import author_names, is_byline, is_full_name
from ..page.dates import iso_day
from ..page.site_name import title_key
from ..record import SEEN, Segment

# Segments before and after the title that are read, and characters of one.
BEFORE, AFTER, MAX_CHARS = 3, 10, 200
# Of the bylines of articles of the WCXB development set that are a name without "By", with a date around, by the model
# en, 7 of 7 with this probability are right, and 14 of 29 with a lower one.
MIN_PROBABILITY = 0.8

_BY_ALONE = re.compile(r"(?:(?:written|posted|words|article|story|published)\s+)?by:?|authors?:?", re.I)
_MODIFIED = re.compile(r"updat|modif|revised|aktuali|обновл|zuletzt|mis à jour|actualizado|最后更新", re.I)


def statements_of_segments(
    segments: Sequence[Segment], title: str, sites: Iterable[str] = (), month_first: bool = False, latest: str = ""
) -> dict[str, Any]:
    """The `author`, the `date` and the day `modified` that segments around the *title* name; those that are found.

    A full name counts if "By" is before it, or if the segment is it and has the role byline, with a probability of
    MIN_PROBABILITY, and a date is around. No day is after *latest*.
    """
    out: dict[str, Any] = {}
    place = _place_of_title(segments, title)
    if place is None:
        return out
    # what follows the title is nearer than what is before it
    around = [*segments[place + 1 : place + 1 + AFTER], *reversed(segments[max(place - BEFORE, 0) : place])]
    days = [iso_day(segment["text"], month_first, latest) for segment in around if len(segment["text"]) <= MAX_CHARS]
    for number, segment in enumerate(around):
        text = segment["text"]
        if _BY_ALONE.fullmatch(text) and number + 1 < len(around):  # the name is in an element of its own
            text = f"By {around[number + 1]['text']}"
        if len(text) > MAX_CHARS or segment.get("origin", SEEN[0]) not in SEEN:
            continue
        if "author" not in out and (is_byline(text) or any(days) and _is_named(segment)):
            names = author_names(text, sites)
            if names and all(map(is_full_name, names)):
                out["author"] = names
        change = _MODIFIED.search(text)
        parts = {"date": text[: change.start()], "modified": text[change.start() :]} if change else {"date": text}
        for name, part in parts.items():
            if day := iso_day(part, month_first, latest):
                out.setdefault(name, day)
    return out


def _is_named(segment: Segment) -> bool:
    probability = segment.get("role_probability")
    is_probable = isinstance(probability, (int, float)) and probability >= MIN_PROBABILITY
    return segment.get("role") == "byline" and is_probable and is_full_name(segment["text"])


def _place_of_title(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first heading or segment that is the title; else of the first h1."""
    key = title_key(title)
    first_word = key.partition(" ")[0]  # for speed: most segments lack it
    first_heading = None
    for place, segment in enumerate(segments):
        text = segment["text"]
        is_short = key and len(text) <= 2 * len(title)
        if is_short and first_word in text.casefold() and title_key(text) == key:
            return place
        if first_heading is None and segment.get("tag") == "h1":
            first_heading = place
    return first_heading
