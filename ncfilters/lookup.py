"""Compact tables that are looked into for many keys at once: what word models are stored as.

    table = Table.of(histories, words, prefix, word)[0]
    table.find(np.array([0]), np.array([7]))        # array([3]): the n-gram's place, or -1

An n-gram is the place of its history (all but the last word) in the table of histories, and its last word: one number
below 2**bits. It is mixed, one to one, so that its first bits are evenly spread; n-grams stand in the order of the
mixed numbers, and of each only the bits after those first ones are stored, with a directory of where the n-grams of
the same first bits start (compact hashing, Cleary 1984). Nothing is lost: n-grams can be listed again. With 3 million
bigrams of 200,000 words that is some 5 bytes each, and look-ups want no search.

Arrays may stand in a file mapped to memory that nobody has checked: whatever numbers are in it, look-ups end, and
give places that are there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint64]
Places = NDArray[np.int64]

# Odd numbers with bits well spread (Steele, Lea & Flood 2014), and their inverses modulo 2**64.
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
UNMIXERS = tuple(pow(mixer, -1, 1 << 64) for mixer in MIXERS)
# Codebooks have at most so many values: what two bytes can say.
CODES = 1 << 16


class Buckets:
    """Distinct numbers below 2**bits, ascending: the first bits of each say which bucket it is in.

    *starts* is where each bucket starts, and the end of the last; *rests* are the other bits of the numbers.
    """

    def __init__(self, bits: int, starts: NDArray[np.uint32], rests: NDArray[Any]) -> None:
        self.first = max(len(starts) - 1, 1).bit_length() - 1
        if not 0 < self.first <= bits <= 64 or len(starts) != (1 << self.first) + 1 or starts.dtype != np.uint32:
            raise ValueError(f"{len(starts)} starts of {starts.dtype} for numbers of {bits} bits")
        if rests.dtype != _width(bits - self.first):
            raise ValueError(f"numbers of {bits} bits in arrays of type {rests.dtype}")
        self.bits, self.starts, self.rests = bits, starts, rests

    def __len__(self) -> int:
        return len(self.rests)

    @classmethod
    def of(cls, bits: int, numbers: Numbers) -> Buckets:
        """Buckets of ascending numbers."""
        shape = Shape(bits, len(numbers))
        counts = np.bincount(shape.bucket(numbers), minlength=1 << shape.first)
        return cls(bits, shape.starts(counts), shape.rest(numbers))

    def find(self, numbers: Numbers) -> Places:
        """The place of each number, -1 for those that are not here."""
        shape = Shape(self.bits, len(self), self.first)
        bucket, rests = shape.bucket(numbers), shape.rest(numbers)
        at = self.starts.take(bucket, mode="clip").astype(np.int64)
        bucket += 1
        ends = np.minimum(self.starts.take(bucket, mode="clip"), len(self)).astype(np.int64)
        if not len(self):
            return np.full(len(numbers), -1)
        hit = (self.rests.take(at, mode="clip") == rests) & (at < ends)
        found = np.where(hit, at, -1)
        left = np.flatnonzero(~hit & (at + 1 < ends))
        at, ends, rests = at[left], ends[left], rests[left]
        while len(left):
            at += 1
            hit = self.rests.take(at, mode="clip") == rests
            found[left[hit]] = at[hit]
            on = ~hit & (at + 1 < ends)
            left, at, ends, rests = left[on], at[on], ends[on], rests[on]
        return found

    def numbers(self) -> Numbers:
        """All of them, ascending. Raises ValueError where the directory is damaged."""
        starts = self.starts.astype(np.int64)
        sizes = np.diff(starts)
        if (sizes < 0).any() or starts[0] or starts[-1] != len(self):
            raise ValueError("buckets that do not ascend")
        bucket = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
        found: Numbers = (bucket << np.uint64(self.bits - self.first)) | self.rests.astype(np.uint64)
        return found


class Shape:
    """How *count* numbers of so many bits are cut in two: *first* bits for the bucket, one or two numbers in each."""

    def __init__(self, bits: int, count: int, first: int | None = None) -> None:
        self.first = min(bits, max(count.bit_length() - 1, 1)) if first is None else first
        self._shift = np.uint64(bits - self.first)
        self._mask = np.uint64((1 << (bits - self.first)) - 1)
        self.dtype = _width(bits - self.first)

    def bucket(self, numbers: Numbers) -> Places:
        """The bucket of each number."""
        found: Places = (numbers >> self._shift).astype(np.int64)
        return found

    def rest(self, numbers: Numbers) -> NDArray[Any]:
        """What is stored of each."""
        found: NDArray[Any] = (numbers & self._mask).astype(self.dtype)
        return found

    @staticmethod
    def starts(counts: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The directory of buckets of these sizes. Raises ValueError for more than a directory can say."""
        total = int(counts.sum())
        if total > np.iinfo(np.uint32).max:
            raise ValueError(f"{total:,} n-grams of a length are more than a model has room for")
        starts = np.zeros(len(counts) + 1, np.uint32)
        np.cumsum(counts, out=starts[1:])
        return starts


