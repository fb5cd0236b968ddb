"""The author of a page, by the name and the biography below its text.

texts = ("Rain", "It rained.", "About Ann Lee", "Ann Lee is a writer. She lives by the sea.")
segments = [{"text": text} for text in texts]
author_of_biography(segments)    # ['Ann Lee']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..page.metadata.author_names import author_names, is_full_name
from ..page.metadata.site_name import title_key
from ..record import SEEN, Segment
from ..text.lazy_pattern import lazy_pattern
from .page_segments import Around, short_around

# Characters of a name and of a biography, and segments between the two.
MIN_NAME_CHARS, MAX_NAME_CHARS, MIN_CHARS, MAX_BETWEEN = 4, 60, 40, 2
# Characters of a biography, and what is read of one.
MAX_BIOGRAPHY_CHARS, MAX_CHARS = 3_000, 400
# Segments before and after the title one of which may be the name.
AROUND = Around(before=2, after=6, most=MAX_NAME_CHARS, least=MIN_NAME_CHARS)

# How a biography begins, and what it says of a person and not of a product.
_BEGINNING = lazy_pattern(
    r"([^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,3}?),?(?: \([^()]{1,40}\))? "
    r"(?:is|has|was|writes|works|covers|joined|leads|serves)\b"
)
_WORD = lazy_pattern(r"\w+")
_PERSON = frozenset(
    "he she his her him writer editor founder author director manager engineer developer journalist specialist "
    "professor consultant creator blogger".split()
)
_LABEL = lazy_pattern(r"(?:about|meet|author|written by|by)[: ]+(?=\S)", re.I)


def biography_author(segments: Sequence[Segment], place: int | None, sites: Iterable[str] = ()) -> list[str]:
    """The author of a page with its title at *place*, by one of the two below."""
    names = [] if place is None else author_with_biography(segments, place, sites)
    return names or author_of_biography(segments, sites)


def author_of_biography(segments: Sequence[Segment], sites: Iterable[str] = ()) -> list[str]:
    """The name that stands above a biography in the second half of the page, if all that are there have the same."""
    found: dict[str, str] = {}
    for place, beginning in _beginnings(segments, len(segments) // 2):
        for before in reversed(segments[max(place - 1 - MAX_BETWEEN, 0) : place]):
            if name := _name_above(before, beginning, sites):
                if _tells_of_person(segments[place]["text"]):
                    found[title_key(name)] = name
                break
        if len(found) > 1:
            return []
    return list(found.values()) if len(found) == 1 else []


def author_with_biography(segments: Sequence[Segment], place: int, sites: Iterable[str] = ()) -> list[str]:
    """The full name that a segment around the title at *place* is, if a biography below begins with it."""
    near = [segments[number] for number in short_around(segments, place, AROUND)]
    texts = [segment["text"] for segment in near if _is_name(segment)]
    if not texts:  # for speed: on most pages
        return []
    keys = {text.casefold() for text in texts}
    below = {
        key
        for number, beginning in _beginnings(segments, place + 1)
        if (key := beginning.casefold()) in keys and _tells_of_person(segments[number]["text"])
    }
    for text in texts:
        if text.casefold() in below:
            names = author_names(text, sites)
            if len(names) == 1 and names[0].casefold() == text.casefold():
                return names
    return []


def _is_name(segment: Segment) -> bool:
    """Whether a segment is a full name and nothing else."""
    text = segment["text"]
    return 1 <= text.count(" ") <= 3 and is_full_name(text) and segment.get("origin", SEEN[0]) in SEEN


def _beginnings(segments: Sequence[Segment], first: int) -> Iterator[tuple[int, str]]:
    """The indexes, from *first* on, of the segments that are biographies if they tell of a person, and the names with
    which these begin."""
    for place in range(first, len(segments)):
        text = segments[place]["text"]
        if MIN_CHARS <= len(text) <= MAX_BIOGRAPHY_CHARS and (beginning := _BEGINNING.match(text.replace("’", "'"))):
            yield place, text[: beginning.end(1)]


def _tells_of_person(text: str) -> bool:
    return not _PERSON.isdisjoint(_WORD.findall(text[:MAX_CHARS].lower()))


def _name_above(segment: Segment, beginning: str, sites: Iterable[str]) -> str:
    """The full name that a segment is, if the *beginning* of the biography is that or the first name."""
    text = segment["text"]
    if len(text) > MAX_NAME_CHARS or beginning.partition(" ")[0] not in text:
        return ""
    if segment.get("origin", SEEN[0]) not in SEEN:
        return ""
    names = author_names(_LABEL.sub("", text), sites)
    name = names[0].partition(",")[0] if len(names) == 1 else ""
    return names[0] if name and is_full_name(name) and beginning in (name, name.partition(" ")[0]) else ""
