"""The type of a segment (`p` paragraph, `h` heading, `l` list item), from its element, then from its text.

assign_types([{"text": "1. Open it.", "path": "body/p"}])[0]["type"]    # 'l'
"""

from __future__ import annotations

from ..page import dom_path
from ..page.block_table import BOLD, PRE, BlockTable
from ..text.lazy_pattern import lazy_pattern
from ..text.sentence_ends import CLAUSE_ENDS, ends_with

# The start of a list item: a bullet, or a number or letter as in enumerations.
ITEM_START = lazy_pattern(
    r"(?:[•‣◦▪▸►·●○■□*+»–—-]|--|\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])\)|(?:\d{1,2}|[ivx]{1,5}|[IVX]{2,5}|[a-h])\.)"
    r"\s+(?=\S)"
)
# In the CleanEval development set, bold text of fewer characters than the first is a heading in 130 of 160 cases. Other
# text of fewer characters than the second that does not end like a clause is a heading in 320 of 430 cases, unless it
# is in a list without markers: a run of at least MIN_RUN such segments, each of fewer characters than the third.
MAX_BOLD_HEADING, MAX_HEADING, MAX_ITEM, MIN_RUN = 90, 30, 60, 3


# The first characters of ITEM_START that are no letters of ASCII, and what comes soon after such a letter.
_BULLETS, _AFTER_LETTERS, _MAX_LETTERS = "•‣◦▪▸►·●○■□*+»–—-(", ").", 6


def assign_types(table: BlockTable) -> None:
    """Sets the `type` of each segment that has none yet."""
    texts, paths, tags, markers = table.text, table.path, table.tag, table.marker
    flags, types = table.flags, table.type
    run: list[int] = []  # short segments of one element that do not end like a clause
    for row, text in enumerate(texts):
        path, flag, size = paths[row], flags[row], len(text)
        kind = types[row]
        if kind is not None:  # from a marker in plain text
            pass
        elif flag & BOLD and size < MAX_BOLD_HEADING or "/h" in path and dom_path.HEADING.search(path):
            kind = "h"
        elif markers[row] is not None or tags[row] == "tr" or may_be_item(text) and ITEM_START.match(text):
            kind = "l"
        else:
            kind = "p"
            is_short = size < MAX_ITEM and not flag & PRE and not ends_with(text, CLAUSE_ENDS)
            # the first block of an item has its marker
            if is_short and ("/li" not in path or dom_path.ITEM.search(path) is None):
                if run and paths[run[-1]] != path:
                    _end_run(table, run)
                run.append(row)
                types[row] = "p"
                continue
        types[row] = kind
        if run:
            _end_run(table, run)
    _end_run(table, run)


def assign_paragraph_types(table: BlockTable) -> None:
    """Sets the `type` of each of jusText's paragraphs by its path alone: `h` in a heading, `l` in a list item, else
    `p`."""
    for row, path in enumerate(table.path):
        table.type[row] = "h" if dom_path.HEADING.search(path) else "l" if dom_path.ITEM.search(path) else "p"


def may_be_item(text: str) -> bool:
    """Whether a text may begin as a list item, for speed: most begin with a word."""
    first = text[0]
    if "a" <= first <= "z" or "A" <= first <= "Z":
        for after in text[1:_MAX_LETTERS]:
            if after in _AFTER_LETTERS:
                return True
            if after == " ":
                return False
        return False
    return first in _BULLETS or first.isdigit()


def _end_run(table: BlockTable, run: list[int]) -> None:
    """Sets the types of a run, and empties the list."""
    is_list = len(run) >= MIN_RUN
    for row in run:
        if is_list:
            table.type[row] = "l"
        elif len(table.text[row]) < MAX_HEADING:
            table.type[row] = "h"
    run.clear()
