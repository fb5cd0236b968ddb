"""The ingredients of a recipe: what is in elements that are named so.

    rows = (("2 eggs", -1.0), ("Salt", -2.0), ("100 g butter", 0.5), ("Mix well.", 3.0))
    table = table_of([{"text": text, "score": score, "path": f"body/{'p' if score > 2 else 'ul.ingredients/li'}"}
                      for text, score in rows])
    keep_ingredients(table, [False, False, False, True])    # [True, True, True, True]

Models know little of short lines with a number. The time is linear in the page.
"""

from __future__ import annotations

from ..text.lazy_pattern import lazy_pattern
from .never_text import is_label
from .scored_table import ScoredTable

_NAME = lazy_pattern(r"(?i)/[^/]*[#._-]ingredients?(?![a-z]|[-_]?(?:filter|search|page|guide|card))[^/]*")
_BUTTON = lazy_pattern(r"/button\b")
# Rules that short lines may have.
_RULES = frozenset((None, "island"))
# A list has at least so many segments, of which this share has a number. Other things are called ingredients, too.
MIN_SEGMENTS, NUMBER_SHARE = 3, 0.25
# Characters of a line.
MAX_LINE = 200


def keep_ingredients(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, and with it all ingredients of a page of which something is kept. Of equal lists, such as a copy for
    mobile devices, the first."""
    lists = _lists(table) if True in kept else []
    if not lists:
        return kept
    out, known = list(kept), set()
    for rows in lists:
        texts = tuple([table.text[row] for row in rows])
        is_copy = len(rows) >= MIN_SEGMENTS and texts in known
        known.add(texts)
        for row in rows:
            out[row] = not is_copy
    return out


def _lists(table: ScoredTable) -> list[list[int]]:
    """The rows of each list of ingredients."""
    names, places = table.matches(_NAME, ("ngredient",)), table.places()
    found: dict[str, list[int]] = {}
    for row in table.visible if names else ():
        name = names[places[row]]
        text = table.text[row]
        is_line = table.rule[row] in _RULES and len(text) <= MAX_LINE and not is_label(text)
        is_shown = is_line and "hidden" not in table.segments[row]
        if name and is_shown and not _BUTTON.search(name.string, name.end()):
            found.setdefault(name.string[: name.end()], []).append(row)
    rows = [row for one in found.values() for row in one]
    numbers = [row for row in rows if any(char.isnumeric() for char in table.text[row])]
    is_list = len(rows) >= MIN_SEGMENTS and len(numbers) >= NUMBER_SHARE * len(rows)
    return list(found.values()) if is_list else []
