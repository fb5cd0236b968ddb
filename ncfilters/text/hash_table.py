"""Hash tables that look up whole arrays of keys at once.

    table, order = NgramTable.of(mixer, histories, words)
    table.find(np.array([0]), np.array([7]))        # array([3]): the n-gram's place; len(table) if it is not there

`CompactTable` and `NgramTable` store word models. `OpenAddressingTable` is faster and larger, for tables made in
memory.

The key of an n-gram combines the place of its history (all words but the last) in the table of histories with its last
word, in one number below 2**bits. A bijection mixes keys so that their first bits are evenly distributed. These bits
are the bucket. The table stores only the other bits, in the order of the buckets, and a directory of where each bucket
starts (compact hashing, Cleary 1984). The first key of a bucket is found with two look-ups, so the most frequent key
comes first.

Arrays of a file are checked when it is loaded (`CompactTable.check`): look-ups are as fast as in tables made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
Places = NDArray[np.int64]

# The multiplier of Knuth's multiplicative hashing (2**64 over the golden ratio, odd).
MIXER = 0x9E3779B97F4A7C15
# The types that remainders may have, and how many bits of the bucket they repeat at least.
REMAINDER_TYPES = tuple(np.dtype(width) for width in (np.uint16, np.uint32, np.uint64))
MIN_SPARE_BITS = 7
# No bucket of mixed keys has more: among millions, 10.
MAX_BUCKET = 32
# The maximum number of values in a codebook: as many as two bytes can index.
MAX_CODES = 1 << 16

Bytes = NDArray[np.uint8]

# The base of the polynomial; the step of splitmix64, which generates the random number of each byte; its multipliers.
BASE, STEP = 0xD1342543DE82EF95, 0x9E3779B97F4A7C15
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
# The hash of a word depends on at most so many bytes.
MAX_WORD_BYTES = 1 << 10
# Bytes of text hashed at a time, so that sums stay in the cache.
BLOCK_BYTES = 1 << 15


class CompactTable:
    """A set of keys below 2**bits, each with a place; the first bits of a key are its bucket.

    *starts* holds the first place of each bucket, and the end of the last. *rests* holds the last bits of the keys:
    those that are not in the bucket, and so many more that no key of the next buckets has the same. Raises ValueError
    for arrays of other types or lengths.
    """

    def __init__(self, bits: int, starts: NDArray[np.uint32], rests: NDArray[Any]) -> None:
        self.first = max(len(starts) - 1, 1).bit_length() - 1
        if not 0 < self.first <= bits <= 64 or len(starts) != (1 << self.first) + 1 or starts.dtype != np.uint32:
            raise ValueError(f"{len(starts)} starts of {starts.dtype} for keys of {bits} bits")
        if rests.dtype not in REMAINDER_TYPES or 8 * rests.dtype.itemsize < bits - self.first:
            raise ValueError(f"keys of {bits} bits in arrays of type {rests.dtype}")
        self.bits, self.starts, self.rests = bits, starts, rests
        self._shift = np.uint64(bits - self.first)

    def __len__(self) -> int:
        return len(self.rests)

    def find(self, keys: Keys) -> Places:
        """The place of each key; `len` of the table for keys that are not there."""
        size = len(self)
        if not size:
            return np.zeros(len(keys), np.int64)
        bucket = (keys >> self._shift).view(np.int64)
        remainder = keys.astype(self.rests.dtype)
        at = self.starts.take(bucket, mode="clip").astype(np.int64)
        hit = self.rests.take(at, mode="clip") == remainder
        found: Places = np.where(hit, at, size)
        left = np.flatnonzero(~hit)
        at, bucket, remainder = at[left], bucket[left], remainder[left]
        ends = np.minimum(self.starts.take(bucket + 1, mode="clip"), size).astype(np.int64)
        while len(left):
            at += 1
            on = at < ends
            left, at, ends, remainder = left[on], at[on], ends[on], remainder[on]
            hit = self.rests.take(at, mode="clip") == remainder
            found[left[hit]] = at[hit]
            on = ~hit
            left, at, ends, remainder = left[on], at[on], ends[on], remainder[on]
        return found

    def check(self) -> None:
        """Raises ValueError for another layout than `build_table` makes, and for starts that do not ascend or are far
        apart: it could be a file that was forged to make look-ups slow."""
        layout = TableLayout(self.bits, len(self))
        if (layout.first, layout.dtype) != (self.first, self.rests.dtype):
            raise ValueError(f"{len(self)} keys in {1 << self.first} buckets of {self.rests.dtype}")
        # where they descend, the unsigned difference is large
        if self.starts[0] or self.starts[-1] != len(self) or (np.diff(self.starts) > MAX_BUCKET).any():
            raise ValueError("bucket starts do not ascend")


class TableLayout:
    """How *count* keys of so many bits are stored: in 2**first buckets, with one or two keys in each."""

    def __init__(self, bits: int, count: int) -> None:
        self.first = min(bits, max(count.bit_length() - 1, 1))
        self._shift = np.uint64(bits - self.first)
        needed = min(bits - self.first + MIN_SPARE_BITS, bits)
        self.dtype = next(width for width in REMAINDER_TYPES if 8 * width.itemsize >= needed)

    def bucket(self, keys: Keys) -> Places:
        """The bucket of each key."""
        found: Places = (keys >> self._shift).view(np.int64)
        return found

    def rest(self, keys: Keys) -> NDArray[Any]:
        """The bits of each key that are stored."""
        found: NDArray[Any] = keys.astype(self.dtype)
        return found

    def order(self, keys: Keys, frequency: NDArray[Any] | None = None) -> Places:
        """The order in which keys are stored: by bucket, and the most frequent first in each."""
        if frequency is None:
            return np.argsort(keys)
        return np.lexsort((keys, -frequency.astype(np.float64), self.bucket(keys)))

    def check(self, sizes: NDArray[Any]) -> None:
        """Raises ValueError if so many buckets in a row are empty that keys of different buckets could be confused.

        Mixed keys are distributed too evenly for that.
        """
        spare = 8 * self.dtype.itemsize - int(self._shift)
        full = np.flatnonzero(np.asarray(sizes))
        if spare < self.first and len(full) and np.diff(full, prepend=-1, append=len(sizes)).max() >= 1 << spare:
            raise ValueError("n-grams that are not evenly distributed")


def build_table(bits: int, keys: Keys, frequency: NDArray[Any] | None = None) -> tuple[CompactTable, Places]:
    """A table of distinct keys in any order, and the index in *keys* of the key at each place."""
    layout = TableLayout(bits, len(keys))
    order = layout.order(keys, frequency)
    sizes = np.bincount(layout.bucket(keys), minlength=1 << layout.first)
    layout.check(sizes)
    starts = np.zeros(len(sizes) + 1, np.uint32)
    if len(keys) > np.iinfo(np.uint32).max:
        raise ValueError(f"{len(keys):,} n-grams of a length are more than a model has room for")
    np.cumsum(sizes, out=starts[1:])
    return CompactTable(bits, starts, layout.rest(keys[order])), order


class NgramMixer:
    """The keys of n-grams whose histories have places below *histories*, and whose words are below *words*.

    The bounds themselves represent unknown histories and words, and no n-gram in a table has them. Raises ValueError if
    keys would need more than 64 bits.
    """

    def __init__(self, histories: int, words: int) -> None:
        self._word = np.uint64(max(words, 1).bit_length())
        self.bits = int(self._word) + max(histories, 1).bit_length()
        if self.bits > 64:
            raise ValueError(f"{histories:,} histories of {words:,} words are more than a model has room for")
        self._mask = np.uint64((1 << self.bits) - 1)

    def mix(self, histories: Places, words: Places) -> Keys:
        """The keys of n-grams, evenly distributed."""
        keys = histories.view(np.uint64) << self._word
        keys |= words.view(np.uint64)
        keys *= np.uint64(MIXER)
        keys &= self._mask
        out: Keys = keys
        return out


class NgramTable:
    """N-grams of one length, looked up by the places of their histories and their last words."""

    def __init__(self, mixing: NgramMixer, buckets: CompactTable) -> None:
        self.mixing, self.buckets = mixing, buckets

    def __len__(self) -> int:
        return len(self.buckets)

    @classmethod
    def of(cls, mixing: NgramMixer, histories: Places, words: Places) -> tuple[NgramTable, Places]:
        """The table of distinct n-grams in any order, and the index of the n-gram at each place."""
        buckets, order = build_table(mixing.bits, mixing.mix(histories, words))
        return cls(mixing, buckets), order

    def find(self, histories: Places, words: Places) -> Places:
        """The place of each n-gram; `len` of the table for those that are not there."""
        return self.buckets.find(self.mixing.mix(histories, words))


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
