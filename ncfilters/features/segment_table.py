"""The segments of several documents as arrays, read once: what `features` makes numbers of.

    batch = read([Document([{"text": "Home", "type": "l", "path": "body/nav/li", "tag": "li", "links": 4}]), Document([])])
    batch.documents, batch.chars, batch.node    # [1, 0], [4.0], [3]

Only what the segment stream carries is read. Of plain text, paths, tags and links are missing: all is in the root then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record import check_optional
from ..text.char_stats import CharStats, count_characters
from . import dom_tree as trees
from .document import Document, Head
from .dom_tree import Ints, Tree

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

# field → its categories. Any other is OTHER; a field that is missing is of none.
OTHER = "other"
CATEGORIES: dict[str, tuple[str, ...]] = {
    "type": ("p", "h", "l"),
    "tag": tuple(
        "p div li td tr th h1 h2 h3 h4 h5 h6 span a dd dt blockquote pre figcaption figure caption section article "
        "main body header footer nav aside address form fieldset legend button label option textarea summary ul title "
        "noscript center".split()
    )
    + (OTHER,),
    "rule": (*"nav footer header dialog select widget links bars copyright wordless island".split(), OTHER),
    # where content comes from that the page does not show; what stands before the colon
    "origin": (*"json-ld hydration shadow template srcdoc noscript meta".split(), OTHER),
    "hidden": ("display", "hidden", "aria", OTHER),
}
FLAGS = ("bold", "marker", "pre")
_CODES = {field: {name: code for code, name in enumerate(names)} for field, names in CATEGORIES.items()}
# field → the types it may have
READS: dict[str, tuple[type, ...]] = dict.fromkeys(("path", "tag", "type", "rule", "origin", "hidden"), (str,))
READS["links"] = (int,)
# Paragraphs of prose: a sentence, so many words, and no more than this share of links.
PROSE_WORDS, PROSE_LINKS = 8, 0.4
# Characters; a heading that is longer says nothing of what is below it.
MAX_HEADING = 90


@dataclass(frozen=True)
class Segments:
    """The segments of all documents, one after the other.

    `documents`: segments of each document; `heads`: what is known of its page. Of each segment: `texts`; `document`,
    its index; `first` and `last`, the indices of the first and last segments of its document; `index`, its own;
    `chars`, `links` (characters, no more than there are); `counts` (see `characters`); `kind`, an index into the
    columns of `codes` and `flags`; `same`, the index of the first segment of the document with the same text. `codes`
    has for each field of CATEGORIES the category of each kind (-1: none), `flags` whether it has each of FLAGS.
    `grouping` has for each of `site_folder.GROUPS` and place the group.
    """

    documents: Ints
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
    tree: Tree
    grouping: dict[str, Ints]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def node(self) -> Ints:
        """The node of each segment in the tree."""
        return self.tree.node

    @property
    def chars(self) -> Floats:
        """Characters of each text."""
        return self.counts.chars

    @cached_property
    def index(self) -> Ints:
        """0, 1, 2, …"""
        return np.arange(len(self.texts))

    @cached_property
    def groups(self) -> dict[str, Ints]:
        """For each kind of groups (see `site_folder.groups`) the group of each segment, from 0."""
        return {name: group[self.tree.place] for name, group in self.grouping.items()}

    @cached_property
    def weights(self) -> Floats:
        """What each counts for in averages: a longer one more."""
        out: Floats = np.log1p(self.chars).astype(np.float32) + np.float32(0.1)
        return out

    @cached_property
    def numbered(self) -> tuple[Ints, int]:
        """For each kind of groups (see `site_folder.groups`) and place the group, those of all kinds numbered through (shape:
        kinds, places), and how many there are."""
        out = np.stack(list(self.grouping.values()))
        counts = out.max(axis=1, initial=-1) + 1
        out += (np.cumsum(counts) - counts)[:, None]
        return out, int(counts.sum())

    @cached_property
    def repeated(self) -> tuple[Flags, Flags]:
        """Which texts stand in their document before, and which after."""
        last = np.empty(len(self), np.int64)
        last[self.same] = self.index  # of several, the last one stays
        return self.same < self.index, last[self.same] > self.index

    @cached_property
    def prose(self) -> Flags:
        """Which segments are paragraphs of prose."""
        words, sentences = self.counts.words, self.counts.sentences
        out: Flags = (sentences > 0) & (words >= PROSE_WORDS) & (self.links < np.float32(PROSE_LINKS) * self.chars)
        return out

    @cached_property
    def prose_chars(self) -> NDArray[np.float64]:
        """Characters of prose of each segment."""
        out: NDArray[np.float64] = np.where(self.prose, self.chars, 0).astype(np.float64)
        return out

    @cached_property
    def page_chars(self) -> NDArray[np.float64]:
        """Characters, and characters of prose, of each document (shape: 2, documents)."""
        return self.of_pages(np.stack([self.chars, self.prose_chars]))

    def of_pages(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """The sum of each row of *values* over the segments of each document (shape: rows, documents)."""
        out = np.zeros((len(values), len(self.documents)))
        filled = np.flatnonzero(self.documents)
        if len(filled):
            out[:, filled] = np.add.reduceat(values, (np.cumsum(self.documents) - self.documents)[filled], axis=1)
        return out

    def code(self, field: str) -> Ints:
        """The category of each segment in a field of CATEGORIES, -1 for none."""
        return self.codes[field][self.kind]

    @cached_property
    def headings(self) -> Flags:
        """Which segments are headings of what is below them: of type h, and short."""
        out: Flags = (self.code("type") == _CODES["type"]["h"]) & (self.chars < MAX_HEADING)
        return out

    @cached_property
    def heading(self) -> Ints:
        """The index of the last heading above each segment in its document, or -1."""
        return self.before(self.headings, -1)

    def before(self, which: Flags, missing: int) -> Ints:
        """For each segment the index of the last one before it in its document of *which*, or *missing*."""
        at = np.empty(len(self), np.int64)
        at[:1] = -1
        np.maximum.accumulate(np.where(which[:-1], self.index[:-1], -1), out=at[1:])
        at[at < self.first] = missing
        return at

    def after(self, which: Flags, missing: int) -> Ints:
        """For each segment the index of the next one after it in its document of *which*, or *missing*."""
        at = np.empty(len(self), np.int64)
        at[-1:] = len(self)
        np.minimum.accumulate(np.where(which[:0:-1], self.index[:0:-1], len(self)), out=at[-2::-1])
        at[at > self.last] = missing
        return at


def read(documents: Sequence[Document]) -> Segments:
    """The segments of documents as arrays. Those without `path`, `tag` or `links` are read as those of plain text.

    Raises RecordError, TypeError or AttributeError where a field of READS has another type.
    """
    sizes = np.fromiter(map(len, documents), np.int64, len(documents))
    kinds: dict[tuple[Any, ...], int] = defaultdict(count().__next__)  # a number for each, in order
    texts: list[str] = []
    kind: list[int] = []
    links: list[int] = []
    paths: list[list[str]] = []
    for document in documents:  # one after the other: what is read of a segment is still in the cache
        own = document.segments
        texts += [segment["text"] for segment in own]
        kind += [
            kinds[
                segment.get("type", ""),
                segment.get("tag", ""),
                segment.get("rule", ""),
                segment.get("origin", ""),
                segment.get("hidden", ""),
                "bold" in segment,
                "marker" in segment,
                "pre" in segment,
            ]
            for segment in own
        ]
        paths.append([segment.get("path", "") for segment in own])
        links += [segment.get("links", 0) for segment in own]
    _check(documents, kinds, links)
    tree = trees.grow(paths)
    counts = count_characters(texts)
    number = np.repeat(np.arange(len(sizes)), sizes)
    ends = np.cumsum(sizes)
    return Segments(
        sizes,
        [document.head for document in documents],
        texts,
        number,
        (ends - sizes)[number],
        (ends - 1)[number],
        np.clip(np.array(links, np.float32), 0, counts.chars),
        counts,
        np.array(kind, np.int64),
        {field: _codes(field, [key[at] for key in kinds]) for at, field in enumerate(CATEGORIES)},
        np.array([key[len(CATEGORIES) :] for key in kinds], bool).reshape(len(kinds), len(FLAGS)).T,
        np.fromiter(_same(texts, sizes.tolist()), np.int64, len(texts)),
        tree,
        trees.groups(tree),
    )


def _check(documents: Sequence[Document], kinds: Iterable[tuple[Any, ...]], links: Iterable[int]) -> None:
    """Raises RecordError for what is none of READS; a path that is none cannot be read at all."""
    fields = [at for at, field in enumerate(CATEGORIES) if field in READS]
    if {type(key[at]) for key in kinds for at in fields} - {str} or set(map(type, links)) - {int}:
        for document in documents:
            check_optional(list(document.segments), "segments", READS)


def _codes(field: str, values: list[str | None]) -> Ints:
    """The category of each value of a field, -1 of none."""
    codes = _CODES[field]
    other = len(codes) - 1
    if field == "origin":
        values = [value and value.partition(":")[0] for value in values]
    return np.array([codes.get(value, other) if value else -1 for value in values], np.int64)


def _same(texts: list[str], sizes: list[int]) -> list[int]:
    """For each text the index of the first in its document that is the same."""
    out: list[int] = []
    end = 0
    for size in sizes:
        start, end = end, end + size
        own = texts[start:end]
        # of what is the same, the first is entered last
        out += map(dict(zip(reversed(own), range(end - 1, start - 1, -1))).__getitem__, own)
    return out
