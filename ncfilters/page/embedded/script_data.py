"""Texts in the scripts of a page: JSON-LD (schema.org), also where it is not quite JSON, and hydration data.

    linked_texts({"@type": "Product", "name": "A lamp", "description": "It shines."})
    # [("Product", "name", "A lamp"), ("Product", "description", "It shines.")]
    script = 'window.__STATE__ = {"post": {"body": "It rained all day, and nobody went out. Then it stopped."}};'
    prose_texts([("", script)])    # [("post/body", "It rained all day, and nobody went out. Then it stopped.")]

Hydration data is what JavaScript makes a page of: scripts of the type `application/json` (Next.js and others), JSON
assigned to a variable, directly or by `JSON.parse`, and the stream of React's server components (`self.__next_f.push`).
Other JavaScript is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

import orjson

from ...text.lazy_pattern import lazy_pattern
from ...text.scripts import MIN_UNSPACED_CHARS, is_prose, sentences_in_json
from ..dom_path import MAX_NAME_CHARS

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
PAGE_TYPES = frozenset(
    "WebPage CollectionPage ItemPage AboutPage ContactPage FAQPage ProfilePage SearchResultsPage".split()
)
SUMMARISED_TYPES = PAGE_TYPES | frozenset(
    "Article NewsArticle BlogPosting TechArticle Report ScholarlyArticle LiveBlogPosting VideoObject".split()
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

# Characters of a text that is read; of one that the lenient reader reads, which takes thirty times as long; and of one
# in which a value ends before the text does.
MAX_CHARS, MAX_LENIENT_CHARS, MAX_PREFIX_CHARS = 1 << 22, 1 << 20, 1 << 22

_BEFORE = lazy_pattern(r"(?:\s|\ufeff|//|/\*|\*/|<!--|<!\[CDATA\[)*")
_AFTER, _CLOSING = " \t\r\n;/*", ("-->", "]]>")
_SUPERFLUOUS_COMMA = lazy_pattern(r",(?=\s*[}\]])")

# Bounds of a page: texts that are returned, values that are visited, and characters of the names that lead to a text.
MAX_PROSE_TEXTS, MAX_PROSE_VALUES, MAX_NAMES_CHARS = 1_000, 50_000, 200
# The fewest sentences of a script that is read, and the characters before its first assignment.
MIN_SENTENCES, MAX_BEFORE_ASSIGNMENT = 2, 2_000
# Names of data about the interface rather than the page. To `re`, the Turkish ı is an i in another case.
INTERFACE_NAMES = lazy_pattern(
    r"(?i)(?!.*(?-i:ı))(?:translations?|messages?|i18n|intl|locales?|dictionary|labels?|l10n|strings|errors?|config|consent"
    r"|cookies?|privacy|seo|meta(?:data|tags)?|styles?|css|scripts?|query|queries|svg|icons?)"
)
_ASSIGNMENT = lazy_pattern(r"(?:^|[;\s])[\w$.\[\]\"']{2,80}\s*=\s*(?:JSON\.parse\(\s*(?=\")|(?=[{\[]))")
_UNDEFINED = lazy_pattern(r"(?<=[:\[,])\s*undefined(?=\s*[,}\]])")
_PUSH = lazy_pattern(r"self\.__next_f(?:\s?=[^)]{0,40}\))?\.push\(")
_ROW = lazy_pattern(r"[0-9a-f]{0,8}:(?:T([0-9a-f]{1,7}),|(?=[\[{\"])(.*))")


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
            if value and is_text and not (field == "name" and kind in PAGE_TYPES):
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
                if item and isinstance(item, dict | list) and name not in IGNORED_PROPERTIES
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
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


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


# ---- hydration data -----------------------------------------------------------------------------------------------

# Characters or values that may have prose in them, by their types.
_LEAST: dict[type, int] = {dict: 1, list: 1, str: MIN_UNSPACED_CHARS}


def prose_texts(scripts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The prose in the scripts of a page, each given by its attribute `type` and its text: pairs of the names that lead
    to a text, joined by `/`, and the text, which may be HTML."""
    out: list[tuple[str, str]] = []
    left = MAX_PROSE_VALUES
    for data in _script_values(scripts):
        todo: list[tuple[Any, str]] = [(data, "")]
        while todo and left and len(out) < MAX_PROSE_TEXTS:
            value, path = todo.pop()
            left -= 1
            if type(value) is str and value[:1] + value[-1:] in ("{}", "[]"):
                value = load_json(value) or value  # JSON in JSON
            if type(value) is dict:
                before = f"{path[-MAX_NAMES_CHARS:]}/" if path else ""
                inside = [(item, name[:MAX_NAME_CHARS]) for name, item in value.items() if _may_have_prose(item)]
                inside = [(item, before + name) for item, name in inside if not _is_of_interface(name)]
                todo += reversed(inside[:left])
            elif type(value) is list:
                todo += reversed([(item, path) for item in value if _may_have_prose(item)][:left])
            elif type(value) is str and is_prose(value):
                out.append((path, value))
        if not left or len(out) == MAX_PROSE_TEXTS:
            break
    return out


def _may_have_prose(value: Any) -> bool:
    """For speed: most values are numbers, and strings too short for a sentence."""
    return type(value) in _LEAST and len(value) >= _LEAST[type(value)]


@lru_cache(maxsize=1 << 14)
def _is_of_interface(name: str) -> bool:
    return INTERFACE_NAMES.fullmatch(name) is not None


def _script_values(scripts: Iterable[tuple[str, str]]) -> Iterator[Any]:
    """The values in scripts, in order. Those of React's server come last: rows of JSON, and texts of so many bytes."""
    pushed: list[str] = []
    for kind, text in scripts:
        if "__next_f" in text:
            items = load_json_at(text, push.end()) if (push := _PUSH.search(text)) else None
            pushed += [item for item in items if type(item) is str] if type(items) is list else []
        elif "ld+json" in kind or sentences_in_json(text) < MIN_SENTENCES:
            continue
        elif "json" in kind:
            yield load_json(text)
        elif kind in ("", "module") or "javascript" in kind:
            start = _ASSIGNMENT.search(text, 0, MAX_BEFORE_ASSIGNMENT)
            yield load_json_at(_UNDEFINED.sub("null", text[start.end() :]), 0) if start else None
    stream, at = "".join(pushed), 0
    while row := _ROW.search(stream, at):
        size = int(row[1] or "0", 16)
        text = stream[row.end() : row.end() + size].encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
        yield {"text": text} if row[1] else load_json(row[2]) if sentences_in_json(row[2]) else None
        at = row.end() + len(text)
