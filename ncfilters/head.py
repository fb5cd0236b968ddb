"""The `head` of a record: its fields in one table, which all read that find, check or write metadata; what models read.

[field.name for field in FIELDS if field.kind == "day"]    # ['date', 'modified']
without_metadata({"title": "Rain", "site": "Log", "evidence": {"site": "url"}})    # {'title': 'Rain'}

To add a field, add its line to FIELDS: it is found, checked, and written to all forms. Describe it in nc-stream(5).
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from typing import Any, NamedTuple

from .errors import RecordError

# Characters of a title or description, and kinds of a page.
MAX_TITLE_CHARS, MAX_KINDS = 300, 30


class Field(NamedTuple):
    """A field of the metadata. *kind*: how it is read (a name in `page_metadata.READERS`), `names` and `list` as
    arrays; *tags*: the names of `<meta>`, by vocabulary, the most trusted first; *linked*: properties of JSON-LD, also
    of the page itself (*of_page*); *items*: properties of microdata and RDFa in small letters; *html* and *tei*: its
    element, where it is written as others of its kind are; *unchosen*: what was not chosen of it is in
    `alternatives`."""

    name: str
    kind: str
    tags: dict[str, str]
    linked: str = ""
    of_page: bool = False
    items: str = ""
    html: str = ""
    tei: str = ""
    unchosen: bool = False

    @property
    def is_list(self) -> bool:
        """Whether its value is an array of strings."""
        return self.kind in ("names", "list")


# The vocabularies of tags.
GRAPH, DUBLIN_CORE, OTHER = "opengraph", "dublin-core", "meta"
# The fields in the order of the head.
FIELDS = (
    Field(
        "title", "title",
        {
            GRAPH: "og:title",
            DUBLIN_CORE: "citation_title dc.title dcterms.title dc:title dcterms:title eprints.title "
            "bepress_citation_title",
            OTHER: "parsely-title sailthru.title twitter:title title headline",
        },
        linked="headline name", items="headline", tei="title", unchosen=True,
    ),
    Field(
        "author", "names",
        {
            GRAPH: "article:author og:article:author og:author book:author video:director music:musician",
            DUBLIN_CORE: "citation_author citation_authors dc.creator dcterms.creator dc:creator dcterms:creator "
            "dc.author eprints.creators_name bepress_citation_author",
            OTHER: "author parsely-author sailthru.author article_author article.author byl authors "
            "cxenseparse:author creator web_author shareaholic:article_author_name blogger",
        },
        linked="author creator", of_page=True, items="author creator", html='meta name="author"', tei="author",
        unchosen=True,
    ),
    Field(
        "date", "day",
        {
            GRAPH: "article:published_time og:article:published_time og:published_time og:pubdate article:published "
            "article:publish_date book:release_date video:release_date music:release_date",
            DUBLIN_CORE: "citation_publication_date citation_date citation_online_date dc.date.issued dcterms.issued "
            "dcterms.available dc.date.created dcterms.created dc:created dc.date.published dc.date dcterms.date "
            "dc:date prism.publicationdate eprints.date",
            OTHER: "parsely-pub-date sailthru.date cxenseparse:recs:publishtime cxenseparse:publishtime publish_date "
            "publish-date publishdate publication_date pubdate date_published datepublished originalpublicationdate "
            "article_date_original article.published published_at published published_time published-date "
            "w-published-date date date.created created displaydate dateposted cludo:date release_date "
            "rnews:datepublished gsa_date ms.date",
        },
        linked="datePublished uploadDate dateCreated", of_page=True, items="datepublished", html='meta name="date"',
        tei='date type="published"', unchosen=True,
    ),
    Field(
        "modified", "day",
        {
            GRAPH: "article:modified_time og:article:modified_time og:modified_time og:updated_time article:modified",
            DUBLIN_CORE: "dc.date.modified dcterms.modified dc:modified",
            OTHER: "last-modified lastmod last_modified last-updated lastupdated revised datemodified date.modified "
            "cdc:last_updated date_modified modified-date updated updated_at",
        },
        linked="dateModified", of_page=True, items="datemodified", html='meta property="article:modified_time"',
        tei='date type="modified"', unchosen=True,
    ),
    Field(
        "site", "site",
        {
            GRAPH: "og:site_name",
            DUBLIN_CORE: "dc.publisher.site dc.source.site",
            OTHER: "application-name cre apple-mobile-web-app-title",
        },
        linked="publisher", of_page=True, html='meta property="og:site_name"', tei="publisher", unchosen=True,
    ),
    Field("description", "", {}, html='meta name="description"'),  # of any head
    Field(
        "language", "language",
        {
            GRAPH: "og:locale",
            DUBLIN_CORE: "dc.language dcterms.language dc:language citation_language",
            OTHER: "content-language language",
        },
        linked="inLanguage", of_page=True,
    ),
    Field("canonical", "canonical", {GRAPH: "og:url"}, html='link rel="canonical"'),
    Field(
        "license", "license",
        {
            DUBLIN_CORE: "dc.rights.license dcterms.license dc:license dc.rights.uri",
            OTHER: "license copyright-license rights-license",
        },
        linked="license", of_page=True, html='link rel="license"',
    ),
    Field(
        "image", "image",
        {GRAPH: "og:image og:image:url og:image:secure_url", OTHER: "twitter:image twitter:image:src thumbnail"},
        linked="image thumbnailUrl",
    ),
    Field(
        "categories", "list",
        {
            GRAPH: "article:section article:tag og:article:section og:article:tag",
            DUBLIN_CORE: "dc.subject dcterms.subject dc:subject citation_keywords",
            OTHER: "parsely-section news_keywords",
        },
        linked="articleSection keywords", html='meta name="keywords"',
    ),
    Field("price", "price", {GRAPH: "product:price:amount og:price:amount"}, items="price lowprice"),
)  # fmt: skip
# What is read with the price, and is no field.
CURRENCY = Field(
    "currency", "", {GRAPH: "product:price:currency og:price:currency"}, items="pricecurrency"
)  # fmt: skip
NAMES = tuple(field.name for field in FIELDS)
_LISTS = frozenset(("kinds", *(field.name for field in FIELDS if field.is_list)))
_STRINGS = frozenset(("declared_title", *NAMES)) - _LISTS
# What models read of a head.
_MODEL_FIELDS = ("title", "description", "kinds", "declared_title")


def add_head(record: dict[str, Any], head: dict[str, Any], url: str | None = None) -> None:
    """Sets the `url` of *record*, if it is known and the record has none, and its `head`, unless *head* is empty or the
    record has one. A head without metadata gets those of *head*; what models read of it stays as it is, if it is of its
    type."""
    if url and not record.get("url"):
        record["url"] = url
    if not head:
        return
    own = record.setdefault("head", head)
    if own is head or not isinstance(own, dict) or has_metadata(own) or not has_metadata(head):
        return
    added = {name: value for name, value in head.items() if name not in _MODEL_FIELDS}
    if (title := head.get("title", "")) and title != declared_title(own):
        added |= {"title": title, "declared_title": declared_title(own)}
    record["head"] = {**{name: value for name, value in own.items() if _is_valid(name, value)}, **added}


def has_metadata(head: object) -> bool:
    """Whether a head has the metadata of the page (see `page_metadata`)."""
    return isinstance(head, dict) and isinstance(head.get("evidence"), dict)


def declared_title(head: dict[str, Any]) -> str:
    """The title that the page declares, of a head: what models read. Empty if there is none."""
    title = head.get("declared_title", head.get("title"))
    return title if isinstance(title, str) else ""


def without_metadata(head: dict[str, Any]) -> dict[str, Any]:
    """The head as it is without the metadata of the page: what models read."""
    if not has_metadata(head):
        return head
    fields = {"title": declared_title(head), "description": head.get("description"), "kinds": head.get("kinds")}
    return {name: value for name, value in fields.items() if value}


def check_head(head: dict[str, Any]) -> None:
    """Raises RecordError for the first field of a head with metadata that is not of its type. Of other heads, such
    fields are ignored."""
    if not has_metadata(head):
        return
    wrong = [f"head.{name}" for name, value in head.items() if not _is_valid(name, value)]
    wrong += [f"head.evidence.{name}" for name, value in head["evidence"].items() if not isinstance(value, str)]
    if wrong:
        raise RecordError(f"{wrong[0]}: not as in nc-stream(5)")


def _is_valid(name: str, value: object) -> bool:
    if name in _LISTS:
        return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
    return isinstance(value, str) or name not in _STRINGS
