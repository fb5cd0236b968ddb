"""The log2 odds of character n-grams, estimated from counts and looked up for whole texts (Evert 2008, equation 1).

    table = OddsTable(counts, n=3, q=0.5, size=alphabet.size)
    table.look_up(codes, out)

Equation 1 interpolates the probability of a character geometrically over all lengths of its history. Both of its sums,
for clean text and for boilerplate, grow by the same terms where an n-gram was not seen. So the odds of an unseen n-gram
are those of its longest seen ending, and one table of odds serves both models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .counts import CharNgramCounts, Doubles, Floats, Ints, ngram_keys, sum_at

# Entries of the dense table: 4 MB of odds, about the size of a second-level cache.
DENSE_CELLS = 1 << 20


# At most a quarter of the slots is used, so that look-ups take little more than one probe.
MIN_SLOTS_PER_KEY = 4
# 2**64 divided by the golden ratio (Knuth): its multiples are evenly spread.
MULTIPLIER = 0x9E3779B97F4A7C15


class OddsTable:
    """The odds of all n-grams of up to *n* symbols: those of the lengths that fit into *dense_cells* entries in one
    dense array, longer ones in hash tables of those seen."""

    def __init__(self, counts: CharNgramCounts, n: int, q: float, size: int, dense_cells: int = DENSE_CELLS) -> None:
        self._n, self._size = n, size
        dense = 1
        while dense < n and size ** (dense + 1) <= dense_cells:
            dense += 1
        self._dense_order = dense
        classes = counts.clean, counts.dirty
        sums = [
            _dense_sums(sum_at(counts.keys % size**dense, own, size**dense).reshape((size,) * dense), q)
            for own in classes
        ]
        self._dense = _log_odds(*sums).ravel()
        self._hashed: list[tuple[int, OpenAddressingTable]] = []
        sums = [own.ravel() for own in sums]
        shorter = np.arange(size**dense)
        for order in range(dense + 1, n + 1):
            keys, where = np.unique(counts.keys % size**order, return_inverse=True)
            ending = np.searchsorted(shorter, keys % size ** (order - 1))
            histories, history = np.unique(keys // size, return_inverse=True)
            for which, own in enumerate(classes):
                count = sum_at(where, own, len(keys))
                total = sum_at(history, count, len(histories))[history]
                sums[which] = _conditional(count, total) + q * sums[which][ending]
            self._hashed.append((order, OpenAddressingTable(keys, _log_odds(*sums))))
            shorter = keys
        self._hashed.reverse()

    def look_up(self, codes: NDArray[Any], out: Floats) -> None:
        """Writes to *out* the odds (bits) of each n-gram that ends in codes[n - 1:]."""
        n, size = self._n, self._size
        keys = ngram_keys(codes, n, self._dense_order, size)
        self._dense.take(keys, out=out, mode="wrap")  # "raise" would buffer the output
        missing: Ints | None = None
        for order, table in self._hashed:
            keys = ngram_keys(codes, n, order, size)
            if missing is not None:
                keys = keys[missing]
            values, found = table.get(keys)
            if missing is None:
                np.copyto(out, values, where=found)
                missing = np.flatnonzero(~found)
            else:
                out[missing[found]] = values[found]
                missing = missing[~found]
            if not len(missing):
                return

    def odds_of(self, keys: Ints) -> Floats:
        """The odds (bits) of n-grams of the full length that were seen, given their keys (of the same shape)."""
        return self._hashed[0][1].get(keys)[0] if self._hashed else self._dense[keys]


def _dense_sums(counts: Doubles, q: float) -> Doubles:
    """The sum in brackets of equation 1 for every n-gram, from the counts of the longest; add-one for unigrams."""
    sums = np.zeros(())
    for order in range(1, counts.ndim + 1):
        count = counts.sum(axis=tuple(range(counts.ndim - order)))
        if order == 1:
            sums = np.clip((count + 1) / (max(float(count.sum()), 0) + len(count)), 1 / (1e9 + len(count)), 1)
        else:
            sums = _conditional(count, count.sum(axis=-1, keepdims=True)) + q * sums
    return sums


def _conditional(count: Doubles, total: Doubles) -> Doubles:
    """Conditional probabilities, clamped to [0, 1] (StupidOS, section 3.2); 0 after an unseen history."""
    ratio = np.divide(count, total, out=np.zeros(count.shape), where=total > 0)
    return np.clip(ratio, 0, 1, out=ratio)


def _log_odds(clean: Doubles, dirty: Doubles) -> Floats:
    return np.log2(clean / dirty).astype(np.float32)


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


def max_marginals(scores: Sequence[float], marked: Sequence[bool], context: float) -> list[float]:
    """The smoothed scores of a page's segments (bits): each with a message of at most *context* bits from either side.

    To their neighbours, segments *marked* by a rule and the edges of the page are dirty.
    """
    own = [-context if mark else score for score, mark in zip(scores, marked)]
    before = _messages(own, context)
    after = _messages(own[::-1], context)[::-1]
    return [score + left + right for score, left, right in zip(scores, before, after)]


def _messages(own: list[float], context: float) -> list[float]:
    """The message to each segment from all segments before it."""
    message = -context
    out = []
    for score in own:
        out.append(message)
        message = min(max(score + message, -context), context)
    return out
