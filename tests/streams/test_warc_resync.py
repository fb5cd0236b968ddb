"""A WARC file as a stream that resumes behind a broken record."""

from __future__ import annotations

import gzip
import io

import pytest

from ncfilters.streams.compression import READ_BYTES
from ncfilters.streams.warc_resync import MARGIN_BYTES, ResyncStream

RECORD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n"


def test_reading_counts_and_keeps_the_bytes() -> None:
    stream = ResyncStream(io.BytesIO(b"0123456789"), 100)
    assert (stream.read(4), stream.tell()) == (b"0123", 4)
    stream.forget(3)
    assert (stream.read(), stream.tell()) == (b"456789", 10)
    with pytest.raises(OSError, match="seek"):
        stream.seek(0)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_next_record_is_found_behind_garbage(pack: type[bytes]) -> None:
    record = pack(RECORD)
    stream = ResyncStream(io.BytesIO(record[:20] + b"garbage" * 9 + record), 1 << 10)
    stream.read(30)
    assert stream.find_next(1)
    assert stream.tell() == 0
    assert stream.read(len(record)) == record


def test_without_another_record_nothing_is_found() -> None:
    stream = ResyncStream(io.BytesIO(RECORD + b"garbage"), 1 << 10)
    stream.read(4)
    assert not stream.find_next(1)


def test_a_record_without_an_end_is_an_error() -> None:
    stream = ResyncStream(io.BytesIO(b"x" * (MARGIN_BYTES + 100)), 10)
    with pytest.raises(OSError, match="without an end"):
        while stream.read(1 << 16):
            pass


@pytest.mark.parametrize("cut, is_damaged", [(None, False), (-9, True)])
def test_a_truncated_gzip_member_is_damaged(cut: int | None, is_damaged: bool) -> None:
    first, second = gzip.compress(RECORD), gzip.compress(RECORD * 2)[:cut]
    stream = ResyncStream(io.BytesIO(first + second), 1 << 10)
    stream.read()
    assert stream.rest(4) == ((len(first), True) if is_damaged else None)


def test_a_member_that_unpacks_to_much_ends_before_the_next() -> None:
    large, end = gzip.compress(RECORD + bytes(3 * READ_BYTES)), gzip.compress(b"")
    stream = ResyncStream(io.BytesIO(large + end), 1 << 20)
    stream.read(10)
    assert stream.joint(4) is None
    assert stream.rest(4) == (len(large + end), False)


@pytest.mark.parametrize("blank", [b"", b"\r\n\r\n"])
def test_reading_goes_on_after_a_gzip_member_without_text(blank: bytes) -> None:
    before, after = gzip.compress(RECORD) + gzip.compress(blank), gzip.compress(RECORD)
    stream = ResyncStream(io.BytesIO(before + after), 1 << 10)
    stream.read(10)
    assert stream.rest(4) == (len(before), False)
    assert stream.restart(len(before))
    assert (stream.tell(), stream.read()) == (0, after)


def test_a_blank_member_inside_a_block_belongs_to_it() -> None:
    head, block = RECORD.split(b"text")[0].replace(b"4", b"9000"), [b"a" * 3000, b"\n" * 3000, b"b" * 3000]
    stream = ResyncStream(io.BytesIO(b"".join(map(gzip.compress, [head, *block, b"\r\n\r\n"]))), 1 << 10)
    stream.read()
    rest = stream.rest(9000)
    assert rest is not None and not rest[1]
    assert not stream.restart(rest[0])


def test_the_end_of_a_stream_is_known_once_it_is_read() -> None:
    stream = ResyncStream(io.BytesIO(RECORD), 1 << 10)
    assert not stream.ends_before(1000)
    stream.read()
    stream.read()
    assert stream.ends_before(1000)
    assert not stream.ends_before(len(RECORD))
