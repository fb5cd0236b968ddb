"""Cards of a list of products, offers or articles: what is kept of some is kept of all.

    table = table_of([{"text": text, "type": "h", "path": "body/ul/li.card/h3", "score": score}
                      for text, score in (("Blue kettle", 1.0), ("Red kettle", -2.0), ("Brass kettle", 0.5))])
    fit_cards(table, [True, False, True], {"odds": 5.0, "types": {"collection": 0.9}})    # [True, True, True]

Cards are alike, yet a model knows of each what its words say. On the WCXB development pages, of sites that were not in
training, the rule adds 0.07 points of bag-F. To drop the few that are kept of many adds nothing. The time is linear in
the page.
"""

from __future__ import annotations

import re

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .page_types import is_list
from .scored_table import ScoredTable

# The like segments of so many cards are completed, if this share of them is kept.
MIN_CARDS, MIN_SHARE = 3, 0.1
# Rules that cards often have, because they are short or links.
_RULES = frozenset((None, "island", "links", "bars"))
_VARIES = lazy_pattern(r"#[^./]*|\d+")  # from card to card, in their paths
_MENU = lazy_pattern(r"filter|facet|refine|catlinks|breadcrumb|pagination|menu", re.I)


def fit_cards(table: ScoredTable, kept: list[bool], page: Record) -> list[bool]:
    """*kept*, and the text that stands in other cards where kept text stands, unless it is kept already."""
    if True not in kept or not is_list(page):
        return kept
    out = list(kept)
    known = {text for text, keep in zip(table.text, kept) if keep}
    for path, rows in _like_segments(table):
        number = sum([kept[row] for row in rows])
        if len(rows) > number >= max(MIN_SHARE * len(rows), 1) and not _MENU.search(path):
            for row in rows:
                out[row] = kept[row] or table.text[row] not in known
    return out


def _like_segments(table: ScoredTable) -> list[tuple[str, list[int]]]:
    """Each path without what varies, and the rows there of one type, if there are enough."""
    places = table.places()
    keys = [_VARIES.sub("0", path) for path in table.paths]
    out: dict[tuple[str, str], list[int]] = {}
    for row in table.visible:
        if table.rule[row] in _RULES:
            out.setdefault((keys[places[row]], table.type[row]), []).append(row)
    return [(path, rows) for (path, _), rows in out.items() if len(rows) >= MIN_CARDS]
