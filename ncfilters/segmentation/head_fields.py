"""The fields of a head with metadata (see `page_metadata`) that need the text of the page: language, author, date.

head = {"title": "Rain", "language": "en", "evidence": {"title": "h1", "language": "html lang"}}
record = {"head": head, "lang": "en", "lang_probability": 0.9, "segments": [{"text": "Rain"}, {"text": "By Ann Lee"}]}
complete_head(record)["head"]["author"]    # ['Ann Lee']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..page.metadata.author_names import author_names, is_full_name
from ..page.metadata.dates import iso_day
from ..page.metadata.head_record import has_metadata
from ..page.metadata.page_fields import is_month_first
from ..page.metadata.page_metadata import FIELDS as ALTERNATIVES
from ..page.metadata.page_metadata import alternative, without_chosen
from ..page.metadata.site_name import title_key
from ..page.metadata.structured_data import OF_RECIPE
from ..record import Record, Segment
from ..text.language_tags import primary
from .author_biography import biography_author
from .byline_segments import FIELDS, shows_author, statements_of_segments
from .day_segments import other_day
from .page_segments import places_of_title
from .title_segment import may_be_section, place_of_title, site_beside, title_on_page

# The identified language counts, not the declared one, from this probability. Of the DAnIEL development pages that
# declare a language, 94 % declare the right one, and all are identified.
MIN_LANGUAGE_PROBABILITY = 0.8
_BY_SEGMENT = "segment"
# The evidence of an author of the item that the page is about: an organisation counts then. Of 15 pages of fundus and
# recipe-scrapers (development sets) that declare one and show no person, 12 have it in the gold standard.
_DECLARED, _PROPERTY = ("json-ld author", OF_RECIPE), "itemprop"
# The evidence of titles that may have the name of the site.
_WINDOWS = ("title", "meta title")


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
    _add_segments(fields, evidence, segments, latest, month_first)
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
    part = title_on_page(segments, title, evidence.get("title") in _WINDOWS)
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
    if part != declared or " " in part and places_of_title(segments, declared)[0] is not None:
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


def _add_segments(
    fields: Record, evidence: dict[str, str], segments: Sequence[Segment], latest: str, month_first: bool
) -> None:
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
        found |= {"date": day} if (day := other_day(segments, place, month_first, latest)) else {}
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
