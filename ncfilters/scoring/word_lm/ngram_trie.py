"""The n-grams of a word model, looked up for whole arrays of words at once.

    trie, orders = NgramTrie.build(["the", "cat", "sat"], [np.array([[0, 1], [1, 2]])])
    trie.find(np.array([[trie.place("the"), trie.place("cat")]]))    # array([1]): its place; 2 if it is not there

The key of an n-gram combines the place of its history (all words but the last) in the table of histories with its last
word, in one number below 2**bits. A bijection mixes keys so that their first bits are evenly distributed. These bits
are the bucket. The table stores only the other bits, in the order of the buckets, and a directory of where each bucket
starts (compact hashing, Cleary 1984). The first key of a bucket is found with two look-ups, so the most frequent key
comes first.

Arrays of a file are checked when it is loaded (`CompactTable.check`): look-ups are as fast as in tables made here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...text.tokenizers import MIXER, Bytes, Hashes, Places, hash_spans

# N-grams of one length, a row each; columns are numbers of words.
NgramRows = NDArray[Any]
# The types that remainders may have, and how many bits of the bucket they repeat at least.
REMAINDER_TYPES = tuple(np.dtype(width) for width in (np.uint16, np.uint32, np.uint64))
MIN_SPARE_BITS = 7
# No bucket of mixed keys has more: among millions, 10.
MAX_BUCKET = 32


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

    @classmethod
    def of(cls, bits: int, keys: Hashes, frequency: NDArray[Any] | None = None) -> tuple[CompactTable, Places]:
        """A table of distinct keys in any order, and the index in *keys* of the key at each place: by bucket, and those
        of a high *frequency* first in each. Raises ValueError for keys that are not evenly distributed."""
        first, dtype = _layout(bits, len(keys))
        buckets = (keys >> np.uint64(bits - first)).view(np.int64)
        order = np.argsort(keys) if frequency is None else np.lexsort((keys, -frequency.astype(np.float64), buckets))
        sizes = np.bincount(buckets, minlength=1 << first)
        # mixed keys are too evenly distributed to leave so many buckets in a row empty that keys could be confused
        spare, full = 8 * dtype.itemsize - (bits - first), np.flatnonzero(sizes)
        if spare < first and len(full) and np.diff(full, prepend=-1, append=len(sizes)).max() >= 1 << spare:
            raise ValueError("n-grams that are not evenly distributed")
        if len(keys) > np.iinfo(np.uint32).max:
            raise ValueError(f"{len(keys):,} n-grams of a length are more than a model has room for")
        starts = np.zeros(len(sizes) + 1, np.uint32)
        np.cumsum(sizes, out=starts[1:])
        return cls(bits, starts, keys[order].astype(dtype)), order

    def __len__(self) -> int:
        return len(self.rests)

    def find(self, keys: Hashes) -> Places:
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
        """Raises ValueError for another layout than `of` makes, and for starts that do not ascend or are far apart: it
        could be a file that was forged to make look-ups slow."""
        if _layout(self.bits, len(self)) != (self.first, self.rests.dtype):
            raise ValueError(f"{len(self)} keys in {1 << self.first} buckets of {self.rests.dtype}")
        # where they descend, the unsigned difference is large
        if self.starts[0] or self.starts[-1] != len(self) or (np.diff(self.starts) > MAX_BUCKET).any():
            raise ValueError("bucket starts do not ascend")


def _layout(bits: int, count: int) -> tuple[int, np.dtype[Any]]:
    """How *count* keys of so many bits are stored: the bits of a bucket, so that each has one or two keys, and the type
    of the remainders."""
    first = min(bits, max(count.bit_length() - 1, 1))
    needed = min(bits - first + MIN_SPARE_BITS, bits)
    return first, next(width for width in REMAINDER_TYPES if 8 * width.itemsize >= needed)


class NgramTrie:
    """A table for each length of n-grams. Words are found by their hashes, a longer n-gram through the one that is a
    word shorter.

    An n-gram is represented by its place in the table of its length. The place of an unknown n-gram is the size of the
    table. Values (counts, probabilities) are kept outside, in arrays indexed by place. *ends* is where each word ends
    in *spelling*, the UTF-8 of all words.
    """

    def __init__(self, vocabulary: CompactTable, ends: NDArray[Any], spelling: Bytes) -> None:
        self.tables, self._ends, self._spelling = [vocabulary], ends, spelling

    @property
    def n(self) -> int:
        return len(self.tables)

    def sizes(self) -> list[int]:
        return list(map(len, self.tables))

    @classmethod
    def of_words(cls, words: Sequence[bytes], frequency: NDArray[Any] | None = None) -> tuple[NgramTrie, Places]:
        """The trie of distinct words alone, and the index of the word at each place. Words of high *frequency* are
        found fastest. Raises ValueError for two words with the same hash."""
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        ends = np.cumsum(lengths)
        hashes = hash_spans(np.frombuffer(b"".join(words), np.uint8), ends - lengths, ends)
        table, order = CompactTable.of(64, hashes, frequency)
        if (equal := np.flatnonzero(hashes[order][1:] == hashes[order][:-1])).size:
            raise ValueError(f"the word {words[order[equal[0]]].decode('utf-8', 'replace')!r} is there twice")
        upto = np.cumsum(lengths[order])
        narrow = np.uint32 if not len(upto) or upto[-1] <= np.iinfo(np.uint32).max else np.uint64
        spelling = np.frombuffer(b"".join([words[at] for at in order.tolist()]), np.uint8)
        return cls(table, upto.astype(narrow), spelling), order

    def add(self, histories: Places, words: Places, frequency: NDArray[Any] | None = None) -> Places:
        """Adds the table of distinct n-grams that are a word longer than those so far, given the places of their
        histories and last words. Returns the index of the n-gram at each place."""
        bits, keys = self._keys(self.n + 1, histories, words)
        table, order = CompactTable.of(bits, keys, frequency)
        self.tables.append(table)
        return order

    @classmethod
    def build(cls, words: Sequence[str], orders: Sequence[NgramRows]) -> tuple[NgramTrie, list[Places]]:
        """The trie of distinct *words* and of n-grams of two words, three and so on, whose rows number the words; and
        for each length from 1, which word or row is at each place.

        Raises ValueError for a duplicate n-gram, and for one whose history is no n-gram.
        """
        trie, order = cls.of_words([word.encode("utf-8", "replace") for word in words])
        place = np.empty(len(words), np.int64)
        place[order] = np.arange(len(words))
        order_of_length = [order]
        for rows in orders:
            ids = place[rows]
            histories = trie.find(ids[:, :-1])
            if (missing := histories == trie.sizes()[-1]).any():
                first = " ".join(words[number] for number in rows[np.flatnonzero(missing)[0]].tolist())
                raise ValueError(f"the n-gram {first!r} has a history that is not an n-gram")
            order = trie.add(histories, ids[:, -1])
            if (trie.find(ids)[order] != np.arange(len(order))).any():
                raise ValueError(f"an n-gram of {rows.shape[1]} words occurs twice")
            order_of_length.append(order)
        return trie, order_of_length

    def place(self, word: str) -> int:
        """The place of one word."""
        data = np.frombuffer(word.encode("utf-8", "replace"), np.uint8)
        return int(self.tables[0].find(hash_spans(data, np.array([0]), np.array([len(data)])))[0])

    def find(self, ids: NgramRows) -> Places:
        """The places of n-grams of one length, given as rows of places of words (shape: n-grams × length)."""
        places: Places = ids[:, 0].astype(np.int64)
        for column in range(1, ids.shape[1]):
            places = self.find_longer(column + 1, places, ids[:, column])
        return places

    def find_longer(self, order: int, histories: Places, words: Places) -> Places:
        """The places of n-grams of so many words, given the places of their histories and last words."""
        return self.tables[order - 1].find(self._keys(order, histories, words)[1])

    def ending_places(self, words: Places, starts: Places, boundary: Sequence[int] = ()) -> list[Places]:
        """For each length, the place of the n-gram that ends at each word (shape: words).

        *words* are those of several texts in a row. At *starts*, where texts start, the place of an n-gram of 2 words
        and more is that in *boundary*, or unknown.
        """
        out = [words]
        for order in range(2, self.n + 1):
            before = np.empty_like(words)
            before[:1] = len(self.tables[order - 2])
            before[1:] = out[-1][:-1]
            places = self.find_longer(order, before, words)
            places[starts] = boundary[order - 2] if boundary else len(self.tables[order - 1])
            out.append(places)
        return out

    def _keys(self, order: int, histories: Places, words: Places) -> tuple[int, Hashes]:
        """The keys of n-grams of so many words, evenly distributed, and how many bits they have. Unknown histories and
        words make keys that no n-gram in the table has. Raises ValueError if keys would need more than 64 bits."""
        bits, width = self._bits(order)
        keys = histories.view(np.uint64) << np.uint64(width)
        keys |= words.view(np.uint64)
        keys *= np.uint64(MIXER)
        keys &= np.uint64((1 << bits) - 1)
        return bits, keys

    def _bits(self, order: int) -> tuple[int, int]:
        """The bits of a key of n-grams of so many words, and of the last word in it. Raises ValueError for too many."""
        histories, words = len(self.tables[order - 2]), len(self.tables[0])
        width = max(words, 1).bit_length()
        bits = width + max(histories, 1).bit_length()
        if bits > 64:
            raise ValueError(f"{histories:,} histories of {words:,} words are more than a model has room for")
        return bits, width

    def arrays(self) -> dict[str, NDArray[Any]]:
        out = {"starts1": self.tables[0].starts, "rests1": self.tables[0].rests, "ends": self._ends}
        out["spelling"] = self._spelling
        for order, table in enumerate(self.tables[1:], 2):
            out |= {f"starts{order}": table.starts, f"rests{order}": table.rests}
        return out

    @classmethod
    def from_parts(cls, n: int, arrays: Mapping[str, NDArray[Any]]) -> NgramTrie:
        """The trie of a file's arrays. Raises KeyError or ValueError where they do not fit together."""
        trie = cls(CompactTable(64, arrays["starts1"], arrays["rests1"]), arrays["ends"], arrays["spelling"])
        for order in range(2, n + 1):
            bits, _ = trie._bits(order)
            trie.tables.append(CompactTable(bits, arrays[f"starts{order}"], arrays[f"rests{order}"]))
        for table in trie.tables:
            table.check()
        return trie
