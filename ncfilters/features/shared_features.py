"""Features that segments share: those of groups in the tree, of places, and of the page; and the main text of the page.

shared = SharedFeatures(table)
shared.groups[group * OF_GROUP]    # log of the number of its segments
shared.main_group                  # the group of the main text, -1 without prose
"""

from __future__ import annotations

from array import array
from typing import Any

from ..native.sums import log1p, zero_doubles, zero_floats, zero_ints
from ..text.char_classes import CHARS, WORDS
from .schema import (
    BEFORE,
    KINDS,
    LINKS,
    LONG,
    NUMBERS,
    OF_GROUP,
    OF_PAGE,
    OF_PLACE,
    PROSE,
    RULED,
    SUM_CHARS,
    SUM_LINKS,
    SUM_N,
    SUM_PROSE,
    SUM_WEIGHT,
    SUM_WORDS,
    SUMS,
    TYPE_H,
    TYPE_L,
    UP1,
    WEIGHT,
)
from .segment_table import SegmentTable

MAX_WORDS = 50  # of a segment, in means
MAX_STEPS = 10  # in the tree
MAX_DEPTH = 40
_MAX_WORDS, _MAX_STEPS, _MAX_DEPTH = MAX_WORDS, MAX_STEPS, MAX_DEPTH
# log(1 + n) of the commonest whole numbers, in single precision: faster than the function.
LOG_COUNT = 1 << 11
_LOGS: Any = array("f", map(log1p, range(LOG_COUNT)))
MAX_COUNT = (1 << 14) - 1
_LOG_COUNT, _MAX_COUNT = LOG_COUNT, MAX_COUNT


def log_count(number: float) -> float:
    """log(1 + n) of a whole number from 0, in single precision; numbers above MAX_COUNT count as that."""
    at = int(number) if number < _MAX_COUNT else _MAX_COUNT
    value: float = _LOGS[at] if at < _LOG_COUNT else array("f", (log1p(at),))[0]
    return value


def share(part: float, total: float) -> float:
    """part / total, which is a whole number; 0 where it is 0."""
    return part / (total if total > 1 else 1)


