"""Merges the runs of counted n-grams, block by block, into one sorted table per length.

merged = MergedNgrams(counter.finish())
merged.keys[1], merged.counts[1]      # bigrams, and how often each occurs
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..text.hash_table import Keys, Places
from .spill_files import (
    HISTORY_SHIFT,
    MAX_RANK,
    WORD_MASK,
    Column,
    NgramRuns,
    SpilledCounts,
    append,
    blocks,
    column,
    reserve,
)


class MergedNgrams:
    """The n-grams of all runs by length: ascending `keys` (see `spill_files.HISTORY_SHIFT`), and their `counts`.

    *words* is the number of running words; *block* n-grams are processed at a time. Raises ValueError for more n-grams
    of a length than there are ranks.
    """

    def __init__(self, counted: SpilledCounts) -> None:
        self.folder, self.words, self.block = counted.folder, counted.words, counted.block
        self.keys: list[Column] = []
        self.counts: list[Column] = []
        self.spelling: tuple[Column, Column] = counted.spellings.columns()
        # the final rank of each n-gram of the runs; longer n-grams refer to words and histories by them
        ranks: list[Column] = []
        for run in counted.runs:
            keys, counts = self.folder / f"all-keys{run.order}", self.folder / f"all-counts{run.order}"
            ranks.append(self._merge(run, counted.runs, ranks, keys, counts))
            self.keys.append(column(keys, np.uint64))
            self.counts.append(column(counts, np.uint64))
            if len(self.keys[-1]) > MAX_RANK:
                raise ValueError(f"{len(self.keys[-1]):,} n-grams of {run.order} words are too many")

    def vocabulary(self) -> list[str]:
        """All words, by rank."""
        spelling, ends = self.spelling
        data, start, out = spelling.tobytes(), 0, []
        for end in ends.tolist():
            out.append(data[start:end].decode("utf-8", "replace"))
            start = end
        return out

    def tables(self) -> list[tuple[NDArray[np.uint32], NDArray[np.uint64]]]:
        """For each length, all n-grams as ascending rows of ranks of words, and their counts; in memory."""
        out = [(np.arange(len(self.keys[0]), dtype=np.uint32)[:, None], np.array(self.counts[0]))]
        for keys, counts in zip(self.keys[1:], self.counts[1:]):
            histories, words = (keys >> HISTORY_SHIFT).astype(np.int64), (keys & WORD_MASK).astype(np.uint32)
            out.append((np.concatenate([out[-1][0][histories], words[:, None]], axis=1), np.array(counts)))
        return out

    def _merge(
        self, run: NgramRuns, runs: Sequence[NgramRuns], ranks: list[Column], keys: Path, counts: Path
    ) -> Column:
        """Merges the runs of one length into files; the final ranks of their n-grams."""
        out = reserve(self.folder / f"ranks{run.order}", np.uint32, run.starts[-1])
        run_counts, written = run.counts(), 0
        spelled: list[Column] = []
        for pieces in self._ascending_pieces(run, runs, ranks):
            piece_keys = np.concatenate([piece for _, piece in pieces])
            where = np.concatenate([np.arange(at, at + len(piece)) for at, piece in pieces])
            distinct, first, inverse = np.unique(piece_keys, return_index=True, return_inverse=True)
            sums = np.zeros(len(distinct), np.uint64)
            np.add.at(sums, inverse, run_counts[where])
            out[where] = written + inverse
            append(keys, distinct)
            append(counts, sums)
            written += len(distinct)
            if run.order == 1:
                spelled.append(where[first])
        if run.order == 1 and spelled:
            self._keep_spellings(np.concatenate(spelled))
        return out

    def _ascending_pieces(
        self, run: NgramRuns, runs: Sequence[NgramRuns], ranks: list[Column]
    ) -> Iterator[list[tuple[int, Keys]]]:
        """The next n-grams of all runs, such that all later ones are greater: pairs of a position in the runs, and the
        final keys of the n-grams from there."""
        run_keys = run.keys()
        size = max(self.block // max(len(run.starts) - 1, 1), 16)
        at, ends = run.starts[:-1].copy(), run.starts[1:]
        waiting: list[Keys] = [np.zeros(0, np.uint64)] * len(at)
        while True:
            limit = None  # up to here all runs are in memory
            for number, (start, end) in enumerate(zip(at, ends)):
                if not len(waiting[number]) and start < end:
                    waiting[number] = _final_keys(run_keys[start : min(start + size, end)], number, run, runs, ranks)
                keys = waiting[number]
                if len(keys) and start + len(keys) < end and (limit is None or keys[-1] < limit):
                    limit = keys[-1]
            pieces = []
            for number, keys in enumerate(waiting):
                taken = len(keys) if limit is None else int(np.searchsorted(keys, limit, side="right"))
                if taken:
                    pieces.append((at[number], keys[:taken]))
                    waiting[number] = keys[taken:]
                    at[number] += taken
            if not pieces:
                return
            yield pieces

    def _keep_spellings(self, where: Places) -> None:
        """Keeps the spellings of the words at these positions of the runs."""
        spelling, ends = self.spelling
        all_bytes, all_ends = self.folder / "all-spelling", self.folder / "all-ends"
        size = 0
        for block in blocks(len(where), self.block):
            at = where[block]
            starts = np.where(at > 0, ends[at - 1], 0)
            lengths = ends[at] - starts
            stops = np.cumsum(lengths)
            append(all_bytes, spelling[np.repeat(starts - stops + lengths, lengths) + np.arange(int(stops[-1]))])
            append(all_ends, size + stops)
            size += int(stops[-1])
        self.spelling = column(all_bytes, np.uint8), column(all_ends, np.int64)


def _final_keys(keys: Keys, number: int, run: NgramRuns, runs: Sequence[NgramRuns], ranks: list[Column]) -> Keys:
    """Keys of the run of that number, with final ranks in place of the ranks in its batch."""
    if run.order == 1:
        return np.array(keys)
    histories = (keys >> HISTORY_SHIFT).astype(np.int64) + runs[run.order - 2].starts[number]
    words = (keys & WORD_MASK).astype(np.int64) + runs[0].starts[number]
    out: Keys = ranks[run.order - 2][histories].astype(np.uint64) << HISTORY_SHIFT
    out |= ranks[0][words].astype(np.uint64)
    return out
