"""The word n-gram kind of model: how much a model of well-formed text is at a loss with a segment (PyPlexity 2023).

    model = Word.train(2, 8000, ["The first sentence.", "And the second."])
    model.perplexities(["The second sentence."])

Perplexity is that of equation 1, in base 2, over the words of a segment, punctuation marks included. The probability
of a word is interpolated with fixed weights from those of equation 2 (bigrams 0.8, unigrams 0.2; trigrams 0.6, 0.3,
0.1), and 1e-6 is added, so that an unknown word costs 20 bits and no perplexity is above a million. The program of the
paper's authors takes the unigram of the word before instead of the one that is predicted; here it is as in the paper.

N-grams are kept as 64-bit numbers, ascending, with their counts: a table for each length, looked up by binary search
for the words of many segments at once.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from .align import WORD
from .model import MAX_ARRAYS

Keys = NDArray[np.uint64]
Counts = NDArray[np.uint32]
Doubles = NDArray[np.float64]
Table = tuple[Keys, Counts]

# Weights of the probabilities for each n, those of the longest history last, and what is added to their sum
# (PyPlexity's own; the paper does not print them).
WEIGHTS = {1: (1.0,), 2: (0.2, 0.8), 3: (0.1, 0.3, 0.6)}
FLOOR = 1e-6
# The cut-off of perplexity that the paper settles on (section 5.1.1).
LIMIT = 8000.0
# What a longer n-gram's number has for that of its history: any odd number with bits well spread.
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
# Texts scored at a time, and words counted at a time, so that temporary arrays stay small.
SLICE = 1 << 12
BATCH = 1 << 22
KNOWN = 1 << 16

_TOKEN = regex.compile(WORD.pattern + r"|\S", regex.VERSION1)
# the same for ASCII, which most texts are: twice as fast
_ASCII_TOKEN = re.compile(r"\w+|\S", re.ASCII)


class Word:
    """Perplexity of texts for n-grams of words, n from 1 to 3.

    *tables* are the n-grams of each length up to n, ascending, and their counts; *words* the number of running words
    counted. A segment of perplexity *limit* has a score of 0.
    """

    kind = "word"

    def __init__(self, n: int, limit: float, min_count: int, words: int, tables: Sequence[Table]) -> None:
        self.check(n, limit, min_count)
        self.n, self.limit, self.min_count = n, float(limit), min_count
        self.words, self.tables = words, list(tables)

    @staticmethod
    def check(n: int, limit: float, min_count: int = 1) -> None:
        """Raises ValueError for parameters that make no model."""
        if not isinstance(n, int) or n not in WEIGHTS:
            raise ValueError(f"n is {n}: from 1 to {max(WEIGHTS)}")
        if not isinstance(limit, int | float) or not (limit > 0 and math.isfinite(limit)):
            raise ValueError(f"limit is {limit}: a perplexity above 0")
        if not isinstance(min_count, int) or min_count < 1:
            raise ValueError(f"min_count is {min_count}: at least 1")

    @classmethod
    def train(cls, n: int, limit: float, texts: Iterable[str], min_count: int = 1) -> Word:
        """A model of well-formed texts, best sentences or paragraphs: each has its beginning as its first history.

        N-grams seen less than *min_count* times are left out, single words too. Raises ValueError as `check` does,
        where there is no word to learn from, and where there is more to keep than a model file may have.
        """
        cls.check(n, limit, min_count)
        words, tables = count(n, texts)
        if not words:
            raise ValueError("nothing to learn from: no word in the texts")
        tables = [(keys[counts >= min_count], counts[counts >= min_count]) for keys, counts in tables]
        if sum(array.nbytes for table in tables for array in table) > MAX_ARRAYS:
            raise ValueError(f"too many n-grams for a model file with min_count {min_count}: a higher one is wanted")
        return cls(n, limit, min_count, words, tables)

    def perplexities(self, texts: Sequence[str]) -> Doubles:
        """The perplexity of each text (equation 1; shape: texts). One without words has the limit: it says nothing."""
        out = np.empty(len(texts))
        for start in range(0, len(texts), SLICE):
            some = texts[start : start + SLICE]
            hashes, lengths = _hashes(some, self.n - 1)
            bits = np.log2(self._probabilities(hashes))
            there = lengths > 0
            perplexity = np.full(len(some), float(self.limit))
            if there.any():
                # the edges between texts are in no sum
                ends = np.cumsum(lengths + self.n - 1)
                spans = np.stack([ends - lengths, ends], axis=1)[there].ravel()
                sums = np.add.reduceat(bits, spans[:-1] if spans[-1] == len(bits) else spans)[::2]
                perplexity[there] = np.exp2(-sums / lengths[there])
            out[start : start + SLICE] = perplexity
        return out

    def _probabilities(self, hashes: Keys) -> Doubles:
        """The interpolated probability of each word after those before it."""
        total = np.zeros(len(hashes))
        before: Doubles = np.full(len(hashes), float(self.words))
        keys = hashes
        for order, weight in enumerate(WEIGHTS[self.n], 1):
            if order > 1:
                keys = _longer(keys, hashes, order)
            counts = _found(self.tables[order - 1], keys)
            total += weight * np.divide(counts, before, out=np.zeros(len(hashes)), where=before > 0)
            # as a history, it is that of the word after it
            before = np.concatenate([[0.0], counts[:-1]])
        return total + FLOOR

    def evidence(self, documents: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, list[Any]]]:
        """For each document, the `perplexity` of its segments and the `score`, log2 of limit / perplexity (bits)."""
        found = self.perplexities([segment["text"] for document in documents for segment in document])
        perplexities = np.round(found, 2).tolist()
        scores = np.round(np.log2(self.limit / found), 2).tolist()
        out = []
        at = 0
        for document in documents:
            to = at + len(document)
            out.append({"perplexity": perplexities[at:to], "score": scores[at:to]})
            at = to
        return out

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {"n": self.n, "limit": self.limit, "min_count": self.min_count, "words": self.words}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        orders = list(enumerate(self.tables, 1))
        # all of 8 bytes before those of 4: read from a file, they stand where the processor likes numbers to stand
        keys: dict[str, NDArray[Any]] = {f"keys{order}": table[0] for order, table in orders}
        return keys | {f"counts{order}": table[1] for order, table in orders}

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Word:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        n, words = header["n"], header["words"]
        cls.check(n, header["limit"], header["min_count"])
        if not isinstance(words, int) or words < 1:
            raise ValueError(f"learned from {words} words")
        tables = [(arrays[f"keys{order}"], arrays[f"counts{order}"]) for order in range(1, n + 1)]
        for keys, counts in tables:
            if keys.dtype != np.uint64 or counts.dtype != np.uint32:
                raise ValueError(f"n-grams of type {keys.dtype} with counts of type {counts.dtype}")
            if len(keys) != len(counts):
                raise ValueError("arrays of different lengths")
            if not (keys[1:] > keys[:-1]).all():
                raise ValueError("n-grams that do not ascend")
        return cls(n, header["limit"], header["min_count"], words, tables)


def tokens(text: str) -> list[str]:
    """The words of *text* in lower case (see `align`), and each other character that is no space."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text.lower())
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFC", text).lower())
    return found