class SharedFeatures:
    """The features of each group of `Places.groups` (*groups*: floats, OF_GROUP a row), of each place (*places*: as
    PLACE_COLUMNS) and of the page (*page*: as PAGE_COLUMNS).

    *first*: the first segment of each group; *each*: 1 / the number of its segments; *weights*: the sum of the weights
    of its segments. *main_group*: the group `up1` with most prose, the first of several, whose first and last segments
    are *main_first* and *main_last*; -1 if the page has no prose.
    """

    def __init__(self, table: SegmentTable) -> None:
        tree = table.places
        places, groups = len(tree.nodes), len(tree.members)
        self.table = table
        self.groups: Any = zero_floats(OF_GROUP * groups)
        self.places: Any = zero_floats(OF_PLACE * places)
        self.page: Any = zero_floats(OF_PAGE)
        self.first: Any = zero_ints(groups)
        self.each: Any = zero_floats(groups)
        self.weights: Any = zero_doubles(groups)
        self.main_group = -1
        self.main_first = self.main_last = 0
        self._of_places: Any = zero_doubles(SUMS * places)
        self._sums: Any = zero_doubles(SUMS * groups)

    def compute(self) -> None:
        """Computes all features."""
        self._sum_places()
        self._sum_groups()
        self._find_main()
        self._fill_groups()
        self._fill_places()
        self._fill_page()

    def _sum_places(self) -> None:
        table, sums = self.table, self._of_places
        numbers, marks, place = table.numbers, table.marks, table.places.place
        for at in range(table.size):
            to, row = place[at] * SUMS, at * NUMBERS
            chars, words = numbers[row + CHARS], numbers[row + WORDS]
            sums[to + SUM_N] += 1
            sums[to + SUM_CHARS] += chars
            sums[to + SUM_LINKS] += numbers[row + LINKS]
            if marks[at] & PROSE:
                sums[to + SUM_PROSE] += chars
            sums[to + SUM_WORDS] += words if words < _MAX_WORDS else _MAX_WORDS
            sums[to + SUM_WEIGHT] += numbers[row + WEIGHT]

    def _sum_groups(self) -> None:
        """Adds up places by their groups, in order."""
        tree, sums, of_places = self.table.places, self._sums, self._of_places
        groups, place, first = tree.groups, tree.place, self.first
        firsts = zero_ints(len(tree.nodes))
        for at in range(self.table.size - 1, -1, -1):
            firsts[place[at]] = at
        for number in range(len(tree.nodes)):
            row = number * SUMS
            for kind in range(KINDS):
                group = groups[number * KINDS + kind]
                to = group * SUMS
                if sums[to + SUM_N] == 0:
                    first[group] = firsts[number]
                for column in range(SUMS):
                    sums[to + column] += of_places[row + column]

    def _find_main(self) -> None:
        table = self.table
        tree, sums = table.places, self._sums
        most = 0.0
        main = -1
        for group in range(tree.starts[UP1], tree.starts[UP1 + 1]):
            prose = sums[group * SUMS + SUM_PROSE]
            if prose > most or prose == most and main >= 0 and self._is_first(tree.members[group], tree.members[main]):
                most, main = prose, group
        self.main_group = main
        if main < 0:
            return
        groups, place = tree.groups, tree.place
        last = -1
        for at in range(table.size):
            if groups[place[at] * KINDS + UP1] == main:
                if last < 0:
                    self.main_first = at
                last = at
        self.main_last = last

    def _is_first(self, one: int, other: int) -> bool:
        """Whether an element comes before another one, in the order of the segments: rows are in the order in which the
        page was read, which is another one where segments have been moved or dropped."""
        for node in self.table.places.nodes if one and other else ():
            for row in reversed(self.table.places.elements.around(node)):
                if row in (one, other):
                    return bool(row == one)
        return one == 0

    def _fill_groups(self) -> None:
        table, out, sums = self.table, self.groups, self._sums
        all_chars, all_prose = table.chars, table.prose_chars
        for group in range(len(self.each)):
            row, to = group * SUMS, group * OF_GROUP
            n, chars, prose = sums[row + SUM_N], sums[row + SUM_CHARS], sums[row + SUM_PROSE]
            out[to] = log_count(n)
            out[to + 1] = log1p(chars)
            out[to + 2] = share(sums[row + SUM_LINKS], chars)
            out[to + 3] = share(prose, chars)
            out[to + 4] = share(chars, all_chars)
            out[to + 5] = share(prose, all_prose)
            out[to + 6] = sums[row + SUM_WORDS] / n
            self.each[group] = 1 / n
            self.weights[group] = sums[row + SUM_WEIGHT]

    def _fill_places(self) -> None:
        """The depth of each place; whether its parent is the element of the main text, and the steps up to the nearest
        element that holds the main text, too, and down from there; 0 without main text."""
        tree, out, main = self.table.places, self.places, self.main_group
        depths, parent, nodes = tree.elements.depth, tree.elements.parent, tree.nodes
        common = list(range(len(parent)))
        main_depth = 0
        if main >= 0:
            node = tree.members[main]
            main_depth = depths[node]
            holds = bytearray(len(parent))
            holds[0] = 1
            while node:
                holds[node] = 1
                node = parent[node]
            for node in range(1, len(parent)):  # parents come before their children
                if not holds[node]:
                    common[node] = common[parent[node]]
        for place in range(len(nodes)):
            node = nodes[place]
            to = place * OF_PLACE
            depth = depths[node]
            out[to] = (depth if depth < _MAX_DEPTH else _MAX_DEPTH) / 10
            if main >= 0:
                above = depths[common[node]]
                out[to + 1] = tree.groups[place * KINDS + UP1] == main
                out[to + 2] = depth - above if depth - above < _MAX_STEPS else _MAX_STEPS
                out[to + 3] = main_depth - above if main_depth - above < _MAX_STEPS else _MAX_STEPS

    def _fill_page(self) -> None:
        table, out = self.table, self.page
        numbers, marks, size = table.numbers, table.marks, table.size
        links = paragraphs = headings = lists = ruled = repeated = 0.0
        for at in range(size):
            chars, mark = numbers[at * NUMBERS + CHARS], marks[at]
            links += numbers[at * NUMBERS + LINKS]
            if mark & PROSE:
                paragraphs += 1
            if mark & TYPE_H:
                headings += 1
            if mark & TYPE_L:
                lists += chars
            if mark & RULED:
                ruled += chars
            if mark & BEFORE and mark & LONG:
                repeated += chars
        out[0] = log1p(size)
        out[1] = log1p(table.chars)
        out[2] = share(links, table.chars)
        out[3] = share(table.prose_chars, table.chars)
        out[4] = log1p(paragraphs)
        out[5] = share(headings, size)
        out[6] = share(lists, table.chars)
        out[7] = share(ruled, table.chars)
        out[8] = share(repeated, table.chars)
