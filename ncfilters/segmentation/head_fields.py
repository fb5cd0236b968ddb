"""The fields of a head with metadata (see `page_metadata`) that need the text of the page: language, author, date.

head = {"title": "Rain", "language": "en", "evidence": {"title": "h1", "language": "html lang"}}
record = {"head": head, "lang": "en", "lang_probability": 0.9, "segments": [{"text": "Rain"}, {"text": "By Ann Lee"}]}
complete_head(record)["head"]["author"]    # ['Ann Lee']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ..page.metadata.author_names import author_names, is_byline, is_full_name
from ..page.metadata.dates import day_spans, iso_day, short_day
from ..page.metadata.head_record import has_metadata
from ..page.metadata.page_fields import is_month_first
from ..page.metadata.page_metadata import FIELDS as ALTERNATIVES
from ..page.metadata.page_metadata import alternative, without_chosen
from ..page.metadata.site_name import title_key
from ..page.metadata.structured_data import OF_RECIPE
from ..record import SEEN, Record, Segment
from ..text.language_tags import primary
from ..text.lazy_pattern import lazy_pattern
from .byline_segments import FIELDS, shows_author, statements_of_segments
from .byline_text import biography_author, is_day
from .page_segments import (
    Around,
    exact_place,
    first_long,
    may_be_section,
    place_of_title,
    short_around,
    site_beside,
    title_on_page,
)

# The identified language counts, not the declared one, from this probability. Of the DAnIEL development pages that
# declare a language, 94 % declare the right one, and all are identified.
MIN_LANGUAGE_PROBABILITY = 0.8
_BY_SEGMENT = "segment"
# The evidence of an author of the item that the page is about: an organisation counts then. Of 15 pages of fundus and
# recipe-scrapers (development sets) that declare one and show no person, 12 have it in the gold standard.
_DECLARED, _PROPERTY = ("json-ld author", OF_RECIPE), "itemprop"

# Segments before and after the title that are read for a day with two digits of its year, and characters of one.
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


def complete_head(record: Record) -> Record:
    """The record, with what its `segments` and its `lang` say in its `head`, if that has metadata.

    `author` and `date` are those of the segments around the title where the head lacks them, or where only `<time>`
    says the date; also a day in an earlier month than a date that is that of the last change or after it, as machines
    write it. If the only day around the title is that of a change, it is the `date`, too. A date after `crawl_date`,
    when the page was read, is left out. `language` is the declared one, unless the text is in another.
    """
    head, segments = record.get("head"), record.get("segments")
    if not isinstance(head, dict) or not has_metadata(head) or not isinstance(segments, list):
        return record
    return {**record, "head": completed_head(head, segments, record)}


def completed_head(head: Record, segments: Sequence[Segment], record: Record) -> Record:
    """The head of `complete_head`, of a *record* whose head has metadata."""
    fields: Record = {**head}
    evidence: dict[str, str] = {**fields.pop("evidence")}
    _add_language(fields, evidence, record)
    _cut_title(fields, evidence, segments, str(head.get("declared_title", head.get("title", ""))))
    read = record.get("crawl_date")
    latest = iso_day(read) if isinstance(read, str) else ""
    url = record.get("url") or fields.get("canonical")
    month_first = is_month_first(str(fields.get("language", "")), url if isinstance(url, str) else "")
    _add_segments(fields, evidence, segments, month_first)
    for name in ("date", "modified") if latest else ():
        if fields.get(name, "") > latest:
            del fields[name]
            evidence.pop(name, None)
    if "date" not in fields and "modified" in fields:
        fields["date"], evidence["date"] = fields["modified"], evidence.get("modified", "")
    if others := without_chosen([*_replaced(head, fields), *_known_alternatives(head)], fields):
        fields["alternatives"] = others
    else:
        fields.pop("alternatives", None)
    fields["evidence"] = evidence
    return fields


def _replaced(head: Record, fields: Record) -> Iterator[Record]:
    """What the *head* said of fields that are others now."""
    for field in ALTERNATIVES:
        value = head.get(field)
        if value and value != fields.get(field):
            for one in value if isinstance(value, list) else [value]:
                yield alternative(field, str(one), str(head["evidence"].get(field, "")))


def _known_alternatives(head: Record) -> list[Record]:
    """The alternatives of a head that are as this program writes them."""
    found = head.get("alternatives")
    names = ("field", "value", "evidence")
    return [
        one
        for one in (found if isinstance(found, list) else [])
        if isinstance(one, dict) and all(isinstance(one.get(name), str) for name in names)
    ]


def _cut_title(fields: Record, evidence: dict[str, str], segments: Sequence[Segment], declared: str) -> None:
    """Takes what follows or precedes the title on the page from the title in the head, if no heading is it; the rest
    may name the site."""
    title = fields.get("title")
    if not isinstance(title, str):
        return
    if evidence.get("title") == "h1":
        _mend_title(fields, evidence, segments, declared)
        return
    part = title_on_page(segments, title)
    if part != title:
        fields["title"] = part
        fields.setdefault("declared_title", declared)
        if evidence.get("site", "url") in ("url", "h1") and (site := site_beside(title, part)):
            fields["site"], evidence["site"] = site, "title"


def _mend_title(fields: Record, evidence: dict[str, str], segments: Sequence[Segment], declared: str) -> None:
    """Takes the part of the title in the head that is on the page for a heading that may be the name of a section."""
    if declared in ("", fields["title"]) or not may_be_section(fields["title"], declared):
        return
    part = title_on_page(segments, declared)
    if part != declared or " " in part and exact_place(segments, declared) is not None:
        fields["title"], evidence["title"] = part, "title"


def _add_language(fields: Record, evidence: dict[str, str], record: Record) -> None:
    identified, declared = record.get("lang"), fields.get("language")
    if not isinstance(identified, str) or isinstance(declared, str) and declared.partition("-")[0] == identified:
        return
    if identified == declared or primary(identified) in ("", "und"):
        return
    probability = record.get("lang_probability", 1)
    is_certain = isinstance(probability, (int, float)) and probability >= MIN_LANGUAGE_PROBABILITY
    if not isinstance(declared, str) or primary(declared) != primary(identified) and is_certain:
        fields["language"], evidence["language"] = identified, "text"


def _add_segments(fields: Record, evidence: dict[str, str], segments: Sequence[Segment], month_first: bool) -> None:
    is_organization = _is_organization(fields)
    wanted = {*FIELDS} - fields.keys()
    if is_organization:
        wanted.add("author")
    date, modified = fields.get("date", ""), fields.get("modified", "")
    is_late = bool(modified) and date >= modified  # it may be the day on which a machine published the page again
    if evidence.get("date") == "time" or is_late:
        wanted.add("date")
    elif "date" in wanted:
        wanted.add("modified")  # which may be the only day
    title = str(fields.get("title", ""))
    sites = [str(fields["site"])] if "site" in fields else []
    if not wanted:  # for speed
        return
    found: dict[str, Any] = statements_of_segments(segments, title, sites, month_first, wanted)
    if "author" in wanted and "author" not in found:
        names = biography_author(segments, place_of_title(segments, title), sites)
        if names and not set(title_key(names[0]).split()) <= set(title_key(title).split()):  # whom the page is about
            found["author"] = names
    if is_organization and (
        "author" in found
        or not _is_declared(fields, evidence.get("author", ""))
        and not _is_shown(fields, segments, title)
    ):
        del fields["author"]
        evidence.pop("author", None)
    if "modified" in found and "date" not in found and "date" not in fields:
        found["date"] = found["modified"]
    if "date" in wanted and "date" not in found and "date" not in fields:
        place = place_of_title(segments, title)
        found |= {"date": day} if (day := other_day(segments, place, month_first)) else {}
    for name, value in found.items():
        if name not in fields or name == "date" and (evidence.get(name) == "time" or is_late and value[:7] < date[:7]):
            fields[name], evidence[name] = value, _BY_SEGMENT


def _is_declared(fields: Record, evidence: str) -> bool:
    """Whether the item that the page is about declares the organisation that is its author; in microdata, which other
    items may be in, if that is the site or its team."""
    site = title_key(str(fields.get("site", "")))
    return evidence in _DECLARED or evidence == _PROPERTY and site != "" and site in title_key(fields["author"][0])


def _is_shown(fields: Record, segments: Sequence[Segment], title: str) -> bool:
    """Whether the page shows the organisation that is its author, or the author is a person after whom the site is
    named."""
    author = fields["author"][0]
    is_name_of_site = title_key(author) == title_key(str(fields.get("site", "")))
    if is_name_of_site and (names := author_names(author)) and is_full_name(names[0]):
        return True
    return shows_author(segments, title, author)


def _is_organization(fields: Record) -> bool:
    """Whether the author is an organisation, a team or the site, which counts only if the page shows it or
    the item that the page is about declares it."""
    author = fields.get("author")
    return isinstance(author, list) and len(author) == 1 and not author_names(author[0], [str(fields.get("site", ""))])


def other_day(segments: Sequence[Segment], place: int | None, month_first: bool = False) -> str:
    """A day whose year has two digits, in a short segment around the title at *place*; or else the day of the elements
    that are named after it, if all have the same; or else the day before the text, if the title is nowhere; or else the
    only day that stands alone. Empty if there is none."""
    if place is not None and (day := _day_at_title(segments, place, month_first)):
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


def _day_at_title(segments: Sequence[Segment], place: int, month_first: bool) -> str:
    around = [segments[number] for number in short_around(segments, place, AROUND)]
    texts = [segments[place]["text"], *(one["text"] for one in around if _is_own(one))]
    return next((day for text in texts if _may_have_day(text) and (day := short_day(text, month_first))), "")


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
