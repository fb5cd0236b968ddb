"""The metadata of a page, each field with its evidence: what `nc-segment --markup` adds to the record's `head`.

    page = search_page(parse_html('<meta name=author content="Ann Lee">'))
    with_metadata({}, page, "https://www.gazette.org/2012/05/03/rain")
    # {'author': ['Ann Lee'], 'date': '2012-05-03', 'site': 'gazette.org',
    #  'evidence': {'author': 'meta author', 'date': 'url', 'site': 'url'}}

What models read of a head stays what it is without this: a `title` that is not the declared one has that beside it, in
`declared_title`, and `description` and `kinds` are those of `page_head.head_of_page`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin, urlsplit

from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from ..present_selectors import Search
from .author_names import author_names, inverted_name, is_byline, is_full_name, organization_name
from .dates import day_in_url, iso_day
from .element_reading import may_have_word
from .page_sources import PageSources, line, page_sources, statements_by_field
from .page_title import page_title
from .site_name import host_name, is_below_front_page, site_in_title, title_key
from .structured_data import Statement
from .visible_metadata import PageElements, read_bylines, read_poster

_FORUM = lazy_pattern(
    r"forum|thread|topic|discuss|/board|/t/|/d/|/r/\w+/comments/|/(?:issues|pull|merge_requests)/\d", re.I
)
_FORUM_WORDS = (
    "forum",
    "thread",
    "topic",
    "discuss",
    "/board",
    "/t/",
    "/d/",
    "/r/",
    "/issues/",
    "/pull/",
    "/merge_requests/",
)  # for speed
# Characters of the name of a site, of an address, and categories of a page.
MAX_SITE_CHARS, MAX_URL_CHARS, MAX_CATEGORIES = 80, 2_000, 20
_LANGUAGE = lazy_pattern(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")
_LICENSE = lazy_pattern(r"https?://\S+|(?:CC|GPL|MIT|Apache|GFDL)\b.{0,80}", re.I)
# An address that is the same when it is joined with another, as most are; and signs that none has.
_PLAIN_ADDRESS = lazy_pattern(r"https?://[\w-]+(?:\.[\w-]+)+/[\w./%~+,=@!-]*(?:\?[\w./%~+,=@!&-]+)?", re.A)
_NO_ADDRESS = lazy_pattern(r"[\s<>\"]")
# The address of an item in JSON-LD, which is no image.
_ITEM = lazy_pattern(r"#[a-z]*image$", re.I)
_LIST = lazy_pattern(r"\s*[,;]\s*")


def with_metadata(head: Record, search: Search, url: str = "") -> Record:
    """*head*, what `page_head.head_of_page` returns for the page with the address *url*, with the metadata: `title`,
    `author`, `date`, `modified`, `site`, `language`, `canonical`, `license`, `image`, `categories`, and for each and
    the description the `evidence`. What the page does not say is left out."""
    found = _page_metadata(search, url)
    if "description" in head:
        found["evidence"]["description"] = "meta"
    out = {**head, **found}
    if out.get("title", "") != (declared := head.get("title", "")):
        out["declared_title"] = declared
    return out


def _page_metadata(search: Search, url: str) -> Record:
    sources = page_sources(search)
    window, elements = sources.window, sources.elements
    reader = _Reader(sources, url)
    sites = reader.sites() + (elements.site_names[:1] if is_below_front_page(reader.url) else [])
    month_first = _is_american(reader, elements.language)

    def day(field: str) -> tuple[str, str] | None:
        return reader.first(field, lambda text: iso_day(text, month_first))

    said = reader.statements("title")
    title = page_title(said, window, elements.headings, url, sites)
    site = _site(reader, window, url or elements.canonical, title[0] if title else "")
    if site and site[1] == "title":
        title = page_title(said, window, elements.headings, url, [site[0]])
    if site:
        sites += [site[0], site[0].partition(".")[0]]
    # reading classes takes a third of the time: only where nothing better says it
    if (authors := _authors(reader, sites)) is None:
        read_bylines(elements, search)
        reader.read_again(elements)
        authors = _authors(reader, sites)
        if authors is None and may_have_word(url, _FORUM_WORDS) and _FORUM.search(url):
            read_poster(elements, search)
            reader.read_again(elements)
            authors = reader.first_names("user", sites)
        authors = authors or _organization(reader)
    found: dict[str, tuple[Any, str] | None] = {
        "title": title,
        "author": authors,
        "date": day("date") or _url_day(url),
        "modified": day("modified"),
        "site": site,
        "language": _language(reader, elements.language),
        "canonical": _canonical(reader, elements.canonical),
        "license": reader.first("license", _license),
        "image": reader.first("image", lambda text: "" if _ITEM.search(text) else reader.address(text)),
        "categories": _categories(reader),
    }
    return _record(found)


class _Reader:
    """Reads the fields of a page from its sources, in the order of trust."""

    def __init__(self, sources: PageSources, url: str) -> None:
        self._statements, self.url = sources.statements, url
        self._has_plain_url = not url or _PLAIN_ADDRESS.fullmatch(url) is not None

    def statements(self, field: str) -> Sequence[tuple[str, Statement]]:
        """The source, the text and the evidence of the first MAX_STATEMENTS that say something of a field."""
        return self._statements.get(field, ())

    def read_again(self, elements: PageElements) -> None:
        """Takes over what more *elements* say."""
        self._statements = statements_by_field(elements.statements)

    def first(self, field: str, read: Callable[[str], str]) -> tuple[str, str] | None:
        """What *read* makes of the first statement of which it makes something, and its evidence."""
        for _, (text, evidence) in self.statements(field):
            if value := read(text):
                return value, evidence
        return None

    def first_names(self, field: str, sites: list[str]) -> tuple[list[str], str] | None:
        """The names in the first statement of a field, and its evidence."""
        for _, (text, evidence) in self.statements(field):
            return (names, evidence) if (names := author_names(text, sites)) else None
        return None

    def sites(self) -> list[str]:
        """All that the page calls its site."""
        return [line(text) for _, (text, _) in self.statements("site")]

    def address(self, text: str) -> str:
        """*text* as an absolute address; empty if it is none."""
        if self._has_plain_url and len(text) <= MAX_URL_CHARS and _PLAIN_ADDRESS.fullmatch(text):
            return text
        try:
            address = urljoin(self.url, text.strip()[: 2 * MAX_URL_CHARS])
            is_address = bool(urlsplit(address).hostname)
        except ValueError:
            return ""
        is_address = is_address and address.startswith(("http://", "https://")) and not _NO_ADDRESS.search(address)
        return address if is_address and len(address) <= MAX_URL_CHARS else ""


def _is_american(reader: _Reader, language: str) -> bool:
    """Whether the page writes the month before the day: English, and not of another country than the United States."""
    code = language or next((text for _, (text, _) in reader.statements("language") if text), "")
    return code.lower().replace("_", "-") in ("en", "en-us")


def _authors(reader: _Reader, sites: list[str]) -> tuple[list[str], str] | None:
    """The authors that the most trusted source names, all in the same way. Of what a class says, the first byline, or
    the name that is the only one."""
    names: list[str] = []
    chosen = ("", "")
    for source, (text, evidence) in reader.statements("author"):
        if names and ((source, evidence) != chosen or source == "byline"):
            break
        if source == "byline" and not is_byline(text):
            continue
        if found := author_names(inverted_name(text) if source == "dublin-core" else text, sites):
            chosen = source, evidence
            names += [name for name in found if name not in names]
    if names and chosen[0] != "byline":
        return names, chosen[1]
    found_names = [(author_names(text, sites), evidence) for _, (text, evidence) in reader.statements("name")]
    full = [(found, evidence) for found, evidence in found_names if found and is_full_name(found[0])]
    if full and all(found == full[0][0] for found, _ in full):
        return full[0]
    return (names, chosen[1]) if names else None


def _organization(reader: _Reader) -> tuple[list[str], str] | None:
    """The organisation that is said to be the author where no person is, by tags or in a byline."""
    for source, (text, evidence) in (*reader.statements("author"), *reader.statements("name")):
        if (source != "byline" or is_byline(text)) and (name := organization_name(text)):
            return [name], evidence
    return None


def _url_day(url: str) -> tuple[str, str] | None:
    day = day_in_url(url)
    return (day, "url") if day else None


def _site(reader: _Reader, window: str, url: str, headline: str) -> tuple[str, str] | None:
    """The name of the site: as it calls itself, in the title of the window, or else its host. A page below the front
    page whose title is said to be the site has another."""
    is_below = is_below_front_page(reader.url)
    found = {source: (text, evidence) for source, (text, evidence) in reversed(list(reader.statements("site")))}
    for source in ("opengraph", "json-ld", "dublin-core", "meta"):
        is_title = is_below and source in found and title_key(found[source][0]) == title_key(headline)
        if source in found and not is_title and (name := line(found[source][0])) and len(name) <= MAX_SITE_CHARS:
            return name, found[source][1]
    if name := site_in_title(window, url, headline):
        return name, "title"
    host = host_name(url)
    return (host, "url") if host else None


def _language(reader: _Reader, declared: str) -> tuple[str, str] | None:
    if code := _language_code(declared):
        return code, "html lang"
    return reader.first("language", _language_code)


@lru_cache(maxsize=1024)  # pages repeat theirs
def _language_code(text: str) -> str:
    if not _LANGUAGE.fullmatch(code := text.strip()):
        return ""
    parts = code.replace("_", "-").split("-")
    return "-".join([parts[0].lower(), *(part.upper() if len(part) == 2 else part for part in parts[1:])])


def _canonical(reader: _Reader, linked: str) -> tuple[str, str] | None:
    address = reader.address(linked) if linked else ""
    return (address, "rel=canonical") if address else reader.first("canonical", reader.address)


def _license(text: str) -> str:
    match = _LICENSE.match(line(text)[:MAX_URL_CHARS])
    return match[0] if match else ""


def _categories(reader: _Reader) -> tuple[list[str], str] | None:
    """The categories of the most trusted source; all of its fields."""
    out: list[str] = []
    chosen = evidence = ""
    for source, (text, tag) in reader.statements("categories"):
        if chosen not in ("", source):
            break
        parts = [line(part) for part in _LIST.split(text[: 20 * MAX_SITE_CHARS])]
        new = [part for part in dict.fromkeys(parts) if part and len(part) <= MAX_SITE_CHARS and part not in out]
        if new:
            out += new
            chosen, evidence = source, evidence or tag
    return (out[:MAX_CATEGORIES], evidence) if out else None


def _record(found: dict[str, tuple[Any, str] | None]) -> Record:
    out: Record = {name: value[0] for name, value in found.items() if value}
    evidence = {name: value[1] for name, value in found.items() if value}
    return {**out, "evidence": evidence}
