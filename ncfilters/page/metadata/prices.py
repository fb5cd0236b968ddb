"""The price of what a page sells, as it declares it, and the block that shows it.

price_with_currency("$60.00", "usd")    # '60.00 USD'
"""

from __future__ import annotations

import re

from ...text.lazy_pattern import lazy_pattern, lazy_regex
from ...words.bylines import CURRENCIES
from ..blocks.block_table import BlockTable
from ..tree.survey import Survey

_NUMBER, CODE = lazy_pattern(r"\d[\d.,' ]{0,15}"), lazy_pattern(r"[A-Za-z]{3}")
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
    return f"{number} {code.upper()}" if CODE.fullmatch(code) else number


def may_have_price(found: Survey) -> bool:
    """Whether a page may declare a price: in tags, in JSON-LD or in microdata."""
    return (
        any(name is not None and name.lower().endswith("price:amount") for name, _ in found.metas)
        or any('"offers"' in text for text in found.linked_data)
        or any("Offer" in name for name in found.item_types)
    )


def mark_price(blocks: BlockTable, price: str) -> None:
    """Gives the first block after the heading h1 that shows the declared *price* the field `declared`; if there is
    none, the last one before it."""
    if not price:
        return
    declared = {amount_of(number) for number in _NUMBER.findall(price)}  # one, or the lowest and the highest
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


def amount_of(price: str) -> float:
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
    return set(map(amount_of, numbers))
