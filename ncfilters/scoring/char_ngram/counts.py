"""Counts of character n-grams in clean text and in boilerplate.

    counts = CharNgramCounts.of_texts(3, Alphabet("ascii"), clean=[("Some clean text.", 1.0)], dirty=[("Home", 1.0)])
    counts.keys, counts.clean, counts.dirty

A text is preceded by n - 1 edges and followed by one, so that its beginning and its end are predicted too. An n-gram is
a number, its key: its symbols are the digits in a number system whose base is the size of the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .alphabet import Alphabet

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]

# Characters of text that are counted at a time.
BATCH_CHARS = 1 << 20


@dataclass(frozen=True)
class CharNgramCounts:
    """The n-grams seen in training: their *keys*, ascending, and their weighted counts in each class (all of one
    shape). Counts below 0 are possible; see `differential`."""

    keys: Ints
    clean: Floats
    dirty: Floats

    @classmethod
    def of_texts(
        cls, n: int, alphabet: Alphabet, clean: Iterable[tuple[str, float]], dirty: Iterable[tuple[str, float]]
    ) -> CharNgramCounts:
        """The counts of texts of each class, given with their weights."""
        counted = [count_ngrams(n, alphabet, texts) for texts in (clean, dirty)]
        keys = np.union1d(counted[0][0], counted[1][0])
        counts = []
        for own_keys, own_counts in counted:
            aligned = np.zeros(len(keys), np.float32)
            aligned[np.searchsorted(keys, own_keys)] = own_counts
            counts.append(aligned)
        return cls(keys, counts[0], counts[1])

    def differential(self) -> CharNgramCounts:
        """The counts of *clean* text, and those of *dirty* text minus these: of whole pages minus their gold text
        (differential training; StupidOS, section 3.2). An n-gram that is rarer on the pages has a count below 0."""
        return replace(self, dirty=self.dirty - self.clean)


def count_ngrams(
    n: int, alphabet: Alphabet, texts: Iterable[tuple[str, float]], batch_chars: int = BATCH_CHARS
) -> tuple[Ints, Floats]:
    """The keys of the n-grams of weighted texts, ascending, and their counts (both of one shape)."""
    keys: Ints = np.zeros(0, np.int64)
    counts: Doubles = np.zeros(0)
    pending: list[tuple[str, float]] = []
    pending_chars = 0
    for text, weight in chain(texts, [("", -1.0)]):
        is_end = weight < 0
        if not is_end:
            pending.append((text, weight))
            pending_chars += len(text)
        if pending and (is_end or pending_chars > batch_chars):
            new_keys, new_counts = _count(n, alphabet, pending)
            keys, where = np.unique(np.concatenate([keys, new_keys]), return_inverse=True)
            counts = sum_at(where, np.concatenate([counts, new_counts]), len(keys))
            pending, pending_chars = [], 0
    return keys, counts.astype(np.float32)


def ngram_keys(codes: NDArray[Any], n: int, order: int, size: int) -> Ints:
    """The keys of the n-grams of length *order* that end in codes[n - 1:] (shape: codes - n + 1), in an alphabet of
    that *size*."""
    count = len(codes) - n + 1
    first = n - order
    narrow = size**order < 1 << 31
    keys: NDArray[Any] = codes[first : first + count].astype(np.int32 if narrow else np.int64)
    for place in range(first + 1, n):
        keys *= size
        keys += codes[place : place + count]
    if narrow:
        keys = keys.astype(np.int64)
    return keys


def sum_at(where: Ints, counts: NDArray[Any], length: int) -> Doubles:
    """The sum of the counts for each of *length* places, given the place of each count."""
    sums: Doubles = np.bincount(where, counts, length).astype(np.float64, copy=False)
    return sums


def _count(n: int, alphabet: Alphabet, texts: list[tuple[str, float]]) -> tuple[Ints, Doubles]:
    edge = "\0" * max(n - 1, 1)
    codes = alphabet.codes(edge + "".join([text + edge for text, _ in texts]))
    keys = ngram_keys(codes, n, n, alphabet.size)[len(edge) - n + 1 :]
    lengths = np.array([len(text) for text, _ in texts])
    spans = lengths + len(edge)
    place = np.arange(len(keys)) - np.repeat(np.cumsum(spans) - spans, spans)
    predicted = place <= np.repeat(lengths, spans)
    return keys[predicted], np.repeat([weight for _, weight in texts], lengths + 1)
