"""Words found in bytes, all at once: where they stand, and the number that a lexicon has for each. No string is made.

    data = np.frombuffer(b"nav menu", np.uint8)
    starts, ends, _ = in_lines(data, ord("\\n"))
    Lexicon({"menu": 7}).find(data, starts, ends)    # [-1, 7]

Most words of texts are in no lexicon: that is seen by their first bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from .hash_table import Numbers, Places, bucketed
from .word_hash import Bytes, numbers, of_each

# How many bits of a number say whether there may be such a one.
FIRST = 16
_REST = np.uint64(64 - FIRST)
_SPACE = ord(" ")


def in_lines(data: Bytes, end: int) -> tuple[Places, Places, Places]:
    """What stands between spaces in lines, each of which the byte *end* ends: where each word starts and ends, and how
    many words there are up to the end of each line."""
    breaks = data == end
    inside = np.zeros(len(data) + 2, bool)
    np.logical_not((data == _SPACE) | breaks, out=inside[1:-1])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, ends = edges[::2], edges[1::2]
    return starts, ends, np.searchsorted(starts, np.flatnonzero(breaks))


def lines(upto: Places) -> Places:
    """The line of each word, from how many there are up to the end of each line."""
    return np.repeat(np.arange(len(upto)), np.diff(upto, prepend=0))


def of_words(words: Iterable[str]) -> Numbers:
    """The numbers of words."""
    return of_each([word.encode("utf-8", "surrogatepass") for word in words])[0]


class Sieve:
    """Numbers, evenly spread: few of those that are looked for are among them."""

    def __init__(self, numbers: Numbers) -> None:
        self._buckets, self._order = bucketed(64, numbers)
        self._likely = np.zeros(1 << FIRST, bool)
        self._likely[numbers >> _REST] = True

    def find(self, numbers: Numbers) -> tuple[Places, Places]:
        """Which of *numbers* are there, and where each was in what the sieve was made of."""
        at = np.flatnonzero(self._likely[numbers >> _REST])
        place = self._buckets.find(numbers[at])
        there = np.flatnonzero(place < len(self._buckets))
        return at[there], self._order[place[there]]


class Lexicon:
    """Words and the number of each (int32, from 0)."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._sieve = Sieve(of_words(words))
        self._numbers = np.fromiter(words.values(), np.int32, len(words))

    def find(self, data: Bytes, starts: Places, ends: Places) -> NDArray[np.int32]:
        """The numbers of the words that stand in *data* from *starts* to *ends*, ascending and apart; -1 for what is
        none of them."""
        at, place = self._sieve.find(numbers(data, starts, ends))
        found = np.full(len(starts), -1, np.int32)
        found[at] = self._numbers[place]
        return found
