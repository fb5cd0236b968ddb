"""The items of a split: the records of a file that begin in it.

    for item, size in split_items(file, "a.warc.gz", Split(0, 0, 128 << 20), selection): ...

All splits of a file together have its items, each once, in order.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from ..errors import require_library
from ..streams.crawl_source import ARCHIVE_TOOL, PAGE_TOOL, CrawlSource, Item
from ..streams.html_pages import PageSelection
from ..streams.readers import record_lines
from ..streams.warc_reader import WarcReader
from .boundaries import HEAD_BYTES, READ_BYTES, Kind, first_boundary, kind_of
from .splits import Split


def split_items(file: Any, name: str, split: Split, size: int, selection: PageSelection) -> Iterator[tuple[Item, int]]:
    """The items of a split of an open file of *size* bytes, each with its size. *name* is in messages."""
    file.seek(0)
    kind = kind_of(file.read(HEAD_BYTES))
    if kind == "row groups":
        yield from _rows(file, name, split, selection)
    elif kind == "whole" or split.start == 0 and split.end == size:
        if split.start == 0:
            file.seek(0)
            yield from CrawlSource(None, selection).items_of(name, _Part(file, 0, size))
    else:
        yield from _part_items(file, name, split, size, selection, kind)


def _part_items(
    file: Any, name: str, split: Split, size: int, selection: PageSelection, kind: Kind
) -> Iterator[tuple[Item, int]]:
    start = first_boundary(file, kind, split.start, split.end)
    if start is None:
        return
    end = first_boundary(file, kind, split.end, size) if split.end < size else None
    part = _Part(file, start, size if end is None else end)
    if kind == "archive":
        reader = WarcReader([(name, part)], selection, start=start)
        yield from CrawlSource(None, selection).measured(reader, ARCHIVE_TOOL)
        return
    sizes: list[int] = []
    for line in record_lines(io.BufferedReader(part, READ_BYTES), selection.max_record, sizes.append):
        yield Item(line, PAGE_TOOL), sum(sizes)
        sizes.clear()


def _rows(file: Any, name: str, split: Split, selection: PageSelection) -> Iterator[tuple[Item, int]]:
    require_library("pyarrow", f"{name}: Parquet needs", "parquet")
    from ..streams.columns.parquet_reader import parquet_records  # pyarrow, only for Parquet

    sizes: list[int] = []
    for content in parquet_records(name, file, selection.max_record, sizes.append, (split.start, split.end)):
        yield Item(content, PAGE_TOOL), max(sizes.pop() if sizes else 1, 1)


class _Part(io.RawIOBase):
    """The bytes of a file from *start* to before *end*."""

    def __init__(self, file: Any, start: int, end: int) -> None:
        self._file, self._left = file, end - start
        file.seek(start)

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            size = self._left
        data: bytes = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
