"""The day of a page where no segment around its title has one in full.

segments = [{"text": "Rain"}, {"text": "03/05/24 10:30"}, {"text": "It rained."}]
other_day(segments, 0)    # '2024-05-03'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from ..page.metadata.author_names import is_byline
from ..page.metadata.dates import day_spans, iso_day, short_day, yearless_day
from ..record import SEEN, Segment
from ..text.lazy_pattern import lazy_pattern
from .byline_text import is_day
from .page_segments import Around, first_long, short_around

# Segments before and after the title that are read for a day without all of its year, and characters of one.
AROUND = Around(before=2, after=4, most=80, least=4)
# Characters of a segment that is a day, and what else stands beside a day.
MIN_DAY_CHARS, MAX_DAY_CHARS, MAX_BESIDE = 6, 100, 50
# Characters of a paragraph with which the text begins, and segments before it that may have the day.
MIN_TEXT_CHARS, BEFORE_TEXT = 100, 6
# Segments that may have a year and are read.
MAX_DAYS = 200

# What the name of an element has that has the day of the text.
_DAY_ELEMENT = lazy_pattern(r"date|time|publi|posted|fecha|datum|\bdata\b|author|byline")
# Elements around a day that is not that of the text: of the reading, of a change, of a comment or of another page.
_OTHER_ELEMENTS = tuple(
    "clock now today ticker head- head_ header- header_ topline topbar top-line top-bar current updat modif comment "
    "footer event related latest widget copyright menu".split()
)
_NAVIGATION = lazy_pattern(r"\bnav")
_HEADER = lazy_pattern(r"[.#/](?:page-?|site-?|main-?|top-?)?header\b(?![-_])", re.I)


def other_day(segments: Sequence[Segment], place: int | None, month_first: bool = False, latest: str = "") -> str:
    """A day whose year has two digits or is missing, in a short segment around the title at *place*; or else the day
    of the elements that are named after it, if all have the same; or else the day before the text, if the title is
    nowhere; or else the only day that stands alone. The missing year is that of *latest*, the day of the reading, or
    else of the last day on the page. Empty if there is none."""
    if place is not None and (day := _day_at_title(segments, place, month_first, latest)):
        return day
    if not (with_year := _with_year(segments)):  # for speed: on most pages
        return ""
    named = [
        segments[number]
        for number in with_year
        if _DAY_ELEMENT.search(_last_element(segments[number]).lower())
        and not _is_in_other_element(segments[number])
        and _is_dated(segments[number]["text"])
    ]
    if days := _days(named, month_first):
        if len(days) > 1:  # above the page is the day of the reading
            days = _days([one for one in named if not _is_in_header(one)], month_first)
        if len(days) == 1:
            return days.pop()
    day = _day_before_text(segments, with_year, month_first) if place is None else ""
    return day or _only_day(segments, with_year, month_first)


def _day_at_title(segments: Sequence[Segment], place: int, month_first: bool, latest: str) -> str:
    around = [segments[number] for number in short_around(segments, place, AROUND)]
    texts = [segments[place]["text"], *(one["text"] for one in around if _is_own(one))]
    if not (texts := [text for text in texts if _may_have_day(text)]):
        return ""
    if day := next((day for text in texts if (day := short_day(text, month_first))), ""):
        return day
    if not any(yearless_day(text, "2000-12-31") for text in texts):
        return ""
    dated = [text for n in _with_year(segments) if _is_dated(text := segments[n]["text"])]
    last = latest or max((iso_day(text, month_first) for text in dated), default="")
    return next((day for text in texts if last and (day := yearless_day(text, last))), "")


def _may_have_day(text: str) -> bool:
    return AROUND.least <= len(text) <= AROUND.most and not text.isalpha() and any(map(text.__contains__, "0123456789"))


def _with_year(segments: Sequence[Segment]) -> list[int]:
    """The indexes of the first short segments that may have a year."""
    texts = ((number, segment["text"]) for number, segment in enumerate(segments))
    dated = (
        number
        for number, text in texts
        if MIN_DAY_CHARS <= len(text) <= MAX_DAY_CHARS and ("20" in text or "19" in text)
    )
    return [*islice(dated, MAX_DAYS)]


def _is_dated(text: str) -> bool:
    """Whether a text is a day and little else."""
    spans = day_spans(text)
    return spans != [] and len(text) - sum(end - start for start, end in spans) <= MAX_BESIDE


def _day_before_text(segments: Sequence[Segment], with_year: Iterable[int], month_first: bool) -> str:
    """The last day before the first paragraph."""
    start = first_long(segments, MIN_TEXT_CHARS) or 0
    near = [segments[number] for number in with_year if start - BEFORE_TEXT <= number < start]
    texts = [one["text"] for one in near if _is_dated(one["text"]) and _is_own(one)]
    return iso_day(texts[-1], month_first) if texts else ""


def _only_day(segments: Sequence[Segment], with_year: Iterable[int], month_first: bool) -> str:
    """The day of the segments that are a day and no more than a time, if all have the same."""
    days: set[str] = set()
    for one in map(segments.__getitem__, with_year):
        if is_day(text := one["text"]) and not is_byline(text) and _is_own(one) and not _is_in_header(one):
            days.add(iso_day(text, month_first))
        if len(days) > 1:  # for speed: lists have many days
            return ""
    return days.pop() if days else ""


def _days(segments: Iterable[Segment], month_first: bool) -> set[str]:
    return {iso_day(one["text"], month_first) for one in segments}


def _last_element(segment: Segment) -> str:
    return str(segment.get("path", "")).rpartition("/")[2]


def _is_own(segment: Segment) -> bool:
    """Whether a segment may have the day of the text."""
    return segment.get("origin", SEEN[0]) in SEEN and not _is_in_other_element(segment)


def _is_in_other_element(segment: Segment) -> bool:
    """Whether the two innermost elements of a segment show another day than that of the page, such as clocks do."""
    parts = str(segment.get("path", "")).rsplit("/", 2)[1:]
    return any(map(_is_other, map(str.casefold, parts)))


def _is_other(name: str) -> bool:
    if any(map(name.__contains__, _OTHER_ELEMENTS)):
        return True
    return "nav" in name and _NAVIGATION.search(name) is not None


def _is_in_header(segment: Segment) -> bool:
    path = str(segment.get("path", ""))
    return "header" in path.casefold() and _HEADER.search(path) is not None
