"""Features of a segment's surroundings: groups in the tree, neighbours, windows, headings, the main text of the page.

    out = np.empty((len(FAMILIES["section"]), len(table)), np.float32)
    fill_section(table, out)

Each function fills the rows of a family of features (see `schema`). A column is a segment or a place, whose segments
share the values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..text.char_stats import STOP
from .categories import CATEGORIES, NEIGHBOUR_DISTANCES, WINDOW_SIZES
from .dom_tree import Ints, last_ancestors
from .segment_table import Floats, SegmentTable

# Numbers of any type.
Values = NDArray[Any]
# log(1 + n) of whole numbers: faster than the function, and the same at every place of an array.
_LOGS = np.log1p(np.arange(1 << 14)).astype(np.float32)
NO_DISTANCE = 5.0  # the log of a distance to what does not exist
MAX_WORDS = 50  # of a segment, in means
MAX_OFFSET = 20  # from the first of a group, in lengths of the group
MAX_STEPS = 10  # in the tree
# Values in windows are rounded to multiples of 1 / WINDOW_UNITS, so that their sums are exact.
WINDOW_UNITS = 1024


def log_counts(values: Values) -> Floats:
    """log(1 + n) of whole numbers from 0; numbers above 16,383 count as that."""
    out: Floats = _LOGS[np.minimum(values, len(_LOGS) - 1).astype(np.intp)]
    return out


def shares(parts: Values, total: Values) -> Values:
    """parts / total; 0 where the total is 0. Totals are whole numbers."""
    out: Values = parts / np.maximum(total, 1)
    return out


def fill_groups(table: SegmentTable, out: Floats) -> None:
    """The features of the groups of each place, for all kinds of groups at once: sums over places, then over groups."""
    tree = table.tree
    of_place, count = table.numbered_groups
    kinds, places = of_place.shape
    flat = of_place.ravel()

    def by_group(values: Values | None) -> Values:
        return np.bincount(flat, np.tile(np.bincount(tree.place, values, places), kinds), count)

    n, chars, prose = by_group(None), by_group(table.chars), by_group(table.prose_chars)
    document = np.empty(count, np.int64)
    document[flat] = np.tile(tree.document[tree.places], kinds)
    page, page_prose = table.page_chars[:, document]
    values = np.empty((7, count), np.float32)
    values[0] = log_counts(n)
    values[1] = np.log1p(chars)
    values[2] = shares(by_group(table.links), chars)
    values[3] = shares(prose, chars)
    values[4] = shares(chars, page)
    values[5] = shares(prose, page_prose)
    values[6] = by_group(np.minimum(table.counts.words, MAX_WORDS)) / n
    np.take(values, of_place, axis=1, out=out.reshape(7, kinds, -1), mode="clip")


def fill_since_first(table: SegmentTable, out: Floats) -> None:
    """The distance of each segment from the first one of each of its groups."""
    tree = table.tree
    of_place, count = table.numbered_groups
    kinds, places = of_place.shape
    position = table.index - table.first
    sizes = np.bincount(of_place.ravel(), np.tile(np.bincount(tree.place, minlength=places), kinds), count)
    # the first of each: of several values, the last one assigned stays, so the order is reversed
    first = np.empty(places, np.int64)
    first[tree.place[::-1]] = position[::-1]
    start = np.empty(count, np.int64)
    start[of_place[:, ::-1].ravel()] = np.tile(first[::-1], kinds)
    each = (1 / sizes).astype(np.float32)[of_place]
    np.take(start.astype(np.float32)[of_place], tree.place, axis=1, out=out, mode="clip")
    np.subtract(position.astype(np.float32), out, out=out)
    out *= each.take(tree.place, axis=1)
    np.minimum(out, MAX_OFFSET, out=out)


def fill_neighbours(table: SegmentTable, out: Floats) -> None:
    """The features of the segments one and two before and after; -1 if there is none."""
    kind = table.category("type")
    values = np.stack(
        [
            log_counts(table.chars),
            table.links / np.maximum(table.chars, 1),
            kind == CATEGORIES["type"].index("h"),
            kind == CATEGORIES["type"].index("l"),
            table.counts.last == STOP,
            table.category("rule") >= 0,
        ]
    ).astype(np.float32)
    node, index = table.node, table.index
    group = table.groups["sig"]
    width = len(values) + 1
    for number, distance in enumerate(NEIGHBOUR_DISTANCES):
        rows = out[number * width : (number + 1) * width]
        beyond = np.flatnonzero((index + distance < table.first) | (index + distance > table.last))
        here, there = (
            (slice(-distance, None), slice(distance)) if distance < 0 else (slice(-distance), slice(distance, None))
        )
        rows[:-1, here] = values[:, there]
        rows[:-1, beyond] = -1
        rows[-1, here] = node[here] == node[there]
        rows[-1, beyond] = 0
    alike = np.zeros(len(table) + 1, np.float32)
    alike[1:-1] = group[1:] == group[:-1]
    out[-2], out[-1] = alike[:-1], alike[1:]


def fill_windows(table: SegmentTable, out: Floats) -> None:
    """Means over the segments in windows before and after each."""
    index = table.index
    values = np.stack([log_counts(table.chars), table.links / np.maximum(table.chars, 1), table.prose])
    sums = np.zeros((len(values), len(index) + 1))
    np.cumsum(np.rint(values * WINDOW_UNITS), axis=1, dtype=np.float64, out=sums[:, 1:])
    at, above = sums[:, :-1], sums[:, 1:]
    width = len(values)
    row = 0
    for size in WINDOW_SIZES:
        low = np.maximum(index - size, table.first)
        high = np.minimum(index + size, table.last) + 1
        for total, count in (
            (at - sums.take(low, axis=1), index - low),
            (sums.take(high, axis=1) - above, high - index - 1),
        ):
            total *= 1 / (WINDOW_UNITS * np.maximum(count, 1))
            out[row * width : (row + 1) * width] = total
            row += 1


def first_h1(table: SegmentTable) -> Ints:
    """For each segment the index of the first h1 of its document, or -1."""
    first = np.full(len(table.sizes), -1)
    h1 = np.flatnonzero(table.category("tag") == CATEGORIES["tag"].index("h1"))[::-1]
    first[table.document[h1]] = h1
    return first[table.document]


def fill_landmarks(table: SegmentTable, out: Floats) -> None:
    """The distances from the first h1, from the first and last paragraphs of prose, and from the nearest ones."""
    index, document, prose = table.index, table.document, np.flatnonzero(table.prose)
    h1 = first_h1(table)
    out[0] = np.where(h1 >= 0, np.clip(index - h1, -50, 100), -60) / 25
    for row, order in ((out[1], prose[::-1]), (out[2], prose)):
        landmark = np.full(len(table.sizes), -1)
        landmark[document[order]] = order
        landmark = landmark[document]
        row[:] = np.where(landmark >= 0, np.clip(index - landmark, -100, 100), 100) / 25
    after, before = table.next_after(table.prose, -1), table.last_before(table.prose, -1)
    out[3] = np.where(after >= 0, log_counts(np.maximum(after - index, 0)), NO_DISTANCE)
    out[4] = np.where(before >= 0, log_counts(np.maximum(index - before, 0)), NO_DISTANCE)


def fill_section(table: SegmentTable, out: Floats) -> None:
    """The features of each section: a heading and the text below it, up to the next heading."""
    index = table.index
    heading = table.heading
    out[0] = log_counts(index - np.where(heading >= 0, heading, table.first - 1) - 1)
    starts = table.headings | (index == table.first)
    number = np.cumsum(starts) - 1
    out[1] = log_counts(np.bincount(number))[number]
    prose, chars = np.bincount(number, table.prose_chars), np.bincount(number, table.chars)
    out[2] = shares(prose, chars).astype(np.float32)[number]


def fill_to_main(table: SegmentTable, out: Floats) -> None:
    """For each place whether its parent is the element of the main text, and the steps to that; 0 without main text."""
    tree = table.tree
    group, node = main_text(table)
    has_main = group >= 0
    # the nearest ancestor that is also an ancestor of the main text
    nodes = np.arange(len(tree.parent))
    shared = nodes == tree.parent
    for at in node[has_main].tolist():
        while not shared[at]:
            shared[at] = True
            at = int(tree.parent[at])
    common = tree.depth[last_ancestors(np.where(shared, nodes, tree.parent))][tree.places]
    document = tree.document[tree.places]
    has_main = has_main[document]
    out[0] = has_main & (table.place_groups["up1"] == group[document])
    out[1] = np.minimum(tree.depth[tree.places] - common, MAX_STEPS) * has_main
    out[2] = np.minimum(tree.depth[node][document] - common, MAX_STEPS) * has_main


def fill_beside_main(table: SegmentTable, out: Floats) -> None:
    """The distance of segments before and after the main text from it; 0 without main text."""
    tree, document, index = table.tree, table.document, table.index
    group, _ = main_text(table)
    of_place = group[tree.document[tree.places]]
    inside = (of_place >= 0) & (table.place_groups["up1"] == of_place)
    first, last = np.zeros((2, len(group)), np.int64)
    within = np.flatnonzero(inside[tree.place])
    first[document[within[::-1]]] = within[::-1]
    last[document[within]] = within
    has_main = (group >= 0)[document]
    out[0] = log_counts(np.maximum(first[document] - index, 0)) * has_main
    out[1] = log_counts(np.maximum(index - last[document], 0)) * has_main


def main_text(table: SegmentTable) -> tuple[Ints, Ints]:
    """For each document its main text: the group `up1` with most prose, the first of several; and the node that is the
    parent of its places. -1 and 0 if the document has no prose."""
    tree, group = table.tree, table.place_groups["up1"]
    prose = np.bincount(group[tree.place], table.prose_chars)
    document, node = np.empty((2, len(prose)), np.int64)
    document[group] = tree.document[tree.places]
    node[group] = tree.parent[tree.places]
    pages = len(table.sizes)
    most = np.zeros(pages)
    np.maximum.at(most, document, prose)
    best = np.flatnonzero((prose == most[document]) & (prose > 0))[::-1]  # reversed, as the last one assigned stays
    chosen, element = np.full(pages, -1), np.zeros(pages, np.int64)
    chosen[document[best]] = best
    element[document[best]] = node[best]
    return chosen, element
