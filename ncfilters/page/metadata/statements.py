"""Statements of a page about itself: a source, such as its JSON-LD, says a text of a field; and how fields are read.

found = statements_by_field({"meta": {"author": [("Ann Lee", "meta author")]}})
Reader(found, "https://gazette.org/rain").statements("author")    # [('meta', ('Ann Lee', 'meta author'))]
tag_statements([("og:site_name", "The Gazette")])
# {'opengraph': {'site': [('The Gazette', 'meta og:site_name')]}}

Tags are those of Open Graph, Dublin Core and Highwire Press, and names that sites made up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from ...text.lazy_pattern import lazy_pattern
from ..tree.survey import Survey

# The text of a field, and its evidence: where it is from.
Statement = tuple[str, str]
# Field → its statements, the most trusted first.
Statements = dict[str, list[Statement]]
# Field → the source of each statement, its text and its evidence.
ByField = dict[str, list[tuple[str, Statement]]]

# The sources of statements, the most trusted first.
LINKED, RELATED, GRAPH = "json-ld", "rel-author", "opengraph"
TRUST = (LINKED, GRAPH, "dublin-core", "microdata", "meta", RELATED, "time", "byline")
# Elements with rel=author, and authors in microdata, of different names, of a page that has authors itself.
MAX_RELATED, MAX_ITEM_AUTHORS = 3, 10
_MOST_AUTHORS = {RELATED: MAX_RELATED, "microdata": MAX_ITEM_AUTHORS}
# Statements about a field that are read. Of the development pages, none has 30 about its authors.
MAX_STATEMENTS = 1_000
# Characters of an address.
MAX_URL_CHARS = 2_000
# An address that is the same when it is joined with another, as most are; and signs that none has.
_PLAIN_ADDRESS = lazy_pattern(r"https?://[\w-]+(?:\.[\w-]+)+/[\w./%~+,=@!:*()-]*(?:\?[\w./%~+,=@!&:;*()-]+)?", re.A)
_NO_ADDRESS = lazy_pattern(r"[\s<>\"]")
# More slashes than two before a host, which browsers ignore: "https:////a.example/b.jpg".
_SLASHES = lazy_pattern(r"^\s*(https?:)?/{3,}(?=[\w-]+(?:\.[\w-]+)+/)", re.I)

# Characters of a content.
MAX_CHARS = 2_000
OPEN_GRAPH_ADDRESS = "og:url"
# Vocabulary → field → its tags, the most trusted first.
_TAGS: dict[str, dict[str, str]] = {
    "opengraph": {
        "title": "og:title",
        "author": "article:author og:article:author og:author book:author video:director music:musician",
        "date": "article:published_time og:article:published_time og:published_time og:pubdate article:published "
        "article:publish_date book:release_date video:release_date music:release_date",
        "modified": "article:modified_time og:article:modified_time og:modified_time og:updated_time article:modified",
        "site": "og:site_name",
        "language": "og:locale",
        "canonical": OPEN_GRAPH_ADDRESS,
        "image": "og:image og:image:url og:image:secure_url",
        "categories": "article:section article:tag og:article:section og:article:tag",
        "price": "product:price:amount og:price:amount",
        "currency": "product:price:currency og:price:currency",
    },
    "dublin-core": {
        "title": "citation_title dc.title dcterms.title dc:title dcterms:title eprints.title bepress_citation_title",
        "author": "citation_author citation_authors dc.creator dcterms.creator dc:creator dcterms:creator dc.author "
        "eprints.creators_name bepress_citation_author",
        "date": "citation_publication_date citation_date citation_online_date dc.date.issued dcterms.issued "
        "dcterms.available dc.date.created dcterms.created dc:created dc.date.published dc.date dcterms.date dc:date "
        "prism.publicationdate eprints.date",
        "modified": "dc.date.modified dcterms.modified dc:modified",
        "site": "dc.publisher.site dc.source.site",
        "language": "dc.language dcterms.language dc:language citation_language",
        "license": "dc.rights.license dcterms.license dc:license dc.rights.uri",
        "categories": "dc.subject dcterms.subject dc:subject citation_keywords",
    },
    "meta": {
        "title": "parsely-title sailthru.title twitter:title title headline",
        "author": "author parsely-author sailthru.author article_author article.author byl authors cxenseparse:author "
        "creator web_author shareaholic:article_author_name blogger",
        "date": "parsely-pub-date sailthru.date cxenseparse:recs:publishtime cxenseparse:publishtime publish_date "
        "publish-date publishdate publication_date pubdate date_published datepublished originalpublicationdate "
        "article_date_original article.published published_at published published_time published-date "
        "w-published-date date date.created created "
        "displaydate dateposted cludo:date release_date rnews:datepublished gsa_date ms.date",
        "modified": "last-modified lastmod last_modified last-updated lastupdated revised datemodified date.modified "
        "cdc:last_updated date_modified modified-date updated updated_at",
        "site": "application-name cre apple-mobile-web-app-title",
        "language": "content-language language",
        "license": "license copyright-license rights-license",
        "image": "twitter:image twitter:image:src thumbnail",
        "categories": "parsely-section news_keywords",
    },
}
# Tag → its field, its rank there, its evidence and its vocabulary.
_PLACE_OF = {
    tag: (field, rank, f"meta {tag}", vocabulary)
    for vocabulary, fields in _TAGS.items()
    for field, tags in fields.items()
    for rank, tag in enumerate(tags.split())
}
# The labels of Twitter's cards whose data is the author, in English and other languages of WordPress.
_AUTHOR_LABELS = frozenset(
    "written by|verfasst von|écrit par|escrito por|geschreven door|scritto da|autor|napisane przez|написано автором|"
    "yazan|skriven av|by".split("|")
)
# The labels of cards, and their data.
_AUTHOR_CARDS = tuple((f"twitter:label{number}", f"twitter:data{number}") for number in "12")
_CARDS = frozenset(name for card in _AUTHOR_CARDS for name in card)


def items_in(values: list[Any], places: Sequence[str], most: int) -> Iterator[dict[str, Any]]:
    """The items of JSON-LD in *values*, and in the properties *places* of these, in order; at most so many."""
    todo: list[Any] = list(reversed(values))
    left = most
    while todo and left > 0:
        value = todo.pop()
        left -= 1
        if isinstance(value, list):
            todo += reversed(value[:left])
        elif isinstance(value, dict):
            yield value
            todo += [value[name] for name in reversed(places) if isinstance(value.get(name), (dict, list))]


class Reader:
    """Reads fields from the statements about each, in the order of trust, of a page with an address."""

    def __init__(self, by_field: ByField, url: str) -> None:
        self.by_field, self.url = by_field, url

    def statements(self, field: str) -> Sequence[tuple[str, Statement]]:
        """The source, the text and the evidence of all that is said of a field."""
        return self.by_field.get(field, ())

    def first(self, field: str, read: Callable[[str], str]) -> tuple[str, str] | None:
        """What *read* makes of the first statement of which it makes something, and its evidence."""
        for _, (text, evidence) in self.statements(field):
            if value := read(text):
                return value, evidence
        return None

    def address(self, text: str) -> str:
        """*text* as an absolute address; empty if it is none."""
        return absolute_address(text, self.url)


def absolute_address(text: str, url: str) -> str:
    """*text*, an address on a page at *url*, as an absolute address; empty if it is none."""
    has_plain_url = not url or _PLAIN_ADDRESS.fullmatch(url)
    if has_plain_url and len(text) <= MAX_URL_CHARS and _PLAIN_ADDRESS.fullmatch(text):
        return text
    from urllib.parse import urljoin, urlsplit  # start-up: few pages have other addresses

    try:
        text = _SLASHES.sub(r"\1//", text, count=1) if _SLASHES.match(text) else text
        address = urljoin(url, text.strip()[: 2 * MAX_URL_CHARS])
        is_address = bool(urlsplit(address).hostname)
    except ValueError:
        return ""
    is_address = is_address and address.startswith(("http://", "https://")) and not _NO_ADDRESS.search(address)
    return address if is_address and len(address) <= MAX_URL_CHARS else ""


def statements_by_field(sources: dict[str, Statements]) -> ByField:
    """The source, the text and the evidence of the first MAX_STATEMENTS that say something of a field, for each."""
    out: ByField = {}
    for source in TRUST:
        for field, statements in sources.get(source, {}).items():
            # those who wrote the articles that a page lists are not its authors
            if field != "author" or len(statements) <= _MOST_AUTHORS.get(source, MAX_STATEMENTS):
                out.setdefault(field, []).extend([(source, statement) for statement in statements])
    return {field: found[:MAX_STATEMENTS] for field, found in out.items()}


def line(text: str) -> str:
    """*text* as one line, without character references and soft hyphens."""
    if "&" in text:
        from html import unescape  # start-up: the names of all entities, which few pages need

        text = unescape(text)
    return " ".join(text.replace("\xad", "").split())


def lines(statements: Sequence[tuple[str, Statement]]) -> list[str]:
    """The texts of *statements*, each as one line."""
    return [line(text) for _, (text, _) in statements]


def tag_statements(tags: list[tuple[str | None, str | None]]) -> dict[str, Statements]:
    """What the tags of a page, each a name and a content, say: by vocabulary, then by field."""
    ranked: list[tuple[int, str, str, str, str]] = []
    cards: dict[str, str] = {}
    for tag, content in tags:
        if not tag or not content:
            continue
        name = tag.strip().lower()
        if place := _PLACE_OF.get(name):
            field, rank, evidence, vocabulary = place
            ranked.append((rank, vocabulary, field, content[:MAX_CHARS], evidence))
        elif name in _CARDS:
            cards.setdefault(name, content[:MAX_CHARS])
    out: dict[str, Statements] = {}
    for _, vocabulary, field, content, evidence in sorted(ranked, key=itemgetter(0)):
        out.setdefault(vocabulary, {}).setdefault(field, []).append((content, evidence))
    if cards:
        for label, data in _AUTHOR_CARDS:
            if cards.get(label, "").casefold().strip(" :") in _AUTHOR_LABELS:
                out.setdefault("meta", {}).setdefault("author", []).append((cards.get(data, ""), f"meta {data}"))
    return out


def declared_address(found: Survey) -> str | None:
    """The absolute address that the page with the survey *found* declares: its canonical one, or that of Open Graph;
    None if it declares none. A relative one is resolved by the base, which itself is often that of the site alone."""
    graph = [content for name, content in found.metas if (name or "").strip().lower() == OPEN_GRAPH_ADDRESS]
    if not found.canonicals and not graph:
        return None
    base = absolute_address(found.bases[0], "") if found.bases else ""
    addresses = (absolute_address(address, base) for address in (*found.canonicals, *graph) if address)
    return next(filter(None, addresses), None)
