"""A WARC file as a stream that can resume after a broken record.

window = ResyncStream(stream, limit=1 << 28)
for archived in ArchiveIterator(window): window.forget(archived.stream_pos)
window.find_next(position)
"""

from __future__ import annotations

import io
import zlib
from typing import NamedTuple

from ..text.lazy_pattern import lazy_pattern
from .compression import GZIP, READ_BYTES, ZSTD

# Bytes that the head and the compression of a record may add to its limit.
MARGIN_BYTES = 1 << 20
_REPEATED_BYTE = 1  # the type of a block of zstd
_HEAD_END = lazy_pattern(rb"\r?\n\r?\n")
# The first bytes of a record.
_PACKED_STARTS, _PLAIN_START = (GZIP + b"\x08", ZSTD), b"WARC/"
RECORD_STARTS = (*_PACKED_STARTS, _PLAIN_START)


class ResyncStream:
    """A stream that keeps the bytes since the start of the current record, which has at most *limit* bytes."""

    def __init__(self, source: io.BufferedIOBase, limit: int) -> None:
        self._source, self._max_kept = source, limit + MARGIN_BYTES
        self._kept = bytearray()
        self._start = self._at = 0  # the position in the stream of what is kept; how much of that has been read
        self._skipped = 0  # bytes of the file before the stream began again
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

    def joint(self, size: int) -> int | None:
        """The position after the record that is kept first, whose block has *size* bytes, if a record of another
        compression begins there, as in joined files; else None. fastwarc reads one compression only."""
        own = next((mark for mark in RECORD_STARTS if self._kept.startswith(mark)), _PLAIN_START)
        try:
            at = self._plain_end(size) if own == _PLAIN_START else self._packed_end(own)
            if at is None or not self._has(at + len(_PLAIN_START)):
                return None
        except OSError:  # too long
            return None
        others = tuple(mark for mark in RECORD_STARTS if mark != own)
        return self._start + at if self._kept.startswith(others, at) else None

    @property
    def is_gzip(self) -> bool:
        return self._kept.startswith(GZIP)

    def restart(self, place: int) -> bool:
        """Makes the stream begin at that position, which is kept; returns False if it ends there."""
        self._begin(place - self._start)
        return bool(self._kept) or self._more(READ_BYTES)

    def find_next(self, place: int) -> bool:
        """Moves to the next record after *place*, as if the stream began there; returns False if there is none.

        A compressed one, if that at *place* is compressed; if it is not, one that is not, for pages may be compressed.
        """
        self.forget(place)
        marks: tuple[bytes, ...] = RECORD_STARTS
        if self._kept.startswith(_PACKED_STARTS):
            marks = _PACKED_STARTS
        elif self._kept.startswith(_PLAIN_START):
            marks = (_PLAIN_START,)
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

    def _has(self, size: int) -> bool:
        """Whether so many bytes are kept, after reading on."""
        while len(self._kept) < size and self._more(READ_BYTES):
            pass
        return len(self._kept) >= size

    def _plain_end(self, size: int) -> int | None:
        """The place after the record that is kept first and is not compressed; None if it has no end."""
        head = _HEAD_END.search(self._kept)
        at = head.end() + size if head else None
        while at is not None and self._has(at + 1) and self._kept[at] in b"\r\n":
            at += 1
        return at

    def _packed_end(self, mark: bytes) -> int | None:
        """The place after the gzip members or zstd frames that are kept first; None if one is truncated or damaged."""
        at: int | None = 0
        while at is not None and self._has(at + 1) and self._kept.startswith(mark, at):
            if mark == ZSTD:
                at = self._frame_end(at)
                continue
            member = self._unpack(at)
            at = member.end if member else None
        return at

    def _frame_end(self, at: int) -> int | None:
        """The place after the zstd frame at that place of what is kept; None if it is truncated (RFC 8878, section
        3.1.1)."""
        if not self._has(at + 5):
            return None
        descriptor = self._kept[at + 4]
        is_single, has_checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
        content_size = (is_single, 2, 4, 8)[descriptor >> 6]
        at += 5 + (1 - is_single) + (0, 1, 2, 4)[descriptor & 3] + content_size
        is_last = 0
        while not is_last:
            if not self._has(at + 3):
                return None
            head = int.from_bytes(self._kept[at : at + 3], "little")
            is_last, kind, size = head & 1, head >> 1 & 3, head >> 3
            at += 3 + (1 if kind == _REPEATED_BYTE else size)
        at += 4 * has_checksum
        return at if self._has(at) else None

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
                while piece and not inflate.eof:  # at the end, the tail is kept in unused_data too
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
