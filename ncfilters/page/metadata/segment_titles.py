"""The title of a page among its segments, the parts of a title that are one, and the segments around a place.

segments = [{"text": "Rain"}, {"text": "By Ann Lee", "tag": "p"}, {"text": "It rained.", "tag": "h1"}]
place_of_title(segments, "Rain | Log"), short_around(segments, 0, 0, 2, 12)    # (0, [1, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...record import Segment
from ...text.lazy_pattern import lazy_pattern
from .titles import title_key

# Characters that one becomes when its case is folded; and of a segment, for each of the title that it is.
MAX_CASEFOLDED, MAX_TITLE_TIMES = 3, 2
# Parts of a title, letters of one that may be the whole title, and characters of the name of a site.
MAX_PARTS, MIN_LETTERS, MAX_SITE_CHARS = 6, 6, 40
# The share of the letters of a title that a part has which is the title; of one with so many words, which is no name.
MIN_SHARE, MIN_SHARE_OF_SENTENCE, MIN_WORDS = 0.3, 0.15, 4

# What is between the parts of a title; and in scripts without spaces, too, whose wide ranges take 2 ms to compile.
# Signs beyond Latin-1, which take 0.2 ms, become others of their kind.
_FIRST_UNSPACED, _SAME_SIGNS = "\u3040", str.maketrans("｜•／‖–—", "||||--")
_SPACED = r"(?:(?<!\s)\s+)?[|_»«·]+\s*|(?<!\s)\s+(?:[:/~-]|::|>)+\s+"
_SEPARATOR = lazy_pattern(_SPACED)
_UNSPACED = lazy_pattern(rf"{_SPACED}|(?<=[{_FIRST_UNSPACED}-\ua000])-|-(?=[{_FIRST_UNSPACED}-\ua000])")


def place_of_title(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first heading that is the title, or else of the first such segment; else of one that is a part
    of it; else of the first h1."""
    if (place := exact_place(segments, title)) is not None:
        return place
    if found := _part_on_page(segments, title):
        return found[1]
    return next((number for number, segment in enumerate(segments) if segment.get("tag") == "h1"), None)


def exact_place(segments: Sequence[Segment], title: str) -> int | None:
    """The index of the first h1 or h2 with the `title_key` of *title*, or else of the first such segment, which has at
    most MAX_TITLE_TIMES its characters."""
    key, most, first = title_key(title), MAX_TITLE_TIMES * len(title), None
    word, least = key.partition(" ")[0], len(key) // MAX_CASEFOLDED
    for number, segment in enumerate(segments if key else ()):
        text = segment["text"]
        if least <= len(text) <= most and word in text.casefold() and title_key(text) == key:
            if segment.get("tag") in ("h1", "h2"):
                return number
            first = number if first is None else first
    return first


def short_around(
    segments: Sequence[Segment], place: int, before: int, after: int, most: int, least: int = 0
) -> list[int]:
    """The indexes of so many segments before and after one that have at least and at most so many characters; what
    follows it is nearer than what is before it."""
    near = [*range(place + 1, min(place + 1 + after, len(segments))), *range(place - 1, max(place - before, 0) - 1, -1)]
    return [number for number in near if least <= len(segments[number]["text"]) <= most]


def title_on_page(segments: Sequence[Segment], title: str) -> str:
    """The part of *title* that is a segment, if no segment is all of it, and if that part has MIN_SHARE of its letters
    and the longest of its parts, or MIN_WORDS; else *title*."""
    if exact_place(segments, title) is not None or (found := _part_on_page(segments, title)) is None:
        return title
    part = found[0]
    share = len(title_key(part)) / len(title_key(title))
    is_most = share >= MIN_SHARE and max(_parts(title), key=len) in part
    return part if is_most or share >= MIN_SHARE_OF_SENTENCE and len(part.split()) >= MIN_WORDS else title


def may_be_section(heading: str, title: str) -> bool:
    """Whether a *heading* may be the name of a section on a page with this *title*: it has none of its words, or is a
    part in the middle of it, after a longer one."""
    key, whole = title_key(heading), title_key(title)
    if key not in whole:
        return not set(key.split()) & set(whole.split())
    keys = [title_key(part) for part in _parts(title)[:MAX_PARTS]]
    return key in keys[1:-1] and len(keys[0]) > len(key)


def site_beside(title: str, part: str) -> str:
    """The name of the site in what a *title* has after the *part* that is the title of the page, or else before it."""
    before, _, after = title.partition(part)
    pieces = [piece for piece in (_parts(before)[0], _parts(after)[-1]) if title_key(piece)]
    return pieces[-1].strip(" -–—:《》「」") if pieces and len(pieces[-1]) <= MAX_SITE_CHARS else ""


def _part_on_page(segments: Sequence[Segment], title: str) -> tuple[str, int] | None:
    """The longest part of *title* that is a segment, and its index: the whole without the names of the section and the
    site after it or before it."""
    found = _separators(title)
    if not 0 < len(found) < MAX_PARTS:
        return None
    parts = {title[:start] for start, _ in found} | {title[end:] for _, end in found}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(title_key(part)) >= MIN_LETTERS and (place := exact_place(segments, part)) is not None:
            return part, place
    return None


def _parts(title: str) -> list[str]:
    found = _separators(title)
    return [title[end:start] for (_, end), (start, _) in zip([(0, 0), *found], [*found, (len(title), 0)])]


@lru_cache(maxsize=32)  # a title is read several times
def _separators(title: str) -> tuple[tuple[int, int], ...]:
    """Where the separators of a title start and end."""
    pattern = _SEPARATOR if not title or max(title) < _FIRST_UNSPACED else _UNSPACED
    return tuple(sign.span() for sign in pattern.finditer(title.translate(_SAME_SIGNS)))
