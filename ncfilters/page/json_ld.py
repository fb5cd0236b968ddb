"""JSON-LD (schema.org): the content that a page carries as data for machines.

texts(load_json('{"@type": "Product", "name": "A lamp", "description": "It shines."}'))
# [("Product", "name", "A lamp"), ("Product", "description", "It shines.")]
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

import orjson

# Properties with content in words. That of BODIES is looked at first: a description often repeats its beginning.
BODIES = frozenset(("articleBody", "text", "reviewBody", "commentText", "transcript"))
WORDS = BODIES | frozenset(
    "description name headline alternativeHeadline abstract disambiguatingDescription recipeIngredient "
    "recipeInstructions tool supply responsibilities qualifications skills jobBenefits experienceRequirements "
    "educationRequirements positiveNotes negativeNotes".split()
)
# What is about the site and its people rather than the page: properties and types whose content is left alone.
ASIDE = frozenset(
    "author publisher creator editor contributor copyrightHolder sourceOrganization hiringOrganization provider "
    "organizer performer image logo photo thumbnail brand manufacturer isPartOf breadcrumb potentialAction address geo "
    "location aggregateRating reviewRating contactPoint openingHoursSpecification parentOrganization seller "
    "mainEntityOfPage".split()
)
ASIDE_TYPES = frozenset(
    "Organization Corporation NewsMediaOrganization OnlineStore Person WebSite ImageObject BreadcrumbList "
    "SiteNavigationElement WPHeader WPFooter WPSideBar SearchAction ReadAction ContactPoint PostalAddress Brand Rating "
    "AggregateRating OpeningHoursSpecification".split()
)
# The names of pages are for the title bar. What describes them, and articles, is a summary for search engines.
PAGES = "WebPage CollectionPage ItemPage AboutPage ContactPage FAQPage ProfilePage SearchResultsPage".split()
TITLES = frozenset(("name", page) for page in PAGES)
SUMMARISED = frozenset(
    [*PAGES, *"Article NewsArticle BlogPosting TechArticle Report ScholarlyArticle LiveBlogPosting VideoObject".split()]
)
NAMES = frozenset(("name", "headline", "alternativeHeadline"))
NAMED = frozenset(("Question", "HowToStep", "HowToSection", "HowToDirection"))

# Bounds: characters of data, values looked at, and characters for the patient reader, which takes thirty times as long.
MAX_CHARS, MAX_VALUES, MAX_LENIENT_CHARS = 1 << 22, 100_000, 1 << 20

_BEFORE = re.compile(r"(?:\s|\ufeff|//|/\*|\*/|<!--|<!\[CDATA\[)*")
_BEHIND, _CLOSING = " \t\r\n;/*", ("-->", "]]>")
_COMMA = re.compile(r",(?=\s*[}\]])")
_VOCABULARY = re.compile("[/:#]")
_SURROGATE = re.compile("[\ud800-\udfff]")

Found = tuple[str, str, str]


def load_json(text: str) -> Any:
    """The value of a JSON text, None if it is not to be read. Line breaks in strings, commas too many, comments and
    CDATA around it, semicolons behind it and escaped quotes are forgiven."""
    if len(text) > MAX_CHARS:
        return None
    try:
        return orjson.loads(text)
    except ValueError:
        return _load_leniently(text)


def _load_leniently(text: str) -> Any:
    if len(text) > MAX_LENIENT_CHARS:
        return None
    start = _BEFORE.match(text)
    text = text[start.end() if start else 0 :].rstrip(_BEHIND)
    for closing in _CLOSING * 2:
        text = text.removesuffix(closing).rstrip(_BEHIND)
    if text[:8].lstrip("[{ \n").startswith("&quot;"):
        text = html.unescape(text)
    for attempt in (text, _COMMA.sub("", text)):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def texts(value: Any, all_of_it: bool = True) -> list[Found]:
    """The content: the type of its object, its property, and its text, which may be HTML.

    Not *all of it* is what tells something: no prices, properties and summaries, and no names but those of questions
    and steps. An object's own text comes before that of the objects in it. At most MAX_VALUES values are looked at.
    """
    out: list[Found] = []
    todo: list[tuple[Any, str, str]] = [(value, "", "")]
    left = MAX_VALUES
    while todo and left > 0:
        value, kind, field = todo.pop()
        left -= 1
        if type(value) is str:
            if value and field in WORDS and (all_of_it or _is_sentence(kind, field)) and (field, kind) not in TITLES:
                out.append((kind, field, _SURROGATE.sub("\ufffd", value)))
        elif type(value) is list:
            todo += [(item, kind, field) for item in reversed(value[:left]) if item]
        elif type(value) is dict:
            kind = _type(value) or kind
            if kind in ASIDE_TYPES:
                continue
            if "@value" in value:
                todo.append((value["@value"], kind, field))
                continue
            if all_of_it and ("price" in value or "lowPrice" in value):
                out += _price(value, kind)
            todo += [
                (item, kind, name)
                for name, item in reversed(value.items())
                if item and type(item) in _DEEP and name not in ASIDE
            ]
            if kind == "PropertyValue":
                if all_of_it:
                    out += _property(value)
            else:
                todo += [
                    (item, kind, name) for name, item in reversed(value.items()) if name in WORDS and type(item) is str
                ]
    return out


def _is_sentence(kind: str, field: str) -> bool:
    """Whether a property tells something, rather than naming or summing up."""
    if field in NAMES:
        return kind in NAMED
    return field != "description" or kind not in SUMMARISED


_DEEP = (dict, list)


def _type(value: dict[str, Any]) -> str:
    """The first type of an object, without the address of its vocabulary."""
    kind = value.get("@type")
    if type(kind) is list and kind:
        kind = kind[0]
    if type(kind) is not str:
        return ""
    return kind if kind.isalpha() else _VOCABULARY.split(kind)[-1]


def _price(value: dict[str, Any], kind: str) -> list[Found]:
    """The price of an offer, with its currency."""
    price = value.get("price", value.get("lowPrice"))
    if type(price) not in (str, int, float) or not str(price).strip():
        return []
    currency = value.get("priceCurrency")
    text = f"{price} {currency}" if type(currency) is str else str(price)
    return [(kind, "price", _SURROGATE.sub("\ufffd", text.strip()))]


def _property(value: dict[str, Any]) -> list[Found]:
    """A property of a product, as the row of a table."""
    name, worth = value.get("name"), value.get("value")
    if type(name) is not str or type(worth) not in (str, int, float):
        return []
    return [
        (
            "PropertyValue",
            "property",
            _SURROGATE.sub("\ufffd", f"{' '.join(name.split())}\t{' '.join(str(worth).split())}"),
        )
    ]
