"""Documents that share most of their n-grams of words with one that was kept.

Documents are candidates if they share a band of their MinHash signatures (see `minhash`), and duplicates if their
similarity reaches the threshold. They are compared with documents that were kept alone: so each duplicate is within the
threshold of the one that stands for it, and no chain of small changes makes one cluster of a whole source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..record import Record
from ..text.hash_table import MIXERS, STEP
from .documents import name_of, text_of
from .duplicates import UNIQUE, Features, Verdict, normalized
from .state import State
from .word_ngrams import hash_words_of, ngrams

TABLES = """
CREATE TABLE documents (number INTEGER PRIMARY KEY, name TEXT, shingles BLOB);
CREATE TABLE entries (key INTEGER, document INTEGER, PRIMARY KEY (key, document)) WITHOUT ROWID
"""
_FIND = "SELECT entries.key, document FROM json_each(?) JOIN entries ON entries.key = value"
_ADD = "INSERT OR IGNORE INTO entries VALUES (?, ?)"
_DOCUMENTS = "SELECT number, name, shingles FROM json_each(?) JOIN documents ON number = value"
_ADD_DOCUMENT = "INSERT INTO documents VALUES (?, ?, ?)"
_LAST = "SELECT coalesce(max(number), 0) FROM documents"
MERGE = """
INSERT INTO entries SELECT key, document + (SELECT coalesce(max(number), 0) FROM documents) FROM other.entries;
INSERT INTO documents SELECT number + (SELECT coalesce(max(number), 0) FROM documents), name, shingles
FROM other.documents
"""
# Documents that a band keeps, the first; and candidates that a document is compared with, those that share the most
# bands. So time is linear where thousands of pages share a template.
MAX_IN_BAND, MAX_CANDIDATES = 50, 100

# In the order of the text; a shingle may be there several times.
Shingles = NDArray[np.uint32]
Keys = NDArray[np.int64]

# Bands and rows of the default, which are those of datatrove; and the most values of a signature.
BANDS, ROWS, MAX_VALUES = 14, 8, 128
# The threshold at which half of the pairs share a band, roughly, with these.
THRESHOLD = 0.72
# Shingles that are multiplied at a time, so that products stay in the cache.
_BLOCK = 1 << 12


class NearOptions(NamedTuple):
    """*n* words of an n-gram; documents are duplicates from the similarity *threshold* on."""

    threshold: float = THRESHOLD
    n: int = 5


def features(documents: Sequence[Record], n: int = NearOptions().n) -> list[Features]:
    """The names and shingles of documents. Raises RecordError for documents without text."""
    sets = shingle_sets([text_of(document) for document in documents], n)
    return [Features(name_of(document), one.tobytes()) for document, one in zip(documents, sets)]


class _Kept(NamedTuple):
    name: str
    shingles: Shingles


class NearDuplicates:
    """Finds documents that are similar to an earlier one that is no duplicate itself."""

    def __init__(self, state: State, options: NearOptions) -> None:
        self._state, self._options = state, options
        self._bands: Bands = best_bands(options.threshold)
        self._last: int = state.rows(_LAST)[0][0]

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        return self.verdicts(self.features(documents))

    def features(self, documents: Sequence[Record]) -> list[Features]:
        return features(documents, self._options.n)

    def verdicts(self, features: Sequence[Features]) -> list[Verdict]:
        sets = [np.frombuffer(one.content, np.uint32) for one in features]
        bands = self._bands.of(sets)
        keys, place_of, counts = np.unique(bands, return_inverse=True, return_counts=True)
        buckets = self._buckets(keys)
        # most keys are those of one document, which the others need not look up
        shared_keys: NDArray[np.bool_] = np.isin(keys, list(buckets)) | np.greater(counts, 1)
        is_shared = shared_keys[place_of.reshape(bands.shape)]
        has_shared: NDArray[np.bool_] = np.asarray(is_shared.any(axis=1))
        numbers = np.zeros(bands.shape, np.int64)  # of the documents that bands keep
        new: dict[int, _Kept] = {}
        out = []
        for place, (one, shingles) in enumerate(zip(features, sets)):
            verdict, shared = UNIQUE, []
            if has_shared[place]:
                shared = [buckets.setdefault(key, []) for key in bands[place, is_shared[place]].tolist()]
                verdict = self._verdict(shingles, Counter(chain.from_iterable(shared)), new)
            out.append(verdict)
            if not verdict.is_duplicate:
                self._last += 1
                new[self._last] = _Kept(one.name, shingles)
                numbers[place] = self._last
                if shared:
                    numbers[place, is_shared[place]] *= [_add(self._last, bucket) for bucket in shared]
        self._state.add(_ADD_DOCUMENT, [(number, one.name, one.shingles.data) for number, one in new.items()])
        order = np.argsort(bands, axis=None)  # neighbours share pages of the table
        order = order[numbers.flat[order] > 0]
        self._state.add(_ADD, list(zip(bands.flat[order].tolist(), numbers.flat[order].tolist())))
        return out

    def _buckets(self, keys: Keys) -> dict[int, list[int]]:
        """The documents that are kept in each of the bands."""
        out: dict[int, list[int]] = {}
        for key, number in self._state.rows(_FIND, str(keys.tolist())):
            out.setdefault(key, []).append(number)
        return out

    def _verdict(self, shingles: Shingles, shared: Counter[int], new: Mapping[int, _Kept]) -> Verdict:
        """The verdict from how many bands each document shares; *new* are those that the state does not have yet."""
        best = UNIQUE
        candidates = sorted(shared, key=lambda number: (-shared[number], number))[:MAX_CANDIDATES]
        stored = [number for number in candidates if number not in new]
        found = self._state.rows(_DOCUMENTS, str(stored))
        kept = {number: _Kept(name, np.frombuffer(content, np.uint32)) for number, name, content in found}
        for number in candidates:
            name, others = new.get(number) or kept[number]
            similar = similarity(shingles, others)
            if similar >= self._options.threshold and (best.similarity is None or similar > best.similarity):
                best = Verdict(True, name, similar)
        return best


def _add(number: int, bucket: list[int]) -> bool:
    """Adds a document to those that a band keeps, and returns whether there was room."""
    if len(bucket) == MAX_IN_BAND:
        return False
    bucket.append(number)
    return True


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
