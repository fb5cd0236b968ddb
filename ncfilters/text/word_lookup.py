"""Look-up of all words in bytes at once: their spans, and their values in an index, without creating strings.

    data = np.frombuffer(b"nav menu\\n", np.uint8)
    starts, ends, _ = word_spans(data, ord("\\n"))
    WordIndex({"menu": 7}).find(data, starts, ends)    # [-1, 7]

Most words of a text are in no index. The first bits of the hash show that for most of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from .hash_table import Keys, Places, build_table
from .word_hash import Bytes, hash_spans, hash_words

# The number of first bits of a hash, for a table that flags hashes as absent or possibly present.
PREFIX_BITS = 16
_SHIFT = np.uint64(64 - PREFIX_BITS)
_SPACE = ord(" ")


def word_spans(data: Bytes, end: int) -> tuple[Places, Places, Places]:
    """The words of lines, each of which the byte *end* ends; spaces separate words.

    Returns where each word starts, where it ends, and the number of words up to the end of each line.
    """
    breaks = data == end
    inside = np.zeros(len(data) + 2, bool)
    np.logical_not((data == _SPACE) | breaks, out=inside[1:-1])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[::2], edges[1::2]
    return starts, ends, np.searchsorted(starts, np.flatnonzero(breaks))


def line_numbers(cumulative: Places) -> Places:
    """The line of each word, given the number of words up to the end of each line."""
    return np.repeat(np.arange(len(cumulative)), np.diff(cumulative, prepend=0))


def word_hashes(words: Iterable[str]) -> Keys:
    """The hashes of words."""
    return hash_words([word.encode("utf-8", "surrogatepass") for word in words])[0]


class HashIndex:
    """A set of hashes, fast if few of the hashes that are looked up are in it."""

    def __init__(self, hashes: Keys) -> None:
        self._buckets, self._order = build_table(64, hashes)
        self._likely = np.zeros(1 << PREFIX_BITS, bool)
        self._likely[hashes >> _SHIFT] = True

    def find(self, hashes: Keys) -> tuple[Places, Places]:
        """The indices of *hashes* that are in the set, and the index of each in the array that the set was made of."""
        at = np.flatnonzero(self._likely[hashes >> _SHIFT])
        place = self._buckets.find(hashes[at])
        there = np.flatnonzero(place < len(self._buckets))
        return at[there], self._order[place[there]]


class WordIndex:
    """Words and the value of each (int32, from 0)."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._hashes = HashIndex(word_hashes(words))
        self._values = np.fromiter(words.values(), np.int32, len(words))

    def find(self, data: Bytes, starts: Places, ends: Places) -> NDArray[np.int32]:
        """The values of the words from *starts* to *ends* in *data*; -1 for words that are not in the index.

        Spans ascend and do not overlap.
        """
        at, place = self._hashes.find(hash_spans(data, starts, ends))
        found = np.full(len(starts), -1, np.int32)
        found[at] = self._values[place]
        return found
