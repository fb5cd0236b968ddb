"""JSON-LD (schema.org): the content of a page as structured data, also where it is not quite JSON.

linked_texts({"@type": "Product", "name": "A lamp", "description": "It shines."})
# [("Product", "name", "A lamp"), ("Product", "description", "It shines.")]
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import orjson

from ...text.lazy_pattern import lazy_pattern

# Properties whose value is text. The text of BODIES is compared first, because descriptions often repeat its beginning.
BODIES = frozenset(("articleBody", "text", "reviewBody", "commentText", "transcript"))
TEXT_PROPERTIES = BODIES | frozenset(
    "description name headline alternativeHeadline abstract disambiguatingDescription recipeIngredient "
    "recipeInstructions tool supply responsibilities qualifications skills jobBenefits experienceRequirements "
    "educationRequirements positiveNotes negativeNotes".split()
)
# Properties and types about the site and its people rather than the page. Their content is ignored.
IGNORED_PROPERTIES = frozenset(
    "author publisher creator editor contributor copyrightHolder sourceOrganization hiringOrganization provider "
    "organizer performer image logo photo thumbnail brand manufacturer isPartOf breadcrumb potentialAction address geo "
    "location aggregateRating reviewRating contactPoint openingHoursSpecification parentOrganization seller "
    "mainEntityOfPage".split()
)
IGNORED_TYPES = frozenset(
    "Organization Corporation NewsMediaOrganization OnlineStore Person WebSite ImageObject BreadcrumbList "
    "SiteNavigationElement WPHeader WPFooter WPSideBar SearchAction ReadAction ContactPoint PostalAddress Brand Rating "
    "AggregateRating OpeningHoursSpecification".split()
)
# The name of a page is its window title. The description of a page or an article is a summary for search engines.
PAGE_TYPES = "WebPage CollectionPage ItemPage AboutPage ContactPage FAQPage ProfilePage SearchResultsPage".split()
WINDOW_TITLES = frozenset(("name", page) for page in PAGE_TYPES)
SUMMARISED_TYPES = frozenset(
    [
        *PAGE_TYPES,
        *"Article NewsArticle BlogPosting TechArticle Report ScholarlyArticle LiveBlogPosting VideoObject".split(),
    ]
)
NAME_PROPERTIES = frozenset(("name", "headline", "alternativeHeadline"))
# Types whose names are sentences.
NAMED_TYPES = frozenset(("Question", "HowToStep", "HowToSection", "HowToDirection"))

# Values that are visited in one text, and texts that are returned.
MAX_VALUES, MAX_TEXTS = 100_000, 2_000

_VOCABULARY = lazy_pattern("[/:#]")
_SURROGATE = lazy_pattern("[\ud800-\udfff]")

# The type of an object, one of its properties, and the text of that property.
LinkedText = tuple[str, str, str]

_CONTAINERS = (dict, list)

# Characters of a text that is read; of one that the lenient reader reads, which takes thirty times as long; and of one
# in which a value ends before the text does.
MAX_CHARS, MAX_LENIENT_CHARS, MAX_PREFIX_CHARS = 1 << 22, 1 << 20, 1 << 22

_BEFORE = lazy_pattern(r"(?:\s|\ufeff|//|/\*|\*/|<!--|<!\[CDATA\[)*")
_AFTER, _CLOSING = " \t\r\n;/*", ("-->", "]]>")
_SUPERFLUOUS_COMMA = lazy_pattern(r",(?=\s*[}\]])")


def linked_texts(value: Any, everything: bool = True) -> list[LinkedText]:
    """The content of a JSON-LD value: the type of its object, its property, and its text, which may be HTML.

    Without *everything*, prices, properties of products and summaries are left out, and names except those of questions
    and steps. The text of an object comes before that of the objects in it. At most MAX_VALUES values
    are visited, and MAX_TEXTS returned, or a few more.
    """
    out: list[LinkedText] = []
    todo: list[tuple[Any, str, str]] = [(value, "", "")]
    left = MAX_VALUES
    while todo and left > 0 and len(out) < MAX_TEXTS:
        value, kind, field = todo.pop()
        left -= 1
        if type(value) is str:
            is_text = field in TEXT_PROPERTIES and (everything or _is_content(kind, field))
            if value and is_text and (field, kind) not in WINDOW_TITLES:
                out.append((kind, field, _without_surrogates(value)))
        elif type(value) is list:
            todo += [(item, kind, field) for item in reversed(value[:left]) if item]
        elif type(value) is dict:
            kind = type_of(value) or kind
            if kind in IGNORED_TYPES:
                continue
            if "@value" in value:
                todo.append((value["@value"], kind, field))
                continue
            if everything and ("price" in value or "lowPrice" in value):
                out += _price(value, kind)
            todo += [
                (item, kind, name)
                for name, item in reversed(value.items())
                if item and type(item) in _CONTAINERS and name not in IGNORED_PROPERTIES
            ]
            if kind == "PropertyValue":
                if everything:
                    out += _property(value)
            else:
                todo += [
                    (item, kind, name)
                    for name, item in reversed(value.items())
                    if name in TEXT_PROPERTIES and type(item) is str
                ]
    return out


def _is_content(kind: str, field: str) -> bool:
    """Whether a property is content, rather than a name or a summary."""
    if field in NAME_PROPERTIES:
        return kind in NAMED_TYPES
    return field != "description" or kind not in SUMMARISED_TYPES


def type_of(value: dict[str, Any]) -> str:
    """The first type of an object, without the address of its vocabulary."""
    kind = value.get("@type")
    if type(kind) is list and kind:
        kind = kind[0]
    if type(kind) is not str:
        return ""
    return kind if kind.isalpha() else _VOCABULARY.split(kind)[-1]


def _price(value: dict[str, Any], kind: str) -> list[LinkedText]:
    """The price of an offer, with its currency."""
    price = value.get("price", value.get("lowPrice"))
    if type(price) not in (str, int, float) or not str(price).strip():
        return []
    currency = value.get("priceCurrency")
    text = f"{price} {currency}" if type(currency) is str else str(price)
    return [(kind, "price", _without_surrogates(text.strip()))]


def _property(value: dict[str, Any]) -> list[LinkedText]:
    """A property of a product, as the row of a table."""
    name, amount = value.get("name"), value.get("value")
    if type(name) is not str or type(amount) not in (str, int, float):
        return []
    row = f"{' '.join(name.split())}\t{' '.join(str(amount).split())}"
    return [("PropertyValue", "property", _without_surrogates(row))]


def _without_surrogates(text: str) -> str:
    """A text with U+FFFD for lone surrogates."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)


