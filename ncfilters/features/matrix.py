"""What the structure model knows of segments: numbers for many documents at once, each with a name (see `columns`).

    batch = read([Document([{"text": "Home", "type": "l", "path": "body/nav/li", "tag": "li", "links": 4}])])
    numbers(batch)[:, NAMES.index("link_density")]    # [1.0]

All are finite and bounded. The numbers of a page are the same in every batch, bit by bit: sums over neighbours are of
whole numbers, and all others are made within the page. Many are the same for all segments of a path or of a kind, and
are made once for all of them: numbers come in parts, and who sums them up needs no matrix of them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..text.char_stats import BRACKET, COMMA, DIGIT, LETTER, MARK, PLAIN, SIGN, STOP, SYMBOL, UPPER, WIDE
from . import neighbourhood, title_overlap
from .dom_tree import Ints
from .neighbourhood import Values, logs, shares
from .phrase_vocabulary import phrases
from .schema import ABOUT, FAMILIES, NAMES
from .segment_table import CATEGORIES, READS, Flags, Floats, Segments, read

__all__ = ["ABOUT", "FAMILIES", "NAMES", "READS", "Segments", "numbers", "parts", "phrases", "read"]

# A text of so many words is long.
LONG = 6
# What all segments of a path have in common.
_OF_PLACES = {
    "depth",
    "repeats_page",
    "main_same",
    "main_up",
    "main_down",
    *FAMILIES["page"],
    *(name for name in FAMILIES["groups"] if not name.endswith("_first")),
}


def _part(family: str, name: str) -> str:
    """The part that a column is in."""
    if family in CATEGORIES or family == "flags":
        return "kinds"
    if name in _OF_PLACES:
        return "places"
    return family if family in ("neighbours", "windows") else "own"


# part → family → those of its columns that the part has (indices into NAMES)
PARTS: dict[str, dict[str, list[int]]] = {}
for _family, _names in FAMILIES.items():
    for _name in _names:
        PARTS.setdefault(_part(_family, _name), {}).setdefault(_family, []).append(NAMES.index(_name))
_COLUMNS = {part: np.array([column for some in own.values() for column in some]) for part, own in PARTS.items()}


@dataclass(frozen=True)
class Part:
    """Some columns of the numbers: *values* (columns, rows), the indices of the *columns* in NAMES, and which of the
    *rows* is each segment's; None where each has its own."""

    name: str
    columns: Ints
    values: Floats
    rows: Ints | None

    @classmethod
    def empty(cls, name: str, size: int, rows: Ints | None = None) -> Part:
        """One of PARTS, of *size* rows, its values not yet set."""
        columns = _COLUMNS[name]
        return cls(name, columns, np.empty((len(columns), size), np.float32), rows)

    def family(self, name: str) -> Floats:
        """The values of a family (columns, rows), to be written."""
        start = 0
        for family, columns in PARTS[self.name].items():
            if family == name:
                return self.values[start : start + len(columns)]
            start += len(columns)
        raise KeyError(name)


def numbers(segments: Segments) -> Floats:
    """The numbers of segments (float32; shape: segments, NAMES), in memory column by column."""
    out = np.empty((len(NAMES), len(segments)), np.float32)  # every column is in a part
    for part in parts(segments):
        out[part.columns] = part.values if part.rows is None else part.values.take(part.rows, axis=1)
    columns: Floats = out.T
    return columns


def parts(segments: Segments) -> Iterator[Part]:
    """The same numbers, one part after the other. None of no segments."""
    if not len(segments):
        return
    yield _of_kinds(segments)
    yield _of_places(segments)
    yield _of_segments(segments)
    for name, fill in (("neighbours", neighbourhood.neighbours), ("windows", neighbourhood.windows)):
        part = Part.empty(name, len(segments))
        fill(segments, part.family(name))
        yield part


def _of_kinds(segments: Segments) -> Part:
    part = Part.empty("kinds", segments.flags.shape[1], segments.kind)
    part.values[:] = 0
    part.family("flags")[:] = segments.flags
    for field in CATEGORIES:
        code = segments.codes[field]
        known = np.flatnonzero(code >= 0)
        part.family(field)[code[known], known] = 1
    return part


def _of_places(segments: Segments) -> Part:
    tree = segments.tree
    part = Part.empty("places", len(tree.places), tree.place)
    document = tree.document[tree.places]
    part.family("position")[0] = np.minimum(tree.depth[tree.places], 40) / 10
    repeated = segments.of_pages((segments.chars * (segments.repeated[0] & _long(segments)))[None])[0]
    part.family("repeats")[0] = shares(repeated, segments.page_chars[0])[document]
    neighbourhood.groups(segments, part.family("groups"))
    neighbourhood.to_main(segments, part.family("main"))
    _page(segments, document, part.family("page"))
    return part


def _of_segments(segments: Segments) -> Part:
    part = Part.empty("own", len(segments))
    _characters(segments, part.family("characters"))
    _position(segments, part.family("position"))
    _repeats(segments, part.family("repeats"))
    neighbourhood.since_first(segments, part.family("groups"))
    neighbourhood.landmarks(segments, part.family("landmarks"))
    neighbourhood.section(segments, part.family("section"))
    neighbourhood.beside_main(segments, part.family("main"))
    title_overlap.fill(segments, part.family("head"))
    return part


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


def _passed(segments: Segments, values: Values, page: Values) -> Values:
    """The share of *page*, the sum of *values* in each document, that stands before each segment."""
    passed = np.cumsum(values, dtype=np.float64) - values  # of whole numbers: exact
    passed -= passed[segments.first]
    return shares(passed, page[segments.document])


def _repeats(segments: Segments, out: Floats) -> None:
    same = segments.same
    before, after = segments.repeated
    long = _long(segments)
    out[0] = before & long
    out[1] = after & long
    out[2] = (before | after) & ~long
    out[3] = logs(np.bincount(same)[same] - 1)
    h1 = neighbourhood.first_h1(segments)
    out[4] = (h1 >= 0) & (same == same[h1])


def _long(segments: Segments) -> Flags:
    """Which texts are long."""
    out: Flags = segments.counts.words >= LONG
    return out


def _page(segments: Segments, document: Ints, out: Floats) -> None:
    """Of the page of each place: that of *document*."""
    size = segments.documents
    kind = segments.code("type")
    chars, prose = segments.page_chars
    links, paragraphs, headings, lists, ruled = segments.of_pages(
        np.stack(
            [
                segments.links,
                segments.prose,
                kind == CATEGORIES["type"].index("h"),
                segments.chars * (kind == CATEGORIES["type"].index("l")),
                segments.chars * (segments.code("rule") >= 0),
            ]
        ).astype(np.float64)
    )
    pages = [np.log1p(size), np.log1p(chars), shares(links, chars), shares(prose, chars), np.log1p(paragraphs)]
    pages += [shares(headings, size), shares(lists, chars), shares(ruled, chars)]
    for row, page in zip(out, pages):
        row[:] = page.astype(np.float32)[document]
