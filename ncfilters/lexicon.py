"""Words found in bytes, all at once: where they stand, and the number that a lexicon has for each. No string is made.

    data = np.frombuffer(b"nav menu", np.uint8)
    Lexicon({"menu": 7}).find(data, *spans(data != ord(" ")))    # [-1, 7]

Most words of texts are in no lexicon: that is seen by their first bits.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .lookup import Numbers, Places, bucketed
from .vocabulary import Bytes, numbers

# How many bits of a number say whether there may be such a one.
FIRST = 16
_REST = np.uint64(64 - FIRST)


def spans(inside: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Where runs of what is *inside* start and end."""
    padded = np.zeros(len(inside) + 2, bool)
    padded[1:-1] = inside
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return edges[::2], edges[1::2]


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
        spelled = [word.encode("utf-8", "surrogatepass") for word in words]
        lengths = np.fromiter(map(len, spelled), np.int64, len(spelled))
        ends = np.cumsum(lengths)
        self._sieve = Sieve(numbers(np.frombuffer(b"".join(spelled), np.uint8), ends - lengths, ends))
        self._numbers = np.fromiter(words.values(), np.int32, len(words))

    def find(self, data: Bytes, starts: Places, ends: Places) -> NDArray[np.int32]:
        """The numbers of the words that stand in *data* from *starts* to *ends*, ascending and apart; -1 for what is
        none of them."""
        at, place = self._sieve.find(numbers(data, starts, ends))
        found = np.full(len(starts), -1, np.int32)
        found[at] = self._numbers[place]
        return found
