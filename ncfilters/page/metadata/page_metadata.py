"""The metadata of a page, each field with its evidence: what `nc-segment --markup` adds to the record's `head`.

    page = table_of(parse_html('<meta name=author content="Ann Lee">').root)
    with_metadata({}, page, survey(page), "https://www.gazette.org/2012/05/03/rain")
    # {'author': ['Ann Lee'], 'date': '2012-05-03', 'site': 'gazette.org',
    #  'evidence': {'author': 'meta author', 'date': 'url', 'site': 'url'}}

What models read of a head stays what it is without this: a `title` that is not the declared one has that beside it, in
`declared_title`, and `description` and `kinds` are those of `page_head.head_of_page`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...native.page_table import PageTable
from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from ..embedded.json_ld import load_json
from ..tree.survey import Survey
from .author_names import author_names, inverted_name, is_byline, is_full_name, organization_name
from .bylines import day_of_post, read_bylines, read_poster
from .dates import iso_day
from .headline import NO_TITLES, page_title
from .page_elements import PageElements, page_elements
from .page_fields import MAX_SITE_CHARS, Field, own_price, page_fields
from .site_name import host_name, is_below_front_page, is_in_host, is_short_name, site_in_title, title_key
from .statements import GRAPH, LINKED, Reader, Statement, Statements, line, lines, statements_by_field, tag_statements
from .structured_data import OF_RECIPE, linked_metadata

_FORUM_PARTS = ("forum", "thread", "topic", "discuss", "/board", "/t/", "/d/", "/item?id=")
_FORUM = lazy_pattern(r"/r/\w+/comments/|/(?:issues|pull|merge_requests)/\d", re.I)
_ACCOUNT = lazy_pattern(r"[^\W_][\w.-]{2,30}")

# Characters and scripts of JSON-LD that are read. Development pages have at most 104 such scripts.
MAX_DATA_CHARS, MAX_SCRIPTS = 1 << 20, 1_000

# The sources of names of sites, the most trusted first; that of names as "Lee, Ann", and that of bylines.
_SITE_SOURCES, _INVERTED, _BYLINE = ("opengraph", "json-ld", "dublin-core", "meta"), "dublin-core", "byline"
# The evidence of names of sites in the title of the window, and of hosts.
_WINDOW, _URL = "title", "url"
# An author that is no person, in an element that is named after authors.
_TEAM = lazy_pattern(r"\b(?:team|staff|editors|newsroom|redaktion|redazione|redacción|rédaction|redactie)\b", re.I)
# What is beside the name of a site where a part of a template is empty: "The Gazette |".
_EDGE = " |·•–—-"

# The fields of a head with metadata, in its order, but for those of any head.
_FIELDS = "title author date modified site language canonical license image categories price".split()

FIELDS = ("title", "author", "date", "modified", "site")
# Statements of a field that are read, characters of a value, and alternatives of a page.
MAX_STATEMENTS, MAX_CHARS, MAX_ALTERNATIVES = 20, 300, 20
_HEADING = "h1"
# Fields with days, and characters of one.
_DAYS, _DAY = ("date", "modified"), 10


def with_metadata(head: Record, table: PageTable, found: Survey, url: str = "") -> Record:
    """*head*, what `page_head.head_of_page` returns for the page with the address *url* and the survey *found*, with
    the metadata: `title`, `author`, `date`, `modified`, `site`, `language`, `canonical`, `license`, `image`,
    `categories`, `price`, the `alternatives` that were not chosen, and for each field and the description the
    `evidence`. What the page does not say is left out."""
    metadata = _page_metadata(page_elements(table, found), url)
    if "description" in head:
        metadata["evidence"]["description"] = "meta"
    out = {**head, **metadata}
    if "title" not in metadata:  # what a program writes for none
        out.pop("title", None)
    if out.get("title", "") != (declared := head.get("title", "")):
        out["declared_title"] = declared
    return out


def declared_price(table: PageTable, found: Survey) -> str:
    """The `price` of `with_metadata` alone; empty if there is none."""
    reader = Reader(statements_by_field(_all_statements(page_elements(table, found), "")), "")
    return str(price[0]) if (price := own_price(reader)) else ""


class _Found(NamedTuple):
    """Title and site of a page, and the names of its site."""

    title: Statement | None
    site: Statement | None
    sites: list[str]


def _page_metadata(elements: PageElements, url: str) -> Record:
    window = line(elements.window_title)
    reader = Reader(statements_by_field(_all_statements(elements, window)), url)
    found = _read(reader, elements, window)
    authors = _authors(reader, found.sites) or _other_authors(reader, elements, found)
    fields = page_fields(reader, elements.language, elements.canonical)
    if fields["date"] is None and _is_in_forum(url):
        fields["date"] = day_of_post(elements.table)
    out = _record({"title": found.title, "author": authors, "site": found.site, **fields})
    if others := unchosen(reader, out, window, elements.headings, found.sites):
        out["alternatives"] = others
    return out


def _all_statements(elements: PageElements, window: str) -> dict[str, Statements]:
    """What the tags, the JSON-LD and the elements of a page with the title *window* say, by source. Bylines are yet to
    be read."""
    sources = elements.statements
    sources |= tag_statements(elements.tags)
    titles = sources.get(GRAPH, {}).get("title", ())
    values = [value for text in _linked_texts(elements.linked_data) if (value := load_json(text)) is not None]
    if values:
        sources[LINKED] = linked_metadata(values, f"{window} {titles[0][0] if titles else ''}")
    return sources


def _linked_texts(texts: Sequence[str]) -> Iterator[str]:
    """Those of the texts of JSON-LD that are read."""
    left, left_scripts = MAX_DATA_CHARS, MAX_SCRIPTS
    for text in texts:
        if text and len(text) <= left and left_scripts > 0:
            left -= len(text)
            left_scripts -= 1
            yield text


def _read(reader: Reader, elements: PageElements, window: str) -> _Found:
    """Title, site and names of the site of a page."""
    url = reader.url
    sites = lines(reader.statements("site"))
    titles, headings = reader.statements("title"), elements.headings
    if lower := _title_in_lower_heading(titles, elements.lower_headings):
        headings = [lower]
    window = "" if window.casefold() in NO_TITLES else window
    if is_below_front_page(url):
        sites += elements.site_names[:1]
    title = page_title(titles, window, headings, url, sites)
    site = _site(reader, window, url or elements.canonical, title[0] if title else "", elements.site_names)
    if site and site[1] == _WINDOW:
        title = page_title(titles, window, headings, url, [site[0]])
    if site:
        sites += [site[0], site[0].partition(".")[0]]
    return _Found(title, site, sites)


def _title_in_lower_heading(titles: Sequence[tuple[str, Statement]], lower_headings: Sequence[str]) -> str:
    """The first title for other sites with which a heading h2 ends, after a label at most; empty if none does: the h1
    in the path of a page may have another title, for search engines."""
    declared = (line(text) for source, (text, _) in titles if source == GRAPH)
    keys = [title_key(heading) for heading in lower_headings]
    return next((text for text in declared if any(f" {key}".endswith(f" {title_key(text)}") for key in keys)), "")


def _other_authors(reader: Reader, elements: PageElements, found: _Found) -> Field:
    """The authors whom no tag and no element of its own names."""
    sites, authors = found.sites, None
    # reading classes takes a third of the time: only where nothing better says it
    if read_bylines(elements):
        reader.by_field = statements_by_field(elements.statements)
        authors = _authors(reader, sites)
    if authors is None and _is_in_forum(reader.url):
        read_poster(elements)
        reader.by_field = statements_by_field(elements.statements)
        authors = _poster_names(reader, sites)
    return authors or _organization(reader)


def _is_in_forum(url: str) -> bool:
    return any(map(url.casefold().__contains__, _FORUM_PARTS)) or _FORUM.search(url) is not None


def _poster_names(reader: Reader, sites: Sequence[str]) -> tuple[list[str], str] | None:
    """The names of the first user that a page states, and the evidence."""
    for _, (text, evidence) in reader.statements("user"):
        names = author_names(text, sites) or ([text] if "_" in text and _ACCOUNT.fullmatch(text) else None)
        return (names, evidence) if names else None
    return None


def _authors(reader: Reader, sites: Sequence[str]) -> tuple[list[str], str] | None:
    """The authors that the most trusted source names, all in the same way. Of what a class says, the first byline, or
    the name that is the only one."""
    names: list[str] = []
    teams: list[str] = []
    chosen = ("", "")
    for source, (text, evidence) in reader.statements("author"):
        if names and ((source, evidence) != chosen or source == _BYLINE):
            break
        if source == _BYLINE and not is_byline(text):
            continue
        found = author_names(inverted_name(text) if source == _INVERTED else text, sites)
        if not found and source == LINKED and _TEAM.search(text):  # beside persons, whom the item names, too
            teams += filter(None, [organization_name(text)])
        if found:
            chosen = source, evidence
            names += [name for name in found if name not in names]
    if names and chosen[0] != _BYLINE:
        if teams and chosen[0] == LINKED:
            return [*names, *teams], chosen[1]
        return _more_than_first_name(names, chosen[1], reader, sites)
    if not (named := reader.statements("name")):  # for speed: on most pages
        return (names, chosen[1]) if names else None
    found_names = [(author_names(text, sites), text, evidence) for _, (text, evidence) in named]
    full = [
        (found, evidence, is_byline(text)) for found, text, evidence in found_names if found and is_full_name(found[0])
    ]
    for said in (full, [one for one in full if one[2]]):  # or the only one with "By"
        if said and all(found == said[0][0] for found, _, _ in said):
            return said[0][:2]
    return (names, chosen[1]) if names else None


def _more_than_first_name(
    names: list[str], evidence: str, reader: Reader, sites: Sequence[str]
) -> tuple[list[str], str]:
    """The author, of whom the page says in another place the full name, or by what name the recipe is signed, if
    *names* are a first name or an account alone."""
    if len(names) > 1 or " " in names[0] or not names[0].isascii():
        return names, evidence
    said = [statement for _, statement in reader.statements("author")]
    for text, other in said:
        full = author_names(text, sites)
        if len(full) == 1 and is_full_name(full[0]) and full[0].split()[0].casefold() == names[0].casefold():
            return full, other
    signed = next((text for text, other in said if other == OF_RECIPE != evidence), "")
    return ([name], OF_RECIPE) if signed and (name := organization_name(signed)) else (names, evidence)


def _organization(reader: Reader) -> tuple[list[str], str] | None:
    """The organisations that are said to be the authors where no person is, by tags or in a byline: of an item all."""
    names: dict[str, str] = {}
    chosen = ""
    named = reader.statements("name")
    texts = {(evidence, text) for _, (text, evidence) in named}
    several = Counter(evidence for evidence, _ in texts)  # in a list of articles
    for source, (text, evidence) in (*reader.statements("author"), *named):
        if names and (evidence != chosen or source != LINKED):
            break
        is_said = (
            source != _BYLINE
            or is_byline(text)
            or several[evidence] == 1
            and ("author" in evidence and _TEAM.search(text) is not None)
        )
        if is_said and (name := organization_name(text)):
            names[title_key(name)], chosen = name, evidence
    return ([*names.values()], chosen) if names else None


def _site(reader: Reader, window: str, url: str, headline: str, names: list[str]) -> tuple[str, str] | None:
    """The name of the site: as it calls itself, in the title of the window, or the first of *names* that lead to its
    front page, or else its host. A page whose publisher is not in the host has another, if its title ends with a name
    that is: Wikipedia is published by the Wikimedia Foundation."""
    is_below = is_below_front_page(reader.url)
    found: dict[str, tuple[str, str]] = {}
    for source, statement in reader.statements("site"):
        found.setdefault(source, statement)
    for source in _SITE_SOURCES:
        if source not in found:
            continue
        name = line(found[source][0]).strip(_EDGE)
        name = host_name(name) if "://" in name else name
        if name and len(name) <= MAX_SITE_CHARS:
            evidence = found[source][1]
            if evidence.endswith(" publisher") and not is_in_host(name, url):
                other = site_in_title(window, url, headline)
                if is_in_host(other, url):
                    return other, _WINDOW
            return name, evidence
    if name := site_in_title(window, url, headline):
        return name, _WINDOW
    if names and is_below and is_short_name(names[0]) and title_key(names[0]) != title_key(headline):
        return names[0], "h1"
    host = host_name(url)
    return (host, _URL) if host else None


def _record(found: dict[str, Field]) -> Record:
    out: Record = {}
    evidence = {}
    for name in _FIELDS:
        if value := found[name]:
            out[name], evidence[name] = value
    out["evidence"] = evidence
    return out


def unchosen(reader: Reader, head: Record, window: str, headings: Sequence[str], sites: Sequence[str]) -> list[Record]:
    """What is said of each of FIELDS, and by the title of the *window* and the *headings*, with its evidence, that is
    not in the *head*; as that has values: a name of an author for each."""
    known = {(field, text) for field in FIELDS for text in _chosen(head.get(field))}
    found = []
    for field in FIELDS:
        said = [statement for _, statement in reader.statements(field)[:MAX_STATEMENTS]]
        if field == "title":
            said += [(window, _WINDOW), *[(text, _HEADING) for text in headings[:MAX_STATEMENTS]]]
        for text, evidence in said:
            key = field, text[:_DAY] if field in _DAYS else text
            if key not in known:  # for speed: most sources say the same
                known.add(key)
                found += [alternative(field, value, evidence) for value in _values(field, text, sites)]
    return without_chosen(found, head) if found else []


def alternative(field: str, value: str, evidence: str) -> Record:
    """A value of a field that was not chosen, and its evidence."""
    return {"field": field, "value": value[:MAX_CHARS], "evidence": evidence}


def without_chosen(others: Iterable[Record], head: Record) -> list[Record]:
    """The first MAX_ALTERNATIVES of *others* that say something else than the *head* and than those before."""
    known = {(field, title_key(value)) for field in FIELDS for value in _chosen(head.get(field))}
    out = []
    for one in others:
        key = one["field"], title_key(one["value"])
        if key not in known and one["value"]:
            known.add(key)
            out.append(one)
    return out[:MAX_ALTERNATIVES]


def _chosen(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _values(field: str, text: str, sites: Sequence[str]) -> list[str]:
    if field in _DAYS:
        return [day] if (day := iso_day(text)) else []
    if field == "author":
        return author_names(text, sites) or list(filter(None, [organization_name(text)]))
    return [line(text)]
