"""Headings go with their text.

    table = table_of([{"text": "Rain", "type": "h", "path": "body/h2", "score": -1.0},
                      {"text": "It rained all day.", "type": "p", "path": "body/p", "score": 3.0}])
    fit_headings(table, [False, True])    # [True, True]

Embedded segments have no place in the page, and their decisions stay. The time is linear in the page.
"""

from __future__ import annotations

from itertools import compress

from ..page.blocks.dom_path import HEADING
from ..record import REST
from ..text.lazy_pattern import lazy_pattern
from .never_text import is_label
from .scored_table import ScoredTable, link_share

# The constants are from pages of sites that were not in training, two of five folds. With those of tables and lists, as
# these were then, the rules added 0.10 points of bag-F on WCXB (591 pages), 0.05 on Dragnet (455), 0.01 on L3S-GN1
# (167), 0.03 on English DAnIEL (97) and 0.04 on CleanEval (15); with a model that had not seen Dragnet, 0.13 there.

# Bits. A kept heading without kept text below it is dropped if its score is lower. Of -1, 0, 1, 2 and none, 1 and 2
# have the best F: lower limits keep headings of boilerplate; without a limit, product and listing pages lose items.
EMPTY_HEADING_SCORE = 2.0
# Bits. A dropped heading is kept with the text that it stands above if it scores higher. From -5 to -2, F differs by
# 0.01, and it does not depend on the scores of the text.
HEADING_SCORE = -3.0
# The number of elements that may wrap a heading but not its text: one in `div/header/h2` and `div/p`.
HEADING_WRAPPERS = 1
# What opens the text below it, as the question of an answer does. Of questions in such elements above kept text, and
# of their headings, half are gold text, as much as of the text: see `_keep_openers`.
_OPENER = lazy_pattern(r"(?:/h[1-6](?:[.#][^/]*)?)?/(?:button|summary)(?:[.#][^/]*)?(?=/|$)")
# Elements whose short texts end what is before them in the same table, list or quotation.
_INSIDE = lazy_pattern(r"/(?:t[dh]|li|dd|blockquote)(?![\w-])")
_QUESTION_MARKS = ("?", "？", "؟")
# Words, and the share that is a link, of a headline.
MIN_HEADLINE, LINK_SHARE = 4, 0.8
# The level of headings outside h1 to h6.
LOWEST_LEVEL = 7
_HEADINGS = {"h"}
_EVERY_LEVEL = (1 << LOWEST_LEVEL + 1) - 1  # a bit for each


