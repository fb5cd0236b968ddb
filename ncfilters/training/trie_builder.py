"""Builds the tables of an interpolated model from merged n-gram counts, block by block, in files.

trie, tables = build_trie(MergedNgrams(counter.finish()), min_count=2)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..scoring.word_lm.interpolated import CodedCounts
from ..scoring.word_lm.ngram_trie import NgramTrie
from ..text.hash_table import MAX_CODES, CompactTable, Keys, NgramMixer, NgramTable, Places, TableLayout
from ..text.word_hash import Vocabulary
from .run_merger import MergedNgrams
from .spill_files import HISTORY_SHIFT, MAX_RANK, WORD_MASK, Column, append, blocks, column, reserve

# The place of an n-gram that is left out.
NO_PLACE = np.uint32(MAX_RANK)


def build_trie(merged: MergedNgrams, min_count: int) -> tuple[NgramTrie, list[CodedCounts]]:
    """The trie of n-grams that occur at least *min_count* times, and their counts for each length. The arrays are files
    in the folder of the runs."""
    trie, first_places = _vocabulary(merged, min_count)
    places = [first_places]
    tables: list[CodedCounts] = []
    for order, counts in enumerate(merged.counts, 1):
        book = _codebook(counts, min_count, merged.block)
        file = merged.folder / f"values{order}"
        if order == 1:
            kept = np.flatnonzero(first_places != NO_PLACE)
            append(file, _coded(counts[kept[np.argsort(first_places[kept])]], book))
        else:
            table, place = _TableBuilder(merged, order, min_count, trie, places).build(book, file)
            trie.tables.append(table)
            places.append(place)
        append(file, _coded(np.zeros(1, np.uint64), book))
        tables.append((column(file, _code_type(book)), book if len(book) else None))
    return trie, tables


def _vocabulary(merged: MergedNgrams, min_count: int) -> tuple[NgramTrie, Column]:
    """A trie of the words that are frequent enough, and the place of each word."""
    keep = merged.counts[0] >= np.uint64(min_count)
    spelling, ends = merged.spelling
    lengths = np.diff(ends, prepend=0)
    words, order = Vocabulary.spelled(
        merged.keys[0][keep], spelling[np.repeat(keep, lengths)], np.cumsum(lengths[keep]), merged.counts[0][keep]
    )
    place = np.full(len(keep), NO_PLACE)
    place[np.flatnonzero(keep)[order]] = np.arange(len(order))
    return NgramTrie(words, []), place


@dataclass
class _TableBuilder:
    """Builds the table of the n-grams of one length; *places* are those of all shorter n-grams by rank."""

    merged: MergedNgrams
    order: int
    min_count: int
    trie: NgramTrie
    places: list[Column]

    def __post_init__(self) -> None:
        self._keys, self._counts = self.merged.keys[self.order - 1], self.merged.counts[self.order - 1]
        self._mixing = NgramMixer(self.trie.sizes()[-1], len(self.trie.vocabulary))

    def build(self, book: Column, values: Path) -> tuple[NgramTable, Column]:
        """The table, and the place in it of each merged n-gram. Coded counts are appended to the file *values*.

        The mixed numbers of n-grams are sorted a range at a time, as many as memory has room for.
        """
        counts, block, folder = self._counts, self.merged.block, self.merged.folder
        kept = sum(int((counts[some] >= self.min_count).sum()) for some in blocks(len(counts), block))
        shape = TableLayout(self._mixing.bits, kept)
        range_bits = min(shape.first, max(0, (kept // max(block, 1)).bit_length()))
        starts, rests = folder / f"starts{self.order}", folder / f"rests{self.order}"
        place = reserve(folder / f"places{self.order}", np.uint32, len(self._keys))
        done = 0
        buckets = 1 << (shape.first - range_bits)
        occupied = []
        for number in range(1 << range_bits):
            mix, ranks = self._range(number, range_bits)
            sorting = shape.order(mix, counts[ranks])
            mix, ranks = mix[sorting], ranks[sorting]
            place[ranks] = done + np.arange(len(ranks))
            append(rests, shape.rest(mix))
            append(values, _coded(counts[ranks], book))
            sizes = np.bincount(shape.bucket(mix) - number * buckets, minlength=buckets)
            append(starts, (done + np.cumsum(sizes) - sizes).astype(np.uint32))
            occupied.append(sizes > 0)
            done += len(ranks)
        shape.check(np.concatenate(occupied))
        append(starts, np.array([done], np.uint32))
        table = CompactTable(self._mixing.bits, column(starts, np.uint32), column(rests, shape.dtype))
        return NgramTable(self._mixing, table), place

    def _range(self, number: int, bits: int) -> tuple[Keys, Places]:
        """The mixed numbers, whose first *bits* are *number*, of n-grams that are kept; and their ranks."""
        out: list[tuple[Keys, Places]] = [(np.zeros(0, np.uint64), np.zeros(0, np.int64))]
        for block in blocks(len(self._keys), self.merged.block):
            ranks = np.flatnonzero(self._counts[block] >= self.min_count) + block.start
            keys = self._keys[ranks]
            histories = _places_of(self.places[self.order - 2], keys >> HISTORY_SHIFT)
            mix = self._mixing.mix(histories, _places_of(self.places[0], keys & WORD_MASK))
            if bits:
                in_range = (mix >> np.uint64(self._mixing.bits - bits)) == number
                mix, ranks = mix[in_range], ranks[in_range]
            out.append((mix, ranks))
        return np.concatenate([mix for mix, _ in out]), np.concatenate([ranks for _, ranks in out])


def _places_of(places: Column, ranks: Keys) -> Places:
    out: Places = places[ranks.astype(np.int64)].astype(np.int64)
    return out


def _codebook(counts: Column, min_count: int, block: int) -> Column:
    """The different counts, ascending, if a codebook has room for them; else nothing."""
    book = np.zeros(1, np.uint64)
    for some in blocks(len(counts), block):
        book = np.union1d(book, counts[some])
        if len(book) > MAX_CODES:
            return np.zeros(0, np.uint64)
    kept: Column = book[(book >= min_count) | (book == 0)]
    return kept


def _coded(counts: Column, book: Column) -> Column:
    """Counts as indices into the codebook, or themselves where it is empty."""
    codes: Column = np.searchsorted(book, counts) if len(book) else counts
    return codes.astype(_code_type(book))


def _code_type(book: Column) -> Any:
    return np.dtype(np.uint16 if len(book) else np.uint64)
