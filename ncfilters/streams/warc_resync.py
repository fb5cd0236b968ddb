"""A WARC file as a stream that can resume after a broken record.

window = ResyncStream(stream, limit=1 << 28)
for archived in ArchiveIterator(window): window.forget(archived.stream_pos)
window.find_next(position)
"""

from __future__ import annotations

import io
import re
import zlib
from typing import NamedTuple

from .compression import GZIP, READ_BYTES, ZSTD

# Bytes that the head and the compression of a record may add to its limit.
MARGIN_BYTES = 1 << 20
_HEAD_END = re.compile(rb"\r?\n\r?\n")
# The first bytes of a record.
RECORD_STARTS = (GZIP + b"\x08", ZSTD, b"WARC/")


class ResyncStream:
    """A stream that keeps the bytes since the start of the current record, which has at most *limit* bytes."""

    def __init__(self, source: io.BufferedIOBase, limit: int) -> None:
        self._source, self._max_kept = source, limit + MARGIN_BYTES
        self._kept = bytearray()
        self._start = self._at = 0  # the position in the stream of what is kept; how much of that has been read
        self._skipped = 0  # bytes before the stream began again
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        if self._at == len(self._kept):
            self._more(size)
        end = len(self._kept) if size < 0 else self._at + size
        data = bytes(memoryview(self._kept)[self._at : end])
        self._at += len(data)
        return data

    def seek(self, place: int, whence: int = 0) -> int:
        """Raises OSError: the stream cannot seek."""
        raise OSError("not seekable")

    def close(self) -> None:
        """Does nothing: the caller closes the source."""

    def tell(self) -> int:
        """The number of bytes read."""
        return self._start + self._at

    def offset(self, place: int) -> int:
        """The position in the source of a position in the stream, which may have begun again."""
        return self._skipped + place

    def forget(self, before: int) -> None:
        """Drops the bytes that are kept before that position."""
        count = min(before - self._start, self._at)
        del self._kept[:count]
        self._start += count
        self._at -= count

    def ends_before(self, place: int) -> bool:
        """Whether the stream is known to end before that position; False for compressed streams."""
        packed = self._kept.startswith((GZIP, ZSTD))
        return self._ended and not packed and self._start + len(self._kept) < place

    def has_rest(self, size: int | None) -> bool:
        """Whether a stream that is not compressed continues after the last record, whose block has *size* bytes (None:
        no record was read). fastwarc ignores a head that is cut."""
        if self._kept.startswith((GZIP, ZSTD)):
            return False
        end = _HEAD_END.search(self._kept) if size is not None else None
        return bool(self._kept[end.end() + size :].strip() if end and size is not None else self._kept.strip())

    def rest(self, size: int) -> tuple[int, bool] | None:
        """The position after which records may follow that fastwarc has not read, and whether a gzip member is
        truncated or damaged there; None if all is read.

        fastwarc stops without an error at a member without text, as `bgzip` writes at the end of files, and where such
        a member hides the rest. What is kept starts with the last record it read, whose block has *size* bytes.
        """
        if not self._kept.startswith(GZIP):
            return None if self._ended else self._blank_member()
        at = unpacked = 0
        while self._kept.startswith(GZIP, at):
            member = self._unpack(at)
            if member is None:
                return self._start + at, True
            at = member.end
            if member.is_blank and (not unpacked or unpacked >= size):  # not in the block of the record
                return self._start + at, False
            unpacked += member.size
            while len(self._kept) < at + len(GZIP) and self._more(READ_BYTES):
                pass
        return None

    def restart(self, place: int) -> bool:
        """Makes the stream begin at that position, which is kept; returns False if it ends there."""
        self._begin(place - self._start)
        return bool(self._kept) or self._more(READ_BYTES)

    def find_next(self, place: int) -> bool:
        """Moves to the next record after *place*, as if the stream began there; returns False if there is none."""
        self.forget(place)
        marks: tuple[bytes, ...] = RECORD_STARTS
        for mark in marks:
            if self._kept.startswith(mark):
                marks = (mark,)
        at = 1
        while True:
            found = [where for mark in marks if (where := self._kept.find(mark, at)) >= 0]
            if found:
                self._begin(min(found))
                return True
            self._start += max(len(self._kept) - 8, 0)
            del self._kept[:-8]
            at = 0
            if not self._more(READ_BYTES):
                return False

    def _begin(self, at: int) -> None:
        """Makes the stream begin at that place of what is kept."""
        self._skipped += self._start + at
        del self._kept[:at]
        self._start = self._at = 0

    def _more(self, size: int) -> bool:
        if len(self._kept) > self._max_kept:
            raise OSError("a record without an end")
        more = self._source.read1(size) if size > 0 else self._source.read()
        self._kept += more
        self._ended = self._ended or not more
        return bool(more)

    def _blank_member(self) -> tuple[int, bool]:
        """What `rest` returns where what is kept starts inside a member of several records."""
        at = 0
        while True:
            found = self._kept.find(RECORD_STARTS[0], at)
            if found >= 0:
                member = self._unpack(found)
                if member and member.is_blank:
                    return self._start + member.end, False
                at = member.end if member else found + 1
            elif not self._more(READ_BYTES):
                return self._start + len(self._kept), True
            else:
                at = max(at, len(self._kept) - READ_BYTES - len(RECORD_STARTS[0]))

    def _unpack(self, at: int) -> _Member | None:
        """The gzip member at that place of what is kept; None if it is truncated or damaged."""
        size, is_blank, inflate = 0, True, zlib.decompressobj(31)
        try:
            while not inflate.eof:
                if at == len(self._kept) and not self._more(READ_BYTES):
                    return None
                piece = bytes(self._kept[at : at + READ_BYTES])
                at += len(piece)
                while piece:
                    text = inflate.decompress(piece, READ_BYTES)
                    is_blank = is_blank and not text.strip()
                    size += len(text)
                    piece = inflate.unconsumed_tail
        except zlib.error:
            return None
        return _Member(at - len(inflate.unused_data), size, is_blank)


class _Member(NamedTuple):
    """A gzip member: where it ends, the size of its content, and whether that is empty or white space."""

    end: int
    size: int
    is_blank: bool
