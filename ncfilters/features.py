"""What the structure model knows of segments: numbers for many documents at once, each with a name (see `columns`).

    batch = read([[{"text": "Home", "type": "l", "path": "body/nav/li", "tag": "li", "links": 4}]])
    numbers(batch, scores)[:, NAMES.index("link_density")]    # [1.0]

All are finite and bounded. The numbers of a page are the same in every batch, bit by bit: sums over neighbours are of
whole numbers, and all others are made within the page.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from . import surroundings
from .ancestry import GROUPS
from .batch import CATEGORIES, Floats, Segments, read
from .characters import BRACKET, COMMA, DIGIT, LETTER, MARK, PLAIN, SIGN, STOP, SYMBOL, UPPER, WIDE
from .columns import ABOUT, FAMILIES, NAMES, SCORERS
from .phrases import indices, phrases
from .surroundings import NEIGHBOURS, Values, logs, shares

__all__ = ["ABOUT", "FAMILIES", "NAMES", "Segments", "indices", "names", "numbers", "phrases", "read"]

# The first column of each family.
_STARTS = dict(zip(FAMILIES, accumulate(map(len, FAMILIES.values()), initial=0)))
# A text of so many words is long.
LONG = 6
# Bounds of odds: of a segment, of a character of it, in means (bits).
ODDS, CHARACTER_ODDS, MEAN_ODDS = (-60, 120), (-10, 10), (-30, 60)


def names(scorers: int = SCORERS) -> tuple[str, ...]:
    """The names of the columns that hold something with so many scorers: the first of NAMES."""
    return NAMES[: _STARTS[f"ng{scorers}"]] if scorers < SCORERS else NAMES


def numbers(segments: Segments, scores: NDArray[np.floating]) -> Floats:
    """The numbers of segments (float32; shape: segments, NAMES), in memory column by column.

    *scores* are the log2 odds of one or two character models (bits; shape: segments, models). With one, the columns of
    the second are 0. Raises ValueError for another shape.
    """
    n = len(segments)
    if scores.ndim != 2 or len(scores) != n or not 1 <= scores.shape[1] <= SCORERS:
        raise ValueError(f"scores of shape {scores.shape}: {n} rows of 1 to {SCORERS} are wanted")
    out = np.empty((len(NAMES), n), np.float32)
    columns: Floats = out.T
    if not n:
        return columns
    rows = {family: out[start : start + len(FAMILIES[family])] for family, start in _STARTS.items()}
    odds = np.clip(np.nan_to_num(np.ascontiguousarray(scores.T, np.float32)), *ODDS)
    bits = np.clip(odds, *MEAN_ODDS)
    scored = [rows[f"ng{scorer}"] for scorer in range(SCORERS)]
    for unused in scored[len(odds) :]:
        unused[:] = 0
    for own, values in zip(scored, odds):
        own[0] = values
        np.clip(values / np.maximum(segments.chars, 1), *CHARACTER_ODDS, out=own[1])

    _characters(segments, rows["characters"])
    rows["flags"][:] = segments.flags[:, segments.kind]
    _position(segments, rows["position"])
    _repeats(segments, rows["repeats"])
    _page(segments, bits, rows["page"], [own[-1:] for own in scored])
    _categories(segments, rows)
    at = 2
    surroundings.groups(segments, bits, rows["groups"], [own[at : at + len(GROUPS)] for own in scored])
    at += len(GROUPS)
    surroundings.neighbours(segments, odds, rows["neighbours"], [own[at : at + len(NEIGHBOURS)] for own in scored])
    at += len(NEIGHBOURS)
    surroundings.windows(segments, bits, rows["windows"], [own[at:-1] for own in scored])
    surroundings.landmarks(segments, rows["landmarks"])
    surroundings.section(segments, rows["section"])
    surroundings.main(segments, rows["main"])
    return columns


def _characters(segments: Segments, out: Floats) -> None:
    counts, chars = segments.counts, segments.chars
    kinds, first, last = counts.kinds, counts.first, counts.last
    words = np.maximum(counts.words, 1)
    each = 1 / np.maximum(chars, 1)
    out[0] = logs(chars)
    out[1] = logs(np.rint(counts.words))
    np.minimum(chars / words, 20, out=out[2])
    np.multiply(segments.links, each, out=out[3])
    out[4] = (segments.links >= chars) & (chars > 0)
    np.multiply(kinds[UPPER], each, out=out[5])
    np.multiply(kinds[DIGIT], each, out=out[6])
    np.multiply(kinds[MARK] + kinds[BRACKET] + kinds[SYMBOL], each, out=out[7])
    np.multiply(kinds[SYMBOL], each, out=out[8])
    np.multiply(kinds[SIGN] + kinds[LETTER] + kinds[WIDE], each, out=out[9])
    np.minimum(counts.sentences, 20, out=out[10])
    np.minimum(kinds[COMMA] / words, 5, out=out[11])
    np.minimum(counts.titles / words, 1, out=out[12])
    out[13] = last == STOP
    out[14] = last == COMMA
    out[15] = (last >= MARK) & (last <= BRACKET)
    out[16] = first == UPPER
    out[17] = first == PLAIN
    out[18] = first == DIGIT
    out[19] = (first >= STOP) & (first <= SIGN)


def _position(segments: Segments, out: Floats) -> None:
    size = segments.documents[segments.document]
    place = segments.index - segments.first
    np.divide(place, size, out=out[0], casting="unsafe")
    out[1] = logs(place)
    out[2] = logs(size - place - 1)
    chars, prose = segments.page_chars
    out[3] = _passed(segments, segments.chars, chars)
    out[4] = _passed(segments, segments.prose_chars, prose)
    out[5] = np.minimum(segments.tree.depth[segments.node], 40) / 10


def _passed(segments: Segments, values: Values, page: Values) -> Values:
    """The share of *page*, the sum of *values* in each document, that stands before each segment."""
    passed = np.cumsum(values, dtype=np.float64) - values  # of whole numbers: exact
    passed -= passed[segments.first]
    return shares(passed, page[segments.document])


def _repeats(segments: Segments, out: Floats) -> None:
    same, index = segments.same, segments.index
    last = np.empty(len(segments), np.int64)
    last[same] = index  # of several, the last one stays
    before, after = same < index, last[same] > index
    long = segments.counts.words >= LONG
    out[0] = before & long
    out[1] = after & long
    out[2] = (before | after) & ~long
    out[3] = logs(np.bincount(same)[same] - 1)
    repeated = segments.of_pages((segments.chars * out[0])[None])[0]
    out[4] = shares(repeated, segments.page_chars[0]).astype(np.float32)[segments.document]
    h1 = surroundings.first_h1(segments)
    out[5] = (h1 >= 0) & (same == same[h1])


def _page(segments: Segments, bits: Floats, out: Floats, scored: list[Floats]) -> None:
    size = segments.documents
    kind = segments.code("type")
    chars, prose = segments.page_chars
    links, paragraphs, headings, lists, ruled, *odds = segments.of_pages(
        np.stack(
            [
                segments.links,
                segments.prose,
                kind == CATEGORIES["type"].index("h"),
                segments.chars * (kind == CATEGORIES["type"].index("l")),
                segments.chars * (segments.code("rule") >= 0),
                *bits,
            ]
        ).astype(np.float64)
    )
    pages = [np.log1p(size), np.log1p(chars), shares(links, chars), shares(prose, chars), np.log1p(paragraphs)]
    pages += [
        shares(headings, size),
        shares(lists, chars),
        shares(ruled, chars),
        *(shares(sum_, size) for sum_ in odds),
    ]
    for row, page in zip([*out, *(own[0] for own in scored)], pages):
        row[:] = page.astype(np.float32)[segments.document]


def _categories(segments: Segments, rows: dict[str, Floats]) -> None:
    for field in CATEGORIES:
        rows[field][:] = 0
        code = segments.code(field)
        known = np.flatnonzero(code >= 0)
        rows[field][code[known], known] = 1
