"""N-grams of words counted, of more text than fits in memory.

    with Counting(2, "words", "<s>", 1, None) as counting:
        counting.add(["The first sentence.", "And the second."])
        counting.merged().words      # 8

Texts are counted a batch at a time. A batch leaves a run for each length of n-grams: its n-grams, ascending, with their
counts, in files of a temporary folder. An n-gram is one number, the rank of its history among those of the batch and
the rank of its last word; words are in the order of their numbers (see `vocabulary`). In the end the runs of each
length are merged, block by block. Ranks in the batch become ranks in all: that changes no order, so that runs need no
more sorting, and what comes out does not hang on where batches ended.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..text.hash_table import Numbers, Places
from ..text.tokenizers import cut
from ..text.word_hash import LONGEST, numbers

if TYPE_CHECKING:
    from .run_merger import Merged

Column = NDArray[Any]

# Bytes that a character of text needs while its batch is counted, and an n-gram while runs are merged; measured.
PER_CHARACTER, PER_ENTRY = 40, 64
# So few n-grams at a time are no longer a block.
LEAST = 64
# A rank has 32 bits, so that a history and a word are one number.
RANK = np.uint64(32)
MOST = (1 << 32) - 1


class Counting:
    """Counts the n-grams of texts up to n words.

    A text has the word *start* before it so many times (*starts*), and *end* after it, if any. N-grams shorter than n
    may end in the last start, which then is a history; the longest do not. Used with `with`: its files go in the end.
    """

    def __init__(
        self,
        n: int,
        tokens: str,
        start: str,
        starts: int,
        end: str | None,
        memory: int = 1 << 30,
        folder: str | None = None,
    ) -> None:
        self.n, self.memory = n, memory
        self._tokens, self._starts = tokens, starts
        self._special = [start.encode(), *([] if end is None else [end.encode()])]
        self._folder = tempfile.TemporaryDirectory(prefix="nc-train-", dir=folder)
        self._runs = [Runs(Path(self._folder.name), order) for order in range(1, n + 1)]
        self._spelling = Spelling(Path(self._folder.name))
        self._texts: list[str] = []
        self._waiting = 0
        self.words = self.texts = 0

    def __enter__(self) -> Counting:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Removes the files."""
        self._folder.cleanup()

    def add(self, texts: Iterable[str]) -> None:
        """Takes in texts, each with a beginning of its own."""
        for text in texts:
            self._texts.append(text)
            self._waiting += len(text) + 1
            if self._waiting * PER_CHARACTER >= self.memory:
                self._count()

    def merged(self) -> Merged:
        """All that was counted; nothing can be added after this. Raises ValueError for too many n-grams."""
        from .run_merger import Merged

        self._count()
        return Merged(Path(self._folder.name), self._runs, self._spelling, self.words, self.memory // PER_ENTRY)

    def _count(self) -> None:
        """Leaves the runs of the texts that wait."""
        texts, self._texts, self._waiting = self._texts, [], 0
        found = cut(texts, self._tokens) if texts else None
        if not found or not len(found.starts):
            return
        lengths = found.lengths[found.lengths > 0]
        self.texts += len(lengths)
        self.words += len(found.starts)
        special = np.concatenate([_number(word) for word in self._special])
        every = np.concatenate([numbers(found.data, found.starts, found.ends), special])
        known, first, ids = np.unique(every, return_index=True, return_inverse=True)
        whole = found.data.tobytes()
        stops = np.minimum(found.ends, found.starts + LONGEST).tolist()
        begins = found.starts.tolist()
        spelled = [
            whole[begins[at] : stops[at]] if at < len(begins) else self._special[at - len(begins)]
            for at in first.tolist()
        ]
        self._spelling.add(spelled)
        self._ngrams(known, ids, lengths)

    def _ngrams(self, known: Numbers, ids: Places, lengths: Places) -> None:
        """The runs of n-grams: of words *ids* of texts so long, and of the special words behind them."""
        specials = len(self._special)
        words, special = ids[:-specials], ids[-specials:]
        more = self._starts + specials - 1
        ends = np.cumsum(lengths + more)
        begins = ends - lengths - more
        run = np.full(len(words) + more * len(lengths), special[0])
        run[np.arange(len(words)) + np.repeat(np.arange(len(lengths)) * more + self._starts, lengths)] = words
        if specials > 1:
            run[ends - 1] = special[1]
        # how many words of its text stand before each
        place = np.arange(len(run)) - np.repeat(begins, lengths + more)
        ranks = run
        for order in range(1, self.n + 1):
            at = np.flatnonzero(place >= max(order - 1, self._starts - (order < self.n)))
            if order == 1:
                self._runs[0].add(known, np.bincount(run[at], minlength=len(known)))
                continue
            keys = (ranks[at - 1].astype(np.uint64) << RANK) | run[at].astype(np.uint64)
            if order == self.n:
                self._runs[order - 1].add(*np.unique(keys, return_counts=True))
                continue
            some, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
            self._runs[order - 1].add(some, counts)
            ranks = np.zeros(len(run), np.int64)
            ranks[at] = inverse


def _number(word: bytes) -> Numbers:
    return numbers(np.frombuffer(word, np.uint8), np.array([0]), np.array([len(word)]))


class Runs:
    """The runs of n-grams of one length, one behind the other in files: keys and counts."""

    def __init__(self, folder: Path, order: int) -> None:
        self.order = order
        self.starts = [0]
        self._keys, self._counts = folder / f"keys{order}", folder / f"counts{order}"

    def add(self, keys: Numbers, counts: Places) -> None:
        """Adds a run of ascending keys."""
        append(self._keys, keys)
        append(self._counts, counts.astype(np.uint64))
        self.starts.append(self.starts[-1] + len(keys))

    def keys(self) -> Column:
        """The keys of all runs."""
        return column(self._keys, np.uint64)

    def counts(self) -> Column:
        """Their counts."""
        return column(self._counts, np.uint64)


class Spelling:
    """How the words of all runs are spelled: their bytes, and where each ends."""

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


def append(path: Path, values: Column) -> None:
    """Adds values to a file."""
    with path.open("ab") as file:
        file.write(np.ascontiguousarray(values).data.cast("B") if len(values) else b"")


def column(path: Path, dtype: Any) -> Column:
    """The values in a file, mapped to memory."""
    if not path.exists() or not path.stat().st_size:
        return np.zeros(0, dtype)
    return np.asarray(np.memmap(path, dtype, "r"))


def blocks(length: int, size: int) -> Iterator[slice]:
    """The slices of an array, each at most so long."""
    for start in range(0, length, max(size, LEAST)):
        yield slice(start, min(start + max(size, LEAST), length))


def reserved(path: Path, dtype: Any, length: int) -> Column:
    """An array in a file, to be written. Raises OSError where the disk has no room for it: later is too late."""
    if not length:
        return np.zeros(0, dtype)
    with path.open("wb") as file:
        size = length * np.dtype(dtype).itemsize
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            file.truncate(size)
    return np.asarray(np.memmap(path, dtype, "r+"))
