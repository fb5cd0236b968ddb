"""What each task of Spark reads: parts of long files, and several short files together.

    tasks([InputFile("a.warc.gz", 300), InputFile("b.jsonl", 10)], 128)
    # [[Split(0, 0, 128)], [Split(0, 128, 256)], [Split(0, 256, 300), Split(1, 0, 10)]]

A task reads the records that begin in its splits (see `boundaries`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class InputFile(NamedTuple):
    """A file to read: its path or URI, and its size in bytes."""

    path: str
    size: int


class Split(NamedTuple):
    """A part of a file: its number in the list of files, and the bytes from *start* to before *end*."""

    file: int
    start: int
    end: int


def tasks(files: Iterable[InputFile], split_size: int) -> list[list[Split]]:
    """The splits of each task, in the order of the files: a long file is cut every *split_size* bytes, and tasks with
    less than that are filled up."""
    out: list[list[Split]] = []
    room = 0
    for number, file in enumerate(files):
        for start in range(0, file.size, split_size):
            split = Split(number, start, min(start + split_size, file.size))
            size = split.end - split.start
            if size > room:
                out.append([])
                room = split_size
            out[-1].append(split)
            room -= size
    return out