def fit_headings(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, with headings that fit: those of sections without kept text are dropped, those right above kept text are
    kept. A page of nothing but headings keeps them."""
    out = list(kept)
    if True in out and set(compress(table.type, out)) != _HEADINGS:
        _fit_headings(table, out)
        _keep_openers(table, out)
    return out


def _keep_openers(table: ScoredTable, kept: list[bool]) -> None:
    """Keeps questions and headings in a `<button>` or `<summary>` right above kept text in the same element."""
    below = -1  # the row of the next visible segment
    for row in reversed(table.visible):
        is_above = below >= 0 and kept[below] and not kept[row]
        if is_above and table.score[row] > HEADING_SCORE and table.rule[row] is None:
            path = table.path[row]
            found = _OPENER.search(path) if "/button" in path or "/summary" in path else None
            if found and (found[0][1] == "h" or table.text[row].endswith(_QUESTION_MARKS)):
                path = table.path[below]
                kept[row] = not path.startswith(found.string[: found.end()]) and _is_near(
                    found.string[: found.start()], path
                )
        below = row


def heading_level(path: str) -> int:
    """1 to 6 for the path of a segment in `h1` to `h6`; LOWEST_LEVEL for others."""
    found = HEADING.search(path)
    return int(found[1]) if found else LOWEST_LEVEL


def _fit_headings(table: ScoredTable, kept: list[bool]) -> None:
    """Drops headings of sections without kept text, and keeps those right above kept text.

    The section of a heading ends before the next heading of its level or a higher one. A heading without anything below
    it that is followed by one of its own level is an item, such as a product, and stays.
    """
    visible = table.visible
    size = len(visible)
    decided = bytes([kept[row] for row in visible])
    headings = [at for at, row in enumerate(visible) if table.type[row] == "h"]
    levels: dict[str, int] = {}
    kept_below = dropped_below = 0  # bit n: whether the section so far of a heading of level n has such text
    end, end_level = size, 0  # of the text right below: the place and level of the next heading
    for at in reversed(headings):
        row = visible[at]
        for below in range(at + 1, end):
            if decided[below]:
                kept_below = _EVERY_LEVEL
            else:
                dropped_below = _EVERY_LEVEL
        path = table.path[row]
        level = levels.get(path, 0)
        if not level:
            level = levels[path] = heading_level(path)
        has_text = at + 1 < end
        if kept[row]:
            is_doubtful = table.score[row] < EMPTY_HEADING_SCORE and not _is_headline(table, row)
            if is_doubtful and not kept_below >> level & 1:
                is_empty = end_level < level and not has_text
                if is_empty and end < size and level < LOWEST_LEVEL:
                    is_empty = not _is_above_heading(table, row, visible[end], kept)
                if is_empty and at:
                    is_empty = not _ends_text(table, row, visible[at - 1], kept)
                kept[row] = not (dropped_below >> level & 1 or is_empty)
        elif at + 1 < size and table.rule[row] is None and not is_label(table.text[row]):
            below = visible[at + 1]
            if kept[below] and (has_text or level < end_level < LOWEST_LEVEL):
                kept[row] = _is_heading_of(table, row, below)
        higher = (1 << level) - 1
        kept_below &= higher
        dropped_below &= higher
        end, end_level = at, level


def _is_headline(table: ScoredTable, row: int) -> bool:
    """Whether a heading is a link that says what it leads to, as those of news and shops do."""
    if table.score[row] <= 0 or HEADING.search(table.path[row]) is None:
        return False
    return table.words()[row] >= MIN_HEADLINE and link_share(table, [row]) >= LINK_SHARE


def _is_above_heading(table: ScoredTable, row: int, below: int, kept: list[bool]) -> bool:
    """Whether a heading that has no text stands above a kept one in the same element, as its first line."""
    if not kept[below] or table.score[row] <= 0:
        return False
    return table.path[row].rpartition("/")[0] == table.path[below].rpartition("/")[0]


def _ends_text(table: ScoredTable, row: int, before: int, kept: list[bool]) -> bool:
    """Whether a segment is the end of the kept text before it, and no heading: a cell or an item below others, the name
    below a quotation, a short text below a heading."""
    if not kept[before]:
        return False
    inside = _INSIDE.search(table.path[row])
    if inside is not None and table.path[before].startswith(table.path[row][: inside.start()]):
        return HEADING.search(table.path[row]) is None
    if table.score[row] <= 0 or HEADING.search(table.path[row]) is not None:
        return False
    if table.type[before] == "h" and HEADING.search(table.path[before]) is None:
        return False
    segment = table.segments[row]
    is_button = segment.get("links") == len(table.text[row])
    return not is_button and segment.get("part") != REST  # such as the number of likes


def _is_heading_of(table: ScoredTable, heading: int, text: int) -> bool:
    """Whether the segment below a heading is in the same element, and the score of the heading allows to keep it."""
    found = HEADING.search(table.path[heading]) if table.score[heading] > HEADING_SCORE else None
    return found is not None and _is_near(table.path[heading][: found.start()], table.path[text])


def _is_near(parent: str, path: str) -> bool:
    """Whether the text at *path* is in the element at *parent*, or in one that has hardly more."""
    for _ in range(HEADING_WRAPPERS + 1):
        if f"{path}/".startswith(parent + "/"):
            return True
        parent = parent.rpartition("/")[0]
        if "/" not in parent:  # all of the page
            break
    return False
