"""The metadata of a page, each field with its evidence: what `nc-segment --markup` adds to the record's `head`.

    page = table_of(parse_html('<meta name=author content="Ann Lee">').root)
    with_metadata({}, page, survey(page), "https://www.gazette.org/2012/05/03/rain")
    # {'author': ['Ann Lee'], 'date': '2012-05-03', 'site': 'gazette.org',
    #  'evidence': {'author': 'meta author', 'date': 'url', 'site': 'url'}}

What models read of a head stays what it is without this: a `title` that is not the declared one has that beside it, in
`declared_title`, and `description` and `kinds` are those of `head_of_page`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from ...head import DUBLIN_CORE, FIELDS, GRAPH, MAX_TITLE_CHARS, NAMES, OTHER
from ...native.page_table import PageTable
from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from ...words.bylines import DAY_FIRST, TEAMS
from ...words.labels import NO_TITLES
from ..embedded.script_data import load_json
from ..tree.survey import Survey
from .author_names import author_names, inverted_name, is_byline, is_full_name, organization_name
from .dates import day_in_url, iso_day, unix_day
from .declarations import BYLINE, LINKED, MAX_URL_CHARS, Statements, Value, absolute_address, line, read_tags
from .page_elements import PageElements, first_post, page_elements, read_bylines
from .structured_data import OF_OFFERS, OF_RECIPE, linked_metadata, price_with_currency
from .titles import (
    HEADING,
    WINDOW,
    headline,
    host_name,
    is_below_front_page,
    is_in_host,
    is_short_name,
    site_in_title,
    title_key,
)

# Characters and scripts of JSON-LD that are read. Development pages have at most 104 such scripts.
MAX_DATA_CHARS, MAX_SCRIPTS = 1 << 20, 1_000
# Characters of the name of a site, and categories of a page.
MAX_SITE_CHARS, MAX_CATEGORIES = 80, 20
# Statements of a field that are read, characters of a value, and alternatives of a page; characters of a day.
MAX_STATEMENTS, MAX_CHARS, MAX_ALTERNATIVES, _DAY_CHARS = 20, 300, 20, 10

_HACKER_NEWS = "/item?id="
_FORUM_PARTS = ("forum", "thread", "topic", "discuss", "/board", "/t/", "/d/", _HACKER_NEWS)
_FORUM = lazy_pattern(r"/r/\w+/comments/|/(?:issues|pull|merge_requests)/\d", re.I)
# The sources of names of sites, the most trusted first.
_SITE_SOURCES = (GRAPH, LINKED, DUBLIN_CORE, OTHER)
# An author that is no person, in an element that is named after authors.
_TEAM = lazy_pattern(rf"\b(?:{TEAMS})\b", re.I)
# What is beside the name of a site where a part of a template is empty: "The Gazette |".
_EDGE = " |·•–—-"
_LANGUAGE = lazy_pattern(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")
_LICENSE = lazy_pattern(r"https?://\S+|(?:CC|GPL|MIT|Apache|GFDL)\b.{0,80}", re.I)
_LIST = lazy_pattern(r"(?:(?<!\s)\s+)?[,;]\s*")
# What an application writes for itself among the categories: "purpose:feed", "ABCD:RAIN,SNOW", an address.
_MACHINE_TAG = lazy_pattern(r"(?:[a-z_]+|[A-Z]{2,}):\S")
# Addresses of a site, of its icon, and of what is shown where somebody has no photo or another picture is loaded; of an
# item in JSON-LD.
_NO_IMAGE = lazy_pattern(
    r"https?://[^/]+/?$|.*(?:favicon|/avatars?/|/b?l?avatar/|/default_photo\.|/(?:blank|spacer|pixel)\.\w+$)"
    r"|.*#[a-z]*image$",
    re.I,
)


def with_metadata(head: Record, table: PageTable, found: Survey, url: str = "", posts: Sequence[Record] = ()) -> Record:
    """*head*, what `head_of_page` returns for the page with the address *url*, the survey *found* and these
    *posts*, with the fields of `head.FIELDS`, the `alternatives` that were not chosen, and for each field the
    `evidence`. What the page does not say is left out."""
    page = page_elements(table, found)
    window = line(page.window_title)
    _read_declarations(page, window)
    title, site, sites = _title_and_site(page, window, url)
    post: Record = {}
    if any(map(url.casefold().__contains__, _FORUM_PARTS)) or _FORUM.search(url):
        # the posts of Hacker News are those below the first one
        post = posts[0] if posts and _HACKER_NEWS not in url else first_post(table)
    values: dict[str, Value] = {"title": title, "author": _author(page, post, sites), "site": site}
    values |= {field.name: READERS[field.kind](page, url, field.name) for field in FIELDS if field.kind in READERS}
    if values["date"] is None:
        day = day_in_url(url)
        values["date"] = (day, "url") if day else (post["date"], "post") if post.get("date") else None
    said = {name: value for name in NAMES if (value := values.get(name))}
    metadata: Record = {name: value for name, (value, _) in said.items()}
    metadata["evidence"] = {name: evidence for name, (_, evidence) in said.items()}
    if others := _unchosen(page, metadata, window, sites):
        metadata["alternatives"] = others
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
    page = page_elements(table, found)
    _read_declarations(page, "")
    return str(price[0]) if (price := _price(page, "", "price")) else ""


def _read_declarations(page: PageElements, window: str) -> None:
    """Adds what the tags and the JSON-LD of a page with the title *window* say."""
    read_tags(page.said, page.tags)
    values = [value for text in _linked_texts(page.linked_data) if (value := load_json(text)) is not None]
    if values:
        titles = page.said.by_source.get(GRAPH, {}).get("title", [("", "")])
        page.said.by_source[LINKED] = linked_metadata(values, f"{window} {titles[0][0]}")


def _linked_texts(texts: Sequence[str]) -> Iterator[str]:
    """Those of the texts of JSON-LD that are read."""
    left, left_scripts = MAX_DATA_CHARS, MAX_SCRIPTS
    for text in texts:
        if text and len(text) <= left and left_scripts > 0:
            left -= len(text)
            left_scripts -= 1
            yield text


# ---- title and site -------------------------------------------------------------------------------------------------


def _title_and_site(page: PageElements, window: str, url: str) -> tuple[Value, Value, list[str]]:
    """Title and site of a page, and the names of its site."""
    sites = [line(text) for _, text, _ in page.said.of("site")]
    if is_below_front_page(url):
        sites += page.site_names[:1]
    said = page.said.of("title")
    declared = [(line(text)[:MAX_TITLE_CHARS], evidence) for _, text, evidence in said]
    window = "" if window.casefold() in NO_TITLES else window
    declared = [one for one in (*declared, (window[:MAX_TITLE_CHARS], WINDOW)) if one[0]]
    # the h1 in the path of a page may have another title, for search engines
    keys = [f" {title_key(heading)}" for heading in page.lower_headings]
    for_others = (line(text) for source, text, _ in said if source == GRAPH)
    lower = next((text for text in for_others if any(key.endswith(f" {title_key(text)}") for key in keys)), "")
    headings = [lower] if lower else page.headings
    title = headline(declared, headings, url, sites)
    site = _site(page, window, url, title[0] if title else "")
    if site and site[1] == WINDOW:
        title = headline(declared, headings, url, [site[0]])
    if site:
        sites += [site[0], site[0].partition(".")[0]]
    return title, site, sites


def _site(page: PageElements, window: str, url: str, headline: str) -> tuple[str, str] | None:
    """The name of the site: as it calls itself, in the title of the window, or the first heading that leads to its
    front page, or else its host. A page whose publisher is not in the host has another, if its title ends with a name
    that is: Wikipedia is published by the Wikimedia Foundation."""
    is_below, address = is_below_front_page(url), url or page.canonical
    found: dict[str, tuple[str, str]] = {}
    for source, text, evidence in page.said.of("site"):
        found.setdefault(source, (text, evidence))
    for source in filter(found.__contains__, _SITE_SOURCES):
        text, evidence = found[source]
        name = line(text).strip(_EDGE)
        name = host_name(name) if "://" in name else name
        if name and len(name) <= MAX_SITE_CHARS:
            is_publisher = evidence.endswith(" publisher") and not is_in_host(name, address)
            other = site_in_title(window, address, headline) if is_publisher else ""
            return (other, WINDOW) if is_in_host(other, address) else (name, evidence)
    if name := site_in_title(window, address, headline):
        return name, WINDOW
    name = page.site_names[0] if page.site_names else ""
    if name and is_below and is_short_name(name) and title_key(name) != title_key(headline):
        return name, HEADING
    host = host_name(address)
    return (host, "url") if host else None


# ---- authors --------------------------------------------------------------------------------------------------------


def _author(page: PageElements, post: Record, sites: Sequence[str]) -> Value:
    """The authors of a page: persons, or else who wrote the first *post* of a thread, or else an organisation."""
    authors = _persons(page.said, sites)
    # reading classes takes a third of the time: only where nothing better says it
    if authors is None and read_bylines(page):
        authors = _persons(page.said, sites)
    if authors is None and (user := post.get("author", "")):
        authors = author_names(user, sites) or [user], "post"
    return authors or _organization(page.said)


def _persons(said: Statements, sites: Sequence[str]) -> Value:
    """The authors that the most trusted source names, all in the same way. Of what a class says, the first byline, or
    the name that is the only one."""
    names: list[str] = []
    teams: list[str] = []
    chosen = ("", "")
    for source, text, evidence in said.of("author"):
        if names and ((source, evidence) != chosen or source == BYLINE):
            break
        if source == BYLINE and not is_byline(text):
            continue
        found = author_names(inverted_name(text) if source == DUBLIN_CORE else text, sites)
        if not found and source == LINKED and _TEAM.search(text):  # beside persons, whom the item names, too
            teams += filter(None, [organization_name(text)])
        if found:
            chosen = source, evidence
            names += [name for name in found if name not in names]
    if names and chosen[0] != BYLINE:
        if teams and chosen[0] == LINKED:
            return [*names, *teams], chosen[1]
        return _more_than_first_name(names, chosen[1], said, sites)
    named = [(author_names(text, sites), text, evidence) for _, text, evidence in said.of("name")]
    full = [(found, text, evidence) for found, text, evidence in named if found and is_full_name(found[0])]
    for same in (full, [one for one in full if is_byline(one[1])]):  # or the only one with "By"
        if same and all(found == same[0][0] for found, _, _ in same):
            return same[0][0], same[0][2]
    return (names, chosen[1]) if names else None


def _more_than_first_name(names: list[str], evidence: str, said: Statements, sites: Sequence[str]) -> Value:
    """The author, of whom the page says in another place the full name, or by what name the recipe is signed, if
    *names* are a first name or an account alone."""
    if len(names) > 1 or " " in names[0] or not names[0].isascii():
        return names, evidence
    for _, text, other in said.of("author"):
        full = author_names(text, sites)
        if len(full) == 1 and is_full_name(full[0]) and full[0].split()[0].casefold() == names[0].casefold():
            return full, other
    signed = next((text for _, text, other in said.of("author") if other == OF_RECIPE != evidence), "")
    return ([name], OF_RECIPE) if signed and (name := organization_name(signed)) else (names, evidence)


def _organization(said: Statements) -> Value:
    """The organisations that are said to be the authors where no person is, by tags or in a byline: of an item all."""
    names: dict[str, str] = {}
    chosen = ""
    named = said.of("name")
    several = Counter(evidence for evidence, _ in {(evidence, text) for _, text, evidence in named})  # in a list
    for source, text, evidence in (*said.of("author"), *named):
        if names and (evidence != chosen or source != LINKED):
            break
        is_team = several[evidence] == 1 and "author" in evidence and _TEAM.search(text) is not None
        if (source != BYLINE or is_byline(text) or is_team) and (name := organization_name(text)):
            names[title_key(name)], chosen = name, evidence
    return ([*names.values()], chosen) if names else None


# ---- other fields ---------------------------------------------------------------------------------------------------


def is_month_first(language: str, url: str) -> bool:
    """Whether a page writes the month before the day: one in English, and not of another country than the United
    States, by its *language* or the host in its *url*."""
    code = language.lower().replace("_", "-")
    return code == "en-us" or code == "en" and host_name(url).rpartition(".")[2] not in DAY_FIRST


def _day(page: PageElements, url: str, field: str) -> Value:
    code = page.language or next((text for _, text, _ in page.said.of("language") if text), "")
    month_first = is_month_first(code, url)
    return page.said.first(field, lambda text: iso_day(text, month_first) or unix_day(text))


def _language(page: PageElements, _: str, field: str) -> Value:
    code = _language_code(page.language)
    return (code, "html lang") if code else page.said.first(field, _language_code)


@lru_cache(maxsize=1024)  # pages repeat theirs
def _language_code(text: str) -> str:
    if not _LANGUAGE.fullmatch(code := text.strip()):
        return ""
    parts = code.replace("_", "-").split("-")
    return "-".join([parts[0].lower(), *(part.upper() if len(part) == 2 else part for part in parts[1:])])


def _canonical(page: PageElements, url: str, field: str) -> Value:
    address = absolute_address(page.canonical, url) if page.canonical else ""
    return (address, "rel=canonical") if address else page.said.first(field, lambda text: absolute_address(text, url))


def _license(page: PageElements, _: str, field: str) -> Value:
    def name(text: str) -> str:
        match = _LICENSE.match(line(text)[:MAX_URL_CHARS])
        return match[0] if match else ""

    return page.said.first(field, name)


def _image(page: PageElements, url: str, field: str) -> Value:
    def address(text: str) -> str:
        out = absolute_address(text, url)
        return "" if _NO_IMAGE.match(out) else out

    return page.said.first(field, address)


def _list(page: PageElements, _: str, field: str) -> Value:
    """The items of the most trusted source; of all of its statements."""
    out: list[str] = []
    chosen = evidence = ""
    for source, text, tag in page.said.of(field):
        if chosen not in ("", source):
            break
        is_for_machines = _MACHINE_TAG.match(text) is not None
        parts = [] if is_for_machines else [line(part) for part in _LIST.split(text[: 20 * MAX_SITE_CHARS])]
        new = [part for part in dict.fromkeys(parts) if part and len(part) <= MAX_SITE_CHARS and part not in out]
        if new:
            out += new
            chosen, evidence = source, evidence or tag
    return (out[:MAX_CATEGORIES], evidence) if out else None


def _price(page: PageElements, _: str, field: str) -> Value:
    """The price of the most trusted source, if that has one: pages of many products have none."""
    found = page.said.of(field)
    own = {(text, evidence) for source, text, evidence in found if source == found[0][0]}
    if len(own) != 1:
        return None
    text, evidence = own.pop()
    if evidence == OF_OFFERS:
        return text, evidence
    code = next((line(code) for _, code, _ in page.said.of("currency")), "")
    return (price, evidence) if (price := price_with_currency(line(text), code)) else None


# What reads a field of each kind: of a page, its address and the name of the field. Titles, sites and authors are read
# before, for they depend on each other.
READERS: dict[str, Callable[[PageElements, str, str], Value]] = {
    "day": _day,
    "language": _language,
    "canonical": _canonical,
    "license": _license,
    "image": _image,
    "list": _list,
    "price": _price,
    "line": lambda page, _, field: page.said.first(field, lambda text: line(text)[:MAX_CHARS]),
}


# ---- what was not chosen --------------------------------------------------------------------------------------------

# The fields of which `alternatives` has what was not chosen, and their kinds.
UNCHOSEN = {field.name: field.kind for field in FIELDS if field.unchosen}


def _unchosen(page: PageElements, head: Record, window: str, sites: Sequence[str]) -> list[Record]:
    """What is said of each of UNCHOSEN, and by the title of the *window* and the headings, with its evidence, that is
    not in the *head*; as that has values: a name of an author for each."""
    known = {(field, text) for field in UNCHOSEN for text in _chosen(head.get(field))}
    found = []
    for field, kind in UNCHOSEN.items():
        said = [(text, evidence) for _, text, evidence in page.said.of(field)[:MAX_STATEMENTS]]
        if field == "title":
            said += [(window, WINDOW), *[(text, HEADING) for text in page.headings[:MAX_STATEMENTS]]]
        for text, evidence in said:
            key = field, text[:_DAY_CHARS] if kind == "day" else text
            if key in known:  # for speed: most sources say the same
                continue
            known.add(key)
            if kind == "names":
                values = author_names(text, sites) or [organization_name(text)]
            else:
                values = [iso_day(text) if kind == "day" else line(text)]
            found += [alternative(field, value, evidence) for value in values]
    return without_chosen(found, head) if found else []


def alternative(field: str, value: str, evidence: str) -> Record:
    """A value of a field that was not chosen, and its evidence."""
    return {"field": field, "value": value[:MAX_CHARS], "evidence": evidence}


def without_chosen(others: Iterable[Record], head: Record) -> list[Record]:
    """The first MAX_ALTERNATIVES of *others* that say something else than the *head* and than those before."""
    known = {(field, title_key(value)) for field in UNCHOSEN for value in _chosen(head.get(field))}
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
