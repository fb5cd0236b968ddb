"""What each task of Spark reads: parts of long files, and several short files together.

    tasks([InputFile("a.warc.gz", 300), InputFile("b.jsonl", 10)], 128)
    # [[Split(0, 0, 128)], [Split(0, 128, 256)], [Split(0, 256, 300), Split(1, 0, 10)]]

A task reads the records that begin in its splits (see `boundaries`). The last tasks are shorter, so that all executors
end at about the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# The last tasks, so many for each core, are shorter by this factor.
LAST_PARTS, LAST_TASKS = 4, 8


class InputFile(NamedTuple):
    """A file to read: its path or URI, and its size in bytes."""

    path: str
    size: int


class Split(NamedTuple):
    """A part of a file: its number in the list of files, and the bytes from *start* to before *end*."""

    file: int
    start: int
    end: int


def tasks(files: Sequence[InputFile], split_size: int, cores: int = 0) -> list[list[Split]]:
    """The splits of each task, in the order of the files: a long file is cut every *split_size* bytes, and tasks with
    less than that are filled up. The last tasks for so many *cores* are shorter."""
    out: list[list[Split]] = []
    last_size = max(split_size // LAST_PARTS, 1)
    left = sum(file.size for file in files)  # bytes
    room = 0
    for number, file in enumerate(files):
        start = 0
        while start < file.size:
            limit = last_size if left <= cores * LAST_TASKS * last_size else split_size
            size = min(limit, file.size - start)
            if size > room:
                out.append([])
                room = limit
            out[-1].append(Split(number, start, start + size))
            start += size
            room -= size
            left -= size
    return out
