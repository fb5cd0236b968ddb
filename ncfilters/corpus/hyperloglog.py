"""How many different strings a stream has, in memory that does not grow: HyperLogLog (Flajolet et al. 2007).

    types = HyperLogLog(); types.add(["it", "rained", "it"]); types.count()    # 2

The count is that of Ertl (2017, "New cardinality estimation algorithms for HyperLogLog sketches", algorithm 6), which
needs no table of corrections. Not datasketch: it adds one string at a time.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

# Bits of a hash that choose one of the registers, of a byte each.
PRECISION = 14


class HyperLogLog:
    """A set that can be counted, not listed, of 2 to the power of *precision* bytes."""

    def __init__(self, precision: int = PRECISION) -> None:
        self._precision, self._size = precision, 1 << precision
        self._registers: NDArray[Any] = np.zeros(self._size, np.uint8)

    @property
    def error(self) -> float:
        """The standard deviation of the count, as a share of it."""
        return 1.04 / math.sqrt(self._size)

    def add(self, strings: Collection[str]) -> None:
        """Adds strings to the set."""
        if not strings:
            return
        digest = xxhash.xxh3_64_intdigest
        hashes = np.array([digest(string.encode("utf-8", "surrogatepass")) for string in strings], np.uint64)
        places = hashes >> np.uint64(64 - self._precision)
        # one more than the number of zeros before the first one of the other bits; the last bit stands for all zeros
        rest = hashes << np.uint64(self._precision) | np.uint64(1 << (self._precision - 1))
        ranks = 64 - np.frexp(rest.astype(np.float64))[1] + 1
        # a float rounds numbers of many ones up to the next power of two
        ranks = np.maximum(ranks, 1)
        np.maximum.at(self._registers, places, ranks.astype(np.uint8))

    def count(self) -> int:
        """The estimated number of different strings."""
        longest = 64 - self._precision
        counts = np.bincount(self._registers, minlength=longest + 2).tolist()
        total = self._size * _tau(1 - counts[longest + 1] / self._size)
        for rank in range(longest, 0, -1):
            total = 0.5 * (total + counts[rank])
        total += self._size * _sigma(counts[0] / self._size)
        return round(self._size**2 / (2 * math.log(2) * total)) if math.isfinite(total) else 0


def _sigma(x: float) -> float:
    """Ertl's σ: x + Σ x^(2^k) 2^(k−1)."""
    if x == 1:
        return math.inf
    weight, total, before = 1.0, x, -1.0
    while total != before:
        x, before = x * x, total
        total, weight = total + x * weight, 2 * weight
    return total


def _tau(x: float) -> float:
    """Ertl's τ: (1 − x − Σ (1 − x^(2^−k))² 2^−k) / 3."""
    if x in (0, 1):
        return 0
    weight, total, before = 1.0, 1 - x, -1.0
    while total != before:
        x, before, weight = math.sqrt(x), total, weight / 2
        total -= (1 - x) ** 2 * weight
    return total / 3
