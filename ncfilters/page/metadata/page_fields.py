"""Fields that a page says itself: days, language, addresses, licence, image, categories and price.

reader = Reader({"date": [("time", ("3 May 2024", "time"))]}, "https://gazette.org/rain")
page_fields(reader, "en")["date"]    # ('2024-05-03', 'time')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ...text.lazy_pattern import lazy_pattern
from .dates import day_in_url, iso_day, unix_day
from .prices import price_with_currency
from .site_name import host_name
from .statements import MAX_URL_CHARS, Reader, line

# Characters of the name of a site, and categories of a page.
MAX_SITE_CHARS, MAX_CATEGORIES = 80, 20
_LANGUAGE = lazy_pattern(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")
_LICENSE = lazy_pattern(r"https?://\S+|(?:CC|GPL|MIT|Apache|GFDL)\b.{0,80}", re.I)
_LIST = lazy_pattern(r"(?:(?<!\s)\s+)?[,;]\s*")
# What an application writes for itself among the categories: "purpose:feed", "ABCD:RAIN,SNOW", an address.
_MACHINE_TAG = lazy_pattern(r"(?:[a-z_]+|[A-Z]{2,}):\S")
# Addresses of a site, of its icon, and of what is shown where somebody has no photo or another picture is loaded.
_NO_IMAGE = lazy_pattern(
    r"https?://[^/]+/?$|.*(?:favicon|/avatars?/|/b?l?avatar/|/default_photo\.|/(?:blank|spacer|pixel)\.\w+$)", re.I
)
_DECLARED, _LINKED, _OFFERS = "html lang", "rel=canonical", "json-ld offers"

# The domains of countries in which pages in English write the day first.
_DAY_FIRST = frozenset("au bd eu gh hk ie in jm ke lk mt my mw ng nz pk sg tt tz ug uk za zm zw".split())

# A value and its evidence; None if nothing is said.
Field = tuple[Any, str] | None


def page_fields(reader: Reader, language: str = "", canonical: str = "") -> dict[str, Field]:
    """Each of the fields. *language* and *canonical*: what elements say of these, or empty."""
    return {name: read(reader, language, canonical) for name, read in _READERS.items()}


def _day(field: str, reader: Reader, language: str) -> Field:
    code = language or next((text for _, (text, _) in reader.statements("language") if text), "")
    month_first = is_month_first(code, reader.url)
    return reader.first(field, lambda text: iso_day(text, month_first) or unix_day(text))


def is_month_first(language: str, url: str) -> bool:
    """Whether a page writes the month before the day: one in English, and not of another country than the United
    States, by its *language* or the host in its *url*."""
    code = language.lower().replace("_", "-")
    return code == "en-us" or code == "en" and host_name(url).rpartition(".")[2] not in _DAY_FIRST


def _date(reader: Reader, language: str, _: str) -> Field:
    if found := _day("date", reader, language):
        return found
    return (day, "url") if (day := day_in_url(reader.url)) else None


def _language(reader: Reader, declared: str, _: str) -> Field:
    if code := _language_code(declared):
        return code, _DECLARED
    return reader.first("language", _language_code)


@lru_cache(maxsize=1024)  # pages repeat theirs
def _language_code(text: str) -> str:
    if not _LANGUAGE.fullmatch(code := text.strip()):
        return ""
    parts = code.replace("_", "-").split("-")
    return "-".join([parts[0].lower(), *(part.upper() if len(part) == 2 else part for part in parts[1:])])


def _canonical(reader: Reader, _: str, linked: str) -> Field:
    address = reader.address(linked) if linked else ""
    return (address, _LINKED) if address else reader.first("canonical", reader.address)


def _license_of(text: str) -> str:
    match = _LICENSE.match(line(text)[:MAX_URL_CHARS])
    return match[0] if match else ""


def _image_address(reader: Reader, text: str) -> str:
    """The address of an image in *text*, unless it is that of no image of the page."""
    address = "" if _is_item(text) else reader.address(text)
    return "" if _NO_IMAGE.match(address) else address


def _is_item(address: str) -> bool:
    """Whether an address is that of an item in JSON-LD, which is no image."""
    _, sign, name = address.removesuffix("\n").rpartition("#")
    return sign != "" and name.isascii() and name.isalpha() and name.lower().endswith("image")


def _categories(reader: Reader, _: str, __: str) -> Field:
    """The categories of the most trusted source; all of its fields."""
    out: list[str] = []
    chosen = evidence = ""
    for source, (text, tag) in reader.statements("categories"):
        if chosen not in ("", source):
            break
        is_for_machines = _MACHINE_TAG.match(text) is not None
        parts = [] if is_for_machines else [line(part) for part in _LIST.split(text[: 20 * MAX_SITE_CHARS])]
        new = [part for part in dict.fromkeys(parts) if part and len(part) <= MAX_SITE_CHARS and part not in out]
        if new:
            out += new
            chosen, evidence = source, evidence or tag
    return (out[:MAX_CATEGORIES], evidence) if out else None


def own_price(reader: Reader, _: str = "", __: str = "") -> Field:
    """The price of the most trusted source, if that has one: pages of many products have none."""
    found = reader.statements("price")
    own = dict.fromkeys(statement for source, statement in found if source == found[0][0])
    if len(own) != 1 or not (text := line((statement := next(iter(own)))[0])):
        return None
    if statement[1] == _OFFERS:
        return statement
    code = next((line(text) for _, (text, _) in reader.statements("currency")), "")
    return (price, statement[1]) if (price := price_with_currency(text, code)) else None


# What reads each of the fields, of what is said, the declared language and the canonical address.
_READERS: Mapping[str, Callable[[Reader, str, str], Field]] = {
    "date": _date,
    "modified": lambda reader, language, _: _day("modified", reader, language),
    "language": _language,
    "canonical": _canonical,
    "license": lambda reader, _, __: reader.first("license", _license_of),
    "image": lambda reader, _, __: reader.first("image", lambda text: _image_address(reader, text)),
    "categories": _categories,
    "price": own_price,
}
