"""Counts word n-grams in memory, and builds the tables of an interpolated model from the counts.

    counter = NgramCounter(2, "words", "<s>")
    counter.add(["The first sentence.", "And the second."])
    trie, tables = counter.build_trie()
    counter.words      # 8

Words are ordered by their hashes (see `word_hash`), n-grams by the ranks of their histories and last words: the model
does not depend on the order of texts. A running word takes about 100 bytes while the tables are built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scoring.word_lm.interpolated import CodedCounts
from ..scoring.word_lm.ngram_trie import NgramTrie
from ..text.hash_table import (
    MAX_CODES,
    MAX_WORD_BYTES,
    CompactTable,
    Keys,
    NgramMixer,
    NgramTable,
    Places,
    TableLayout,
    Vocabulary,
    hash_spans,
)
from ..text.tokenizers import tokenize

Column = NDArray[Any]

# Characters of text that are tokenized at a time.
BATCH_SIZE = 1 << 24
# The key of an n-gram: the rank of its history in the upper 32 bits, the rank of its last word in the lower.
HISTORY_SHIFT = np.uint64(32)
WORD_MASK = np.uint64((1 << 32) - 1)


class NgramCounter:
    """Counts the n-grams of texts up to n words. The word *boundary* precedes each text n - 1 times.

    N-grams shorter than n may end in the last boundary word, because they are histories; the longest n-grams may not.
    """

    def __init__(self, n: int, tokens: str, boundary: str) -> None:
        self.n, self._tokens, self._boundary = n, tokens, boundary.encode()
        self._hashes: list[Keys] = []  # of the running words
        self._lengths: list[Places] = []  # the numbers of words of texts
        self._spellings: dict[int, bytes] = {}
        self._batch: list[str] = []
        self._batch_size = 0
        self.words = self.texts = 0

    def add(self, texts: Iterable[str]) -> None:
        """Counts texts, each after boundaries."""
        for text in texts:
            self._batch.append(text)
            self._batch_size += len(text) + 1
            if self._batch_size >= BATCH_SIZE:
                self._count_batch()

    def build_trie(self) -> tuple[NgramTrie, list[CodedCounts]]:
        """The trie of n-grams, and their counts for each length. Raises ValueError where no word was counted."""
        self._count_batch()
        if not self.words:
            raise ValueError("no training data: the texts contain no word")
        (words, counts), *longer = self._counted()
        spelled = [self._spellings[word] for word in words.tolist()]
        spelling = np.frombuffer(b"".join(spelled), np.uint8)
        ends = np.cumsum(np.fromiter(map(len, spelled), np.int64, len(spelled)))
        vocabulary, order = Vocabulary.spelled(words, spelling, ends, counts)
        trie, tables = NgramTrie(vocabulary, []), [_coded(counts, order)]
        first = places = _places(order)
        for keys, counts in longer:
            mixing = NgramMixer(trie.sizes()[-1], len(vocabulary))
            histories, last = ((keys >> HISTORY_SHIFT), (keys & WORD_MASK))
            mix = mixing.mix(places[histories.astype(np.int64)], first[last.astype(np.int64)])
            table, order = _table(mixing, mix, counts)
            trie.tables.append(table)
            tables.append(_coded(counts, order))
            places = _places(order)
        return trie, tables

    def _count_batch(self) -> None:
        """Adds the words of the batch."""
        texts, self._batch, self._batch_size = self._batch, [], 0
        words = tokenize(texts, self._tokens) if texts else None
        if not words or not len(words.starts):
            return
        self._lengths.append(words.lengths[words.lengths > 0])
        self.texts += len(self._lengths[-1])
        self.words += len(words.starts)
        self._hashes.append(hash_spans(words.data, words.starts, words.ends))
        distinct, first = np.unique(self._hashes[-1], return_index=True)
        data, starts = words.data.tobytes(), words.starts[first]
        ends = np.minimum(words.ends[first], starts + MAX_WORD_BYTES)
        for word, start, end in zip(distinct.tolist(), starts.tolist(), ends.tolist()):
            self._spellings.setdefault(word, data[start:end])

    def _counted(self) -> Iterator[tuple[Keys, Column]]:
        """For each length, the keys of all n-grams, ascending (of words: their hashes), and their counts."""
        special = hash_spans(np.frombuffer(self._boundary, np.uint8), np.array([0]), np.array([len(self._boundary)]))
        self._spellings.setdefault(int(special[0]), self._boundary)
        distinct, ids = np.unique(np.concatenate([*self._hashes, special]), return_inverse=True)
        lengths, added = np.concatenate(self._lengths), self.n - 1
        text_starts = np.cumsum(lengths + added) - lengths - added
        run = np.full(self.words + added * len(lengths), ids[-1])
        run[np.arange(self.words) + np.repeat(np.arange(1, len(lengths) + 1) * added, lengths)] = ids[:-1]
        # the position of each word in its text, boundaries included
        position = np.arange(len(run)) - np.repeat(text_starts, lengths + added)
        yield distinct, np.bincount(run[position >= added - 1], minlength=len(distinct)).astype(np.uint64)
        ranks = run
        for order in range(2, self.n + 1):
            at = np.flatnonzero(position >= max(order - 1, added - (order < self.n)))
            keys = (ranks[at - 1].astype(np.uint64) << HISTORY_SHIFT) | run[at].astype(np.uint64)
            ngrams, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
            yield ngrams, counts.astype(np.uint64)
            ranks = np.zeros(len(run), np.int64)
            ranks[at] = inverse


def _places(ranks: Places) -> Places:
    """The place of each n-gram by its rank; *ranks* are by place."""
    out = np.empty(len(ranks), np.int64)
    out[ranks] = np.arange(len(ranks))
    return out


def _table(mixing: NgramMixer, mix: Keys, counts: Column) -> tuple[NgramTable, Places]:
    """The table of n-grams, given their mixed numbers, and the order of its entries."""
    layout = TableLayout(mixing.bits, len(mix))
    order = layout.order(mix, counts)
    mix = mix[order]
    sizes = np.bincount(layout.bucket(mix), minlength=1 << layout.first)
    layout.check(sizes > 0)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
    return NgramTable(mixing, CompactTable(mixing.bits, starts, layout.rest(mix))), order


def _coded(counts: Column, order: Places) -> CodedCounts:
    """The counts of n-grams by place, and 0 for unknown ones: indices into a codebook, if it has room."""
    values = np.append(counts[order], np.uint64(0))
    book = np.unique(values)
    if len(book) > MAX_CODES:
        return values, None
    return np.searchsorted(book, values).astype(np.uint16), book
