"""The log2 odds of character n-grams, estimated from counts and looked up for whole texts (Evert 2008, equation 1).

    table = OddsTable(counts, n=3, q=0.5, size=alphabet.size)
    table.look_up(codes, out)

Equation 1 interpolates the probability of a character geometrically over all lengths of its history. Both of its sums,
for clean text and for boilerplate, grow by the same terms where an n-gram was not seen. So the odds of an unseen n-gram
are those of its longest seen ending, and one table of odds serves both models.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...text.open_addressing import OpenAddressingTable
from .counts import CharNgramCounts, Doubles, Floats, Ints, ngram_keys, sum_at

# Entries of the dense table: 4 MB of odds, about the size of a second-level cache.
DENSE_CELLS = 1 << 20


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
        sums = [_dense_sums(_dense_counts(counts.keys, own, size, dense), q) for own in classes]
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


def _dense_counts(keys: Ints, counts: Floats, size: int, order: int) -> Doubles:
    """The counts of all n-grams of that length, seen or not (shape: size, order times)."""
    return sum_at(keys % size**order, counts, size**order).reshape((size,) * order)


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
