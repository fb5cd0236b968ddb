"""A hash table from integers to numbers with open addressing, looked up for whole arrays.

    table = OpenAddressingTable(np.array([3, 5]), np.array([0.5, -1.0]))
    table.get(np.array([5, 4]))    # values, of which the first counts; array([True, False])

Linear probing (Knuth, The Art of Computer Programming 3, section 6.4) with multiplicative hashing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# At most a quarter of the slots is used, so that look-ups take little more than one probe.
MIN_SLOTS_PER_KEY = 4
# 2**64 divided by the golden ratio (Knuth): its multiples are evenly spread.
MULTIPLIER = 0x9E3779B97F4A7C15


class OpenAddressingTable:
    """The *values* of *keys*: distinct integers from 0 on (both of one shape)."""

    def __init__(self, keys: Ints, values: NDArray[Any]) -> None:
        bits = max(int(MIN_SLOTS_PER_KEY * len(keys) - 1).bit_length(), 4)
        self._shift = np.uint64(64 - bits)
        self._mask = (1 << bits) - 1
        self._keys = np.full(1 << bits, -1, np.int64)
        self._values = np.zeros(1 << bits, np.float32)
        slots = self._slots(keys)
        left = np.arange(len(keys))
        while len(left):
            free = self._keys[slots] == -1
            # the last of several keys written to one slot stays there; the remaining keys move to the next slot
            self._keys[slots[free]] = keys[left[free]]
            settled = self._keys[slots] == keys[left]
            self._values[slots[settled]] = values[left[settled]]
            left, slots = left[~settled], (slots[~settled] + 1) & self._mask

    def get(self, keys: Ints) -> tuple[Floats, NDArray[np.bool_]]:
        """The values of *keys*, and which keys are in the table (both of their shape). Others have any value."""
        slots = self._slots(keys)
        in_slots = self._keys[slots]
        values, found = self._values[slots], in_slots == keys
        left = np.flatnonzero(~found & (in_slots != -1))
        slots = slots[left]
        while len(left):
            slots = (slots + 1) & self._mask
            in_slots = self._keys[slots]
            hit = in_slots == keys[left]
            values[left[hit]] = self._values[slots[hit]]
            found[left[hit]] = True
            go_on = ~hit & (in_slots != -1)
            left, slots = left[go_on], slots[go_on]
        return values, found

    def _slots(self, keys: Ints) -> Ints:
        mixed = keys.view(np.uint64) * np.uint64(MULTIPLIER)
        slots: Ints = (mixed >> self._shift).astype(np.int64)
        return slots
