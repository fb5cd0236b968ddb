"""Metadata in JSON-LD (schema.org): what the item that the page is about says of itself; and prices.

linked_metadata([{"@type": "NewsArticle", "headline": "It rained", "author": {"name": "Ann Lee"}}])
# {'title': [('It rained', 'json-ld headline')], 'author': [('Ann Lee', 'json-ld author')]}
price_with_currency("$60.00", "usd")    # '60.00 USD'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import Any

from ...head import FIELDS
from ...text.lazy_pattern import lazy_pattern, lazy_regex
from ...text.scripts import is_east_asian
from ...words.bylines import CURRENCIES
from ..blocks.block_table import BlockTable
from ..embedded.script_data import IGNORED_TYPES, type_of

# Items that are visited, authors of an item, offers of an item, characters of a value.
MAX_ITEMS, MAX_AUTHORS, MAX_OFFERS, MAX_CHARS = 2_000, 30, 100, 1_000
# Properties in which the item of a page may be, those of an offer that have offers, and its prices. Others hold items
# that a page mentions, lists or quotes.
_PLACES, _OFFERS = ("@graph", "mainEntity", "mainEntityOfPage"), ("offers", "priceSpecification")
_PRICES = ("price", "lowPrice", "highPrice")
# Types of a page's main item, by rank, beside all that end in Article or Posting (and are no job): what has authors
# and dates; then what is sold or done; then the page itself.
_ARTICLES = tuple("Article Posting Report Recipe HowTo Review Thesis Book PodcastEpisode CreativeWork".split())
_ARTICLE, _THING, _PAGE, _OTHER, _RECORDING = range(5)
_SITES, _RECORDINGS = frozenset(("WebSite", "Blog")), frozenset(("VideoObject", "AudioObject"))
_NO_ITEMS = IGNORED_TYPES | frozenset("LocalBusiness Place ItemList ListItem Offer Comment".split())
# What an image is called by, and all others.
_OF_IMAGES, _NAMES = ("url", "contentUrl", "@id"), ("name",)
_TAG, _NO_LETTERS = lazy_pattern(r"<[^<>]{1,200}>"), lazy_pattern(r"[\W_]+")
_NUMBER, _CODE = lazy_pattern(r"\d[\d.,' ]{0,15}"), lazy_pattern(r"[A-Za-z]{3}")
_NO_PRICE = lazy_pattern(r"^\s*[-−]|\d[eE][+-]?\d")
# What `declared` says of a block that shows the price.
NAME = "Offer.price"
# Characters of a block that shows a price: "Regular price $1,099.99", or the price before and after.
MAX_PRICE_CHARS = 60
# A number with the sign or the short name of a currency beside it.
_SIGN = rf"(?:\p{{Sc}}|(?<![^\W\d_])(?:{CURRENCIES})(?![^\W\d_]))"
_PRICE = lazy_regex(rf"{_SIGN}\.?[ \xa0]?(\d[\d.,' \xa0]*)|(\d[\d.,' \xa0]*){_SIGN}", re.I)
# Elements with the prices of other products.
_OTHERS = ("nav", "aside", "footer")
# The evidence of the author of a recipe in an article, and of a price.
OF_RECIPE, OF_OFFERS = "json-ld Recipe author", "json-ld offers"
# The properties of an item, and of a page's own, each with its field and its evidence.
_OF_ITEM = [(field.name, name, f"json-ld {name}") for field in FIELDS for name in field.linked.split()]
_OF_PAGE = [
    (field.name, name, f"json-ld WebPage {name}") for field in FIELDS if field.of_page for name in field.linked.split()
]

# Field → the texts that say it, each with its evidence.
Said = dict[str, list[tuple[str, str]]]


def linked_metadata(values: list[Any], title: str = "") -> Said:
    """What the JSON-LD *values* of a page say of it.

    If several articles are on the page, that of the page is the one whose headline is in *title*, the title of the
    window; if there is none, nothing is said of titles, authors and dates.
    """
    items = list(_items_in(values, _PLACES, MAX_ITEMS))
    kinds = [type_of(item) for item in items]
    ranks = [_rank(kind) for kind in kinds]
    named = {item["@id"]: item for item in items if isinstance(item.get("@id"), str) and "name" in item}
    out: Said = {}
    main = _main_item([item for item, rank in zip(items, ranks) if rank == _ARTICLE], title) or _only(
        [i for i, rank in zip(items, ranks) if rank == _THING or rank == _RECORDING and _is_whole(i, title)]
    )
    if (recipe := _only([item for item, kind in zip(items, kinds) if kind == "Recipe"])) not in (None, main):
        author = recipe.get("author")
        if not _type_of(author, named).endswith("Organization"):
            out["author"] = [(text, OF_RECIPE) for text in _texts(author, named)]
    if main is not None:
        _add(out, main, _OF_ITEM, named)
    for item, rank in zip(items, ranks):
        if rank == _PAGE:
            _add(out, item, _OF_PAGE, named)
    if prices := {price for item in items if "offers" in item and (price := offered_price(item))}:
        out["price"] = [(price, OF_OFFERS) for price in sorted(prices)]
    for item, kind in zip(items, kinds):
        if kind in _SITES:
            out.setdefault("site", []).extend((name, "json-ld WebSite") for name in _texts(item.get("name"), named))
    return {field: list(dict.fromkeys(statements)) for field, statements in out.items() if statements}


def offered_price(item: dict[str, Any]) -> str:
    """The price of an item with its currency, from the lowest to the highest of its offers; empty if it has none or too
    many, or if these have several currencies."""
    prices: dict[str, float] = {}
    currencies: dict[str, None] = {}
    offers = list(_items_in([item.get("offers")], _OFFERS, MAX_OFFERS + 1))
    if len(offers) >= MAX_OFFERS:
        return ""
    for offer in offers:
        for number in map(offer.get, _PRICES):
            if type(number) in (str, int, float):
                text = f"{number:.2f}" if type(number) is float else str(number)
                if price := price_with_currency(text):
                    prices[price] = _amount(price)
        if isinstance(code := offer.get("priceCurrency"), str) and _CODE.fullmatch(code.strip()):
            currencies[code.strip().upper()] = None
    if not prices or len(currencies) > 1:
        return ""
    low, high = (choose(prices, key=prices.__getitem__) for choose in (min, max))
    return " ".join([low if prices[low] == prices[high] else f"{low}–{high}", *currencies])


def _items_in(values: list[Any], places: Sequence[str], most: int) -> Iterator[dict[str, Any]]:
    """The items in *values*, and in the properties *places* of these, in order; at most so many."""
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


def _type_of(value: Any, named: dict[str, Any]) -> str:
    """The type of an object or of the one that it refers to."""
    if not isinstance(value, dict):
        return ""
    reference = value.get("@id")
    return type_of(value) or (type_of(named.get(reference, {})) if isinstance(reference, str) else "")


@lru_cache(maxsize=512)
def _rank(kind: str) -> int:
    """What an item of this type may be of a page."""
    if kind in _RECORDINGS:
        return _RECORDING
    if not kind or kind in _SITES or kind in _NO_ITEMS or kind.endswith("Organization"):
        return _OTHER
    if kind.endswith("Page"):
        return _PAGE
    return _ARTICLE if kind.endswith(_ARTICLES) and not kind.endswith("JobPosting") else _THING


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


def _only(items: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The first of items of different types."""
    return items[0] if items and len({type_of(item) for item in items}) == len(items) else None


