"""Streams of bytes, decompressed and recoded according to their content, not to file names; and what files are that are
no records, pages or archives.

stream, head = decompress(raw)
stream, head = as_utf8(stream, head)
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from ..errors import RecordError

READ_BYTES = 1 << 18
# Bytes that are examined to recognise a format.
HEAD_BYTES = 64
# The most bytes of a piece that is lost if reading fails in it: smaller ones take time.
PIECE_BYTES = 1 << 12
JOINED_PIECES = 64
# White space that may precede it.
MAX_BLANK_BYTES = 1 << 16
GZIP, ZSTD, XZ, BZIP2 = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh"
# The first bytes of a Parquet file, which compresses its parts itself.
PARQUET = b"PAR1"
# First bytes → what the file is, and what makes it readable, if something simple does.
FORMATS: dict[bytes, str] = {
    b"%PDF-": "a PDF document",
    b"\x89PNG\r\n": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a ZIP archive or an office document (unzip it: folders of pages are read)",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive (unpack it: folders of pages are read)",
    b"Rar!\x1a\x07": "a RAR archive (unpack it: folders of pages are read)",
    b"\x04\x22\x4d\x18": "compressed with LZ4 (decompress it with lz4 -dc)",
    b"\x1f\x9d": "compressed with compress (decompress it with zcat)",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"{\\rtf": "an RTF document",
    b"SQLite format 3\0": "an SQLite database",
    b"ARROW1": "an Arrow file",
    b"Obj\x01": "an Avro file",
    b"\x7fELF": "a program",
    b"ncfilters model ": "a model (give it with -m)",
    b"filedesc://": "a file in the ARC format, older than WARC (convert it with warcio recompress)",
}
TAR = "a tar archive (unpack it: folders of pages are read)"
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
# The first bytes that say what any of these files is.
START_BYTES = _TAR_MAGIC_AT + len(_TAR_MAGIC)
SPACE = b" \t\n\r\f"
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def decompress(raw: Any, leave: Container[bytes] = ()) -> tuple[io.BufferedIOBase, bytes]:
    """A stream over *raw*, decompressed, and its first HEAD_BYTES, which the stream still contains.

    Formats whose magic numbers are in *leave* stay compressed.
    """
    head = _read_head(raw)
    stream = with_head(head, raw)
    for magic, pieces in COMPRESSIONS.items():
        if head.startswith(magic) and magic not in leave:
            return _started(Pieces(pieces(stream)))
    return stream, head


def as_utf8(stream: io.BufferedIOBase, head: bytes) -> tuple[io.BufferedIOBase, bytes]:
    """A stream of UTF-8 or UTF-16, and its first bytes, as UTF-8 without a byte-order mark."""
    encoding = {b"{\0": "utf-16-le", b"\0{": "utf-16-be"}.get(head[:2])
    if encoding or head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        stream, head = _started(Pieces(_recoded(stream, encoding or "utf-16")))
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
    out = b""
    with suppress(Exception):  # truncated or damaged: the library does not distinguish them
        for piece in zstd_pieces(io.BytesIO(packed)):
            out += piece
            if len(out) >= PIECE_BYTES:
                break
    return out


def with_head(head: bytes, rest: Any) -> io.BufferedReader:
    return io.BufferedReader(PrefixedStream(head, rest), READ_BYTES)


def _read_head(raw: Any) -> bytes:
    """The first bytes. An error after some bytes is raised by the next read."""
    read, head = getattr(raw, "read1", raw.read), b""
    try:
        while len(head) < HEAD_BYTES and (more := read(HEAD_BYTES - len(head))):
            head += more
    except Exception:  # every decompressor raises its own
        if not head:
            raise
    return head


def _started(content: Pieces) -> tuple[io.BufferedIOBase, bytes]:
    head = _read_head(content)
    return with_head(head, content), head


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


class Pieces(io.RawIOBase):
    """A file of pieces of bytes. An error comes after the bytes before it, and with each read after that."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""
        self._error: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._error:
            raise self._error
        try:
            while not self._rest:
                self._rest = next(self._pieces)
        except StopIteration:
            return 0
        except Exception as error:  # every decompressor raises its own
            self._error = error
            raise
        data, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def _recoded(stream: io.BufferedIOBase, encoding: str) -> Iterator[bytes]:
    """A stream of UTF-16 as UTF-8."""
    import codecs  # start-up: only for input that is not UTF-8

    decoder = codecs.getincrementaldecoder(encoding)("replace")
    while raw := stream.read1(READ_BYTES):
        yield decoder.decode(raw).encode()
    yield decoder.decode(b"", True).encode()


