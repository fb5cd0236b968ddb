"""Counts word n-grams in more text than fits in memory.

    with NgramCounter(2, "words", Boundaries("<s>")) as counter:
        counter.add(["The first sentence.", "And the second."])
        counter.finish().words      # 8

Texts are counted in batches. A batch leaves one run of n-grams per length in a temporary folder: its n-grams in
ascending order, with their counts. The key of an n-gram combines the rank of its history in the batch with the rank of
its last word; words are ordered by their hashes (see `word_hash`). Since the ranks in all batches together keep this
order, `run_merger` need not sort the runs again, and the result does not depend on where batches end.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np

from ..text.hash_table import Keys, Places
from ..text.tokenizers import tokenize
from ..text.word_hash import MAX_WORD_BYTES, hash_spans
from .spill_files import HISTORY_SHIFT, NgramRuns, SpilledCounts, WordSpellings

# Memory that a character of text takes while its batch is counted, and an n-gram while runs are merged; measured.
BYTES_PER_CHARACTER, BYTES_PER_NGRAM = 40, 64


@dataclass(frozen=True)
class Boundaries:
    """The words around each text: *start* is repeated *starts* times before it, *end* (if any) follows it."""

    start: str
    starts: int = 1
    end: str | None = None


class NgramCounter:
    """Counts the n-grams of texts up to n words.

    N-grams shorter than n may end in the last start word, because they are histories; the longest n-grams may not. Use
    it as a context manager: leaving the context removes the temporary files.
    """

    def __init__(
        self, n: int, tokens: str, boundaries: Boundaries, memory: int = 1 << 30, folder: str | None = None
    ) -> None:
        self.n, self.memory = n, memory
        self._tokens, self._starts = tokens, boundaries.starts
        end = [] if boundaries.end is None else [boundaries.end.encode()]
        self._special = [boundaries.start.encode(), *end]
        self._folder = tempfile.TemporaryDirectory(prefix="nc-train-", dir=folder)
        self._runs = [NgramRuns(Path(self._folder.name), order) for order in range(1, n + 1)]
        self._spellings = WordSpellings(Path(self._folder.name))
        self._batch: list[str] = []
        self._batch_size = 0
        self.words = self.texts = 0

    def __enter__(self) -> NgramCounter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Removes the temporary files."""
        self._folder.cleanup()

    def add(self, texts: Iterable[str]) -> None:
        """Counts texts, each between boundaries."""
        for text in texts:
            self._batch.append(text)
            self._batch_size += len(text) + 1
            if self._batch_size * BYTES_PER_CHARACTER >= self.memory:
                self._count_batch()

    def finish(self) -> SpilledCounts:
        """The counts of all texts. Nothing can be added afterwards."""
        self._count_batch()
        folder = Path(self._folder.name)
        return SpilledCounts(folder, self._runs, self._spellings, self.words, self.memory // BYTES_PER_NGRAM)

    def _count_batch(self) -> None:
        """Writes the runs of the batch."""
        texts, self._batch, self._batch_size = self._batch, [], 0
        words = tokenize(texts, self._tokens) if texts else None
        if not words or not len(words.starts):
            return
        lengths = words.lengths[words.lengths > 0]
        self.texts += len(lengths)
        self.words += len(words.starts)
        special = np.concatenate([_word_hash(word) for word in self._special])
        hashes = np.concatenate([hash_spans(words.data, words.starts, words.ends), special])
        distinct_hashes, first, ids = np.unique(hashes, return_index=True, return_inverse=True)
        data = words.data.tobytes()
        starts, ends = words.starts.tolist(), np.minimum(words.ends, words.starts + MAX_WORD_BYTES).tolist()
        self._spellings.add(
            [
                data[starts[at] : ends[at]] if at < len(starts) else self._special[at - len(starts)]
                for at in first.tolist()
            ]
        )
        self._add_runs(distinct_hashes, ids, lengths)

    def _add_runs(self, distinct_hashes: Keys, ids: Places, lengths: Places) -> None:
        """Adds the runs of a batch. *ids* are the ranks of the running words, and of the boundary words after them;
        *distinct_hashes* are by rank, and *lengths* are the numbers of words of the texts."""
        specials = len(self._special)
        words, special = ids[:-specials], ids[-specials:]
        added = self._starts + specials - 1
        ends = np.cumsum(lengths + added)
        text_starts = ends - lengths - added
        run = np.full(len(words) + added * len(lengths), special[0])
        run[np.arange(len(words)) + np.repeat(np.arange(len(lengths)) * added + self._starts, lengths)] = words
        if specials > 1:
            run[ends - 1] = special[1]
        # the position of each word in its text, boundaries included
        position = np.arange(len(run)) - np.repeat(text_starts, lengths + added)
        ranks = run
        for order in range(1, self.n + 1):
            at = np.flatnonzero(position >= max(order - 1, self._starts - (order < self.n)))
            if order == 1:
                self._runs[0].add(distinct_hashes, np.bincount(run[at], minlength=len(distinct_hashes)))
                continue
            keys = (ranks[at - 1].astype(np.uint64) << HISTORY_SHIFT) | run[at].astype(np.uint64)
            if order == self.n:
                self._runs[order - 1].add(*np.unique(keys, return_counts=True))
                continue
            distinct, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
            self._runs[order - 1].add(distinct, counts)
            ranks = np.zeros(len(run), np.int64)
            ranks[at] = inverse


def _word_hash(word: bytes) -> Keys:
    return hash_spans(np.frombuffer(word, np.uint8), np.array([0]), np.array([len(word)]))
