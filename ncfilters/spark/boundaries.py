"""Where records begin in a file that is read in parts.

    first_boundary(file, "archive", 128 << 20, 256 << 20)    # 134217811, the start of a gzip member

The boundary of a place is the same, whoever asks: so each record is in exactly one part.
"""

from __future__ import annotations

import zlib
from typing import Any, Literal

from ..streams.compression import GZIP, PARQUET, ZSTD, as_utf8, first_bytes, with_head
from ..streams.crawl_source import ARCHIVE_START

# How a file can be read in parts: archives of gzip members, one for each record; lines; row groups; not at all.
Kind = Literal["archive", "lines", "row groups", "whole"]

READ_BYTES = 1 << 18
HEAD_BYTES = 1 << 16
_MEMBER = GZIP + b"\x08"
# Deflate copies what it cannot compress, such as another archive, in blocks of at most so many bytes; members that
# follow each other for longer are no content of a record.
_STORED_BYTES = 1 << 16
# Compressed bytes of one member that are enough to see that it is one.
_ENOUGH_BYTES = 1 << 20


def kind_of(head: bytes) -> Kind:
    """How a file that begins with *head* can be read in parts."""
    if head.startswith(PARQUET):
        return "row groups"
    if head.startswith(_MEMBER):
        start = first_bytes(with_head(head, _Empty()), head, len(ARCHIVE_START))[1]
        return "archive" if start.startswith(ARCHIVE_START) else "whole"
    if head.startswith(ZSTD) or as_utf8(with_head(head, _Empty()), head)[1] != head:
        return "whole"
    return "lines" if head.startswith(b"{") else "whole"


def first_boundary(file: Any, kind: Kind, low: int, high: int) -> int | None:
    """The place of the first record that begins from *low* to before *high*; None if there is none."""
    if low == 0:
        return 0
    return _first_member(file, low, high) if kind == "archive" else _first_line(file, low, high)


def _first_line(file: Any, low: int, high: int) -> int | None:
    """The place after the first line feed from *low* - 1 on."""
    file.seek(low - 1)
    at = low - 1
    while at < high - 1 and (data := bytes(file.read(READ_BYTES))):
        if (found := data.find(b"\n")) >= 0:
            after: int = at + found + 1
            return after if after < high else None
        at += len(data)
    return None


def _first_member(file: Any, low: int, high: int) -> int | None:
    """The place of the first gzip member that begins an archived record, and so do those after it."""
    at, data = low, b""
    while at < high:
        file.seek(at)
        data = file.read(READ_BYTES)
        found = data.find(_MEMBER)
        while found >= 0 and at + found < high:
            if _begins_records(file, at + found):
                return int(at + found)
            found = data.find(_MEMBER, found + 1)
        if len(data) <= len(_MEMBER):
            return None
        at += len(data) - len(_MEMBER) + 1
    return None


def _begins_records(file: Any, place: int) -> bool:
    """Whether gzip members with archived records follow each other from *place* on, for more than a block that deflate
    copies, or to the end of the file."""
    at = place
    while at - place <= _STORED_BYTES:
        end = _member_end(file, at)
        if end is None:
            return False
        if end < 0:
            return True
        at = end
    return True


def _member_end(file: Any, place: int) -> int | None:
    """The end of the gzip member at *place*, which has a record or nothing; -1 if it is long enough, or after the last
    one; None if there is none."""
    file.seek(place)
    inflate, start, read = zlib.decompressobj(31), b"", 0
    while read <= _ENOUGH_BYTES:
        data = file.read(READ_BYTES)
        if not data:
            return None if read else -1
        read += len(data)
        while data and not inflate.eof:
            try:
                text = inflate.decompress(data, READ_BYTES)
            except zlib.error:
                return None
            data = inflate.unconsumed_tail
            start = start if len(start) == len(ARCHIVE_START) else (start + text).lstrip()[: len(ARCHIVE_START)]
            if not ARCHIVE_START.startswith(start):
                return None
        if inflate.eof:
            return int(place + read - len(inflate.unused_data))
    return -1


class _Empty:
    """A stream that has ended."""

    def read(self, size: int = -1) -> bytes:
        return b""
