"""The segments of several documents as one table of arrays, from which features are computed.

    segment = {"text": "Home", "type": "l", "path": "body/nav/li", "tag": "li", "links": 4}
    table = build_table([Document([segment]), Document([])])
    table.sizes, table.chars, table.node    # [1, 0], [4.0], [3]

The table has only the data of the segments' records. Plain text has no paths, tags or links: all its
segments are in the root.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record import Segment, check_optional
from ..text.char_stats import CharStats, count_characters
from .categories import CATEGORIES, FLAGS, READS
from .document import Document, Head
from .dom_tree import DomTree, Ints, build_tree, place_groups

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

_CODES = {field: {name: code for code, name in enumerate(names)} for field, names in CATEGORIES.items()}
# A paragraph of prose has a sentence, at least so many words, and at most this share of links.
PROSE_WORDS, PROSE_LINKS = 8, 0.4
# A longer heading does not count as the heading of the segments below it.
MAX_HEADING_CHARS = 90


@dataclass(frozen=True)
class SegmentTable:
    """The segments of all documents, one after the other.

    For each document: `sizes`, its number of segments; `heads`. For each segment: `texts`; `document`, its index;
    `first` and `last`, the indices of the first and last segments of the document; `links`, characters in links, at
    most those of the text; `counts`; `kind`, an index into the columns of `codes` and `flags`; `same`, the index of the
    first segment of the document with the same text. `codes` holds for each field of CATEGORIES the category of each
    kind (-1: none), and `flags` whether it has each of FLAGS (shape: FLAGS, kinds). `place_groups` holds for each of
    `categories.GROUP_KINDS` the group of each place of `tree`.
    """

    sizes: Ints
    heads: list[Head]
    texts: list[str]
    document: Ints
    first: Ints
    last: Ints
    links: Floats
    counts: CharStats
    kind: Ints
    codes: dict[str, Ints]
    flags: Flags
    same: Ints
    tree: DomTree
    place_groups: dict[str, Ints]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def node(self) -> Ints:
        """The node of each segment in the tree."""
        return self.tree.node

    @property
    def chars(self) -> Floats:
        """The number of characters of each text."""
        return self.counts.chars

    @cached_property
    def index(self) -> Ints:
        """0, 1, 2, …"""
        return np.arange(len(self.texts))

    @cached_property
    def groups(self) -> dict[str, Ints]:
        """For each of `categories.GROUP_KINDS` the group of each segment, from 0."""
        return {name: group[self.tree.place] for name, group in self.place_groups.items()}

    @cached_property
    def weights(self) -> Floats:
        """The weight of each segment in averages: about the logarithm of its length."""
        out: Floats = np.log1p(self.chars.astype(np.float64)).astype(np.float32) + np.float32(0.1)
        return out

    @cached_property
    def numbered_groups(self) -> tuple[Ints, int]:
        """For each of `categories.GROUP_KINDS` and each place the group, numbered through all kinds (shape:
        GROUP_KINDS, places); and the number of groups."""
        out = np.stack(list(self.place_groups.values()))
        counts = out.max(axis=1, initial=-1) + 1
        out += (np.cumsum(counts) - counts)[:, None]
        return out, int(counts.sum())

    @cached_property
    def repeated(self) -> tuple[Flags, Flags]:
        """Whether each text occurs in its document before, and whether it occurs after."""
        last = np.empty(len(self), np.int64)
        last[self.same] = self.index  # of several values, the last one assigned stays
        return self.same < self.index, last[self.same] > self.index

    @cached_property
    def prose(self) -> Flags:
        """Whether each segment is a paragraph of prose."""
        words, sentences = self.counts.words, self.counts.sentences
        out: Flags = (sentences > 0) & (words >= PROSE_WORDS) & (self.links < np.float32(PROSE_LINKS) * self.chars)
        return out

    @cached_property
    def prose_chars(self) -> NDArray[np.float64]:
        """The characters of each segment if it is prose, else 0."""
        out: NDArray[np.float64] = np.where(self.prose, self.chars, 0).astype(np.float64)
        return out

    @cached_property
    def page_chars(self) -> NDArray[np.float64]:
        """The characters of each document, and those of its prose (shape: 2, documents)."""
        return self.sum_by_document(np.stack([self.chars, self.prose_chars]))

    def sum_by_document(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """The sum of each row of *values* over the segments of each document (shape: rows, documents)."""
        out = np.zeros((len(values), len(self.sizes)))
        filled = np.flatnonzero(self.sizes)
        if len(filled):
            out[:, filled] = np.add.reduceat(values, (np.cumsum(self.sizes) - self.sizes)[filled], axis=1)
        return out

    def category(self, field: str) -> Ints:
        """The category of each segment in a field of CATEGORIES, -1 for none."""
        return self.codes[field][self.kind]

    @cached_property
    def headings(self) -> Flags:
        """Whether each segment is a heading of the segments below it: of type h, and short."""
        out: Flags = (self.category("type") == _CODES["type"]["h"]) & (self.chars < MAX_HEADING_CHARS)
        return out

    @cached_property
    def heading(self) -> Ints:
        """The index of the last heading above each segment in its document, or -1."""
        return self.last_before(self.headings, -1)

    def last_before(self, flags: Flags, missing: int) -> Ints:
        """For each segment the index of the last flagged segment before it in its document, or *missing*."""
        at = np.empty(len(self), np.int64)
        at[:1] = -1
        np.maximum.accumulate(np.where(flags[:-1], self.index[:-1], -1), out=at[1:])
        at[at < self.first] = missing
        return at

    def next_after(self, flags: Flags, missing: int) -> Ints:
        """For each segment the index of the next flagged segment after it in its document, or *missing*."""
        at = np.empty(len(self), np.int64)
        at[-1:] = len(self)
        np.minimum.accumulate(np.where(flags[:0:-1], self.index[:0:-1], len(self)), out=at[-2::-1])
        at[at > self.last] = missing
        return at


def build_table(documents: Sequence[Document]) -> SegmentTable:
    """The segments of documents as a table. Segments without `path`, `tag` or `links` count as those of plain text.

    Raises RecordError, TypeError or AttributeError if a field of READS has another type.
    """
    sizes = np.fromiter(map(len, documents), np.int64, len(documents))
    kinds: dict[tuple[Any, ...], int] = {}  # in order of appearance
    texts: list[str] = []
    kind: list[int] = []
    links: list[int] = []
    paths: list[list[str]] = []
    for document in documents:  # document by document, while its segments are in the cache
        own_texts, own_kinds, own_paths, own_links = _columns(document.segments, kinds)
        texts += own_texts
        kind += own_kinds
        paths.append(own_paths)
        links += own_links
    _check_types(documents, kinds, links)
    tree = build_tree(paths)
    counts = count_characters(texts)
    number = np.repeat(np.arange(len(sizes)), sizes)
    ends = np.cumsum(sizes)
    return SegmentTable(
        sizes,
        [document.head for document in documents],
        texts,
        number,
        (ends - sizes)[number],
        (ends - 1)[number],
        np.clip(np.array(links, np.float32), 0, counts.chars),
        counts,
        np.array(kind, np.int64),
        {field: _categories(field, [key[at] for key in kinds]) for at, field in enumerate(CATEGORIES)},
        np.array([key[len(CATEGORIES) :] for key in kinds], bool).reshape(len(kinds), len(FLAGS)).T,
        np.fromiter(_first_same(texts, sizes.tolist()), np.int64, len(texts)),
        tree,
        place_groups(tree),
    )


def _columns(
    segments: Sequence[Segment], kinds: dict[tuple[Any, ...], int]
) -> tuple[list[str], list[int], list[str], list[int]]:
    """The texts, kinds, paths and links of segments. New kinds get the next number."""
    keys = [
        (
            segment.get("type", ""),
            segment.get("tag", ""),
            segment.get("rule", ""),
            segment.get("origin", ""),
            segment.get("hidden", ""),
            "bold" in segment,
            "marker" in segment,
            "pre" in segment,
        )
        for segment in segments
    ]
    return (
        [segment["text"] for segment in segments],
        [kinds.setdefault(key, len(kinds)) for key in keys],
        [segment.get("path", "") for segment in segments],
        [segment.get("links", 0) for segment in segments],
    )


def _check_types(documents: Sequence[Document], kinds: Iterable[tuple[Any, ...]], links: Iterable[int]) -> None:
    """Raises RecordError for values of other types than READS has. A path of another type fails earlier."""
    fields = [at for at, field in enumerate(CATEGORIES) if field in READS]
    if {type(key[at]) for key in kinds for at in fields} - {str} or set(map(type, links)) - {int}:
        for document in documents:
            check_optional(list(document.segments), "segments", READS)


def _categories(field: str, values: list[str | None]) -> Ints:
    """The category of each value of a field, -1 for none."""
    codes = _CODES[field]
    other = len(codes) - 1
    if field == "origin":
        values = [value and value.partition(":")[0] for value in values]
    return np.array([codes.get(value, other) if value else -1 for value in values], np.int64)


def _first_same(texts: list[str], sizes: list[int]) -> list[int]:
    """For each text the index of the first one in its document that is the same."""
    out: list[int] = []
    end = 0
    for size in sizes:
        start, end = end, end + size
        own = texts[start:end]
        # in reverse order, the first of equal texts is entered last
        out += map(dict(zip(reversed(own), range(end - 1, start - 1, -1))).__getitem__, own)
    return out
