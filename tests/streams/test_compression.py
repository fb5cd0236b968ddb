"""Streams, decompressed and recoded by their content."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable

import pytest
from archives import zstd

from ncfilters.streams.compression import (
    GZIP,
    HEAD_BYTES,
    PIECE_BYTES,
    READ_BYTES,
    ZSTD,
    as_utf8,
    decompress,
    first_bytes,
    skip_blank,
)

PACKERS = [bytes, gzip.compress, bz2.compress, lzma.compress, zstd]
TEXT = "Żółw – 中文\n".encode() * 20_000


class Trickle(io.RawIOBase):
    """A pipe that gives a few bytes at a time, and counts them."""

    def __init__(self, data: bytes) -> None:
        self._data, self.count = data, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        out = self._data[self.count : self.count + 7]
        self.count += len(out)
        return out

    read1 = read


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("data", [b"", b"x", TEXT])
def test_reading_returns_the_first_bytes_again(data: bytes, pack: Callable[[bytes], bytes]) -> None:
    stream, head = decompress(io.BytesIO(pack(data)))
    assert head == data[:HEAD_BYTES]
    assert stream.read() == data


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_formats_to_leave_stay_compressed(pack: Callable[[bytes], bytes]) -> None:
    stream, head = decompress(io.BytesIO(pack(TEXT)), leave=(GZIP, ZSTD))
    stream, start = first_bytes(stream, head)
    assert TEXT.startswith(start.strip()) and start
    assert stream.read() == pack(TEXT)


def test_no_more_is_read_than_the_first_bytes_take() -> None:
    raw = Trickle(gzip.compress(b"WARC/1.0\r\n") * 1000)
    _, start = first_bytes(*decompress(raw, leave=(GZIP,)))
    assert start.startswith(b"W")
    assert raw.count < 300


@pytest.mark.parametrize("data", [GZIP + b"\x08" + b"\xff" * 1000, GZIP, ZSTD + b"\xff" * 1000, ZSTD])
def test_damaged_streams_have_no_first_bytes(data: bytes) -> None:
    stream, start = first_bytes(*decompress(io.BytesIO(data), leave=(GZIP, ZSTD)))
    assert (stream.read(), start) == (data, b"")


@pytest.mark.parametrize("blank", [b" " * 1000, b"\n" * HEAD_BYTES, b"\xef\xbb\xbf\r\n", b""])
def test_blanks_are_skipped_to_look_and_read_again(blank: bytes) -> None:
    stream, head = skip_blank(*decompress(io.BytesIO(blank + b"<p>" + TEXT)))
    assert b"<" in head
    assert stream.read() == blank + b"<p>" + TEXT


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_utf16_and_marks_become_plain_utf8(encoding: str) -> None:
    stream, head = as_utf8(*decompress(io.BytesIO(TEXT.decode().encode(encoding))))
    assert TEXT.startswith(head)
    assert stream.read() == TEXT


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
@pytest.mark.parametrize("zeros", [b"", b"\0" * 4, b"\0" * 300_000])
def test_streams_that_are_joined_are_read_to_their_end(pack: Callable[[bytes], bytes], zeros: bytes) -> None:
    parts = [b"One.\n" * 100_000, b"", b"Two.\n"]
    stream, _ = decompress(io.BytesIO(b"".join(pack(part) + zeros for part in parts)))
    assert stream.read() == b"".join(parts)


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
@pytest.mark.parametrize("after", [b"x", b"{}\n", gzip.compress(b"Two.\n", mtime=0), b"\0" * 4 + b"BZ", b"\xfd7z"])
def test_what_follows_compressed_content_is_an_error_behind_it(pack: Callable[[bytes], bytes], after: bytes) -> None:
    stream, _ = decompress(io.BytesIO(pack(b"One.\n" * 100_000) + after))
    assert stream.read(500_000) == b"One.\n" * 100_000
    with pytest.raises(OSError, match="what follows"):
        stream.read()


@pytest.mark.parametrize("pack", PACKERS[1:])
def test_short_content_comes_before_the_error_behind_it(pack: Callable[[bytes], bytes]) -> None:
    stream, head = decompress(io.BytesIO(pack(b"One.\n") + b"x"))
    assert (head, stream.read1(HEAD_BYTES)) == (b"One.\n", b"One.\n")
    with pytest.raises(OSError):
        stream.read1(HEAD_BYTES)


@pytest.mark.parametrize("after", [b"x", zstd(TEXT)[:-1]])
def test_what_precedes_the_error_of_zstd_is_read_but_for_a_piece(after: bytes) -> None:
    stream, _ = decompress(io.BytesIO(zstd(b"One.\n" * 100_000) + after))
    found = b""
    with pytest.raises(OSError):
        while data := stream.read1(READ_BYTES):
            found += data
    assert len(found) > 500_000 - PIECE_BYTES
    assert found.startswith(b"One.\n" * 99_000)


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_a_joined_stream_that_is_cut_is_an_error(pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(EOFError):
        decompress(io.BytesIO(pack(b"One.\n") + pack(b"Two.\n")[:-3]))[0].read()
