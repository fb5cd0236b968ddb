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

from ...head import has_metadata
from ...record import SEEN, Record, Segment
from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import primary
from ...words.bylines import DAY_ELEMENTS, OTHER_DAY_ELEMENTS
from ..blocks.block_table import BlockTable
from .author_names import author_names, is_byline, is_full_name
from .dates import day_spans, iso_day, short_day
from .page_metadata import UNCHOSEN, alternative, is_month_first, without_chosen
from .segment_bylines import FIELDS, biography_author, is_day, shows_author, statements_of_segments
from .structured_data import OF_RECIPE
from .titles import exact_place, may_be_section, place_of_title, short_around, site_beside, title_key, title_on_page

# The identified language counts, not the declared one, from this probability. Of the DAnIEL development pages that
# declare a language, 94 % declare the right one, and all are identified.
MIN_LANGUAGE_PROBABILITY = 0.8
_BY_SEGMENT = "segment"
# The evidence of an author of the item that the page is about: an organisation counts then. Of 15 pages of fundus and
# recipe-scrapers (development sets) that declare one and show no person, 12 have it in the gold standard.
_DECLARED, _PROPERTY = ("json-ld author", OF_RECIPE), "itemprop"

# Segments before and after the title that are read for a day with two digits of its year, and characters of one.
BEFORE, AFTER, MIN_SHORT_CHARS, MAX_SHORT_CHARS = 2, 4, 4, 80
# Characters of a segment that is a day, and what else stands beside a day.
MIN_DAY_CHARS, MAX_DAY_CHARS, MAX_BESIDE = 6, 100, 50
# Characters of a paragraph with which the text begins, and segments before it that may have the day.
MIN_TEXT_CHARS, BEFORE_TEXT = 100, 6
# Segments that may have a year and are read.
MAX_DAYS = 200

_DAY_ELEMENT = lazy_pattern(DAY_ELEMENTS)
_NAVIGATION = lazy_pattern(r"\bnav")
_HEADER = lazy_pattern(r"[.#/](?:page-?|site-?|main-?|top-?)?header\b(?![-_])", re.I)


def complete_head(record: Record, title: str = "") -> Record:
    """The record, with what its `segments` and its `lang` say in its `head`, if that has metadata. *title*: the text of
    the segment that is the title, for a head without one.

    `author` and `date` are those of the segments around the title where the head lacks them, or where only `<time>`
    says the date; also a day in an earlier month than a date that is that of the last change or after it, as machines
    write it. If the only day around the title is that of a change, it is the `date`, too. A date after `crawl_date`,
    when the page was read, is left out. `language` is the declared one, unless the text is in another.
    """
    head, segments = record.get("head"), record.get("segments")
    if not isinstance(head, dict) or not has_metadata(head) or not isinstance(segments, list | BlockTable):
        return record
    segments = segments[:]
    fields: Record = {**head}
    evidence: dict[str, str] = {**fields.pop("evidence")}
    if title and not head.get("title"):
        fields |= {"title": title, "declared_title": head.get("declared_title", "")}
        evidence["title"] = _BY_SEGMENT
    _add_language(fields, evidence, record)
    _mend_title(fields, evidence, segments, str(head.get("declared_title", head.get("title", ""))))
    url = record.get("url") or fields.get("canonical")
    month_first = is_month_first(str(fields.get("language", "")), url if isinstance(url, str) else "")
    _add_segments(fields, evidence, segments, month_first)
    read = record.get("crawl_date")
    latest = iso_day(read) if isinstance(read, str) else ""
    for name in ("date", "modified") if latest else ():
        if fields.get(name, "") > latest:
            del fields[name]
            evidence.pop(name, None)
    if "date" not in fields and "modified" in fields:
        fields["date"], evidence["date"] = fields["modified"], evidence.get("modified", "")
    known = head.get("alternatives")
    own = filter(_is_alternative, known if isinstance(known, list) else ())
    others = without_chosen([*_replaced(head, fields), *own], fields)
    fields |= {"alternatives": others, "evidence": evidence}
    if not others:
        del fields["alternatives"]
    return {**record, "head": fields}


def _replaced(head: Record, fields: Record) -> Iterator[Record]:
    """What the *head* said of fields that are others now."""
    for field in UNCHOSEN:
        value = head.get(field)
        if value and value != fields.get(field):
            for one in value if isinstance(value, list) else [value]:
                yield alternative(field, str(one), str(head["evidence"].get(field, "")))


def _is_alternative(one: object) -> bool:
    """Whether an alternative of a head is as this program writes it."""
    return isinstance(one, dict) and all(isinstance(one.get(name), str) for name in ("field", "value", "evidence"))


def _mend_title(fields: Record, evidence: dict[str, str], segments: Sequence[Segment], declared: str) -> None:
    """Takes what follows or precedes the title on the page from the title in the head, if no heading is it; the rest
    may name the site. If a heading is it that may be the name of a section, takes the part of the *declared* title that
    is on the page."""
    title = fields.get("title")
    if not isinstance(title, str):
        return
    if evidence.get("title") != "h1":
        part = title_on_page(segments, title)
        if part != title:
            fields["title"] = part
            fields.setdefault("declared_title", declared)
            if evidence.get("site", "url") in ("url", "h1") and (site := site_beside(title, part)):
                fields["site"], evidence["site"] = site, "title"
    elif declared not in ("", title) and may_be_section(title, declared):
        part = title_on_page(segments, declared)
        if part != declared or " " in part and exact_place(segments, declared) is not None:
            fields["title"], evidence["title"] = part, "title"


