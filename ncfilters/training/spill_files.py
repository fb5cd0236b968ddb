"""Temporary files for counts that do not fit in memory: the sorted runs of n-grams, and arrays mapped to memory.

runs = NgramRuns(folder, 2)
runs.add(keys, counts)       # one batch; `keys` ascend
runs.keys(), runs.counts()   # those of all batches, mapped to memory
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..text.hash_table import Keys, Places

Column = NDArray[Any]

# An n-gram is a number of 64 bits: the rank of its history in the upper 32, the rank of its last word in the lower 32.
HISTORY_SHIFT = np.uint64(32)
MAX_RANK = (1 << 32) - 1
WORD_MASK = np.uint64(MAX_RANK)
# The smallest block of n-grams to work on.
MIN_BLOCK = 64


class NgramRuns:
    """Runs of n-grams of one length, one run per batch of texts: files of keys and of counts.

    Run *i* holds the n-grams from *starts[i]* up to *starts[i + 1]*.
    """

    def __init__(self, folder: Path, order: int) -> None:
        self.order = order
        self.starts = [0]
        self._keys, self._counts = folder / f"keys{order}", folder / f"counts{order}"

    def add(self, keys: Keys, counts: Places) -> None:
        """Adds a run, whose keys ascend."""
        append(self._keys, keys)
        append(self._counts, counts.astype(np.uint64))
        self.starts.append(self.starts[-1] + len(keys))

    def keys(self) -> Column:
        """The keys of all runs."""
        return column(self._keys, np.uint64)

    def counts(self) -> Column:
        """The counts of all runs."""
        return column(self._counts, np.uint64)


class WordSpellings:
    """The spellings of the words of all runs: their bytes, and where each word ends."""

    def __init__(self, folder: Path) -> None:
        self._bytes, self._ends = folder / "spelling", folder / "ends"
        self._size = 0

    def add(self, words: Sequence[bytes]) -> None:
        """Adds the words of a run."""
        append(self._bytes, np.frombuffer(b"".join(words), np.uint8))
        ends = self._size + np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
        append(self._ends, ends)
        self._size = int(ends[-1])

    def columns(self) -> tuple[Column, Column]:
        """The bytes, and the ends."""
        return column(self._bytes, np.uint8), column(self._ends, np.int64)


@dataclass(frozen=True)
class SpilledCounts:
    """The counts of all batches: the files in *folder*, runs for each length, the number of running words, and the
    number of n-grams that memory has room for."""

    folder: Path
    runs: Sequence[NgramRuns]
    spellings: WordSpellings
    words: int
    block: int


def append(path: Path, values: Column) -> None:
    """Appends values to a file."""
    with path.open("ab") as file:
        file.write(np.ascontiguousarray(values).data.cast("B") if len(values) else b"")


def column(path: Path, dtype: Any) -> Column:
    """The values in a file, mapped to memory."""
    if not path.exists() or not path.stat().st_size:
        return np.zeros(0, dtype)
    return np.asarray(np.memmap(path, dtype, "r"))


def reserve(path: Path, dtype: Any, length: int) -> Column:
    """A writable array in a file. Raises OSError if the disk is full: a later write to the array would crash."""
    if not length:
        return np.zeros(0, dtype)
    with path.open("wb") as file:
        size = length * np.dtype(dtype).itemsize
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            file.truncate(size)
    return np.asarray(np.memmap(path, dtype, "r+"))


def blocks(length: int, size: int) -> Iterator[slice]:
    """The slices of an array of *length*, each at most *size* long (but at least MIN_BLOCK)."""
    for start in range(0, length, max(size, MIN_BLOCK)):
        yield slice(start, min(start + max(size, MIN_BLOCK), length))
