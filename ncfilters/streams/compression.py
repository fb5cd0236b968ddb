"""Streams of bytes, decompressed and recoded according to their content, not to file names.

stream, head = decompress(raw)
stream, head = as_utf8(stream, head)
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Container
from importlib import import_module
from typing import Any

READ_BYTES = 1 << 18
# Bytes that are examined to recognise a format.
HEAD_BYTES = 64
# The most bytes of a piece that is lost if reading fails in it: smaller ones take time.
PIECE_BYTES = 1 << 12
# White space that may precede it.
MAX_BLANK_BYTES = 1 << 16
GZIP, ZSTD, XZ, BZIP2 = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh"
# The first bytes of a Parquet file, which compresses its parts itself.
PARQUET = b"PAR1"


def decompress(raw: Any, leave: Container[bytes] = ()) -> tuple[io.BufferedIOBase, bytes]:
    """A stream over *raw*, decompressed, and its first HEAD_BYTES, which the stream still contains.

    Formats whose magic numbers are in *leave* stay compressed.
    """
    head, rest = _read_head(raw)
    stream = with_head(head, rest)
    for magic, open_compressed in COMPRESSIONS.items():
        if head.startswith(magic) and magic not in leave:
            head, rest = _read_head(open_compressed(stream))
            return with_head(head, rest), head
    return stream, head


def as_utf8(stream: io.BufferedIOBase, head: bytes) -> tuple[io.BufferedIOBase, bytes]:
    """A stream of UTF-8 or UTF-16, and its first bytes, as UTF-8 without a byte-order mark."""
    if encoding := _utf16(head):
        head, rest = _read_head(_Recoded(stream, encoding))
        stream = with_head(head, rest)
    if head.startswith(b"\xef\xbb\xbf"):
        stream.read(3)
        head = head[3:]
    return stream, head


def first_bytes(stream: io.BufferedIOBase, head: bytes, least: int = 1) -> tuple[io.BufferedIOBase, bytes]:
    """A stream, which stays compressed, and the first bytes of its content, at least so many if it has them; none if
    they cannot be decompressed.

    Reads no more than necessary, so that the first records of a slow pipe are available at once.
    """
    if not head.startswith((GZIP, ZSTD)):
        start = stream.read(least) if len(head) < least else b""
        return (with_head(start, stream), start) if start else (stream, head)
    packed, out = b"", b""
    while (_is_blank(out) or len(out) < least) and len(packed) < READ_BYTES and (more := stream.read1(READ_BYTES)):
        packed += more
        try:
            out = _decompress_start(packed)
        except zlib.error:  # reported when the stream is read
            break
    return with_head(packed, stream), out


def skip_blank(stream: io.BufferedIOBase, head: bytes) -> tuple[io.BufferedIOBase, bytes]:
    """The stream and its first bytes; more bytes are read as long as there are only white space and byte-order
    marks."""
    if not _is_blank(head):
        return stream, head
    stream.read(len(head))
    while _is_blank(head) and len(head) < MAX_BLANK_BYTES and (more := stream.read(HEAD_BYTES)):
        head += more
    return with_head(head, stream), head


def _is_blank(head: bytes) -> bool:
    return not head.strip(b"\0 \t\r\n\f\xef\xbb\xbf\xff\xfe")


def _decompress_start(packed: bytes) -> bytes:
    """The first bytes of gzip or zstd content that may be truncated. Raises zlib.error for damaged gzip."""
    if packed.startswith(GZIP):
        return zlib.decompressobj(31).decompress(packed, MAX_BLANK_BYTES)
    try:
        start: bytes = zstd_reader(io.BytesIO(packed)).read(MAX_BLANK_BYTES)
    except Exception:  # truncated or damaged: the library does not distinguish them
        return b""
    return start


def with_head(head: bytes, rest: Any) -> io.BufferedReader:
    return io.BufferedReader(PrefixedStream(head, rest), READ_BYTES)


def _utf16(head: bytes) -> str | None:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    return {b"{\0": "utf-16-le", b"\0{": "utf-16-be"}.get(head[:2])


def _read_head(raw: Any) -> tuple[bytes, Any]:
    """The first bytes, and the rest: if reading fails after some bytes, a stream that fails where they end."""
    read, head = getattr(raw, "read1", raw.read), b""
    try:
        while len(head) < HEAD_BYTES and (more := read(HEAD_BYTES - len(head))):
            head += more
    except Exception as error:  # every decompressor raises its own
        if not head:
            raise
        return head, _Failed(error)
    return head, raw


class PrefixedStream(io.RawIOBase):
    """Bytes that are already read from a stream, followed by the rest of it."""

    def __init__(self, head: bytes, rest: Any) -> None:
        self._head, self._rest = head, rest
        self._read = getattr(rest, "read1", rest.read)
        self._read_into = getattr(rest, "readinto1", None)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            data, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        elif self._read_into:
            size: int = self._read_into(buffer)
            return size
        else:
            data = self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Failed:
    """A stream of which no more can be read."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def read(self, size: int = -1) -> bytes:
        raise self._error