def load_json(text: str) -> Any:
    """The value of a JSON text, or None if it has none or is longer than MAX_CHARS.

    Tolerated are line breaks in strings, superfluous commas, comments and CDATA around the value, semicolons after it
    and escaped quotes.
    """
    if len(text) > MAX_CHARS:
        return None
    try:
        return orjson.loads(text)
    except ValueError:
        if len(text) > MAX_LENIENT_CHARS:
            return None
        start = _BEFORE.match(text)
        text = text[start.end() if start else 0 :].rstrip(_AFTER)
        for closing in _CLOSING * 2:
            text = text.removesuffix(closing).rstrip(_AFTER)
        if text[:8].lstrip("[{ \n").startswith("&quot;"):
            from html import unescape  # start-up: the names of all entities, which few pages need

            text = unescape(text)
        without_commas = _SUPERFLUOUS_COMMA.sub("", text)
        for attempt in (text, without_commas) if len(without_commas) < len(text) else (text,):
            try:
                return _decoder().decode(attempt)
            except (ValueError, RecursionError):
                continue
        return None


def load_json_at(text: str, start: int) -> Any:
    """The JSON value that begins at *start*, whatever follows it; None if there is none."""
    if len(text) - start > MAX_PREFIX_CHARS:
        return None
    try:
        return _decoder().raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(strict=False)
