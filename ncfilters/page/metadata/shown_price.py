"""The price that a product page declares, where the page shows it.

table = table_of([{"text": "Mug", "tag": "h1", "path": "body/h1", "links": 0},
                  {"text": "Price $60.00", "tag": "p", "path": "body/p", "links": 0}])
mark_price(table, "60.00 AUD")
table.record(1)["declared"]    # 'Offer.price'
"""

from __future__ import annotations

import re

from ...text.lazy_pattern import lazy_regex
from ..blocks.block_table import BlockTable
from .prices import amounts_in

NAME = "Offer.price"
# Characters of a block that shows a price: "Regular price $1,099.99", or the price before and after.
MAX_CHARS = 60
# A number with the sign or the short name of a currency beside it.
_SIGN = (
    r"(?:\p{Sc}|(?<![^\W\d_])(?:kr|kč|zł|ft|лв|руб|грн|р|rs|rm|fr|lei|din|дин|tl|kn|usd|eur|gbp|aud|cad|nzd|chf|jpy|inr|sek|"
    r"nok|dkk|pln|czk|huf|ron|brl|zar|sgd|hkd|cny|krw|mxn|try)(?![^\W\d_]))"
)
_PRICE = lazy_regex(rf"{_SIGN}\.?[ \xa0]?(\d[\d.,' \xa0]*)|(\d[\d.,' \xa0]*){_SIGN}", re.I)
# Elements with the prices of other products.
_OTHERS = ("/nav", "/aside", "/footer")


def mark_price(blocks: BlockTable, price: str) -> None:
    """Gives the first block after the heading h1 that shows the declared *price* the field `declared`; if there is
    none, the last one before it."""
    declared = amounts_in(price)
    title = blocks.tag.index("h1") if "h1" in blocks.tag else 0
    for row in (*range(title, len(blocks)), *range(title - 1, -1, -1)):
        text, path = blocks.text[row], blocks.path[row]
        is_shown = blocks.hidden[row] is None and blocks.marker[row] is None and len(text) <= MAX_CHARS
        if is_shown and not declared.isdisjoint(_prices_in(text)) and not any(name in path for name in _OTHERS):
            blocks.fields(row)["declared"] = NAME
            blocks.type[row] = "p"  # it is short, but no heading
            return


def _prices_in(text: str) -> set[float]:
    """The amounts in a text that have a currency beside them."""
    if not any(sign.isdigit() for sign in text):
        return set()
    return {amount for found in _PRICE.findall(text) for part in found for amount in amounts_in(part)}
