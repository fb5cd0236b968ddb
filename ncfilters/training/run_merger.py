"""Runs of counted n-grams merged, and made into the tables of a model, block by block.

merged = counting.merged()
trie, counts = built(merged, min_count=2)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..scoring.word_lm.ngram_trie import Trie
from ..text.hash_table import CODES, Buckets, Mixing, Numbers, Places, Shape, Table
from ..text.word_hash import Vocabulary
from .ngram_counter import MOST, RANK, Column, Runs, Spelling, append, blocks, column, reserved

if TYPE_CHECKING:
    from ..scoring.word_lm.interpolated import Values

WORD = np.uint64((1 << 32) - 1)
# What stands for an n-gram that is left out.
GONE = np.uint32(MOST)


class Merged:
    """The n-grams of all runs, by length: `keys` (rank of the history, rank of the word) ascend; `counts` beside.

    *words* is the number of running words. Works on *block* n-grams at a time.
    """

    def __init__(self, folder: Path, runs: Sequence[Runs], spelling: Spelling, words: int, block: int) -> None:
        self.folder, self.words, self.block = folder, words, block
        self.keys: list[Column] = []
        self.counts: list[Column] = []
        self.spelling: tuple[Column, Column] = spelling.columns()
        # the rank in all of each n-gram of the runs, for words and for the histories of the next length
        ranks: list[Column] = []
        for run in runs:
            keys, counts = folder / f"all-keys{run.order}", folder / f"all-counts{run.order}"
            ranks.append(self._merge(run, runs, ranks, keys, counts))
            self.keys.append(column(keys, np.uint64))
            self.counts.append(column(counts, np.uint64))
            if len(self.keys[-1]) > MOST:
                raise ValueError(f"{len(self.keys[-1]):,} n-grams of {run.order} words are more than can be counted")

    def _merge(self, run: Runs, runs: Sequence[Runs], ranks: list[Column], keys: Path, counts: Path) -> Column:
        """Merges the runs of one length into files; the ranks of their n-grams."""
        size = run.starts[-1]
        found = reserved(self.folder / f"ranks{run.order}", np.uint32, size)
        number_of, written = run.counts(), 0
        spelled: list[Column] = []
        for pieces in self._pieces(run, runs, ranks):
            some = np.concatenate([piece for _, piece in pieces])
            where = np.concatenate([np.arange(at, at + len(piece)) for at, piece in pieces])
            known, first, inverse = np.unique(some, return_index=True, return_inverse=True)
            sums = np.zeros(len(known), np.uint64)
            np.add.at(sums, inverse, number_of[where])
            found[where] = written + inverse
            append(keys, known)
            append(counts, sums)
            written += len(known)
            if run.order == 1:
                spelled.append(where[first])
        if run.order == 1 and spelled:
            self._spell(np.concatenate(spelled))
        return found

    def _pieces(self, run: Runs, runs: Sequence[Runs], ranks: list[Column]) -> Iterator[list[tuple[int, Numbers]]]:
        """The next n-grams of all runs, such that what comes later is greater: where each piece stands, and its keys as
        they are in all."""
        whole = run.keys()
        size = max(self.block // max(len(run.starts) - 1, 1), 16)
        at, ends = run.starts[:-1].copy(), run.starts[1:]
        waiting: list[Numbers] = [np.zeros(0, np.uint64)] * len(at)
        while True:
            limit = None
            for number, (start, end) in enumerate(zip(at, ends)):
                if not len(waiting[number]) and start < end:
                    waiting[number] = self._global(whole[start : min(start + size, end)], number, run, runs, ranks)
                some = waiting[number]
                if len(some) and start + len(some) < end and (limit is None or some[-1] < limit):
                    limit = some[-1]
            pieces = []
            for number, some in enumerate(waiting):
                take = len(some) if limit is None else int(np.searchsorted(some, limit, side="right"))
                if take:
                    pieces.append((at[number], some[:take]))
                    waiting[number] = some[take:]
                    at[number] += take
            if not pieces:
                return
            yield pieces

    @staticmethod
    def _global(keys: Numbers, number: int, run: Runs, runs: Sequence[Runs], ranks: list[Column]) -> Numbers:
        """Keys of the run of that number, with ranks in all in place of those in its batch."""
        if run.order == 1:
            return np.array(keys)
        histories = (keys >> RANK).astype(np.int64) + runs[run.order - 2].starts[number]
        words = (keys & WORD).astype(np.int64) + runs[0].starts[number]
        out: Numbers = (ranks[run.order - 2][histories].astype(np.uint64) << RANK) | ranks[0][words].astype(np.uint64)
        return out

    def _spell(self, where: Places) -> None:
        """Keeps the spelling of the words at these places of the runs."""
        spelling, ends = self.spelling
        whole, stops = self.folder / "all-spelling", self.folder / "all-ends"
        size = 0
        for block in blocks(len(where), self.block):
            some = where[block]
            begins = np.where(some > 0, ends[some - 1], 0)
            lengths = ends[some] - begins
            upto = np.cumsum(lengths)
            append(whole, spelling[np.repeat(begins - upto + lengths, lengths) + np.arange(int(upto[-1]))])
            append(stops, size + upto)
            size += int(upto[-1])
        self.spelling = column(whole, np.uint8), column(stops, np.int64)

    def vocabulary(self) -> list[str]:
        """All words, by rank."""
        spelling, ends = self.spelling
        whole, at, out = spelling.tobytes(), 0, []
        for end in ends.tolist():
            out.append(whole[at:end].decode("utf-8", "replace"))
            at = end
        return out

    def tables(self) -> list[tuple[NDArray[np.uint32], NDArray[np.uint64]]]:
        """For each length, all n-grams as rows of ranks of words, ascending, and their counts; in memory."""
        out = [(np.arange(len(self.keys[0]), dtype=np.uint32)[:, None], np.array(self.counts[0]))]
        for keys, counts in zip(self.keys[1:], self.counts[1:]):
            histories, words = (keys >> RANK).astype(np.int64), (keys & WORD).astype(np.uint32)
            out.append((np.concatenate([out[-1][0][histories], words[:, None]], axis=1), np.array(counts)))
        return out


def built(merged: Merged, min_count: int) -> tuple[Trie, list[Values]]:
    """The trie of n-grams seen at least so often, and their counts; its arrays are files in the folder of the runs."""
    trie, places = _words(merged, min_count)
    values = []
    for order, counts in enumerate(merged.counts, 1):
        book = _book(counts, min_count, merged.block)
        file = merged.folder / f"values{order}"
        if order == 1:
            kept = np.flatnonzero(places[0] != GONE)
            append(file, _coded(counts[kept[np.argsort(places[0][kept])]], book))
        else:
            table, place = _table(merged, order, min_count, trie, places, book, file)
            trie.tables.append(table)
            places.append(place)
        append(file, _coded(np.zeros(1, np.uint64), book))
        values.append((column(file, _dtype(book)), book if len(book) else None))
    return trie, values


def _words(merged: Merged, min_count: int) -> tuple[Trie, list[Column]]:
    """The words seen at least so often, and the place of each word."""
    keep = merged.counts[0] >= np.uint64(min_count)
    spelling, ends = merged.spelling
    lengths = np.diff(ends, prepend=0)
    words, order = Vocabulary.spelled(
        merged.keys[0][keep], spelling[np.repeat(keep, lengths)], np.cumsum(lengths[keep]), merged.counts[0][keep]
    )
    place = np.full(len(keep), GONE)
    place[np.flatnonzero(keep)[order]] = np.arange(len(order))
    return Trie(words, []), [place]


def _table(
    merged: Merged, order: int, min_count: int, trie: Trie, places: list[Column], book: Column, values: Path
) -> tuple[Table, Column]:
    """The table of the n-grams of one length, and the place in it of each merged n-gram. Their counts go to *values*.

    Mixed numbers are sorted a range at a time, as many as memory has room for.
    """
    keys, counts = merged.keys[order - 1], merged.counts[order - 1]
    kept = sum(int((counts[block] >= min_count).sum()) for block in blocks(len(counts), merged.block))
    mixing = Mixing(trie.sizes()[-1], len(trie.vocabulary))
    shape = Shape(mixing.bits, kept)
    parts = min(shape.first, max(0, (kept // max(merged.block, 1)).bit_length()))
    starts, rests = merged.folder / f"starts{order}", merged.folder / f"rests{order}"
    place = reserved(merged.folder / f"places{order}", np.uint32, len(keys))
    done = 0
    buckets = 1 << (shape.first - parts)
    sizes = []
    for part in range(1 << parts):
        numbers, ranks = _range(merged, order, min_count, mixing, places, part, parts)
        sorting = shape.order(numbers, counts[ranks])
        numbers, ranks = numbers[sorting], ranks[sorting]
        place[ranks] = done + np.arange(len(ranks))
        append(rests, shape.rest(numbers))
        append(values, _coded(counts[ranks], book))
        each = np.bincount(shape.bucket(numbers) - part * buckets, minlength=buckets)
        append(starts, (done + np.cumsum(each) - each).astype(np.uint32))
        sizes.append(each > 0)
        done += len(ranks)
    shape.check(np.concatenate(sizes))
    append(starts, np.array([done], np.uint32))
    return Table(mixing, Buckets(mixing.bits, column(starts, np.uint32), column(rests, shape.dtype))), place


def _range(
    merged: Merged, order: int, min_count: int, mixing: Mixing, places: list[Column], part: int, parts: int
) -> tuple[Numbers, Places]:
    """Of the n-grams that are kept, the mixed numbers that begin with the bits of *part*, and their ranks."""
    keys, counts = merged.keys[order - 1], merged.counts[order - 1]
    found: list[tuple[Numbers, Places]] = []
    for block in blocks(len(keys), merged.block):
        ranks = np.flatnonzero(counts[block] >= min_count) + block.start
        some = keys[ranks]
        numbers = mixing.mixed(_at(places[order - 2], some >> RANK), _at(places[0], some & WORD))
        if parts:
            here = (numbers >> np.uint64(mixing.bits - parts)) == part
            numbers, ranks = numbers[here], ranks[here]
        found.append((numbers, ranks))
    if not found:
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    return np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found])


def _at(places: Column, ranks: Numbers) -> Places:
    """The places of n-grams by their ranks."""
    found: Places = places[ranks.astype(np.int64)].astype(np.int64)
    return found


def _book(counts: Column, min_count: int, block: int) -> Column:
    """The different counts, ascending, if they are few enough for a codebook; else none."""
    book = np.zeros(1, np.uint64)
    for some in blocks(len(counts), block):
        book = np.union1d(book, counts[some])
        if len(book) > CODES:
            return np.zeros(0, np.uint64)
    kept: Column = book[(book >= min_count) | (book == 0)]
    return kept


def _coded(counts: Column, book: Column) -> Column:
    """Counts as numbers in the book; as they are where there is none."""
    found: Column = np.searchsorted(book, counts) if len(book) else counts
    return found.astype(_dtype(book))


def _dtype(book: Column) -> Any:
    return np.dtype(np.uint16 if len(book) else np.uint64)
