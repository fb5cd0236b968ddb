"""What is around segments, as numbers: groups in the tree, neighbours, windows, headings, the main text of the page.

Part of `features`, which names the numbers and says what they are. Every function fills rows of a matrix (features;
segments, or places, whose segments share them).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..text.char_stats import STOP
from .dom_tree import Ints, lifted
from .segment_table import CATEGORIES, Floats, Segments

# Numbers of any type.
Values = NDArray[Any]
# Neighbours so many segments away; means over so many segments on either side.
NEIGHBOURS, WINDOWS, SIDES = (-2, -1, 1, 2), (3, 8, 20), ("before", "after")
# log(1 + n) of whole numbers, those above the last as that: faster than the function, and the same wherever they stand.
_LOGS = np.log1p(np.arange(1 << 14)).astype(np.float32)
FAR = 5.0  # log of a distance to what is not there
MAX_WORDS = 50  # of a segment, in means
MAX_OFFSET = 20  # in lengths of the group
MAX_STEPS = 10  # in the tree
# Means in windows are of whole numbers of such parts, so that their sums are exact.
PART = 1024


def logs(values: Values) -> Floats:
    """log(1 + n) of whole numbers from 0, of those above 16,383 that of 16,383."""
    out: Floats = _LOGS[np.minimum(values, len(_LOGS) - 1).astype(np.intp)]
    return out


def shares(parts: Values, whole: Values) -> Values:
    """parts / whole, 0 of nothing; *whole* is a whole number."""
    out: Values = parts / np.maximum(whole, 1)
    return out


def groups(segments: Segments, out: Floats) -> None:
    """Of all kinds of groups at once, for each place: first the sums of places, then those of groups of places."""
    tree = segments.tree
    of_place, count = segments.numbered
    kinds, places = of_place.shape
    flat = of_place.ravel()

    def summed(values: Values | None) -> Values:
        return np.bincount(flat, np.tile(np.bincount(tree.place, values, places), kinds), count)

    n, chars, prose = summed(None), summed(segments.chars), summed(segments.prose_chars)
    document = np.empty(count, np.int64)
    document[flat] = np.tile(tree.document[tree.places], kinds)
    page, page_prose = segments.page_chars[:, document]
    values = np.empty((7, count), np.float32)
    values[0] = logs(n)
    values[1] = np.log1p(chars)
    values[2] = shares(summed(segments.links), chars)
    values[3] = shares(prose, chars)
    values[4] = shares(chars, page)
    values[5] = shares(prose, page_prose)
    values[6] = summed(np.minimum(segments.counts.words, MAX_WORDS)) / n
    np.take(values, of_place, axis=1, out=out.reshape(7, kinds, -1), mode="clip")


def since_first(segments: Segments, out: Floats) -> None:
    """How far a segment is from the first of each group it is in."""
    tree = segments.tree
    of_place, count = segments.numbered
    kinds, places = of_place.shape
    position = segments.index - segments.first
    sizes = np.bincount(of_place.ravel(), np.tile(np.bincount(tree.place, minlength=places), kinds), count)
    # places stand in order of appearance: read backwards, the first one stays
    first = np.empty(places, np.int64)
    first[tree.place[::-1]] = position[::-1]
    start = np.empty(count, np.int64)
    start[of_place[:, ::-1].ravel()] = np.tile(first[::-1], kinds)
    each = (1 / sizes).astype(np.float32)[of_place]
    np.take(start.astype(np.float32)[of_place], tree.place, axis=1, out=out, mode="clip")
    np.subtract(position.astype(np.float32), out, out=out)
    out *= each.take(tree.place, axis=1)
    np.minimum(out, MAX_OFFSET, out=out)


def neighbours(segments: Segments, out: Floats) -> None:
    """What stands one and two segments before and after; -1 where nothing does."""
    kind = segments.code("type")
    values = np.stack(
        [
            logs(segments.chars),
            segments.links / np.maximum(segments.chars, 1),
            kind == CATEGORIES["type"].index("h"),
            kind == CATEGORIES["type"].index("l"),
            segments.counts.last == STOP,
            segments.code("rule") >= 0,
        ]
    ).astype(np.float32)
    node, index = segments.node, segments.index
    group = segments.groups["sig"]
    width = len(values) + 1
    for number, distance in enumerate(NEIGHBOURS):
        rows = out[number * width : (number + 1) * width]
        beyond = np.flatnonzero((index + distance < segments.first) | (index + distance > segments.last))
        here, there = (
            (slice(-distance, None), slice(distance)) if distance < 0 else (slice(-distance), slice(distance, None))
        )
        rows[:-1, here] = values[:, there]
        rows[:-1, beyond] = -1
        rows[-1, here] = node[here] == node[there]
        rows[-1, beyond] = 0
    alike = np.zeros(len(segments) + 1, np.float32)
    alike[1:-1] = group[1:] == group[:-1]
    out[-2], out[-1] = alike[:-1], alike[1:]


def windows(segments: Segments, out: Floats) -> None:
    """Means over the segments before and after."""
    index = segments.index
    values = np.stack([logs(segments.chars), segments.links / np.maximum(segments.chars, 1), segments.prose])
    sums = np.zeros((len(values), len(index) + 1))
    np.cumsum(np.rint(values * PART), axis=1, dtype=np.float64, out=sums[:, 1:])
    at, above = sums[:, :-1], sums[:, 1:]
    width = len(values)
    row = 0
    for size in WINDOWS:
        low = np.maximum(index - size, segments.first)
        high = np.minimum(index + size, segments.last) + 1
        for total, count in (
            (at - sums.take(low, axis=1), index - low),
            (sums.take(high, axis=1) - above, high - index - 1),
        ):
            total *= 1 / (PART * np.maximum(count, 1))
            out[row * width : (row + 1) * width] = total
            row += 1


def first_h1(segments: Segments) -> Ints:
    """For each segment the index of the first h1 of its document, or -1."""
    found = np.full(len(segments.documents), -1)
    h1 = np.flatnonzero(segments.code("tag") == CATEGORIES["tag"].index("h1"))[::-1]
    found[segments.document[h1]] = h1
    return found[segments.document]


def landmarks(segments: Segments, out: Floats) -> None:
    """How far it is from the first h1, the first and the last paragraph of prose, and the next ones."""
    index, document, prose = segments.index, segments.document, np.flatnonzero(segments.prose)
    h1 = first_h1(segments)
    out[0] = np.where(h1 >= 0, np.clip(index - h1, -50, 100), -60) / 25
    for row, order in ((out[1], prose[::-1]), (out[2], prose)):
        found = np.full(len(segments.documents), -1)
        found[document[order]] = order
        found = found[document]
        row[:] = np.where(found >= 0, np.clip(index - found, -100, 100), 100) / 25
    after, before = segments.after(segments.prose, -1), segments.before(segments.prose, -1)
    out[3] = np.where(after >= 0, logs(np.maximum(after - index, 0)), FAR)
    out[4] = np.where(before >= 0, logs(np.maximum(index - before, 0)), FAR)


def section(segments: Segments, out: Floats) -> None:
    """What a heading and the text below it, up to the next heading, are together."""
    index = segments.index
    heading = segments.heading
    out[0] = logs(index - np.where(heading >= 0, heading, segments.first - 1) - 1)
    starts = segments.headings | (index == segments.first)
    number = np.cumsum(starts) - 1
    out[1] = logs(np.bincount(number))[number]
    prose, chars = np.bincount(number, segments.prose_chars), np.bincount(number, segments.chars)
    out[2] = shares(prose, chars).astype(np.float32)[number]


def to_main(segments: Segments, out: Floats) -> None:
    """Of each place: whether its parent element is that of the main text, and the steps to it. 0 without any."""
    tree = segments.tree
    group, node = main_text(segments)
    known = group >= 0
    # the nearest ancestor that the main text has, too
    nodes = np.arange(len(tree.parent))
    shared = nodes == tree.parent
    for at in node[known].tolist():
        while not shared[at]:
            shared[at] = True
            at = int(tree.parent[at])
    common = tree.depth[lifted(np.where(shared, nodes, tree.parent))][tree.places]
    document = tree.document[tree.places]
    known = known[document]
    out[0] = known & (segments.grouping["up1"] == group[document])
    out[1] = np.minimum(tree.depth[tree.places] - common, MAX_STEPS) * known
    out[2] = np.minimum(tree.depth[node][document] - common, MAX_STEPS) * known


def beside_main(segments: Segments, out: Floats) -> None:
    """How far the main text is from segments that stand before and after it. 0 without any."""
    tree, document, index = segments.tree, segments.document, segments.index
    group, _ = main_text(segments)
    of_place = group[tree.document[tree.places]]
    inside = (of_place >= 0) & (segments.grouping["up1"] == of_place)
    first, last = np.zeros((2, len(group)), np.int64)
    within = np.flatnonzero(inside[tree.place])
    first[document[within[::-1]]] = within[::-1]
    last[document[within]] = within
    known = (group >= 0)[document]
    out[0] = logs(np.maximum(first[document] - index, 0)) * known
    out[1] = logs(np.maximum(index - last[document], 0)) * known


def main_text(segments: Segments) -> tuple[Ints, Ints]:
    """Of each document the group `up1` with most prose, the first of several, and the element that makes it; -1 and 0
    where there is no prose."""
    tree, group = segments.tree, segments.grouping["up1"]
    prose = np.bincount(group[tree.place], segments.prose_chars)
    document, node = np.empty((2, len(prose)), np.int64)
    document[group] = tree.document[tree.places]
    node[group] = tree.parent[tree.places]
    pages = len(segments.documents)
    most = np.zeros(pages)
    np.maximum.at(most, document, prose)
    best = np.flatnonzero((prose == most[document]) & (prose > 0))[::-1]  # read backwards, the first one stays
    chosen, element = np.full(pages, -1), np.zeros(pages, np.int64)
    chosen[document[best]] = best
    element[document[best]] = node[best]
    return chosen, element