def _add_language(fields: Record, evidence: dict[str, str], record: Record) -> None:
    identified, declared = record.get("lang"), fields.get("language")
    if not isinstance(identified, str) or primary(identified) in ("", "und"):
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
    if not wanted:  # for speed
        return
    title = str(fields.get("title", ""))
    sites = [str(fields["site"])] if "site" in fields else []
    place = place_of_title(segments, title)
    found: dict[str, Any] = statements_of_segments(segments, title, sites, month_first, wanted)
    if "author" in wanted and "author" not in found:
        names = biography_author(segments, place, sites)
        if names and not set(title_key(names[0]).split()) <= set(title_key(title).split()):  # whom the page is about
            found["author"] = names
    if is_organization and (
        "author" in found
        or not _is_declared(fields, evidence.get("author", ""))
        and not _is_shown(fields, segments, title)
    ):
        del fields["author"]
        evidence.pop("author", None)
    if "date" not in fields and "date" not in found:
        day = found.get("modified") or other_day(segments, place, month_first)
        found |= {"date": day} if day else {}
    for name, value in found.items():
        if name not in fields or name == "date" and (evidence.get(name) == "time" or is_late and value[:7] < date[:7]):
            fields[name], evidence[name] = value, _BY_SEGMENT


def _is_organization(fields: Record) -> bool:
    """Whether the author is an organisation, a team or the site, which counts only if the page shows it or
    the item that the page is about declares it."""
    author = fields.get("author")
    return isinstance(author, list) and len(author) == 1 and not author_names(author[0], [str(fields.get("site", ""))])


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


# ---- days elsewhere -------------------------------------------------------------------------------------------------


def other_day(segments: Sequence[Segment], place: int | None, month_first: bool = False) -> str:
    """A day whose year has two digits, in a short segment around the title at *place*; or else the day of the elements
    that are named after it, if all have the same; or else the day before the text, if the title is nowhere; or else the
    only day that stands alone. Empty if there is none."""
    if place is not None and (day := _day_at_title(segments, place, month_first)):
        return day
    texts = enumerate(segment["text"] for segment in segments)
    years = (n for n, text in texts if MIN_DAY_CHARS <= len(text) <= MAX_DAY_CHARS and ("20" in text or "19" in text))
    if not (with_year := [*islice(years, MAX_DAYS)]):  # for speed: on most pages
        return ""
    own = [segments[number] for number in with_year if _is_own(segments[number])]
    named = [
        one for one in own if _DAY_ELEMENT.search(_path(one).rpartition("/")[2].lower()) and _is_dated(one["text"])
    ]
    if days := _days(named, month_first):
        if len(days) > 1:  # above the page is the day of the reading
            days = _days([one for one in named if not _is_in_header(one)], month_first)
        if len(days) == 1:
            return days.pop()
    if place is None:  # before the first paragraph
        start = next((n for n, segment in enumerate(segments) if len(segment["text"]) >= MIN_TEXT_CHARS), 0)
        near = [segments[number] for number in with_year if start - BEFORE_TEXT <= number < start]
        dated = [one["text"] for one in near if _is_dated(one["text"]) and _is_own(one)]
        if dated and (day := iso_day(dated[-1], month_first)):
            return day
    return _only_day(own, month_first)


def _day_at_title(segments: Sequence[Segment], place: int, month_first: bool) -> str:
    near = short_around(segments, place, BEFORE, AFTER, MAX_SHORT_CHARS, MIN_SHORT_CHARS)
    title = segments[place]["text"]
    texts = [title] if MIN_SHORT_CHARS <= len(title) <= MAX_SHORT_CHARS else []
    texts += [segments[number]["text"] for number in near if _is_own(segments[number])]
    return next((day for text in texts if not text.isalpha() and (day := short_day(text, month_first))), "")


def _is_dated(text: str) -> bool:
    """Whether a text is a day and little else."""
    spans = day_spans(text)
    return spans != [] and len(text) - sum(end - start for start, end in spans) <= MAX_BESIDE


def _only_day(segments: Iterable[Segment], month_first: bool) -> str:
    """The day of the segments that are a day and no more than a time, if all have the same."""
    days: set[str] = set()
    for one in segments:
        if is_day(text := one["text"]) and not is_byline(text) and not _is_in_header(one):
            days.add(iso_day(text, month_first))
        if len(days) > 1:  # for speed: lists have many days
            return ""
    return days.pop() if days else ""


def _days(segments: Iterable[Segment], month_first: bool) -> set[str]:
    return {iso_day(one["text"], month_first) for one in segments}


def _path(segment: Segment) -> str:
    return str(segment.get("path", ""))


def _is_own(segment: Segment) -> bool:
    """Whether a segment may have the day of the text: no clock, say, is its innermost element or that around it."""
    names = [name.casefold() for name in _path(segment).rsplit("/", 2)[1:]]
    is_other = any(other in name for name in names for other in OTHER_DAY_ELEMENTS)
    is_menu = any("nav" in name and _NAVIGATION.search(name) for name in names)
    return segment.get("origin", SEEN[0]) in SEEN and not is_other and not is_menu


def _is_in_header(segment: Segment) -> bool:
    return "header" in _path(segment).casefold() and _HEADER.search(_path(segment)) is not None
