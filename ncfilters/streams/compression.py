"""Streams of bytes, opened by what they are: decompressed, in UTF-8, without a mark.

stream, head = open_stream(sys.stdin.buffer.raw)
"""

from __future__ import annotations

import io
from collections.abc import Callable, Container
from typing import Any

READ_BYTES = 1 << 18
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def decompress(raw: io.RawIOBase, leave: Container[bytes] = ()) -> tuple[io.BufferedIOBase, bytes]:
    """A stream over *raw*, decompressed (but for the magic numbers to *leave*), and its first bytes."""
    stream, head = _peeked(raw)
    for magic, open_compressed in COMPRESSIONS.items():
        if head.startswith(magic) and magic not in leave:
            return _peeked(open_compressed(stream))
    return stream, head


def open_stream(raw: io.RawIOBase) -> tuple[io.BufferedIOBase, bytes]:
    """A stream over *raw*, decompressed and in UTF-8 without a mark, and its first bytes."""
    stream, head = decompress(raw)
    encoding = _utf16(head)
    if encoding:
        stream, head = _peeked(_Recoded(stream, encoding))
    if head.startswith(b"\xef\xbb\xbf"):
        stream.read(3)
        head = head[3:]
    return stream, head


def _utf16(head: bytes) -> str | None:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    return {b"{\0": "utf-16-le", b"\0{": "utf-16-be"}.get(head[:2])


def _peeked(raw: Any) -> tuple[io.BufferedIOBase, bytes]:
    """A buffered stream over *raw* and the 64 bytes it starts with, or all of them."""
    head = b""
    while len(head) < 64 and (more := raw.read(64 - len(head))):
        head += more
    return io.BufferedReader(PrefixedStream(head, raw), READ_BYTES), head


class PrefixedStream(io.RawIOBase):
    """What was read of a stream to look at it, and then the rest."""

    def __init__(self, head: bytes, rest: Any) -> None:
        self._head, self._rest = head, rest
        self._read = getattr(rest, "read1", rest.read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            data, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            data = self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Recoded(io.RawIOBase):
    """UTF-16 read as UTF-8."""

    def __init__(self, rest: io.BufferedIOBase, encoding: str) -> None:
        import codecs

        self._rest = rest
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while raw := self._rest.read1(max(size // 4, 4)):
            if text := self._decoder.decode(raw):
                return text.encode()
        return self._decoder.decode(b"", True).encode()


class _Unseekable:
    """A stream for readers that ask where they are and would seek if they could."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._at = stream, 0

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._stream.read(size)
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at


def _gzip(stream: Any) -> Any:
    import gzip

    return gzip.GzipFile(fileobj=stream)


def _zstd(stream: Any) -> Any:
    from fastwarc.stream_io import ZstdReader

    from_start: Any = _Unseekable(stream)
    return ZstdReader(from_start)


def _xz(stream: Any) -> Any:
    import lzma

    return lzma.LZMAFile(stream)


def _bzip2(stream: Any) -> Any:
    import bz2

    return bz2.BZ2File(stream)


COMPRESSIONS: dict[bytes, Callable[[Any], Any]] = {GZIP: _gzip, ZSTD: _zstd, b"\xfd7zXZ\0": _xz, b"BZh": _bzip2}