class _Told:
    """A stream that says where it is, as fastwarc wants it."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._at = read, 0

    def read(self, size: int = -1) -> bytes:
        data = self._read(size)
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at


def zstd_pieces(stream: Any) -> Iterator[bytes]:
    """The content of zstd. Where it fails, a piece is lost: they are small at first."""
    from fastwarc.stream_io import ZstdReader  # start-up: only for zstd

    told: Any = _Told(getattr(stream, "read1", stream.read))
    reader, size = ZstdReader(told), 0
    pieces: list[bytes] = []
    try:
        while piece := reader.read(min(PIECE_BYTES, size // 64 + 1)):
            pieces.append(piece)
            size += len(piece)
            if len(pieces) == JOINED_PIECES:
                yield b"".join(pieces)
                pieces = []
    except Exception:
        yield b"".join(pieces)
        raise
    yield b"".join(pieces)


def _joined(packed: io.BufferedIOBase, magic: bytes, new: Callable[[], Any]) -> Iterator[bytes]:
    """The content of compressed streams, one after the other, with zeros between and after them. Python's own files end
    at such zeros, and at anything else, without an error."""
    rest = b""
    while True:
        rest = rest.lstrip(b"\0")
        while len(rest) < len(magic) and (more := packed.read1(READ_BYTES)):
            rest = (rest + more).lstrip(b"\0")
        if not rest:
            return
        if not rest.startswith(magic):
            raise OSError("what follows compressed content is no such content")
        one = new()
        while not one.eof:
            if not rest and getattr(one, "needs_input", True) and not (rest := packed.read1(READ_BYTES)):
                raise EOFError
            data = one.decompress(rest, READ_BYTES)
            rest = one.unused_data if one.eof else getattr(one, "unconsumed_tail", b"")
            yield data


# start-up: a library is loaded for its format alone
COMPRESSIONS: dict[bytes, Callable[[Any], Iterator[bytes]]] = {
    GZIP: lambda stream: _joined(stream, GZIP, lambda: zlib.decompressobj(31)),
    ZSTD: zstd_pieces,
    XZ: lambda stream: _joined(stream, XZ, import_module("lzma").LZMADecompressor),
    BZIP2: lambda stream: _joined(stream, BZIP2, import_module("bz2").BZ2Decompressor),
}


# ---- what a file is, by its first bytes -----------------------------------------------------------------------------


def format_name(start: bytes) -> str | None:
    """What a file is, by its first bytes (START_BYTES tell all); None where they do not say."""
    if start[_TAR_MAGIC_AT:START_BYTES] == _TAR_MAGIC:
        return TAR
    return next((name for magic, name in FORMATS.items() if start.startswith(magic)), None)


def check_is_page(data: bytes) -> None:
    """Raises RecordError for documents and images, which some servers declare as HTML."""
    if foreign := format_name(data):
        raise RecordError(f"{foreign}, not an HTML page")


def begins_with_tag(head: bytes) -> bool:
    """Whether text begins with `<`, in UTF-8 or UTF-16, after white space and a byte-order mark."""
    return plain_ascii(head)[:1] == b"<"


def plain_ascii(data: bytes) -> bytes:
    """The bytes without a byte-order mark, the NULs of UTF-16 and white space at the start."""
    for mark in _BYTE_ORDER_MARKS:
        data = data.removeprefix(mark)
    return (data.replace(b"\0", b"") if b"\0" in data else data).lstrip(SPACE)
