"""MinHash: signatures of sets of shingles, whose bands two similar sets share (Broder 1997; Indyk and Motwani 1998).

bands = Bands(14, 8)
bands.of(shingle_sets(["It rained all day."], 5))    # an array of 1 × 14 keys
bands.chance(0.72)                                   # 0.65: how often sets of that similarity share one

A shingle is an n-gram of words by 32 bits of its hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..text.hash_table import MIXERS, STEP
from .fingerprints import normalized
from .word_ngrams import hash_words_of, ngrams

# In the order of the text; a shingle may be there several times.
Shingles = NDArray[np.uint32]
Keys = NDArray[np.int64]

# Bands and rows of the default, which are those of datatrove; and the most values of a signature.
BANDS, ROWS, MAX_VALUES = 14, 8, 128
# The threshold at which half of the pairs share a band, roughly, with these.
THRESHOLD = 0.72
# Shingles that are multiplied at a time, so that products stay in the cache.
_BLOCK = 1 << 12


def shingle_sets(texts: Sequence[str], n: int) -> list[Shingles]:
    """The shingles of each text. A text of fewer than *n* words has one, and so has a text of signs alone."""
    hashes, lengths = hash_words_of(texts)
    out, end = [], 0
    every = (ngrams(hashes, n) >> np.uint64(32)).astype(np.uint32)
    for text, length in zip(texts, lengths.tolist()):
        start, end = end, end + length
        if length >= n:
            out.append(every[start : end - n + 1])
        elif length:
            out.append((ngrams(hashes[start:end], n)[:1] >> np.uint64(32)).astype(np.uint32))
        else:
            signs = normalized(text)
            out.append(np.array([xxhash.xxh32_intdigest(signs)] if signs else [], np.uint32))
    return out


def similarity(one: Shingles, other: Shingles) -> float:
    """The Jaccard index of two sets: the share of their union that both have. Two empty sets are equal."""
    one, other = np.unique(one), np.unique(other)
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / union if (union := len(one) + len(other) - common) else 1.0


def best_bands(threshold: float) -> Bands:
    """The bands that lose and find in vain the least, as areas under `chance` on each side of *threshold* (Zhu et al.
    2016, section 4), with at most `MAX_VALUES` values; the default for its threshold."""
    if threshold == THRESHOLD:
        return Bands(BANDS, ROWS)
    below, above = np.linspace(0, threshold, 100), np.linspace(threshold, 1, 100)

    def lost(bands: Bands) -> float:
        return float(bands.chance(below).mean() * threshold + (1 - bands.chance(above)).mean() * (1 - threshold))

    return min((Bands(MAX_VALUES // rows, rows) for rows in range(1, MAX_VALUES + 1)), key=lost)


class Bands:
    """Signatures of *count* bands of *rows* values each."""

    def __init__(self, count: int, rows: int) -> None:
        self.count, self.rows = count, rows
        self._factors = _factors(count * rows)
        self._powers = _odd(rows, 1)

    def chance(self, similar: Any) -> Any:
        """The probability that two sets of this similarity share a band."""
        return 1 - (1 - np.asarray(similar) ** self.rows) ** self.count

    def of(self, sets: Sequence[Shingles]) -> Keys:
        """The keys of the bands of sets (a row for each set)."""
        values = np.empty((len(sets), self.count * self.rows), np.uint64)
        for place, shingles in enumerate(sets):
            values[place] = self.signature(shingles)
        keys = values.reshape(len(sets), self.count, self.rows) @ self._powers
        keys += np.arange(self.count, dtype=np.uint64)
        keys *= np.uint64(MIXERS[1])
        keys ^= keys >> np.uint64(31)
        return keys.view(np.int64)

    def signature(self, shingles: Shingles) -> Shingles:
        """The least of the hashes of a set under each of the hash functions. These are products modulo 2**32 with odd
        factors (Dietzfelbinger et al. 1997), and equal on all machines."""
        least = np.full(len(self._factors), 0xFFFFFFFF, np.uint32)
        for start in range(0, len(shingles), _BLOCK):
            products = self._factors * shingles[start : start + _BLOCK]
            np.minimum(least, products.min(axis=1), out=least)
        return least


@lru_cache(4)
def _factors(count: int) -> NDArray[np.uint32]:
    factors: NDArray[np.uint32] = (_odd(count, 2) >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
    return factors.reshape(count, 1)


def _odd(count: int, start: int) -> NDArray[np.uint64]:
    """Odd random numbers (splitmix64, Steele, Lea and Flood 2014)."""
    out: NDArray[np.uint64] = np.arange(start, start + count, dtype=np.uint64) * np.uint64(STEP)
    for shift, mixer in zip((30, 27), MIXERS):
        out ^= out >> np.uint64(shift)
        out *= np.uint64(mixer)
    out |= np.uint64(1)
    return out
