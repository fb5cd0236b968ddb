"""The price that a product page declares, where the page shows it.

table = table_of([{"text": "Mug", "tag": "h1", "path": "body/h1", "links": 0},
                  {"text": "Price $60.00", "tag": "p", "path": "body/p", "links": 0}])
mark_price(table, "60.00 AUD")
table.record(1)["declared"]    # 'Offer.price'
"""

from __future__ import annotations

import re
from unicodedata import category

from ...text.lazy_pattern import lazy_pattern
from ..blocks.block_table import BlockTable
from .prices import amounts_in

NAME = "Offer.price"
# Characters of a block that shows a price: "Regular price $1,099.99", or the price before and after.
MAX_CHARS = 60
# Letters of a currency without a sign: "kr", "руб".
_CURRENCY = lazy_pattern(r"(?<![^\W\d_])[^\W\d_]{1,4}(?![^\W\d_])\.?\s?\d|\d\s?[^\W\d_]{1,4}(?![^\W\d_])")
_DIGIT = re.compile(r"\d")


def mark_price(blocks: BlockTable, price: str) -> None:
    """Gives the first block after the heading h1 that shows the declared *price* the field `declared`. Prices of
    other products, in rails and grids, come before the heading or after the price of the page's own."""
    declared = amounts_in(price)
    start = blocks.tag.index("h1") if "h1" in blocks.tag else 0
    for row in range(start, len(blocks)):
        is_shown = blocks.hidden[row] is None and blocks.marker[row] is None
        if is_shown and _is_price(blocks.text[row]) and not declared.isdisjoint(amounts_in(blocks.text[row])):
            blocks.fields(row)["declared"] = NAME
            blocks.type[row] = "p"  # it is short, but no heading
            return


def _is_price(text: str) -> bool:
    """Whether a text is short, and has a number and a currency."""
    if len(text) > MAX_CHARS or _DIGIT.search(text) is None:
        return False
    return any(category(sign) == "Sc" for sign in text) or _CURRENCY.search(text) is not None