def count(n: int, texts: Iterable[str], batch: int = BATCH) -> tuple[int, list[Table]]:
    """The number of running words in *texts*, and for each length up to n the n-grams, ascending, and their counts.

    The beginning of a text, where n is above 1, is a word that stands once before it, and may be a history; it is not
    among the running words.
    """
    words = 0
    tables: list[Table] = [(np.zeros(0, np.uint64), np.zeros(0, np.uint32)) for _ in range(n)]
    for hashes, lengths in _batches(n, texts, batch):
        words += int(lengths.sum())
        starts = np.cumsum(lengths + n - 1) - lengths
        # of an edge longer than a word, the last counts as a history; the longest n-grams end in words alone
        history = np.ones(len(hashes), bool)
        history[_edges(starts, n - 1)] = False
        predicted = history.copy()
        history[starts - 1] |= n > 1
        keys = hashes
        for order in range(1, n + 1):
            if order > 1:
                keys = _longer(keys, hashes, order)
            tables[order - 1] = _merged(tables[order - 1], keys[predicted if order == n else history])
    return words, tables


def _batches(n: int, texts: Iterable[str], batch: int) -> Iterator[tuple[Keys, NDArray[np.int64]]]:
    """The texts that have words, as `_hashes` gives them, about *batch* words at a time."""
    pending: list[tuple[Keys, NDArray[np.int64]]] = []
    waiting = 0
    for text in chain(texts, [None]):
        if text is not None:
            hashes, lengths = _hashes([text], n - 1)
            if lengths[0]:
                pending.append((hashes, lengths))
                waiting += len(hashes)
        if pending and (text is None or waiting > batch):
            yield np.concatenate([one[0] for one in pending]), np.concatenate([one[1] for one in pending])
            pending, waiting = [], 0


def _hashes(texts: Sequence[str], edge: int) -> tuple[Keys, NDArray[np.int64]]:
    """The numbers of the words of all texts, each after an edge of so many, and how many words each text has."""
    split = [tokens(text) for text in texts]
    before = [""] * edge
    hashes = np.fromiter(map(_hash, chain.from_iterable(chain(before, some) for some in split)), np.uint64)
    return hashes, np.fromiter(map(len, split), np.int64, len(split))


@lru_cache(KNOWN)
def _hash(word: str) -> int:
    """A word's number, the same everywhere and always; the empty word is the edge of a text."""
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _longer(histories: Keys, hashes: Keys, order: int) -> Keys:
    """The n-grams of a length that end at each word, from those one shorter. The first ones have no such history."""
    keys: Keys = hashes.copy()
    keys[order - 1 :] += histories[order - 2 : -1] * MULTIPLIER
    return keys


def _edges(starts: NDArray[np.int64], edge: int) -> NDArray[np.int64]:
    """Where the words of edges stand that end before *starts*."""
    places: NDArray[np.int64] = (starts[:, None] - np.arange(1, edge + 1)).ravel()
    return places


def _merged(table: Table, keys: Keys) -> Table:
    """A table with more n-grams counted."""
    new, counts = np.unique(keys, return_counts=True)
    both, where = np.unique(np.concatenate([table[0], new]), return_inverse=True)
    sums = np.bincount(where, np.concatenate([table[1], counts]), len(both))
    return both, np.minimum(sums, np.iinfo(np.uint32).max).astype(np.uint32)


def _found(table: Table, keys: Keys) -> Doubles:
    """The counts of n-grams; 0 for those never seen."""
    there, counts = table
    if not len(there):
        return np.zeros(len(keys))
    at = np.searchsorted(there, keys)
    at[at == len(there)] = 0
    found: Doubles = np.where(there[at] == keys, counts[at], 0).astype(np.float64)
    return found
