"""What a page declares: its head as models read it, and texts of fields, each from a source and with its evidence.

    head_of_page(table_of(parse_html("<title>It rained</title><meta property=og:type content=article>").root))
    # {'title': 'It rained', 'kinds': ['og:article']}
    said = Statements()
    read_tags(said, [("og:site_name", "The Gazette")])
    said.of("site")    # [('opengraph', 'The Gazette', 'meta og:site_name')]

A `<title>` or `<meta>` in the body counts, too: an element that does not belong into the head ends it early. Tags are
those of Open Graph, Dublin Core and Highwire Press, and names that sites made up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from ...head import CURRENCY, DUBLIN_CORE, FIELDS, GRAPH, MAX_KINDS, MAX_TITLE_CHARS, OTHER
from ...native.page_table import PageTable
from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from ...words.bylines import CARD_LABELS
from ..tree.survey import Survey, survey

# A value and its evidence; None if nothing is said.
Value = tuple[Any, str] | None
# The sources of statements, the most trusted first.
LINKED, ITEMS, RELATED, TIME, BYLINE = "json-ld", "microdata", "rel-author", "time", "byline"
TRUST = (LINKED, GRAPH, DUBLIN_CORE, ITEMS, OTHER, RELATED, TIME, BYLINE)
# Authors of a page that has authors itself: those who wrote the articles that a page lists are not its authors.
MOST_AUTHORS = {RELATED: 3, ITEMS: 10}
# Statements about a field that are read, characters of an address and of a content.
MAX_STATEMENTS, MAX_URL_CHARS, MAX_CHARS = 1_000, 2_000, 2_000
# An address that is the same when it is joined with another, as most are; and signs that none has.
_PLAIN_ADDRESS = lazy_pattern(r"https?://[\w-]+(?:\.[\w-]+)+/[\w./%~+,=@!:*()-]*(?:\?[\w./%~+,=@!&:;*()-]+)?", re.A)
_NO_ADDRESS = lazy_pattern(r"[\s<>\"]")
# More slashes than two before a host, which browsers ignore: "https:////a.example/b.jpg".
_SLASHES = lazy_pattern(r"^\s*(https?:)?/{3,}(?=[\w-]+(?:\.[\w-]+)+/)", re.I)

# Characters of a kind, and of JSON-LD that are read.
MAX_KIND_CHARS, MAX_DATA_CHARS = 40, 1 << 18
# prefix of a kind → the meta field that its value is from
_META_KINDS = {"og": "og:type", "card": "twitter:card"}
# kind → the meta field whose presence it represents
_META_FLAGS = {"author": "author", "published": "article:published_time"}
# The meta fields that are read.
_META_FIELDS = frozenset(
    ("og:title", "description", "og:description", "generator", *_META_KINDS.values(), *_META_FLAGS.values())
)
_TYPE = lazy_pattern(r'"@type"\s*:\s*(\[[^\]]{,200}\]|"[^"]{,100}")')
_TYPE_NAME = lazy_pattern(r'(?<![A-Za-z])([A-Za-z]+)"')
_GENERATOR = lazy_pattern(r"[A-Za-z]+")
# What tells that a description is HTML: one of a page about HTML names elements, too ("The <table> element").
_MARKUP, _TAG = lazy_pattern(r"^<p\b|</\w|<br\b|<a href", re.I), lazy_pattern(r"</?(\w+)[^<>]*(?:>|$)")
_WITHIN_WORDS = frozenset("a b em i span strong u".split())

# Tag → the places of what it says: a rank, a vocabulary, a field and the evidence.
_PLACES: dict[str, list[tuple[int, str, str, str]]] = {}
for _field in (*FIELDS, CURRENCY):
    for _vocabulary, _tags in _field.tags.items():
        for _rank, _tag in enumerate(_tags.split()):
            _PLACES.setdefault(_tag, []).append((_rank, _vocabulary, _field.name, f"meta {_tag}"))
# The labels of Twitter's cards, and the tags with their data.
_CARDS = {"twitter:label1": "twitter:data1", "twitter:label2": "twitter:data2"}


def head_of_page(table: PageTable, found: Survey | None = None) -> Record:
    """The `title`, the `description` and the `kinds` of a page; missing ones are left out.

    Kinds are the types of Open Graph (`og:article`), JSON-LD (`ld:NewsArticle`) and microdata (`it:Article`), the type
    of its Twitter card (`card:summary`), its generator (`generator:WordPress`), and `author` and `published` where the
    head names an author and a date. Title and description have at most MAX_TITLE_CHARS characters, the latter without
    markup. *found*: the survey of the page, if it is known.
    """
    found = found or survey(table)
    meta = _meta_fields(found)
    # the title for other sites seldom contains the name of the site
    window = (_short_text(text) for text, is_in_drawing in found.titles if not is_in_drawing)
    title = meta.get("og:title") or next(filter(None, window), "")
    head = {
        "title": title,
        "description": meta.get("description") or meta.get("og:description"),
        # the kinds that a page may have many of come last
        "kinds": sorted(_kinds(found, meta), key=lambda kind: (kind.startswith(("it:", "ld:")), kind))[:MAX_KINDS],
    }
    return {name: value for name, value in head.items() if value}


def _meta_fields(found: Survey) -> dict[str, str]:
    """The first value of each of these meta fields that is not empty, by its name in lower case."""
    fields: dict[str, str] = {}
    for name, content in found.metas:
        field = (name or "").lower()
        if field in _META_FIELDS and field not in fields:
            text = _without_markup(content or "") if field.endswith("description") else content
            if text := _short_text(text):
                fields[field] = text
    return fields


def _kinds(found: Survey, meta: dict[str, str]) -> set[str]:
    kinds = {f"{kind}:{meta[field].lower()[:MAX_KIND_CHARS]}" for kind, field in _META_KINDS.items() if field in meta}
    kinds |= {kind for kind, field in _META_FLAGS.items() if field in meta}
    if generator := _GENERATOR.match(meta.get("generator", "")):
        kinds.add(f"generator:{generator[0][:MAX_KIND_CHARS]}")
    left = MAX_DATA_CHARS
    for data in found.linked_data:
        text = data[:left]
        left -= len(text)
        names = [name for types in _TYPE.findall(text) for name in _TYPE_NAME.findall(types)]
        kinds.update(f"ld:{name[:MAX_KIND_CHARS]}" for name in names)
    for item_type in found.item_types:
        name = (item_type or "").rstrip("/").rpartition("/")[2]
        if name.isalpha():
            kinds.add(f"it:{name[:MAX_KIND_CHARS]}")
    return kinds


def _without_markup(description: str) -> str:
    """A description without character references and tags, which pages escape twice."""
    text = line(description[: 10 * MAX_TITLE_CHARS])
    if "<" in text and _MARKUP.search(text):
        text = _TAG.sub(lambda tag: "" if tag[1].lower() in _WITHIN_WORDS else " ", text)
    return text


def _short_text(text: str | None) -> str:
    return " ".join((text or "")[: 10 * MAX_TITLE_CHARS].split())[:MAX_TITLE_CHARS]


# ---- statements of fields -------------------------------------------------------------------------------------------


class Statements:
    """What the sources say of fields: texts and the evidence of each, by source, then by field."""

    def __init__(self) -> None:
        self.by_source: dict[str, dict[str, list[tuple[str, str]]]] = {}

    def add(self, source: str, field: str, text: str, evidence: str) -> None:
        """Adds what a source says of a field."""
        self.by_source.setdefault(source, {}).setdefault(field, []).append((text, evidence))

    def of(self, field: str) -> list[tuple[str, str, str]]:
        """The source, the text and the evidence of the first MAX_STATEMENTS about a field, in the order of trust."""
        out: list[tuple[str, str, str]] = []
        for source in TRUST:
            found = self.by_source.get(source, {}).get(field, ())
            if field != "author" or len(found) <= MOST_AUTHORS.get(source, MAX_STATEMENTS):
                out += [(source, text, evidence) for text, evidence in found]
        return out[:MAX_STATEMENTS]

    def first(self, field: str, read: Callable[[str], str]) -> Value:
        """What *read* makes of the first statement of which it makes something, and its evidence."""
        for _, text, evidence in self.of(field):
            if value := read(text):
                return value, evidence
        return None


def read_tags(said: Statements, tags: Iterable[tuple[str | None, str | None]]) -> None:
    """Adds what the tags of a page say, each a name and a content: the most trusted names of a field first."""
    ranked: list[tuple[int, str, str, str, str]] = []
    cards: dict[str, str] = {}
    for tag, content in tags:
        if not tag or not content:
            continue
        name = tag.strip().lower()
        ranked += [(*place, content[:MAX_CHARS]) for place in _PLACES.get(name, ())]
        if name.startswith("twitter:"):
            cards.setdefault(name, content[:MAX_CHARS])
    for _, vocabulary, field, evidence, content in sorted(ranked, key=itemgetter(0)):
        said.add(vocabulary, field, content, evidence)
    for label, data in _CARDS.items():
        if cards.get(label, "").casefold().strip(" :") in CARD_LABELS:
            said.add(OTHER, "author", cards.get(data, ""), f"meta {data}")


def declared_address(found: Survey) -> str | None:
    """The absolute address that the page with the survey *found* declares: its canonical one, or that of Open Graph;
    None if it declares none. A relative one is resolved by the base, which itself is often that of the site alone."""
    graph = [content for name, content in found.metas if (name or "").strip().lower() == "og:url"]
    if not found.canonicals and not graph:
        return None
    base = absolute_address(found.bases[0], "") if found.bases else ""
    addresses = (absolute_address(address, base) for address in (*found.canonicals, *graph) if address)
    return next(filter(None, addresses), None)


def absolute_address(text: str, url: str) -> str:
    """*text*, an address on a page at *url*, as an absolute address; empty if it is none."""
    has_plain_url = not url or _PLAIN_ADDRESS.fullmatch(url)
    if has_plain_url and len(text) <= MAX_URL_CHARS and _PLAIN_ADDRESS.fullmatch(text):
        return text
    from urllib.parse import urljoin, urlsplit  # start-up: few pages have other addresses

    try:
        text = _SLASHES.sub(r"\1//", text, count=1)
        address = urljoin(url, text.strip()[: 2 * MAX_URL_CHARS])
        is_address = bool(urlsplit(address).hostname)
    except ValueError:
        return ""
    is_address = is_address and address.startswith(("http://", "https://")) and not _NO_ADDRESS.search(address)
    return address if is_address and len(address) <= MAX_URL_CHARS else ""


def line(text: str) -> str:
    """*text* as one line, without character references and soft hyphens."""
    if "&" in text:
        from html import unescape  # start-up: the names of all entities, which few pages need

        text = unescape(text)
    return " ".join(text.replace("\xad", "").split())
