"""Metadata in JSON-LD (schema.org): what the item that the page is about says of itself.

linked_metadata([{"@type": "NewsArticle", "headline": "It rained", "author": {"name": "Ann Lee"}}])
# {'title': [('It rained', 'json-ld headline')], 'author': [('Ann Lee', 'json-ld author')]}
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import Any

from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import is_east_asian
from .prices import offered_price
from .statements import Statements, items_in

# Items that are visited, authors of an item, characters of a value.
MAX_ITEMS, MAX_AUTHORS, MAX_CHARS = 2_000, 30, 1_000
# Properties in which the item of a page may be. Others hold items that it mentions, lists or quotes.
_PLACES = ("@graph", "mainEntity", "mainEntityOfPage")
# Types of a page's main item, by rank, beside all that end in Article or Posting (and are no job): what has authors
# and dates; then what is sold or done; then the page itself.
_ARTICLES = tuple("Article Posting Report Recipe HowTo Review Thesis Book PodcastEpisode CreativeWork".split())
_SITES = frozenset(("WebSite", "Blog"))
_NO_ITEMS = frozenset(
    "Organization Corporation NewsMediaOrganization LocalBusiness OnlineStore Person ImageObject BreadcrumbList Place "
    "SiteNavigationElement WPHeader WPFooter WPSideBar SearchAction ReadAction ItemList ListItem Offer Brand Comment "
    "AggregateRating PostalAddress".split()
)
_RECORDINGS = frozenset(("VideoObject", "AudioObject"))
# Field → the properties that say it, the most trusted first.
_PROPERTIES = {
    "title": ("headline", "name"),
    "author": ("author", "creator"),
    "date": ("datePublished", "uploadDate", "dateCreated"),
    "modified": ("dateModified",),
    "site": ("publisher",),
    "language": ("inLanguage",),
    "license": ("license",),
    "image": ("image", "thumbnailUrl"),
    "categories": ("articleSection", "keywords"),
}
# What an image is called by, and all others.
_OF_IMAGES, _NAMES = ("url", "contentUrl", "@id"), ("name",)
_PARTS_OF_NAME = frozenset(("givenName", "familyName"))
# Fields that a page's own item has; its name is the title of the window.
_OF_PAGES = ("author", "date", "modified", "site", "language", "license")
_TAG = lazy_pattern(r"<[^<>]{1,200}>")
_NO_LETTERS = lazy_pattern(r"[\W_]+")
# The evidence of the author of a recipe in an article.
OF_RECIPE = "json-ld Recipe author"
# Each property with its field and its evidence: of an item, and of a page's own.
_OF_ITEM = [(field, name, f"json-ld {name}") for field, names in _PROPERTIES.items() for name in names]
_OF_PAGE = [(field, name, f"json-ld WebPage {name}") for field, name, _ in _OF_ITEM if field in _OF_PAGES]


def linked_metadata(values: list[Any], title: str = "") -> Statements:
    """What the JSON-LD *values* of a page say of it.

    If several articles are on the page, that of the page is the one whose headline is in *title*, the title of the
    window; if there is none, nothing is said of titles, authors and dates.
    """
    items = list(items_in(values, _PLACES, MAX_ITEMS))
    if not items:
        return {}
    kinds = [_type(item) for item in items]
    ranks = [_rank(kind) for kind in kinds]
    named = {item["@id"]: item for item in items if isinstance(item.get("@id"), str) and "name" in item}
    out: Statements = {}
    main = _main_item([item for item, rank in zip(items, ranks) if rank == 0], title) or _only(
        [item for item, rank in zip(items, ranks) if rank == 1 or rank == 4 and _is_whole(item, title)]
    )
    if (recipe := _only([item for item, kind in zip(items, kinds) if kind == "Recipe"])) not in (None, main):
        author = recipe.get("author")
        if not _type_of(author, named).endswith("Organization") and (texts := _texts(author, named)):
            out["author"] = [(text, OF_RECIPE) for text in texts]
    if main is not None:
        _add(out, main, _OF_ITEM, named)
    for item, rank in zip(items, ranks):
        if rank == 2:
            _add(out, item, _OF_PAGE, named)
    if prices := {price for item in items if "offers" in item and (price := offered_price(item))}:
        out["price"] = [(price, "json-ld offers") for price in sorted(prices)]
    for item, kind in zip(items, kinds):
        if kind in _SITES:
            out.setdefault("site", []).extend((name, "json-ld WebSite") for name in _texts(item.get("name"), named))
    return {
        field: list(dict.fromkeys(statements)) if len(statements) > 1 else statements
        for field, statements in out.items()
        if statements
    }


def _type(item: dict[str, Any]) -> str:
    """The first type of an item, without the address of its vocabulary."""
    kind = item.get("@type")
    if isinstance(kind, list) and kind:
        kind = kind[0]
    if not isinstance(kind, str):
        return ""
    return kind if kind.isalnum() else re.split("[/:#]", kind)[-1]


def _type_of(value: Any, named: dict[str, Any]) -> str:
    if not isinstance(value, dict):
        return ""
    if (kind := _type(value)) or not isinstance(reference := value.get("@id"), str):
        return kind
    return _type(named.get(reference, {}))


@lru_cache(maxsize=512)
def _rank(kind: str) -> int:
    """Of a type: 0 for an article, 1 for another thing that a page is about, 2 for the page, 4 for a recording, 3 for
    none of these."""
    if kind in _RECORDINGS:
        return 4
    if not kind or kind in _SITES or kind in _NO_ITEMS or kind.endswith("Organization"):
        return 3
    if kind.endswith("Page"):
        return 2
    return 0 if kind.endswith(_ARTICLES) and not kind.endswith("JobPosting") else 1


def _main_item(articles: list[dict[str, Any]], title: str) -> dict[str, Any] | None:
    """The article that the page is about: the only one, or the first whose headline is in the title."""
    if len(articles) <= 1:
        return articles[0] if articles else None
    keys = [_letters(_name(item, "headline", "name")) for item in articles]
    if len(set(filter(None, keys))) <= 1:
        return next((item for item, key in zip(articles, keys) if key), articles[0])
    whole = _letters(title)
    return next((item for item, key in zip(articles, keys) if len(key) > 2 and key in whole), None)


def _is_whole(recording: dict[str, Any], title: str) -> bool:
    """Whether a recording is what a page with this *title* is about."""
    return _letters(_name(recording, "name")) in _letters(title)


def _name(item: dict[str, Any], *names: str) -> str:
    """The first value of the properties *names* that an item has, as a string."""
    value = next((value for name in names if (value := item.get(name))), "")
    return " ".join(_texts(value, {})) if isinstance(value, (list, dict)) else str(value)  # it may be nested deeply


def _only(items: list[dict[str, Any]]) -> dict[str, Any] | None:
    return items[0] if len({_type(item) for item in items}) == len(items) and items else None


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", unescape(text).casefold())


def _add(out: Statements, item: dict[str, Any], properties: list[tuple[str, str, str]], named: dict[str, Any]) -> None:
    """Adds what an item says by *properties*, each a field, its name and its evidence."""
    for field, name, evidence in properties:
        if (value := item.get(name)) is None:
            continue
        if field == "site" and _type_of(value, named) == "Person":
            continue
        texts = _texts(value, named, _OF_IMAGES if field == "image" else _NAMES)
        if texts:
            out.setdefault(field, []).extend([(text, evidence) for text in texts])


def _texts(value: Any, named: dict[str, Any], names: tuple[str, ...] = _NAMES) -> list[str]:
    """The texts of a value: of a string, of the *names* of an object or of the one it refers to, of those in a list."""
    if isinstance(value, str):  # for speed: most are
        return [text] if (text := _text_of(value)) else []
    out: list[str] = []
    todo = [value]
    while todo and len(out) < MAX_AUTHORS:
        value = todo.pop()
        if isinstance(value, str):
            if text := _text_of(value):
                out.append(text)
        elif isinstance(value, list):
            todo += reversed(value[:MAX_AUTHORS])
        elif isinstance(value, dict):
            reference = value.get("@id")
            if not any(name in value for name in names) and isinstance(reference, str):
                value = named.get(reference, {})
            inner = next((value[name] for name in (*names, "@value") if isinstance(value.get(name), (str, list))), None)
            if isinstance(inner, list):
                inner = [text for text in inner if isinstance(text, str)]
            if inner:
                todo.append(inner)
            elif names is _NAMES and not _PARTS_OF_NAME.isdisjoint(value):
                todo.append(_full_name(value))
    return out


def _full_name(person: dict[str, Any]) -> str:
    """The name of a person that has its parts alone."""
    given, family = (_name(person, name) for name in ("givenName", "familyName"))
    return family + given if is_east_asian(family) else f"{given} {family}"


def _text_of(value: str) -> str:
    """A string without tags and character references."""
    text = value[: 2 * MAX_CHARS]
    if "&" in text or "<" in text:
        text = unescape(text)
        text = _TAG.sub(" ", text) if "<" in text else text
    return " ".join(text.split())[:MAX_CHARS]
