"""Bytes in, records out."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from archives import zstd

from ncfilters.errors import RecordError
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
from ncfilters.streams.readers import Fallback, ReaderChain, RecordReader

RECORDS: list[dict[str, Any]] = [{"id": "a", "html": "<p>Żółw"}, {"id": 2, "text": "中文"}]
LINES = b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in RECORDS)
PACKED = b"".join(map(msgpack.packb, RECORDS))
PACKERS = [bytes, gzip.compress, bz2.compress, lzma.compress, zstd]


def reader(*data: bytes, fallback: Fallback = "error", limit: int = 1 << 20) -> RecordReader:
    return RecordReader([(str(at), io.BytesIO(part)) for at, part in enumerate(data)], limit, fallback)  # type: ignore[arg-type]


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize(("data", "form"), [(LINES, "jsonl"), (PACKED, "msgpack")])
@pytest.mark.parametrize("fallback", ["error", "page", "lines"])
def test_formats_are_recognised_by_content(
    data: bytes, form: str, fallback: Fallback, pack: Callable[[bytes], bytes]
) -> None:
    source = reader(pack(data), fallback=fallback)
    assert list(source) == RECORDS
    assert (source.format, source.bytes) == (form, len(data))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("fallback", ["error", "page", "lines"])
def test_json_may_be_utf16(encoding: str, fallback: Fallback) -> None:
    assert list(reader(LINES.decode().encode(encoding), fallback=fallback)) == RECORDS


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("leading", [b"", b"\n" * 5000, b" " * 63, b"\xef\xbb\xbf"])
def test_a_page_is_one_record(leading: bytes, pack: Callable[[bytes], bytes]) -> None:
    source = reader(pack(leading + b"<p>one\n<p>two"), LINES, fallback="page")
    page, *others = source
    assert isinstance(page, dict) and page["id"] == "0" and page["html"].strip() == "<p>one\n<p>two"
    assert others == RECORDS
    assert (source.format, source.bytes) == ("jsonl", len(leading) + 13 + len(LINES))


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
@pytest.mark.parametrize("fallback", ["error", "page", "lines"])
def test_an_empty_input_has_no_records(data: bytes, fallback: Fallback) -> None:
    assert list(reader(data, fallback=fallback)) == []


@pytest.mark.parametrize(("data", "message"), [
    (b"<p>x", "0: an HTML page; nc-segment reads it"), (b"<rss>", "0: XML or other markup, not records"),
    (b"\n WARC/1.0", "0: a WARC file; nc-warc reads it"), (b"%PDF-1.7\n{}\n", "0: a PDF document, not records"),
    (b"\0\xff\n" * 9, "0: not records: binary data"),
    (
        b'{\n "id": 1,\n "html": "x"\n}\n',
        "0: not records: JSON with records over several lines (jq -c . makes a line of each)",
    ),
    (b'[\n {"id": 1},\n {"id": 2}\n]\n', "0: not records: a JSON array (jq -c '.[]' makes a line of each record)"),
])  # fmt: skip
def test_what_is_no_stream_of_records_is_one_error(data: bytes, message: str) -> None:
    error, good = reader(data * 3, b"{}")
    assert isinstance(error, RecordError) and str(error) == message
    assert good == {}


@pytest.mark.parametrize(
    ("fallback", "message"),
    [("page", "0: neither records nor an HTML page: not JSON: "), ("error", "0: not records: not JSON: ")],
)
def test_the_error_of_a_first_line_names_the_input(fallback: Fallback, message: str) -> None:
    first, *records = reader(b"Crawler 2.1\n7\n" + LINES, fallback=fallback)
    assert str(first).startswith(message) and str(first).endswith("; 1 more line without a record")
    assert records == RECORDS


@pytest.mark.parametrize("blank", [1, 100, 1 << 17])
def test_white_space_before_records_loses_none(blank: int) -> None:
    assert list(reader(b" " * blank + LINES, fallback="page")) == RECORDS


def test_lines_of_plain_text_are_records() -> None:
    assert list(reader(b"<p>one\r\n\n\xff", fallback="lines")) == [{"text": "<p>one"}, {"text": "\ufffd"}]


@pytest.mark.parametrize(("data", "size"), [(LINES, len(LINES)), (PACKED, len(PACKED))])
def test_an_input_that_breaks_off_is_an_error(data: bytes, size: int) -> None:
    source = list(reader(gzip.compress(data)[:-9], LINES))
    assert any(isinstance(item, RecordError) for item in source[:-2])
    assert source[-2:] == RECORDS


def test_a_chain_counts_bytes_and_has_the_first_format() -> None:
    chain = ReaderChain([reader(b"<p>", fallback="page"), reader(PACKED), reader(LINES)])
    first_line = LINES.index(b"\n") + 1
    read = [3, *[3 + len(PACKED)] * 2, 3 + len(PACKED) + first_line, 3 + len(PACKED) + len(LINES)]
    assert [chain.bytes for _ in chain] == read
    assert (chain.bytes, chain.format) == (3 + len(PACKED) + len(LINES), "msgpack")


# ---- streams, decompressed and recoded by their content ----
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
    if pack in (bz2.compress, lzma.compress):
        with pytest.raises(EOFError):  # a joined stream that is cut
            decompress(io.BytesIO(pack(b"One.\n") + pack(b"Two.\n")[:-3]))[0].read()


@pytest.mark.parametrize("after", [b"x", zstd(TEXT)[:-1]])
def test_what_precedes_the_error_of_zstd_is_read_but_for_a_piece(after: bytes) -> None:
    stream, _ = decompress(io.BytesIO(zstd(b"One.\n" * 100_000) + after))
    found = b""
    with pytest.raises(OSError):
        while data := stream.read1(READ_BYTES):
            found += data
    assert len(found) > 500_000 - PIECE_BYTES
    assert found.startswith(b"One.\n" * 99_000)
