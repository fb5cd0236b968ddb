"""Metadata in `<meta>`: Open Graph, Dublin Core, Highwire Press, and the names that sites made up.

tag_statements([("og:site_name", "The Gazette"), ("citation_author", "Lee, Ann")])
# {'opengraph': {'site': [('The Gazette', 'meta og:site_name')]},
#  'dublin-core': {'author': [('Lee, Ann', 'meta citation_author')]}}
"""

from __future__ import annotations

from operator import itemgetter

from ..tree.survey import Survey
from .statements import Statements, absolute_address

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
        _add_cards(out, cards)
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


def _add_cards(out: dict[str, Statements], cards: dict[str, str]) -> None:
    """Adds the author of Twitter's cards, by their labels and data."""
    for label, data in _AUTHOR_CARDS:
        if cards.get(label, "").casefold().strip(" :") in _AUTHOR_LABELS:
            out.setdefault("meta", {}).setdefault("author", []).append((cards.get(data, ""), f"meta {data}"))
