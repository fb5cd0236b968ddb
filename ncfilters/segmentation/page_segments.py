"""Segments of a page that are looked for: its title, its headings, those around a place.

segments = [{"text": "Rain"}, {"text": "By Ann Lee", "tag": "p"}, {"text": "It rained.", "tag": "h1"}]
exact_place(segments, "Rain"), first_long(segments, 10)    # (0, 1)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..page.metadata.site_name import title_key
from ..record import Segment
from ..text.lazy_pattern import lazy_pattern

# Characters that one becomes when its case is folded; and of a segment, for each of the title that it is.
MAX_CASEFOLDED, MAX_TITLE_TIMES = 3, 2

_HEADINGS = frozenset(("h1", "h2"))

# Parts of a title, and letters of one that may be the whole title.
MAX_PARTS, MIN_LETTERS = 6, 6
# Characters of the name of a site.
MAX_SITE_CHARS = 40
# The share of the letters of a title that a part has which is the title; of one with so many words, which is no name.
MIN_SHARE, MIN_SHARE_OF_SENTENCE, MIN_WORDS = 0.3, 0.15, 4


class Around(NamedTuple):
    """Numbers of segments before and after one, and the least and the most characters of these segments."""

    before: int
    after: int
    most: int
    least: int = 0


def exact_place(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first h1 or h2 with the `title_key` of *title*, or else of the first such segment, which has at
    most MAX_TITLE_TIMES its characters."""
    key, most, first = title_key(title), MAX_TITLE_TIMES * len(title), None
    word, least = key.partition(" ")[0], len(key) // MAX_CASEFOLDED
    for number, segment in enumerate(segments if key else ()):
        text = segment["text"]
        if least <= len(text) <= most and word in text.casefold() and title_key(text) == key:
            if segment.get("tag") in _HEADINGS:
                return number
            first = number if first is None else first
    return first


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


class _Separators:
    """What is between the parts of a title, in scripts without spaces, too: the wide ranges of these take 2 ms to
    compile, and most titles need none. Signs beyond Latin-1, which take 0.2 ms, become others of their kind."""

    _FIRST_UNSPACED = "\u3040"
    _SAME_SIGNS = str.maketrans("｜•／‖–—", "||||--")
    _SPACED = r"\s*[|_»«·]+\s*|\s+(?:[:/~-]|::|>)+\s+"
    _spaced = lazy_pattern(_SPACED)
    _unspaced = lazy_pattern(rf"{_SPACED}|(?<=[{_FIRST_UNSPACED}-\ua000])-|-(?=[{_FIRST_UNSPACED}-\ua000])")

    def split(self, title: str) -> list[str]:
        """The parts of a title."""
        out, last = [], 0
        for start, end in self.of(title):
            out.append(title[last:start])
            last = end
        return [*out, title[last:]]

    def of(self, title: str) -> tuple[tuple[int, int], ...]:
        """Where the separators of a title start and end."""
        return _separators_of(title)

    def find(self, title: str) -> Iterator[re.Match[str]]:
        """The separators of a title, found one by one."""
        if title.isascii():
            return self._spaced.finditer(title)
        pattern = self._spaced if max(title) < self._FIRST_UNSPACED else self._unspaced
        return pattern.finditer(title.translate(self._SAME_SIGNS))


_SEPARATOR = _Separators()


def place_of_title(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first heading that is the title, or else of the first such segment; else of one that is a part
    of it; else of the first h1."""
    if (place := exact_place(segments, title)) is not None:
        return place
    if found := _part_on_page(segments, title):
        return found[1]
    return next((number for number, segment in enumerate(segments) if segment.get("tag") == "h1"), None)


def title_on_page(segments: Sequence[Segment], title: str) -> str:
    """The part of *title* that is a segment, if no segment is all of it, and if that part has MIN_SHARE of its letters
    and the longest of its parts, or MIN_WORDS; else *title*."""
    if exact_place(segments, title) is not None or (found := _part_on_page(segments, title)) is None:
        return title
    part = found[0]
    share = len(title_key(part)) / len(title_key(title))
    is_most = share >= MIN_SHARE and max(_SEPARATOR.split(title), key=len) in part
    return part if is_most or share >= MIN_SHARE_OF_SENTENCE and len(part.split()) >= MIN_WORDS else title


def may_be_section(heading: str, title: str) -> bool:
    """Whether a *heading* may be the name of a section on a page with this *title*: it has none of its words, or is a
    part in the middle of it, after a longer one."""
    key, whole = title_key(heading), title_key(title)
    if key not in whole:
        return not set(key.split()) & set(whole.split())
    if len(parts := _SEPARATOR.split(title)[:MAX_PARTS]) < 3:  # for speed: most
        return False
    keys = [title_key(part) for part in parts]
    return key in keys[1:-1] and len(keys[0]) > len(key)


def site_beside(title: str, part: str) -> str:
    """The name of the site in what a *title* has after the *part* that is the title of the page, or else before it."""
    before, _, after = title.partition(part)
    pieces = [piece for piece in _SEPARATOR.split(before)[:1] + _SEPARATOR.split(after)[-1:] if title_key(piece)]
    if not pieces or len(pieces[-1]) > MAX_SITE_CHARS:
        return ""
    return pieces[-1].strip(" -–—:《》「」")


def _part_on_page(segments: Sequence[Segment], title: str) -> tuple[str, int] | None:
    """The longest part of *title* that is a segment, and its index."""
    for part in _parts(title):
        if len(title_key(part)) >= MIN_LETTERS and (found := exact_place(segments, part)) is not None:
            return part, found
    return None


def _parts(title: str) -> list[str]:
    """What of *title* may be all of it, without the names of the section and the site after it or before it: the
    longest first. They may have few letters."""
    found = _SEPARATOR.of(title)
    if not 0 < len(found) < MAX_PARTS:
        return []
    parts = {title[:start] for start, _ in found} | {title[end:] for _, end in found}
    return sorted(parts, key=lambda part: (-len(part), part))


@lru_cache(maxsize=32)  # a title is read several times
def _separators_of(title: str) -> tuple[tuple[int, int], ...]:
    """Where the separators of a title start and end."""
    return tuple(sign.span() for sign in _SEPARATOR.find(title))
