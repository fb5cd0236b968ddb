"""Records of a MessagePack stream."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from ncfilters.errors import RecordError
from ncfilters.streams.msgpack_reader import is_msgpack, msgpack_records

RECORDS = [{"id": "a", "html": b"<p>\xe9", "n": 1.5}, {"id": "b", "list": [None, True, {"x": "y" * 300}]}]


class SlowStream(io.BytesIO):
    """A stream that gives one byte at a time."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(1)


def read(data: bytes, limit: int = 1 << 20, stream: type[io.BytesIO] = io.BytesIO) -> tuple[list[Any], int]:
    sizes: list[int] = []
    return list(msgpack_records(stream(data), limit, sizes.append)), sum(sizes)


@pytest.mark.parametrize("stream", [io.BytesIO, SlowStream])
def test_records_are_read_as_they_were_written(stream: type[io.BytesIO]) -> None:
    data = b"".join(map(msgpack.packb, RECORDS))
    assert read(data, stream=stream) == (RECORDS, len(data))


@pytest.mark.parametrize(
    "head, is_one", [(b"\x81", True), (b" \xde\x00", True), (b"{", False), (b"\xc1", False), (b"", False)]
)
def test_a_stream_of_maps_is_recognised(head: bytes, is_one: bool) -> None:
    assert is_msgpack(head) is is_one


def test_a_record_over_the_limit_is_an_error_the_rest_is_read() -> None:
    records = [RECORDS[0], {"id": "long", "text": "x" * 10_000}, RECORDS[1]]
    first, error, last = read(b"".join(map(msgpack.packb, records)), limit=1000)[0]
    assert (first, last) == (RECORDS[0], RECORDS[1])
    assert isinstance(error, RecordError)
    assert "--max-record" in str(error)


@pytest.mark.parametrize("value", [[1, 2], "text", {1: 2}])
def test_what_is_no_record_is_an_error_in_its_place(value: Any) -> None:
    first, error, last = read(b"".join(map(msgpack.packb, [RECORDS[0], value, RECORDS[1]])))[0]
    assert (first, last) == (RECORDS[0], RECORDS[1])
    assert isinstance(error, RecordError)


def test_a_stream_that_ends_within_a_record_is_an_error() -> None:
    first, error = read(b"".join(map(msgpack.packb, RECORDS))[:-5])[0]
    assert first == RECORDS[0]
    assert isinstance(error, RecordError)


@pytest.mark.parametrize("wrap", [lambda fields: fields, lambda fields: b"\x82\xa2id\x01\xa1x\x91" + fields])
def test_two_names_that_become_one_are_an_error(wrap: Callable[[bytes], bytes]) -> None:
    two = b"\x83\xa2id\x01\xa1\xff\x02\xa1\xfe\x03"
    one = b"\x83\xa2id\x02\xa1\xff\x02\xa3ab\xff\x03"
    (first, second, third), _ = read(wrap(two) + wrap(one) + msgpack.packb({"id": 3}))
    assert isinstance(first, RecordError) and "two field names become" in str(first)
    assert first.record == {"id": 1}
    assert isinstance(second, dict) and third == {"id": 3}
