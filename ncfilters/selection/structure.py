"""Decisions that fit the structure of the page: headings go with their text, tables and lists are kept whole.

    table = table_of([{"text": "Rain", "type": "h", "path": "body/h2", "score": -1.0},
                      {"text": "It rained all day.", "type": "p", "path": "body/p", "score": 3.0}])
    fit_structure(table, [False, True])    # [True, True]

Embedded segments have no place in the page, and their decisions stay. The time is linear in the page.
"""

from __future__ import annotations

import re
from itertools import compress

from ..page.blocks.dom_path import HEADING
from ..text.lazy_pattern import lazy_pattern
from .scored_table import ScoredTable

# The constants are from pages of sites that were not in training, two of five folds. Together the rules add 0.10 points
# of bag-F on WCXB (591 pages), 0.05 on Dragnet (455), 0.01 on L3S-GN1 (167), 0.03 on English DAnIEL (97) and 0.04 on
# CleanEval (15); with a model that had not seen Dragnet at all, 0.13 there.

# Bits. A kept heading without kept text below it is dropped if its score is lower. Of -1, 0, 1, 2 and none, 1 and 2
# have the best F: lower limits keep headings of boilerplate; without a limit, product and listing pages lose items.
EMPTY_HEADING_SCORE = 2.0
# Bits. A dropped heading is kept with the text that it stands above if it scores higher than the first, and the best
# segment of the text higher than the second. 80 % of these headings are gold text or the title. From -5 to -2 and from
# 0 to 2, F differs by 0.01; above text of lower scores, headings are mostly boilerplate, and so is the text.
HEADING_SCORE, HEADED_TEXT_SCORE = -3.0, 1.0
# The number of elements that may wrap a heading but not its text: one in `div/header/h2` and `div/p`.
HEADING_WRAPPERS = 1
# The level of headings outside h1 to h6.
LOWEST_LEVEL = 7
# A table holds data, not the layout of the page, if at least MIN_ROWS and ROW_SHARE of its segments are rows with short
# cells, and it has at most PAGE_SHARE of the page's characters.
MIN_ROWS, ROW_SHARE, PAGE_SHARE = 2, 0.3, 0.6
# A table is kept if at least this share of its words is; a term and its definitions likewise.
TABLE_SHARE, DEFINITION_SHARE = 0.5, 0.7
# A list whose items agree to this extent, by number and by words, follows the others; else its items differ.
LIST_AGREEMENT = 0.7

_HEADINGS = {"h"}
_EVERY_LEVEL = (1 << LOWEST_LEVEL + 1) - 1  # a bit for each

# A path up to its innermost table or list, with the name of that element.
_CONTAINER = lazy_pattern(r".*/(table|dl|ul|ol|menu|dir)(?![\w-])[^/]*", re.DOTALL)
_TERM, _DEFINITION = lazy_pattern(r"/dt(?![\w-])"), lazy_pattern(r"/dd(?![\w-])")