def _name(item: dict[str, Any], *names: str) -> str:
    """The first value of the properties *names* that an item has, as a string."""
    value = next((value for name in names if (value := item.get(name))), "")
    return " ".join(_texts(value, {})) if isinstance(value, (list, dict)) else str(value)  # it may be nested deeply


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", unescape(text).casefold())


def _add(out: Said, item: dict[str, Any], properties: list[tuple[str, str, str]], named: dict[str, Any]) -> None:
    """Adds what an item says by *properties*, each a field, its name and its evidence."""
    for field, name, evidence in properties:
        value = item.get(name)
        if value is not None and not (field == "site" and _type_of(value, named) == "Person"):
            texts = _texts(value, named, _OF_IMAGES if field == "image" else _NAMES)
            out.setdefault(field, []).extend([(text, evidence) for text in texts])


def _texts(value: Any, named: dict[str, Any], names: tuple[str, ...] = _NAMES) -> list[str]:
    """The texts of a value: of a string, of the *names* of an object or of the one it refers to, of those in a list."""
    out: list[str] = []
    todo = [value]
    while todo and len(out) < MAX_AUTHORS:
        value = todo.pop()
        if isinstance(value, str):
            out += filter(None, [_text_of(value)])
        elif isinstance(value, list):
            todo += reversed(value[:MAX_AUTHORS])
        elif isinstance(value, dict):
            reference = value.get("@id")
            if not any(name in value for name in names) and isinstance(reference, str):
                value = named.get(reference, {})
            inner = next((value[name] for name in (*names, "@value") if isinstance(value.get(name), (str, list))), None)
            if isinstance(inner, list):
                inner = [text for text in inner if isinstance(text, str)]
            if not inner and names is _NAMES and ("givenName" in value or "familyName" in value):
                given, family = (_name(value, name) for name in ("givenName", "familyName"))
                inner = family + given if is_east_asian(family) else f"{given} {family}"
            if inner:
                todo.append(inner)
    return out


