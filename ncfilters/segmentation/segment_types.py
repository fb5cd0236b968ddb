"""The type of a segment (`p` paragraph, `h` heading, `l` list item), from its element, then from its text.

assign_types([{"text": "1. Open it.", "path": "body/p"}])[0]["type"]    # 'l'
"""

from __future__ import annotations

from ..page.blocks.block_table import BOLD, PRE, BlockTable
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import CLAUSE_ENDS, ends_with
from .landmarks import IN_HEADING, IN_ITEM, kinds_of_elements

# The start of a list item: a bullet, or a number or letter as in enumerations.
ITEM_START = lazy_pattern(
    r"(?:[•‣◦▪▸►·●○■□*+»–—-]|--|\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])\)|(?:\d{1,2}|[ivx]{1,5}|[IVX]{2,5}|[a-h])\.)"
    r"\s+(?=\S)"
)
# In the CleanEval development set, bold text of fewer characters than the first is a heading in 130 of 160 cases. Other
# text of fewer characters than the second that does not end like a clause is a heading in 320 of 430 cases, unless it
# is in a list without markers: a run of at least MIN_RUN such segments, each of fewer characters than the third.
MAX_BOLD_HEADING, MAX_HEADING, MAX_ITEM, MIN_RUN = 90, 30, 60, 3


# The first characters of ITEM_START that are neither letters nor digits; and most letters of such a number.
_BULLETS, MAX_LETTERS = "•‣◦▪▸►·●○■□*+»–—-(", 5


def assign_types(table: BlockTable, kinds: list[int]) -> None:
    """Sets the `type` of each segment that has none yet, given what elements say (see `landmarks`)."""
    texts, element, tags, markers = table.text, table.element, table.tag, table.marker
    flags, types = table.flags, table.type
    run: list[int] = []  # short segments of one element that do not end like a clause
    for row, text in enumerate(texts):
        flag, size, kind, around = flags[row], len(text), types[row], kinds[element[row]]
        if kind is not None:  # from a marker in plain text
            pass
        elif around & IN_HEADING or flag & BOLD and size < MAX_BOLD_HEADING:
            kind = "h"
        elif markers[row] is not None or tags[row] == "tr" or may_be_item(text) and ITEM_START.match(text) is not None:
            kind = "l"
        else:
            kind = "p"
            # the first block of an item has its marker
            if size < MAX_ITEM and not around & IN_ITEM and not flag & PRE and not _is_clause(text):
                if run and element[run[-1]] != element[row]:
                    _end_run(texts, types, run)
                run.append(row)
                types[row] = "p"
                continue
        types[row] = kind
        if run:
            _end_run(texts, types, run)
    if run:
        _end_run(texts, types, run)


def _is_clause(text: str) -> bool:
    """Whether a text ends like a clause; most short ones end with a letter."""
    last = text[-1]
    return not last.isalnum() and ends_with(text, CLAUSE_ENDS)


def assign_paragraph_types(table: BlockTable) -> None:
    """Sets the `type` of each of jusText's paragraphs by its element alone: `h` in a heading, `l` in a list item, else
    `p`."""
    kinds = kinds_of_elements(table.elements)
    for row, element in enumerate(table.element):
        kind = kinds[element]
        table.type[row] = "h" if kind & IN_HEADING else "l" if kind & IN_ITEM else "p"


def may_be_item(text: str) -> bool:
    """Whether a text may begin as a list item, for speed: most begin with a word."""
    first = text[0]
    if "a" <= first <= "z" or "A" <= first <= "Z":
        for at in range(1, min(len(text), MAX_LETTERS + 1)):
            after = text[at]
            if after == ")" or after == ".":
                return True
            if after == " ":
                return False
        return False
    return first.isdigit() or first in _BULLETS


def _end_run(texts: list[str], types: list[str | None], run: list[int]) -> None:
    """Sets the types of a run, and empties the list."""
    is_list = len(run) >= MIN_RUN
    for row in run:
        if is_list:
            types[row] = "l"
        elif len(texts[row]) < MAX_HEADING:
            types[row] = "h"
    run.clear()
