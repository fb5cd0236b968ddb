"""Features of segments as a matrix, for many documents at once; `schema` names the columns.

    table = build_table([Document([{"text": "Home", "type": "l", "path": "body/nav/li", "tag": "li", "links": 4}])])
    feature_matrix(table)[:, NAMES.index("link_density")]    # [1.0]

All features are finite and bounded. Those of a page are the same in every batch, bit by bit: sums over neighbours are
sums of whole numbers, and everything else is computed within the page. Many features are the same for all segments of a
path or of a kind and are computed once for them. Features come in parts, so that a caller that only sums them up needs
no matrix of all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..text.char_stats import BRACKET, COMMA, DIGIT, LETTER, MARK, PLAIN, SIGN, STOP, SYMBOL, UPPER, WIDE
from . import neighbourhood
from .categories import CATEGORIES
from .dom_tree import Ints
from .neighbourhood import Values, log_counts, shares
from .schema import FAMILIES, NAMES
from .segment_table import Flags, Floats, SegmentTable
from .title_overlap import fill_title_overlap

# A repeated text of at least so many words counts as repeated content; shorter ones repeat anywhere.
MIN_REPEATED_WORDS = 6
# Columns that are the same for all segments of a path.
_PLACE_COLUMNS = {
    "depth",
    "repeats_page",
    "main_same",
    "main_up",
    "main_down",
    *FAMILIES["page"],
    *(name for name in FAMILIES["groups"] if not name.endswith("_first")),
}


def _part(family: str, name: str) -> str:
    """The part of the matrix that has a column."""
    if family in CATEGORIES or family == "flags":
        return "kinds"
    if name in _PLACE_COLUMNS:
        return "places"
    return family if family in ("neighbours", "windows") else "own"


# part → family → the columns of the family that the part has (indices into NAMES)
PARTS: dict[str, dict[str, list[int]]] = {}
for _family, _names in FAMILIES.items():
    for _name in _names:
        PARTS.setdefault(_part(_family, _name), {}).setdefault(_family, []).append(NAMES.index(_name))
_COLUMNS = {part: np.array([column for some in own.values() for column in some]) for part, own in PARTS.items()}


@dataclass(frozen=True)
class FeaturePart:
    """Some columns of the feature matrix, transposed: *values* (shape: columns, rows); their indices in NAMES
    (*columns*); and for each segment its place among the *rows*, None if each segment has a row of its own."""

    name: str
    columns: Ints
    values: Floats
    rows: Ints | None

    @classmethod
    def empty(cls, name: str, size: int, rows: Ints | None = None) -> FeaturePart:
        """One of PARTS with *size* rows, whose values are not set."""
        columns = _COLUMNS[name]
        return cls(name, columns, np.empty((len(columns), size), np.float32), rows)

    def family(self, name: str) -> Floats:
        """The values of a family, to be written (shape: columns, rows). Raises KeyError if the part has none of it."""
        start = 0
        for family, columns in PARTS[self.name].items():
            if family == name:
                return self.values[start : start + len(columns)]
            start += len(columns)
        raise KeyError(name)


def feature_matrix(table: SegmentTable) -> Floats:
    """The features of segments (shape: segments, NAMES), in memory column by column."""
    out = np.empty((len(NAMES), len(table)), np.float32)  # every column is in a part
    for part in feature_parts(table):
        out[part.columns] = part.values if part.rows is None else part.values.take(part.rows, axis=1)
    columns: Floats = out.T
    return columns


def feature_parts(table: SegmentTable) -> Iterator[FeaturePart]:
    """The parts of the feature matrix, one after the other; none if there is no segment."""
    if not len(table):
        return
    yield _kind_part(table)
    yield _place_part(table)
    yield _segment_part(table)
    for name, fill in (("neighbours", neighbourhood.fill_neighbours), ("windows", neighbourhood.fill_windows)):
        part = FeaturePart.empty(name, len(table))
        fill(table, part.family(name))
        yield part


def _kind_part(table: SegmentTable) -> FeaturePart:
    part = FeaturePart.empty("kinds", table.flags.shape[1], table.kind)
    part.values[:] = 0
    part.family("flags")[:] = table.flags
    for field in CATEGORIES:
        code = table.codes[field]
        with_category = np.flatnonzero(code >= 0)
        part.family(field)[code[with_category], with_category] = 1
    return part


def _place_part(table: SegmentTable) -> FeaturePart:
    tree = table.tree
    part = FeaturePart.empty("places", len(tree.places), tree.place)
    document = tree.document[tree.places]
    part.family("position")[0] = np.minimum(tree.depth[tree.places], 40) / 10
    repeated = table.sum_by_document((table.chars * (table.repeated[0] & _is_long(table)))[None])[0]
    part.family("repeats")[0] = shares(repeated, table.page_chars[0])[document]
    neighbourhood.fill_groups(table, part.family("groups"))
    neighbourhood.fill_to_main(table, part.family("main"))
    _fill_page(table, document, part.family("page"))
    return part


def _segment_part(table: SegmentTable) -> FeaturePart:
    part = FeaturePart.empty("own", len(table))
    _fill_characters(table, part.family("characters"))
    _fill_position(table, part.family("position"))
    _fill_repeats(table, part.family("repeats"))
    neighbourhood.fill_since_first(table, part.family("groups"))
    neighbourhood.fill_landmarks(table, part.family("landmarks"))
    neighbourhood.fill_section(table, part.family("section"))
    neighbourhood.fill_beside_main(table, part.family("main"))
    fill_title_overlap(table, part.family("head"))
    return part


def _fill_characters(table: SegmentTable, out: Floats) -> None:
    counts, chars = table.counts, table.chars
    kinds, first, last = counts.kinds, counts.first, counts.last
    words = np.maximum(counts.words, 1)
    each = 1 / np.maximum(chars, 1)
    out[0] = log_counts(chars)
    out[1] = log_counts(np.rint(counts.words))
    np.minimum(chars / words, 20, out=out[2])
    np.multiply(table.links, each, out=out[3])
    out[4] = (table.links >= chars) & (chars > 0)
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


def _fill_position(table: SegmentTable, out: Floats) -> None:
    size = table.sizes[table.document]
    place = table.index - table.first
    np.divide(place, size, out=out[0], casting="unsafe")
    out[1] = log_counts(place)
    out[2] = log_counts(size - place - 1)
    chars, prose = table.page_chars
    out[3] = _share_before(table, table.chars, chars)
    out[4] = _share_before(table, table.prose_chars, prose)


def _share_before(table: SegmentTable, values: Values, page: Values) -> Values:
    """The share of *page*, the sum of *values* in each document, that is before each segment."""
    before = np.cumsum(values, dtype=np.float64) - values  # of whole numbers: exact
    before -= before[table.first]
    return shares(before, page[table.document])


def _fill_repeats(table: SegmentTable, out: Floats) -> None:
    same = table.same
    before, after = table.repeated
    long = _is_long(table)
    out[0] = before & long
    out[1] = after & long
    out[2] = (before | after) & ~long
    out[3] = log_counts(np.bincount(same)[same] - 1)
    h1 = neighbourhood.first_h1(table)
    out[4] = (h1 >= 0) & (same == same[h1])


def _is_long(table: SegmentTable) -> Flags:
    """Whether each text is long enough to count as repeated content."""
    out: Flags = table.counts.words >= MIN_REPEATED_WORDS
    return out


def _fill_page(table: SegmentTable, document: Ints, out: Floats) -> None:
    """Fills the features of the page of each place; *document* is the index of the page."""
    size = table.sizes
    kind = table.category("type")
    chars, prose = table.page_chars
    links, paragraphs, headings, lists, ruled = table.sum_by_document(
        np.stack(
            [
                table.links,
                table.prose,
                kind == CATEGORIES["type"].index("h"),
                table.chars * (kind == CATEGORIES["type"].index("l")),
                table.chars * (table.category("rule") >= 0),
            ]
        ).astype(np.float64)
    )
    pages = [np.log1p(size), np.log1p(chars), shares(links, chars), shares(prose, chars), np.log1p(paragraphs)]
    pages += [shares(headings, size), shares(lists, chars), shares(ruled, chars)]
    for row, page in zip(out, pages):
        row[:] = page.astype(np.float32)[document]
