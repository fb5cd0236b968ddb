"""The segment that is the title of a page.

segments = [{"text": "News"}, {"text": "It rained", "tag": "h2"}, {"text": "All day."}]
place_of_title(segments, "It rained")    # 1
place_of_title(segments, "It rained | Weather_The Gazette")    # 1
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..page.metadata.site_name import title_key
from ..record import Segment
from ..text.lazy_pattern import lazy_pattern
from .page_segments import PageSegments, first_heading, place_of_key

# Parts of a title, and letters of one that may be the whole title.
MAX_PARTS, MIN_LETTERS = 6, 6
# Characters of the name of a site.
MAX_SITE_CHARS = 40
# The share of the letters of a title that a part has which is the title.
MIN_SHARE = 0.3


class _Separators:
    """What is between the parts of a title, in scripts without spaces, too: the wide ranges of these take 2 ms to
    compile, and most titles need none."""

    _FIRST_UNSPACED = "\u3040"
    _SPACED = r"\s*[|｜_»«·•／‖]+\s*|\s+(?:[–—:/~-]|::|>)+\s+"
    _spaced = lazy_pattern(_SPACED)
    _unspaced = lazy_pattern(rf"{_SPACED}|(?<=[{_FIRST_UNSPACED}-\ua000])[-–—]|[-–—](?=[{_FIRST_UNSPACED}-\ua000])")

    def _pattern(self, title: str) -> re.Pattern[str]:
        return self._spaced if max(title, default="") < self._FIRST_UNSPACED else self._unspaced

    def split(self, title: str) -> list[str | Any]:
        """The parts of a title."""
        return self._pattern(title).split(title)

    def finditer(self, title: str) -> Iterator[re.Match[str]]:
        """The separators of a title."""
        return self._pattern(title).finditer(title)


_SEPARATOR = _Separators()
# For speed: one of these is in each separator in ASCII.
_SIGN = lazy_pattern(r"[|_:/~>-]")


def place_of_title(segments: Sequence[Segment], title: str, end: int | None = None) -> int | None:
    """The index of the first heading that is the title, or else of the first such segment; else of one that is a part
    of it; else of the first h1. With *end*, the segments before it alone count, and of them those that are the whole
    title."""
    if end is not None:
        return _place_of(segments, title, end)
    if isinstance(segments, PageSegments):  # for speed: several fields are looked for around it
        if title not in segments.places:
            segments.places[title] = _find_title(segments, title)
        return segments.places[title]
    return _find_title(segments, title)


def _find_title(segments: Sequence[Segment], title: str) -> int | None:
    if (place := _place_of(segments, title)) is not None:
        return place
    found = _part_on_page(segments, title)
    return found[1] if found else first_heading(segments)


def title_on_page(segments: Sequence[Segment], title: str) -> str:
    """The part of *title* that is a segment, if no segment is all of it, and if that part has MIN_SHARE of its letters
    and the longest of its parts; else *title*."""
    pieces = _SEPARATOR.split(title) if _may_have_parts(title) else [title]
    if len(pieces) == 1 or _place_of(segments, title) is not None or not (found := _part_on_page(segments, title)):
        return title
    part = found[0]
    is_most = len(title_key(part)) >= MIN_SHARE * len(title_key(title))
    return part if is_most and max(pieces, key=len) in part else title


def site_beside(title: str, part: str) -> str:
    """The name of the site in what a *title* has after the *part* that is the title of the page, or else before it."""
    before, _, after = title.partition(part)
    pieces = [piece for piece in _SEPARATOR.split(before)[:1] + _SEPARATOR.split(after)[-1:] if title_key(piece)]
    return pieces[-1].strip(" -–—:《》「」") if pieces and len(pieces[-1]) <= MAX_SITE_CHARS else ""


def _part_on_page(segments: Sequence[Segment], title: str) -> tuple[str, int] | None:
    """The longest part of *title* that is a segment, and its index."""
    for part in _parts(title):
        if (place := _place_of(segments, part)) is not None:
            return part, place
    return None


def _place_of(segments: Sequence[Segment], title: str, end: int | None = None) -> int | None:
    """The index of the first heading that has the words of *title*, or else of the first such segment before *end*."""
    key = title_key(title)
    return place_of_key(segments, key, 2 * len(title), end) if key else None


def _parts(title: str) -> Iterator[str]:
    """What of *title* may be all of it, without the names of the section and the site after it or before it: the
    longest first."""
    found = list(_SEPARATOR.finditer(title)) if _may_have_parts(title) else []
    if not 0 < len(found) < MAX_PARTS:
        return
    parts = {title[: sign.start()] for sign in found} | {title[sign.end() :] for sign in found}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(title_key(part)) >= MIN_LETTERS:
            yield part


def _may_have_parts(title: str) -> bool:
    return not title.isascii() or _SIGN.search(title) is not None
