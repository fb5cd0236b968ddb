"""Author and date of a page, from the short segments around its title.

segments = [{"text": "Rain"}, {"text": "By Ann Lee"}, {"text": "3 May 2024"}]
statements_of_segments(segments, "Rain")    # {'author': ['Ann Lee'], 'date': '2024-05-03'}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..page.metadata.author_names import author_names, is_byline, is_full_name, organization_name
from ..page.metadata.dates import iso_day
from ..page.metadata.site_name import title_key
from ..record import SEEN, Segment
from ..text.lazy_pattern import lazy_pattern
from .byline_text import (
    MAX_SEGMENT_CHARS,
    are_persons,
    author_after_label,
    authors_beside_day,
    editors_in_charge,
    labelled_statements,
)
from .page_segments import Around, numbers_around, place_of_title, short_around

# What segments say.
FIELDS = ("author", "date", "modified")
# The segments before and after the title that are read.
AROUND = Around(before=3, after=10, most=MAX_SEGMENT_CHARS)
# Characters beside a name around the title.
MAX_BESIDE = 60
# Characters of the text below a name in bold type.
MIN_TEXT = 100
# Of the bylines of articles of the WCXB development set that are a name without "By", with a date around, by the model
# en, 7 of 7 with this probability are right, and 14 of 29 with a lower one.
MIN_PROBABILITY = 0.8

# The address of the page of an author, and the element of one.
_AUTHOR_PAGES = frozenset(
    "author authors writer writers contributor contributors columnist columnists journalist journalists reporter "
    "reporters byline auteur auteurs autor autore autors autores autoren producers av autori autorzy yazar yazarlar "
    "skribent skribenter forfatter redacteur redacteurs journalistes penulis staff".split()
)
_ADDRESS = "/address"  # of who has written the article that it is in
_AUTHOR_ELEMENTS, _BESIDE_AUTHORS = ("author", "byline"), ("bio", "desc", "box", "comment")
_MODIFIED = lazy_pattern(r"updat|modif|revised|aktuali|обновл|zuletzt|mis à jour|actualizado|最后更新", re.I)
# The fields that are wanted, the names of the page's sites, and whether the month is before the day.
_Asked = tuple[Collection[str], Iterable[str], bool]


def statements_of_segments(
    segments: Sequence[Segment],
    title: str,
    sites: Iterable[str] = (),
    month_first: bool = False,
    wanted: Collection[str] = FIELDS,
) -> dict[str, Any]:
    """The `author`, the `date` and the day `modified` that segments around the *title* name, or labels elsewhere; those
    that are found, of the fields *wanted*.

    A full name counts if "By" is before it, or if the segment is it and has the role byline, with a probability of
    MIN_PROBABILITY, and a date is around; or if it leads to the page of an author, and a date is around.
    """
    out: dict[str, Any] = {}
    if not wanted:
        return out
    place = place_of_title(segments, title)
    if place is not None:
        _read_around(out, segments, place, (wanted, sites, month_first))
    missing = [name for name in FIELDS if name in wanted and name not in out]
    if "author" in missing or "date" in missing:
        out |= labelled_statements(segments, sites, month_first, missing)
    if "author" in missing and "author" not in out and not title.isascii():
        editors = next(filter(None, (editors_in_charge(segment["text"]) for segment in reversed(segments))), [])
        out |= {"author": editors} if editors else {}
    return out


def shows_author(segments: Sequence[Segment], title: str, name: str) -> bool:
    """Whether a byline, or a short segment around the *title*, has the *name* of an author."""
    key = title_key(name)
    place = place_of_title(segments, title)
    near = range(0) if place is None else range(place - AROUND.before, place + AROUND.after + 1)
    word = max(key.split(), key=len, default="")
    for number, segment in enumerate(segments):
        text = segment["text"]
        if len(text) > MAX_SEGMENT_CHARS or word not in text.casefold():  # for speed: most
            continue
        if number != place and key in title_key(text):
            if (is_said := title_key(organization_name(text)) == key) and is_byline(text):
                return True
            if number in near and (is_said or _is_beside(text, key)):
                return True
    return False


def _read_around(out: dict[str, Any], segments: Sequence[Segment], place: int, asked: _Asked) -> None:
    """Adds what segments around the title at *place* say, the nearest first."""
    wanted, sites, month_first = asked
    with_author, missing = "author" in wanted, {name for name in wanted if name != "author"}
    for number in short_around(segments, place, AROUND):
        segment = segments[number]
        text = segment["text"]
        if len(text) > MAX_SEGMENT_CHARS or segment.get("origin", SEEN[0]) not in SEEN:
            continue
        if with_author and "author" not in out:
            names = author_names(text, sites) if _is_by(text, segment, segments, place) else []
            if not are_persons(names, text):
                names = _linked_names(segment, sites)
                names = names if names and _has_day(segments, place) else []
            names = names or _beside_day(segment, sites) or author_after_label(text, sites)
            if not names and number > place:
                names = _signature(segments, place, number, sites)
            if names:
                out["author"] = names
        if missing and (days := _days(text, month_first)):
            out |= {name: day for name, day in days.items() if name in missing}
            missing.difference_update(days)
        if not missing and ("author" in out or not with_author):
            return


def _is_by(text: str, segment: Segment, segments: Sequence[Segment], place: int) -> bool:
    """Whether the *text* of a segment is a byline. A name alone is one if a date is around the title at *place*."""
    return is_byline(text) or _is_named(segment) and _has_day(segments, place)


def _has_day(segments: Sequence[Segment], place: int) -> bool:
    around = numbers_around(segments, place, AROUND)
    return any(iso_day(segments[one]["text"]) for one in around if len(segments[one]["text"]) <= MAX_SEGMENT_CHARS)


def _days(text: str, month_first: bool) -> dict[str, str]:
    """The `date` and the day `modified` in a text."""
    if "20" not in text and "19" not in text:  # no year
        return {}
    if not (change := _MODIFIED.search(text)):
        return {"date": day} if (day := iso_day(text, month_first)) else {}
    parts = {"date": text[: change.start()], "modified": text[change.start() :]}
    return {name: day for name, part in parts.items() if (day := iso_day(part, month_first))}


def _is_author_page(address: str) -> bool:
    """Whether an address has a folder of authors, and what is in it."""
    parts = address.casefold().split("/")[1:]
    return any(part in _AUTHOR_PAGES and after[:1] not in ("", "?", "#") for part, after in zip(parts, parts[1:]))


def _is_author_element(name: str) -> bool:
    """Whether an element is named after an author, and not after what is beside one."""
    name = name.casefold()
    last = max(map(name.rfind, _AUTHOR_ELEMENTS))
    return last >= 0 and not any(name.find(word, last) >= 0 for word in _BESIDE_AUTHORS)


def _linked_names(segment: Segment, sites: Iterable[str]) -> list[str]:
    """The full names that a segment links to the pages of authors; all that it has if its element is of the author."""
    out: list[str] = []
    for start, end, kind, *value in segment.get("spans", ()):
        if kind == "link" and _is_author_page(value[0]):
            out += [name for name in author_names(segment["text"][start:end], sites) if is_full_name(name)]
    if not out and (_is_author_element((path := str(segment.get("path", ""))).rpartition("/")[2]) or _ADDRESS in path):
        names = author_names(segment["text"], sites)
        out = names if len(names) == 1 and is_full_name(names[0]) else []
    return list(dict.fromkeys(out))


def _signature(segments: Sequence[Segment], place: int, number: int, sites: Iterable[str]) -> list[str]:
    """The full names in bold type that a segment is, if the text of the article begins below."""
    segment, after = segments[number], segments[number + 1 : number + 2]
    if not after or len(after[0]["text"]) < MIN_TEXT or after[0].get("path") != segment.get("path"):
        return []
    text = segment["text"]
    if not any(kind == "strong" and end - start >= len(text) for start, end, kind, *_ in segment.get("spans", ())):
        return []
    names = author_names(text, sites)
    has_more = title_key(text) != " ".join(map(title_key, names))
    if any(len(one["text"]) >= MIN_TEXT for one in segments[place + 1 : number]):
        return []
    return [] if has_more or not all(map(is_full_name, names)) else names


def _beside_day(segment: Segment, sites: Iterable[str]) -> list[str]:
    """The authors whom a segment names beside a day."""
    links = [
        (start, end)
        for start, end, kind, *value in segment.get("spans", ())
        if kind == "link" and not _is_author_page(value[0])
    ]
    return authors_beside_day(segment["text"], links, sites)


def _is_beside(text: str, key: str) -> bool:
    """Whether *text* begins or ends with the name whose key is *key*, and has little else."""
    letters = title_key(text)
    return (letters.startswith(key) or letters.endswith(key)) and len(letters) <= len(key) + MAX_BESIDE


def _is_named(segment: Segment) -> bool:
    return _has_role(segment, ("byline",)) and is_full_name(segment["text"])


def _has_role(segment: Segment, roles: tuple[str, ...]) -> bool:
    """Whether a model says that a segment has one of *roles*, with MIN_PROBABILITY."""
    probability = segment.get("role_probability")
    return segment.get("role") in roles and isinstance(probability, (int, float)) and probability >= MIN_PROBABILITY
