"""The words of a word model: by number, so that whole texts are looked up at once, and spelled out.

    vocabulary = Vocabulary.of([b"the", b"cat"])[0]
    vocabulary.find(numbers(*spans))        # the place of each word; that of an unknown one is the number of all

A word's number is 64 bits of its UTF-8 bytes: the sum of what stands for each byte, times a power of an odd number
for its place, well mixed. Sums over all bytes of a text, subtracted from one another, give the numbers of all its words
in a few passes. Two words of the same number would be one to a model: among
ten million words the odds are one in 400,000.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .hash_table import Buckets, Numbers, Places, bucketed

Bytes = NDArray[np.uint8]

# What words' bytes are multiplied with for each place, and what bytes' own numbers are made with.
BASE, STEP = 0xD1342543DE82EF95, 0x9E3779B97F4A7C15
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
# Words have at most so many bytes; what is longer is cut.
LONGEST = 1 << 10
# Bytes of text numbered at a time, so that sums stay in the cache.
BLOCK = 1 << 15


class Vocabulary:
    """Words by place: *ends* is where each ends in *spelling*, the UTF-8 bytes of all."""

    def __init__(self, buckets: Buckets, ends: NDArray[Any], spelling: Bytes) -> None:
        if len(ends) != len(buckets) or buckets.bits != 64:
            raise ValueError("a vocabulary whose arrays differ in length")
        if ends.dtype not in (np.uint32, np.uint64) or spelling.dtype != np.uint8:
            raise ValueError(f"words of type {spelling.dtype} that end at type {ends.dtype}")
        self.buckets, self.ends, self.spelling = buckets, ends, spelling

    def __len__(self) -> int:
        return len(self.buckets)

    @classmethod
    def of(cls, words: Sequence[bytes]) -> tuple[Vocabulary, Places]:
        """The vocabulary of distinct words, and which of them stands at each place of it. Raises ValueError for two
        words of one number."""
        return cls.spelled(*of_each(words))

    @classmethod
    def spelled(
        cls, numbers: Numbers, data: Bytes, ends: Places, frequency: NDArray[Any] | None = None
    ) -> tuple[Vocabulary, Places]:
        """The vocabulary of words whose bytes end at *ends* of *data*, and which of them stands at each place; the most
        *frequent* are found fastest. Raises ValueError for two words of one number."""
        buckets, order = bucketed(64, numbers, frequency)
        lengths = np.diff(ends, prepend=0)[order]
        begins, upto = ends[order] - lengths, np.cumsum(lengths)
        spelling = data[np.repeat(begins - upto + lengths, lengths) + np.arange(lengths.sum())]
        if (twins := np.flatnonzero(numbers[order][1:] == numbers[order][:-1])).size:
            at = twins[0]
            word = data[begins[at] : begins[at] + lengths[at]].tobytes().decode("utf-8", "replace")
            raise ValueError(f"the word {word!r} is there twice")
        narrow = np.uint32 if not len(upto) or upto[-1] <= np.iinfo(np.uint32).max else np.uint64
        return cls(buckets, upto.astype(narrow), spelling), order

    def find(self, numbers: Numbers) -> Places:
        """The place of each word, by its number; that of unknown ones is the number of all."""
        return self.buckets.find(numbers)

    def place(self, word: str) -> int:
        """The place of one word; if it is unknown, the number of all."""
        data = np.frombuffer(word.encode("utf-8", "replace"), np.uint8)
        return int(self.find(numbers(data, np.array([0]), np.array([len(data)])))[0])

    def words(self) -> list[str]:
        """All words, in order."""
        data, at, out = self.spelling.tobytes(), 0, []
        for end in self.ends.tolist():
            out.append(data[at:end].decode("utf-8", "replace"))
            at = end
        return out


def of_each(words: Sequence[bytes]) -> tuple[Numbers, Bytes, Places]:
    """The numbers of words, their bytes one after the other, and where each ends in them."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    data, ends = np.frombuffer(b"".join(words), np.uint8), np.cumsum(lengths)
    return numbers(data, ends - lengths, ends), data, ends


def numbers(data: Bytes, starts: Places, ends: Places) -> Numbers:
    """The numbers of the words that stand in *data* from *starts* to *ends*, ascending and apart."""
    ends = np.minimum(ends, starts + LONGEST)
    out = np.zeros(len(starts), np.uint64)
    first = 0
    while first < len(starts):
        at = int(starts[first])
        last = max(int(np.searchsorted(ends, at + BLOCK, side="right")), first + 1)
        out[first:last] = _block(data[at : int(ends[last - 1])], starts[first:last] - at, ends[first:last] - at)
        first = last
    out ^= out >> np.uint64(32)
    out *= np.uint64(MIXERS[0])
    out ^= out >> np.uint64(29)
    return out


def _block(data: Bytes, starts: Places, ends: Places) -> Numbers:
    """Sums over the bytes of words, as if each word stood at the beginning."""
    of_byte, powers, inverses = _constants()
    each = of_byte.take(data)
    each *= powers[: len(data)]
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum(each, out=sums[1:])
    found: Numbers = sums.take(ends)
    found -= sums.take(starts)
    found *= inverses.take(starts)
    return found


@lru_cache(1)
def _constants() -> tuple[Numbers, Numbers, Numbers]:
    """What stands for each byte (splitmix64, Steele, Lea & Flood 2014); the powers of the base, and their inverses."""
    of_byte = np.arange(1, 257, dtype=np.uint64) * np.uint64(STEP)
    for shift, mixer in zip((30, 27), MIXERS):
        of_byte = (of_byte ^ (of_byte >> np.uint64(shift))) * np.uint64(mixer)
    of_byte ^= of_byte >> np.uint64(31)
    size = max(BLOCK, LONGEST) + 1
    bases = [np.full(size, base, np.uint64) for base in (BASE, pow(BASE, -1, 1 << 64))]
    for powers in bases:
        powers[0] = 1
        np.multiply.accumulate(powers, out=powers)
    return of_byte, bases[0], bases[1]