def _text_of(value: str) -> str:
    """A string without tags and character references."""
    text = value[: 2 * MAX_CHARS]
    if "&" in text or "<" in text:
        text = unescape(text)
        text = _TAG.sub(" ", text) if "<" in text else text
    return " ".join(text.split())[:MAX_CHARS]


# ---- prices --------------------------------------------------------------------------------------------------------


def price_with_currency(text: str, code: str = "") -> str:
    """The number in the *text* of a price as a decimal, with the *code* of its currency, if it is one; empty if there
    is none, or a negative one."""
    match = _NUMBER.search(text[:100])
    if match is None or _NO_PRICE.search(text[:100]):
        return ""
    whole, cents = _parts(match[0])
    if not int(f"{whole or 0}{cents or 0}"):  # on demand, or not set
        return ""
    number = f"{int(whole or 0)}.{int(cents):02}" if cents else str(int(whole))
    code = code.strip()
    return f"{number} {code.upper()}" if _CODE.fullmatch(code) else number


def mark_price(blocks: BlockTable, price: str) -> None:
    """Gives the first block after the heading h1 that shows the declared *price* the field `declared`; if there is
    none, the last one before it."""
    if not price:
        return
    declared = {_amount(number) for number in _NUMBER.findall(price)}  # one, or the lowest and the highest
    title = blocks.tag.index("h1") if "h1" in blocks.tag else 0
    for row in (*range(title, len(blocks)), *range(title - 1, -1, -1)):
        text = blocks.text[row]
        is_shown = blocks.hidden[row] is None and blocks.marker[row] is None and len(text) <= MAX_PRICE_CHARS
        if is_shown and not declared.isdisjoint(_prices_in(text)) and not _is_beside(blocks, row):
            blocks.fields(row)["declared"] = NAME
            blocks.type[row] = "p"  # it is short, but no heading
            return


def _is_beside(blocks: BlockTable, row: int) -> bool:
    """Whether a block is in a part of the page beside its content."""
    elements = blocks.elements
    return any(elements.name_of(at).startswith(_OTHERS) for at in elements.around(blocks.element[row]))


def _amount(price: str) -> float:
    """The number in a price."""
    whole, cents = _parts(price)
    return float(f"{whole or 0}.{cents or 0}")


def _parts(price: str) -> tuple[str, str]:
    """The digits of a *price* before and after the sign of decimals, which stands before at most two digits at its end,
    or after more than three."""
    price = price.strip(" .,'")
    start = max(price.rfind("."), price.rfind(","))
    if start < 0 or len(price) - start > 3 and not (start > 3 and price[:start].isdecimal()):
        start = len(price)
    whole, cents = ("".join(filter(str.isdecimal, part)) for part in (price[:start], price[start:]))
    return whole, f"{cents}0"[:2] if cents else ""


def _prices_in(text: str) -> set[float]:
    """The amounts in a text that have a currency beside them."""
    if not any(sign.isdigit() for sign in text):
        return set()
    numbers = (number for found in _PRICE.findall(text) for part in found for number in _NUMBER.findall(part))
    return set(map(_amount, numbers))
