"""Author and date of a page, from the short segments around its title.

segments = [{"text": "Rain"}, {"text": "By Ann Lee"}, {"text": "3 May 2024"}]
statements_of_segments(segments, "Rain")    # {'author': ['Ann Lee'], 'date': '2024-05-03'}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..page.author_names import author_names, is_byline, is_full_name
from ..page.dates import iso_day
from ..page.site_name import title_key
from ..record import SEEN, Segment

# What segments say.
FIELDS = ("author", "date", "modified")
# Segments before and after the title that are read, and characters of one.
BEFORE, AFTER, MAX_CHARS = 3, 10, 200
# Of the bylines of articles of the WCXB development set that are a name without "By", with a date around, by the model
# en, 7 of 7 with this probability are right, and 14 of 29 with a lower one.
MIN_PROBABILITY = 0.8

_BY_ALONE = re.compile(r"(?:(?:written|posted|words|article|story|published)\s+)?by:?|authors?:?", re.I)
_MODIFIED = re.compile(r"updat|modif|revised|aktuali|обновл|zuletzt|mis à jour|actualizado|最后更新", re.I)


def statements_of_segments(
    segments: Sequence[Segment],
    title: str,
    sites: Iterable[str] = (),
    month_first: bool = False,
    wanted: Collection[str] = FIELDS,
) -> dict[str, Any]:
    """The `author`, the `date` and the day `modified` that segments around the *title* name; those that are found, of
    the fields *wanted*.

    A full name counts if "By" is before it, or if the segment is it and has the role byline, with a probability of
    MIN_PROBABILITY, and a date is around.
    """
    out: dict[str, Any] = {}
    place = _place_of_title(segments, title) if wanted else None
    if place is None:
        return out
    # what follows the title is nearer than what is before it
    around = [*segments[place + 1 : place + 1 + AFTER], *reversed(segments[max(place - BEFORE, 0) : place])]
    missing = {name for name in wanted if name != "author"}
    for number, segment in enumerate(around):
        text = segment["text"]
        if _BY_ALONE.fullmatch(text) and number + 1 < len(around):  # the name is in an element of its own
            text = f"By {around[number + 1]['text']}"
        if len(text) > MAX_CHARS or segment.get("origin", SEEN[0]) not in SEEN:
            continue
        if "author" in wanted and "author" not in out and _is_by(text, segment, around):
            names = author_names(text, sites)
            if names and all(map(is_full_name, names)):
                out["author"] = names
        if missing:
            days = _days(text, month_first)
            out |= {name: day for name, day in days.items() if name in missing}
            missing.difference_update(days)
    return out


def _is_by(text: str, segment: Segment, around: Sequence[Segment]) -> bool:
    """Whether the *text* of a segment is a byline. A name alone is one if a date is around."""
    if is_byline(text):
        return True
    return _is_named(segment) and any(iso_day(one["text"]) for one in around if len(one["text"]) <= MAX_CHARS)


def _days(text: str, month_first: bool) -> dict[str, str]:
    """The `date` and the day `modified` in a text."""
    if "20" not in text and "19" not in text:  # no year, for speed
        return {}
    change = _MODIFIED.search(text)
    parts = {"date": text[: change.start()], "modified": text[change.start() :]} if change else {"date": text}
    return {name: day for name, part in parts.items() if (day := iso_day(part, month_first))}


def _is_named(segment: Segment) -> bool:
    probability = segment.get("role_probability")
    is_probable = isinstance(probability, (int, float)) and probability >= MIN_PROBABILITY
    return segment.get("role") == "byline" and is_probable and is_full_name(segment["text"])


def _place_of_title(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first heading or segment that is the title; else of the first h1."""
    key = title_key(title)
    first_word = key.partition(" ")[0]  # for speed: most segments lack it
    longest = 2 * len(title) if key else -1
    first_heading = None
    for place, segment in enumerate(segments):
        text = segment["text"]
        if len(text) <= longest and first_word in text.casefold() and title_key(text) == key:
            return place
        if first_heading is None and segment.get("tag") == "h1":
            first_heading = place
    return first_heading