class _Recoded(io.RawIOBase):
    """A stream of UTF-16 as UTF-8."""

    def __init__(self, rest: io.BufferedIOBase, encoding: str) -> None:
        import codecs  # start-up: only for input that is not UTF-8

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
    """A stream for readers that call `tell`, and seek where that is possible."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._at = stream, 0

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._stream.read(size)
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at


class _InPieces:
    """A stream that loses what it reads when it fails: it is read in pieces, small ones at first."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._at = stream, 0
        self._error: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        pieces: list[bytes] = []
        end = self._at + size if size >= 0 else None
        while self._at != end and (piece := self._piece(end)):
            pieces.append(piece)
        if self._error and not pieces and size:
            raise self._error
        return b"".join(pieces)

    def _piece(self, end: int | None) -> bytes:
        """The next piece, which ends before *end*; none at the end of the stream, and where it fails."""
        size = min(PIECE_BYTES, self._at // 64 + 1)
        try:
            piece: bytes = b"" if self._error else self._stream.read(size if end is None else min(size, end - self._at))
        except Exception as error:  # raised by `read` when no piece is left before it
            self._error = error
            return b""
        self._at += len(piece)
        return piece


def zstd_reader(stream: Any) -> Any:
    """The content of a stream of zstd, as a file."""
    from fastwarc.stream_io import ZstdReader  # start-up: only for zstd

    from_start: Any = _Unseekable(stream)
    return _InPieces(ZstdReader(from_start))


class _Joined(io.RawIOBase):
    """Compressed streams, one after the other, with zeros between and after them. Python's own files end at such zeros,
    and at anything else, without an error."""

    def __init__(self, packed: io.BufferedIOBase, magic: bytes, new: Callable[[], Any]) -> None:
        self._packed, self._magic, self._new = packed, magic, new
        self._one: Any = None  # the decompressor of the stream that is being read
        self._next = b""  # what was read after the end of a stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self._one or self._begin():
            packed = b""
            if self._one.needs_input and not (packed := self._next or self._packed.read1(READ_BYTES)):
                raise EOFError
            self._next = b""
            data = self._one.decompress(packed, len(buffer))
            if self._one.eof:
                self._one, self._next = None, self._one.unused_data
            if data:
                buffer[: len(data)] = data
                return len(data)
        return 0

    def _begin(self) -> bool:
        """Begins a stream; False at the end. Raises OSError for anything else."""
        found = self._next.lstrip(b"\0")
        while len(found) < len(self._magic) and (more := self._packed.read1(READ_BYTES)):
            found = (found + more).lstrip(b"\0")
        self._next = found
        if found and not found.startswith(self._magic):
            raise OSError("what follows compressed content is no such content")
        if found:
            self._one = self._new()
        return bool(found)


# start-up: a library is loaded for its format alone
COMPRESSIONS: dict[bytes, Callable[[Any], Any]] = {
    GZIP: lambda stream: import_module("gzip").GzipFile(fileobj=stream),
    ZSTD: zstd_reader,
    XZ: lambda stream: _Joined(stream, XZ, import_module("lzma").LZMADecompressor),
    BZIP2: lambda stream: _Joined(stream, BZIP2, import_module("bz2").BZ2Decompressor),
}