def _width(bits: int) -> np.dtype[Any]:
    """The narrowest type that has so many bits."""
    return np.dtype(np.uint16 if bits <= 16 else np.uint32 if bits <= 32 else np.uint64)


class Mixing:
    """How n-grams become numbers: of a history's place below *histories* and a word below *words*."""

    def __init__(self, histories: int, words: int) -> None:
        self._word = np.uint64(max(words - 1, 1).bit_length())
        self.bits = int(self._word) + max(histories - 1, 1).bit_length()
        if self.bits > 64:
            raise ValueError(f"{histories:,} histories of {words:,} words are more than a model has room for")
        self._mask, self._half = np.uint64((1 << self.bits) - 1), np.uint64((self.bits + 1) // 2)

    def mixed(self, histories: Places, words: Places) -> Numbers:
        """The numbers of n-grams, evenly spread."""
        numbers = (histories.astype(np.uint64) << self._word) | words.astype(np.uint64)
        return self._mixed(numbers, MIXERS)

    def unmixed(self, numbers: Numbers) -> tuple[Places, Places]:
        """The histories and words of numbers."""
        numbers = self._mixed(numbers, UNMIXERS[::-1])
        words = numbers & ((np.uint64(1) << self._word) - np.uint64(1))
        return (numbers >> self._word).astype(np.int64), words.astype(np.int64)

    def _mixed(self, numbers: Numbers, by: tuple[int, ...]) -> Numbers:
        numbers = (numbers * np.uint64(by[0])) & self._mask
        numbers ^= numbers >> self._half
        numbers *= np.uint64(by[1])
        numbers &= self._mask
        return numbers


class Table:
    """N-grams of one length, found by the places of their histories and their last words."""

    def __init__(self, mixing: Mixing, buckets: Buckets) -> None:
        self.mixing, self.buckets = mixing, buckets

    def __len__(self) -> int:
        return len(self.buckets)

    @classmethod
    def of(cls, mixing: Mixing, histories: Places, words: Places) -> tuple[Table, Places]:
        """The table of distinct n-grams in any order, and which of them stands at each place of it."""
        numbers = mixing.mixed(histories, words)
        order = np.argsort(numbers)
        return cls(mixing, Buckets.of(mixing.bits, numbers[order])), order

    def find(self, histories: Places, words: Places) -> Places:
        """The place of each n-gram; -1 for those that are not here, or whose history or word is -1."""
        found = self.buckets.find(self.mixing.mixed(np.maximum(histories, 0), np.maximum(words, 0)))
        found[(histories < 0) | (words < 0)] = -1
        return found

    def entries(self) -> tuple[Places, Places]:
        """Histories and words of all n-grams, in their order. Raises ValueError where the table is damaged."""
        return self.mixing.unmixed(self.buckets.numbers())


def coded(values: NDArray[Any]) -> tuple[NDArray[np.uint16], NDArray[Any]]:
    """Values as numbers of two bytes, and the codebook that has what each stands for.

    Exact for up to 65,536 distinct values; above that each stands for the mean of as many neighbours.
    """
    book, codes = np.unique(values, return_inverse=True)
    if len(book) <= CODES:
        return codes.astype(np.uint16), book
    ordered = np.sort(values)
    edges = np.unique(ordered[np.linspace(0, len(values), CODES, endpoint=False).astype(np.int64)])
    codes = np.searchsorted(edges, values, side="right") - 1
    means = np.bincount(codes, values, len(edges)) / np.bincount(codes, minlength=len(edges))
    return codes.astype(np.uint16), means.astype(values.dtype)
