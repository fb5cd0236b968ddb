"""A WARC file as a stream that can go back to where a broken record began, and on to the next one.

window = ResyncStream(stream, limit=1 << 28)
for archived in ArchiveIterator(window): window.forget(archived.stream_pos)
window.find_next(behind)
"""

from __future__ import annotations

import io
import zlib

from .compression import GZIP, READ_BYTES, ZSTD

# Bytes of head and compression that a record may have over its limit.
MARGIN = 1 << 20
# What a record may start with.
MARKS = (GZIP + b"\x08", ZSTD, b"WARC/")


class ResyncStream:
    """A stream that remembers what was read of it since the start of the record under way; that has at most *limit*
    bytes."""

    def __init__(self, source: io.BufferedIOBase, limit: int) -> None:
        self._source, self._most = source, limit + MARGIN
        self._kept = bytearray()
        self._start = self._at = 0  # the place of what is kept in the stream; how much of it has been read
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        if self._at == len(self._kept):
            self._more(size)
        end = len(self._kept) if size < 0 else self._at + size
        data = bytes(memoryview(self._kept)[self._at : end])
        self._at += len(data)
        return data

    def seek(self, place: int, whence: int = 0) -> int:
        """Cannot be done."""
        raise OSError("not seekable")

    def close(self) -> None:
        """Leaves the source open."""

    def tell(self) -> int:
        """How much has been read."""
        return self._start + self._at

    def forget(self, before: int) -> None:
        """Lets go of what stands before that place."""
        count = min(before - self._start, self._at)
        del self._kept[:count]
        self._start += count
        self._at -= count

    def ends_before(self, place: int) -> bool:
        """Whether the stream, where it is not compressed, is known to end before that place."""
        packed = self._kept.startswith((GZIP, ZSTD))
        return self._ended and not packed and self._start + len(self._kept) < place

    def hole(self) -> int | None:
        """Where the gzip member starts that the stream ends in, or that cannot be unpacked; None if all is well.

        fastwarc says nothing where such a member hides the rest. What is kept starts with the last record it found.
        """
        at = 0
        while self._kept.startswith(GZIP, at):
            member, inflate = at, zlib.decompressobj(31)
            try:
                while not inflate.eof and at < len(self._kept):
                    piece = bytes(self._kept[at : at + READ_BYTES])
                    at += len(piece)
                    while piece:
                        inflate.decompress(piece, READ_BYTES)
                        piece = inflate.unconsumed_tail
            except zlib.error:
                return self._start + member
            if not inflate.eof:
                return self._start + member
            at -= len(inflate.unused_data)
        return None

    def find_next(self, place: int) -> bool:
        """Goes on from the next record behind *place*, as if the stream began there; False if there is no other."""
        self.forget(place)
        marks: tuple[bytes, ...] = MARKS
        for mark in marks:
            if self._kept.startswith(mark):
                marks = (mark,)
        at = 1
        while True:
            found = [where for mark in marks if (where := self._kept.find(mark, at)) >= 0]
            if found:
                del self._kept[: min(found)]
                self._start = self._at = 0
                return True
            del self._kept[:-8]
            at = 0
            if not self._more(READ_BYTES):
                return False

    def _more(self, size: int) -> bool:
        if len(self._kept) > self._most:
            raise OSError("a record without an end")
        more = self._source.read1(size) if size > 0 else self._source.read()
        self._kept += more
        self._ended = self._ended or not more
        return bool(more)
