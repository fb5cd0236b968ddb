"""Parts of a corpus to train, tune and test on: a site, or a text, is in one part, whatever the order of documents.

Splitter("site", (98, 1, 1), seed=0).part_of({"url": "https://www.a.example/b", "text": "…"})    # 'train'
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

import xxhash

from ..record import Record, is_error
from ..streams.output_file import FileOutput
from ..streams.writers import Records
from .documents import site_of, text_of

PARTS = ("train", "dev", "test")
# The part of records that failed.
FAILED = "failed"


class Splitter:
    """Chooses parts by the hash of a document's site (`site`; of its text, if it has none) or text (`hash`).

    *shares* are of PARTS, in any unit. Another *seed* gives another split.
    """

    def __init__(self, by: str, shares: Sequence[float], seed: int) -> None:
        self._by, self._seed = by, seed
        self._ends = [end / sum(shares) for end in accumulate(shares)]

    def part_of(self, document: Record) -> str:
        """One of PARTS. Raises RecordError for a document without what is needed."""
        key = site_of(document) if self._by == "site" else ""
        digest = xxhash.xxh3_64_intdigest((key or text_of(document)).encode("utf-8", "surrogatepass"), self._seed)
        return PARTS[min(bisect_right(self._ends, digest / 2**64), len(PARTS) - 1)]


class PartSink:
    """Writes documents to the files of their parts in a folder, and records that failed to that of FAILED, if there are
    any. The files have their names when they are complete."""

    def __init__(self, splitter: Splitter, folder: str, output_format: str) -> None:
        self._splitter, self._folder, self._format = splitter, folder, output_format
        self.counts: Counter[str] = Counter()
        self._is_discarded = False
        self._files: list[FileOutput] = []
        self._sinks = {part: self._opened(part) for part in PARTS}

    def _opened(self, part: str) -> Records:
        self._files.append(FileOutput(os.path.join(self._folder, f"{part}.{self._format}")))
        return Records(self._files[-1], self._format)

    def write(self, record: Record) -> None:
        part = FAILED if is_error(record) else self._splitter.part_of(record)
        if part not in self._sinks:
            self._sinks[part] = self._opened(part)
        self._sinks[part].write(record)
        self.counts[part] += 1

    def close(self) -> None:
        for file in self._files:
            file.close()

    def discard(self) -> None:
        self._is_discarded = True
        for file in self._files:
            file.discard()

    def report(self) -> Iterator[str]:
        if self._is_discarded:
            yield f"{self._folder}: not written, for the run was interrupted"
            return
        total = sum(self.counts[part] for part in PARTS)
        for part in PARTS:
            count = self.counts[part]
            yield f"{part}: {count:,} of {total:,} documents ({100 * count / max(total, 1):.1f} %)"
