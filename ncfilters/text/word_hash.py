"""Words by their hashes: whole texts are hashed and looked up at once.

    vocabulary, order = Vocabulary.of([b"the", b"cat"])
    vocabulary.find(hash_spans(data, starts, ends))        # the place of each word; len(vocabulary) if it is unknown

A word's hash is a polynomial in its UTF-8 bytes modulo 2**64: the sum of a random number for each byte times a power of
an odd base, then mixed (Karp and Rabin 1987). Differences of prefix sums over the bytes of a text give the hashes of
all its words in a few passes. A model would confuse two words with the same hash: among ten million words that happens
with probability 1 in 400,000, and `Vocabulary` refuses them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .hash_table import CompactTable, Keys, Places, build_table

Bytes = NDArray[np.uint8]

# The base of the polynomial; the step of splitmix64, which generates the random number of each byte; its multipliers.
BASE, STEP = 0xD1342543DE82EF95, 0x9E3779B97F4A7C15
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
# The hash of a word depends on at most so many bytes.
MAX_WORD_BYTES = 1 << 10
# Bytes of text hashed at a time, so that sums stay in the cache.
BLOCK_BYTES = 1 << 15


class Vocabulary:
    """Words by place: *ends* is where each ends in *spelling*, the UTF-8 bytes of all words.

    Raises ValueError for arrays of other types or lengths.
    """

    def __init__(self, buckets: CompactTable, ends: NDArray[Any], spelling: Bytes) -> None:
        if len(ends) != len(buckets) or buckets.bits != 64:
            raise ValueError("a vocabulary whose arrays differ in length")
        if ends.dtype not in (np.uint32, np.uint64) or spelling.dtype != np.uint8:
            raise ValueError(f"words of type {spelling.dtype} that end at type {ends.dtype}")
        if len(ends) and (ends[-1] != len(spelling) or (ends[1:] < ends[:-1]).any()):
            raise ValueError("ends of words that do not ascend")
        self.buckets, self.ends, self.spelling = buckets, ends, spelling

    def __len__(self) -> int:
        return len(self.buckets)

    @classmethod
    def of(cls, words: Sequence[bytes]) -> tuple[Vocabulary, Places]:
        """The vocabulary of distinct words, and the index of the word at each place.

        Raises ValueError for two words with the same hash.
        """
        return cls.spelled(*hash_words(words))

    @classmethod
    def spelled(
        cls, hashes: Keys, data: Bytes, ends: Places, frequency: NDArray[Any] | None = None
    ) -> tuple[Vocabulary, Places]:
        """The vocabulary of words with these hashes, and the index of the word at each place.

        The bytes of the words end at *ends* of *data*. Words of high *frequency* are found fastest. Raises ValueError
        for two words with the same hash.
        """
        buckets, order = build_table(64, hashes, frequency)
        lengths = np.diff(ends, prepend=0)[order]
        begins, upto = ends[order] - lengths, np.cumsum(lengths)
        spelling = data[np.repeat(begins - upto + lengths, lengths) + np.arange(lengths.sum())]
        if (equal := np.flatnonzero(hashes[order][1:] == hashes[order][:-1])).size:
            at = equal[0]
            word = data[begins[at] : begins[at] + lengths[at]].tobytes().decode("utf-8", "replace")
            raise ValueError(f"the word {word!r} is there twice")
        narrow = np.uint32 if not len(upto) or upto[-1] <= np.iinfo(np.uint32).max else np.uint64
        return cls(buckets, upto.astype(narrow), spelling), order

    def find(self, hashes: Keys) -> Places:
        """The place of each word, by its hash; `len` of the vocabulary for unknown words."""
        return self.buckets.find(hashes)

    def place(self, word: str) -> int:
        """The place of one word; `len` of the vocabulary if it is unknown."""
        data = np.frombuffer(word.encode("utf-8", "replace"), np.uint8)
        return int(self.find(hash_spans(data, np.array([0]), np.array([len(data)])))[0])


def hash_words(words: Sequence[bytes]) -> tuple[Keys, Bytes, Places]:
    """The hashes of words, the concatenation of the words, and where each ends in it."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    data, ends = np.frombuffer(b"".join(words), np.uint8), np.cumsum(lengths)
    return hash_spans(data, ends - lengths, ends), data, ends


def hash_spans(data: Bytes, starts: Places, ends: Places) -> Keys:
    """The hashes of the words from *starts* to *ends* in *data*: ascending spans that do not overlap."""
    ends = np.minimum(ends, starts + MAX_WORD_BYTES)
    out = np.zeros(len(starts), np.uint64)
    first = 0
    while first < len(starts):
        at = int(starts[first])
        last = max(int(np.searchsorted(ends, at + BLOCK_BYTES, side="right")), first + 1)
        out[first:last] = _block(data[at : int(ends[last - 1])], starts[first:last] - at, ends[first:last] - at)
        first = last
    out ^= out >> np.uint64(32)
    out *= np.uint64(MIXERS[0])
    out ^= out >> np.uint64(29)
    return out


def _block(data: Bytes, starts: Places, ends: Places) -> Keys:
    """The polynomials of words, before they are mixed."""
    of_byte, powers, inverses = _constants()
    each = of_byte.take(data)
    each *= powers[: len(data)]
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum(each, out=sums[1:])
    found: Keys = sums.take(ends)
    found -= sums.take(starts)
    found *= inverses.take(starts)
    return found


@lru_cache(1)
def _constants() -> tuple[Keys, Keys, Keys]:
    """A random number for each byte (splitmix64, Steele, Lea and Flood 2014), powers of the base, their inverses."""
    of_byte = np.arange(1, 257, dtype=np.uint64) * np.uint64(STEP)
    for shift, mixer in zip((30, 27), MIXERS):
        of_byte = (of_byte ^ (of_byte >> np.uint64(shift))) * np.uint64(mixer)
    of_byte ^= of_byte >> np.uint64(31)
    size = max(BLOCK_BYTES, MAX_WORD_BYTES) + 1
    bases = [np.full(size, base, np.uint64) for base in (BASE, pow(BASE, -1, 1 << 64))]
    for powers in bases:
        powers[0] = 1
        np.multiply.accumulate(powers, out=powers)
    return of_byte, bases[0], bases[1]
