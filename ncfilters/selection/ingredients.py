"""The ingredients of a recipe, and its notes: what is in elements that are named so.

    rows = (("2 eggs", -1.0), ("Salt", -2.0), ("100 g butter", 0.5), ("Mix well.", 3.0))
    table = table_of([{"text": text, "score": score, "path": f"body/{'p' if score > 2 else 'ul.ingredients/li'}"}
                      for text, score in rows])
    keep_ingredients(table, [False, False, False, True])    # [True, True, True, True]

Models know little of short lines with a number. The time is linear in the page.
"""

from __future__ import annotations

from typing import Any

from ..text.lazy_pattern import lazy_pattern
from .never_text import is_label
from .scored_table import ScoredTable

_NAME = lazy_pattern(r"(?i)/[^/]*[#._-]ingredients?(?![a-z]|[-_]?(?:filter|search|page|guide|card))[^/]*")
_NOTES = lazy_pattern(r"(?i)[.#_-]recipes?[-_]notes?(?![a-z])")
# What changes units and portions, or keeps the screen on; and tables of nutrients.
_OTHER = lazy_pattern(r"(?i)/button\b|[.#_-](?:unit-?conversion|scale|cook-?mode|prevent-?sleep|nutrition)(?![a-z])")
# Rules that short lines may have.
_RULES = frozenset((None, "island"))
# A list has at least so many segments, of which this share has a number. Other things are called ingredients, too.
MIN_SEGMENTS, NUMBER_SHARE = 3, 0.25
# Characters of a line.
MAX_LINE = 200
# A list of which this share of segments is in others is a copy.
COPY_SHARE = 0.8


def keep_ingredients(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, and with it all ingredients of a page of which something is kept, and their notes. Of lists with the same
    ingredients, such as a copy for mobile devices, the first."""
    lists = _lists(table) if True in kept else []
    if not lists:
        return kept
    out = list(kept)
    known: set[str] = set()
    for rows in lists:
        texts = [table.text[row] for row in rows]
        is_copy = len(rows) >= MIN_SEGMENTS and sum(map(known.__contains__, texts)) >= COPY_SHARE * len(rows)
        known.update(texts)
        for row in rows:
            out[row] = not is_copy
    shown = {table.text[row] for row, keep in enumerate(out) if keep}
    notes = [row for row in _shown(table, _NOTES, "note") if table.text[row] not in shown]
    if any(table.type[row] != "h" for row in notes):  # not a heading alone
        for row in notes:
            out[row] = True
    return out


def _lists(table: ScoredTable) -> list[list[int]]:
    """The rows of each list of ingredients."""
    found: dict[str, list[int]] = {}
    for row, name in _shown(table, _NAME, "ngredient").items():
        if len(table.text[row]) <= MAX_LINE:
            found.setdefault(name, []).append(row)
    rows = [row for one in found.values() for row in one]
    numbers = [row for row in rows if any(char.isnumeric() for char in table.text[row])]
    is_list = len(rows) >= MIN_SEGMENTS and len(numbers) >= NUMBER_SHARE * len(rows)
    return list(found.values()) if is_list else []


def _shown(table: ScoredTable, pattern: Any, part: str) -> dict[int, str]:
    """The rows of what is shown in elements whose paths match, with the paths of these."""
    names, places = table.matches(pattern, (part,)), table.places()
    out: dict[int, str] = {}
    for row in table.visible if names else ():
        name = names[places[row]]
        is_line = name and table.rule[row] in _RULES and not is_label(table.text[row])
        if is_line and "hidden" not in table.segments[row] and not _OTHER.search(name.string, name.start()):
            out[row] = name.string[: name.end()]
    return out
