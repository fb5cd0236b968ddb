"""The segment that is the title of a page.

segments = [{"text": "News"}, {"text": "It rained", "tag": "h2"}, {"text": "All day."}]
place_of_title(segments, "It rained")    # 1
place_of_title(segments, "It rained | Weather_The Gazette")    # 1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..page.metadata.site_name import title_key
from ..record import Segment
from ..text.lazy_pattern import lazy_pattern
from .page_segments import first_heading, with_key

# Parts of a title, and letters of one that may be the whole title.
MAX_PARTS, MIN_LETTERS = 6, 6

_HEADINGS = frozenset(("h1", "h2"))
# What is between the parts of a title, in scripts without spaces, too.
_SEPARATOR = lazy_pattern(
    r"\s*[|｜_»«·•／‖]+\s*|\s+(?:[–—:/~-]|::|>)+\s+|(?<=[\u3040-\ua000])[-–—]|[-–—](?=[\u3040-\ua000])"
)


def place_of_title(segments: Sequence[Segment], title: str, end: int | None = None) -> int | None:
    """The index of the first heading that is the title, or else of the first such segment; else of one that is a part
    of it; else of the first h1. With *end*, the segments before it alone count, and of them those that are the whole
    title."""
    place = _place_of(segments, title, end)
    if place is not None or end is not None:
        return place
    for part in _parts(title):
        if (place := _place_of(segments, part)) is not None:
            return place
    return first_heading(segments)


def _place_of(segments: Sequence[Segment], title: str, end: int | None = None) -> int | None:
    """The index of the first heading that has the words of *title*, or else of the first such segment before *end*."""
    key = title_key(title)
    first = None
    if key:
        longest = 2 * len(title)
        for place in with_key(segments, key, longest):
            if end is not None and place >= end:
                break
            if len(segments[place]["text"]) <= longest and title_key(segments[place]["text"]) == key:
                if segments[place].get("tag") in _HEADINGS:
                    return place
                first = place if first is None else first
    return first


def _parts(title: str) -> Iterator[str]:
    """What of *title* may be all of it, without the names of the section and the site after it or before it: the
    longest first."""
    found = list(_SEPARATOR.finditer(title))
    if not 0 < len(found) < MAX_PARTS:
        return
    parts = {title[: sign.start()] for sign in found} | {title[sign.end() :] for sign in found}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(title_key(part)) >= MIN_LETTERS:
            yield part