def fit_structure(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, corrected by the rules of this module: tables, definitions and lists first, then headings.

    A page of nothing but headings keeps them."""
    out = list(kept)
    if True in out:
        _fit_containers(table, out)
        if set(compress(table.type, out)) != _HEADINGS:
            _fit_headings(table, out)
    return out


def heading_level(path: str) -> int:
    """1 to 6 for the path of a segment in `h1` to `h6`; LOWEST_LEVEL for others."""
    found = HEADING.search(path)
    return int(found[1]) if found else LOWEST_LEVEL


# ---- tables and lists


def _fit_containers(table: ScoredTable, kept: list[bool]) -> None:
    """Decides tables, definitions and lists with mixed decisions."""
    for name, prefix, members in _mixed_containers(table, kept):
        if name == "table":
            if _is_data_table(table, members):
                _decide_whole(table, members, kept, TABLE_SHARE)
        elif name == "dl":
            for pair in _definitions(table, members, len(prefix)):
                _decide_whole(table, pair, kept, DEFINITION_SHARE)
        elif _are_items(table, members):
            _decide_alike(table, members, kept)


def _mixed_containers(table: ScoredTable, kept: list[bool]) -> list[tuple[str, str, list[int]]]:
    """The tables and lists that are kept in part: the name of the element, its path, and the rows of consecutive
    segments in it. Paths have no positions, so that equal elements in a row are one."""
    out = []
    places, visible = table.places(), table.visible
    containers = _Containers(table.paths)
    end = 0  # of the last container
    for at, row in enumerate(visible):
        if at < end or not kept[row]:
            continue
        own = containers.number(places[row])
        if own < 0:
            continue
        start, end = at, at + 1
        while start > 0 and containers.number(places[visible[start - 1]]) == own:
            start -= 1
        while end < len(visible) and containers.number(places[visible[end]]) == own:
            end += 1
        members = visible[start:end]
        if False in [kept[member] for member in members]:
            out.append((*containers.found[own], members))
    return out


class _Containers:
    """The innermost tables and lists of paths, each with a number."""

    def __init__(self, paths: list[str]) -> None:
        self._paths = paths
        self._numbers = [_UNKNOWN] * len(paths)
        self._known: dict[str, int] = {}
        self.found: list[tuple[str, str]] = []

    def number(self, place: int) -> int:
        """The number in `found` of the name and the path of the element that a path is in; _NONE if there is none."""
        number = self._numbers[place]
        if number == _UNKNOWN:
            match = _CONTAINER.match(self._paths[place])
            number = _NONE
            if match:
                number = self._known.setdefault(match[0], len(self.found))
                if number == len(self.found):
                    self.found.append((match[1], match[0]))
            self._numbers[place] = number
        return number


_UNKNOWN, _NONE = -2, -1


def _are_items(table: ScoredTable, members: list[int]) -> bool:
    return "marker" in table.names and all("marker" in table.segments[row] for row in members)


def _is_data_table(table: ScoredTable, members: list[int]) -> bool:
    rows = sum([table.segments[row].get("tag") == "tr" for row in members])
    if rows < max(MIN_ROWS, ROW_SHARE * len(members)):
        return False
    own, page = (sum([len(table.text[row]) for row in rows]) for rows in (members, table.visible))
    return own <= PAGE_SHARE * page


def _definitions(table: ScoredTable, members: list[int], start: int) -> list[list[int]]:
    """The terms of a `<dl>`, each with its definitions. *start* is the length of the path of the `<dl>`."""
    out: list[list[int]] = []
    pair: list[int] = []
    is_defined = False
    for row in members:
        path = table.path[row]
        if _TERM.match(path, start):
            if is_defined:
                out.append(pair)
                pair, is_defined = [], False
            pair.append(row)
        elif pair and _DEFINITION.match(path, start):
            pair.append(row)
            is_defined = True
    return [*out, pair] if is_defined else out


def _decide_whole(table: ScoredTable, members: list[int], kept: list[bool], least: float) -> None:
    """Keeps all *members* if *least* of their words are kept, and else none."""
    decision = _kept_words(table, members, kept) >= least
    for row in members:
        kept[row] = decision


def _decide_alike(table: ScoredTable, members: list[int], kept: list[bool]) -> None:
    """Decides all *members* as most of them are, if LIST_AGREEMENT of them and of their words are."""
    share = sum([kept[row] for row in members]) / len(members)
    if max(share, 1 - share) < LIST_AGREEMENT:
        return
    words = _kept_words(table, members, kept)
    if (words if share > 0.5 else 1 - words) >= LIST_AGREEMENT:
        for row in members:
            kept[row] = share > 0.5


def _kept_words(table: ScoredTable, members: list[int], kept: list[bool]) -> float:
    """The share of the words of *members* that are kept."""
    sizes = table.words()
    return sum([sizes[row] for row in members if kept[row]]) / sum([sizes[row] for row in members])


# ---- headings


def _fit_headings(table: ScoredTable, kept: list[bool]) -> None:
    """Drops headings of sections without kept text, and keeps those right above kept text.

    The section of a heading ends before the next heading of its level or a higher one. A heading without anything below
    it that is followed by one of its own level is an item, such as a product, and stays.
    """
    visible = table.visible
    decided = bytes([kept[row] for row in visible])
    headings = [at for at, row in enumerate(visible) if table.type[row] == "h"]
    levels: dict[str, int] = {}
    kept_below = dropped_below = 0  # bit n: whether the section so far of a heading of level n has such text
    end, end_level = len(visible), 0  # of the text right below: the place and level of the next heading
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
            if not kept_below >> level & 1 and table.score[row] < EMPTY_HEADING_SCORE:
                kept[row] = not (dropped_below >> level & 1 or end_level < level and not has_text)
        elif has_text and decided[at + 1]:
            text = [visible[below] for below in range(at + 1, end) if decided[below]]
            kept[row] = _is_heading_of(table, row, text)
        higher = (1 << level) - 1
        kept_below &= higher
        dropped_below &= higher
        end, end_level = at, level


def _is_heading_of(table: ScoredTable, heading: int, text: list[int]) -> bool:
    """Whether the first of the segments below a heading is in the same element, and the scores allow to keep it."""
    if table.score[heading] <= HEADING_SCORE or max([table.score[row] for row in text]) <= HEADED_TEXT_SCORE:
        return False
    found = HEADING.search(table.path[heading])
    if not found:
        return False
    parent, path = table.path[heading][: found.start()], table.path[text[0]] + "/"
    for _ in range(HEADING_WRAPPERS + 1):
        if path.startswith(parent + "/"):
            return True
        parent = parent.rpartition("/")[0]
        if "/" not in parent:  # all of the page
            break
    return False
