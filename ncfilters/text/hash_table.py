"""Compact tables that are looked into for many keys at once: what word models are stored as.

    table, order = Table.of(mixing, histories, words)
    table.find(np.array([0]), np.array([7]))        # array([3]): the n-gram's place; that of none is len(table)

An n-gram is the place of its history (all but the last word) in the table of histories, and its last word: one number
below 2**bits. It is mixed, one to one, so that its first bits are evenly spread. These are its bucket; of n-grams in
the order of their buckets only the other bits are stored, with a directory of where each bucket starts (compact
hashing, Cleary 1984). Nothing is lost: n-grams can be listed again. What comes first in its bucket is found with two
look-ups, so that is what is most frequent.

Arrays may stand in a file mapped to memory that nobody has checked: whatever numbers are in it, look-ups end, and
those who use the places that they give clip them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint64]
Places = NDArray[np.int64]

# An odd number with bits well spread (Knuth's multiplicative hashing), and its inverse modulo 2**64.
MIXER = 0x9E3779B97F4A7C15
UNMIXER = pow(MIXER, -1, 1 << 64)
# The types that the rests of numbers may have, and how many bits they have at least that are the bucket's, too.
WIDTHS = tuple(np.dtype(width) for width in (np.uint16, np.uint32, np.uint64))
SPARE = 7
# Codebooks have at most so many values: what two bytes can say.
CODES = 1 << 16


class Buckets:
    """Distinct numbers below 2**bits: the first bits of each say which bucket it is in.

    *starts* is where each bucket starts, and the end of the last; *rests* are the last bits of the numbers: those that
    the bucket does not say, and enough of the others that no number of one of the next buckets is like it.
    """

    def __init__(self, bits: int, starts: NDArray[np.uint32], rests: NDArray[Any]) -> None:
        self.first = max(len(starts) - 1, 1).bit_length() - 1
        if not 0 < self.first <= bits <= 64 or len(starts) != (1 << self.first) + 1 or starts.dtype != np.uint32:
            raise ValueError(f"{len(starts)} starts of {starts.dtype} for numbers of {bits} bits")
        if rests.dtype not in WIDTHS or 8 * rests.dtype.itemsize < bits - self.first:
            raise ValueError(f"numbers of {bits} bits in arrays of type {rests.dtype}")
        self.bits, self.starts, self.rests = bits, starts, rests
        self._shift = np.uint64(bits - self.first)

    def __len__(self) -> int:
        return len(self.rests)

    def find(self, numbers: Numbers) -> Places:
        """The place of each number; that of none is the number of all."""
        size = len(self)
        if not size:
            return np.zeros(len(numbers), np.int64)
        bucket = (numbers >> self._shift).view(np.int64)
        wanted = numbers.astype(self.rests.dtype)
        at = self.starts.take(bucket, mode="clip").astype(np.int64)
        hit = self.rests.take(at, mode="clip") == wanted
        found: Places = np.where(hit, at, size)
        left = np.flatnonzero(~hit)
        at, bucket, wanted = at[left], bucket[left], wanted[left]
        ends = np.minimum(self.starts.take(bucket + 1, mode="clip"), size).astype(np.int64)
        while len(left):
            at += 1
            on = at < ends
            left, at, ends, wanted = left[on], at[on], ends[on], wanted[on]
            hit = self.rests.take(at, mode="clip") == wanted
            found[left[hit]] = at[hit]
            on = ~hit
            left, at, ends, wanted = left[on], at[on], ends[on], wanted[on]
        return found

    def numbers(self) -> Numbers:
        """All of them, by place. Raises ValueError where the directory is damaged."""
        starts = self.starts.astype(np.int64)
        sizes = np.diff(starts)
        if (sizes < 0).any() or starts[0] or starts[-1] != len(self):
            raise ValueError("buckets that do not ascend")
        bucket = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
        mask = (np.uint64(1) << self._shift) - np.uint64(1) if self._shift < 64 else np.uint64(2**64 - 1)
        found: Numbers = (bucket << self._shift) | (self.rests.astype(np.uint64) & mask)
        return found


class Shape:
    """How *count* numbers of so many bits are stored: one or two in each of the buckets that *first* bits say."""

    def __init__(self, bits: int, count: int) -> None:
        self.first = min(bits, max(count.bit_length() - 1, 1))
        self._shift = np.uint64(bits - self.first)
        self.dtype = next(width for width in WIDTHS if 8 * width.itemsize >= min(bits - self.first + SPARE, bits))

    def bucket(self, numbers: Numbers) -> Places:
        """The bucket of each number."""
        found: Places = (numbers >> self._shift).view(np.int64)
        return found

    def rest(self, numbers: Numbers) -> NDArray[Any]:
        """What is stored of each."""
        found: NDArray[Any] = numbers.astype(self.dtype)
        return found

    def order(self, numbers: Numbers, frequency: NDArray[Any] | None = None) -> Places:
        """How numbers stand: by bucket, in it the most frequent first."""
        if frequency is None:
            return np.argsort(numbers)
        return np.lexsort((numbers, -frequency.astype(np.float64), self.bucket(numbers)))

    def check(self, sizes: NDArray[Any]) -> None:
        """Raises ValueError where so many buckets, one after the other, are empty that numbers of different ones could
        be taken for each other. That is not to be expected of mixed numbers."""
        spare = 8 * self.dtype.itemsize - int(self._shift)
        full = np.flatnonzero(np.asarray(sizes))
        if spare < self.first and len(full) and np.diff(full, prepend=-1, append=len(sizes)).max() >= 1 << spare:
            raise ValueError("n-grams that are not evenly spread")


def bucketed(bits: int, numbers: Numbers, frequency: NDArray[Any] | None = None) -> tuple[Buckets, Places]:
    """Buckets of distinct numbers in any order, and which of them stands at each place."""
    shape = Shape(bits, len(numbers))
    order = shape.order(numbers, frequency)
    sizes = np.bincount(shape.bucket(numbers), minlength=1 << shape.first)
    shape.check(sizes)
    starts = np.zeros(len(sizes) + 1, np.uint32)
    if len(numbers) > np.iinfo(np.uint32).max:
        raise ValueError(f"{len(numbers):,} n-grams of a length are more than a model has room for")
    np.cumsum(sizes, out=starts[1:])
    return Buckets(bits, starts, shape.rest(numbers[order])), order


class Mixing:
    """How n-grams become numbers: of a history's place up to *histories* and a word up to *words*. Those stand for
    what is nowhere, and no n-gram has them."""

    def __init__(self, histories: int, words: int) -> None:
        self._word = np.uint64(max(words, 1).bit_length())
        self.bits = int(self._word) + max(histories, 1).bit_length()
        if self.bits > 64:
            raise ValueError(f"{histories:,} histories of {words:,} words are more than a model has room for")
        self._mask = np.uint64((1 << self.bits) - 1)

    def mixed(self, histories: Places, words: Places) -> Numbers:
        """The numbers of n-grams, evenly spread."""
        numbers = histories.view(np.uint64) << self._word
        numbers |= words.view(np.uint64)
        numbers *= np.uint64(MIXER)
        numbers &= self._mask
        out: Numbers = numbers
        return out

    def unmixed(self, numbers: Numbers) -> tuple[Places, Places]:
        """The histories and words of numbers."""
        numbers = (numbers * np.uint64(UNMIXER)) & self._mask
        words = numbers & ((np.uint64(1) << self._word) - np.uint64(1))
        return (numbers >> self._word).astype(np.int64), words.astype(np.int64)


class Table:
    """N-grams of one length, found by the places of their histories and their last words."""

    def __init__(self, mixing: Mixing, buckets: Buckets) -> None:
        self.mixing, self.buckets = mixing, buckets

    def __len__(self) -> int:
        return len(self.buckets)

    @classmethod
    def of(cls, mixing: Mixing, histories: Places, words: Places) -> tuple[Table, Places]:
        """The table of distinct n-grams in any order, and which of them stands at each place of it."""
        buckets, order = bucketed(mixing.bits, mixing.mixed(histories, words))
        return cls(mixing, buckets), order

    def find(self, histories: Places, words: Places) -> Places:
        """The place of each n-gram; that of none is the number of all."""
        return self.buckets.find(self.mixing.mixed(histories, words))

    def entries(self) -> tuple[Places, Places]:
        """Histories and words of all n-grams, in their order. Raises ValueError where the table is damaged."""
        return self.mixing.unmixed(self.buckets.numbers())


def coded(values: NDArray[Any], nowhere: float, exact: bool = False) -> tuple[NDArray[Any], NDArray[Any]]:
    """Values by place as numbers of two bytes, and the codebook that has what each stands for. One more stands behind
    them, for what has no place: *nowhere*.

    Exact for up to 65,535 distinct values; above that each stands for the mean of a few neighbours. A quarter of the
    codes is for the outermost values, a quarter follows how many there are, and half the range of the others. Where all
    are to be *exact*, numbers may have four bytes.
    """
    book, codes = np.unique(values, return_inverse=True)
    if len(book) >= CODES and not exact:
        ordered = np.sort(values)
        outer = min(len(values) // 10_000, CODES // 8)
        many = ordered[np.linspace(0, len(values), CODES // 4, endpoint=False).astype(np.int64)]
        wide = np.linspace(ordered[outer], ordered[-1 - outer], CODES // 2 - 1, endpoint=False, dtype=values.dtype)
        edges = np.unique(np.concatenate([ordered[: outer + 1], many, wide, ordered[len(values) - outer :]]))[
            : CODES - 1
        ]
        codes = np.searchsorted(edges, values, side="right") - 1
        counts = np.bincount(codes)
        book = (np.bincount(codes, values) / np.maximum(counts, 1)).astype(values.dtype)
    numbers = np.append(codes, len(book)).astype(np.uint16 if len(book) < CODES else np.uint32)
    return numbers, np.append(book, np.asarray(nowhere, book.dtype))
