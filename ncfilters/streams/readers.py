"""Bytes in, records out: JSON-lines or MessagePack, plain or compressed, told by what they are and not by their names.

    for item in RecordReader([sys.stdin.buffer], limit=1 << 28): ...

What cannot be read is a RecordError in the place where the record would have been; the stream goes on behind it as far
as the format allows.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from ..errors import RecordError
from ..record import NAMES, Record
from .compression import READ_BYTES, open_stream

# What people feed by mistake, by its first bytes.
KNOWN = {
    b"WARC/": "a WARC file: nc-warc makes records of it",
    b"<": "HTML or XML, not records: jq -Rsc '{html: .}' makes a record of a page",
}
# A MessagePack stream of records starts with a map: fixmap, map 16 or map 32.
_MSGPACK_MAPS = frozenset([*range(0x80, 0x90), 0xDE, 0xDF])


class RecordReader:
    """The records of several inputs, one after the other; RecordError items stand for what is broken.

    *limit* is the most bytes a record may have. With *plain*, what is no JSON object and no MessagePack is plain text,
    and each line of it a record with `text`. `format` is "jsonl" or "msgpack" once the first input has been looked
    at (None where there is none), `bytes` what has been read so far, decompressed.
    """

    def __init__(self, inputs: list[tuple[str, io.RawIOBase]], limit: int, plain: bool = False) -> None:
        self._inputs, self._limit, self._plain = inputs, limit, plain
        self.format: str | None = None
        self.bytes = 0

    def __iter__(self) -> Iterator[Record | RecordError]:
        for name, raw in self._inputs:
            try:
                stream, head = open_stream(raw)
                if not head:
                    continue
                if self._plain and self._is_plain(head):
                    yield from self._lines(stream, _plain)
                    continue
                if known := next((what for start, what in KNOWN.items() if head.lstrip().startswith(start)), None):
                    yield RecordError(f"{name}: {known}")
                    continue
                found = "msgpack" if head.lstrip()[:1] and head.lstrip()[0] in _MSGPACK_MAPS else "jsonl"
                self.format = self.format or found
                yield from (self._msgpack if found == "msgpack" else self._lines)(stream)
            except Exception as error:  # every decompressor raises its own
                yield RecordError(f"{name}: {error_message(error)}")

    @staticmethod
    def _is_plain(head: bytes) -> bool:
        head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return not head.startswith((b"{", b"WARC/")) and not (head and head[0] in _MSGPACK_MAPS)

    def _lines(
        self, stream: io.BufferedIOBase, parse: Callable[[bytes], Record | RecordError] | None = None
    ) -> Iterator[Record | RecordError]:
        limit = self._limit
        while line := stream.readline(limit + 1):
            self.bytes += len(line)
            if len(line) > limit:
                size = len(line)
                while line and not line.endswith(b"\n"):
                    line = stream.readline(READ_BYTES)
                    size += len(line)
                yield self._too_long(size)
                continue
            if line.isspace():
                continue
            yield parse(line) if parse else parse_line(line)

    def _msgpack(self, stream: io.BufferedIOBase) -> Iterator[Record | RecordError]:
        unpacker = _unpacker(self._limit)
        pending: list[bytes] = []  # what has come since the end of the last whole record
        start = size = 0  # where that was; the bytes of what is pending
        adrift = False  # text is read as MessagePack, a number a letter, until a record comes: that is one mistake
        chunk = stream.read1(READ_BYTES)
        while chunk:
            self.bytes += len(chunk)
            pending.append(chunk)
            size += len(chunk)
            unpacker.feed(chunk)
            end, broken = start, ""
            try:
                for record in unpacker:
                    before, end = end, unpacker.tell()
                    item = self._checked(record, end - before)
                    if not adrift or isinstance(item, dict):
                        yield item
                    adrift = not isinstance(item, dict) and (adrift or isinstance(record, int))
            except Exception as error:  # msgpack's own, and what making keys, strings and lists of it raises
                broken = f"not MessagePack: {error_message(error)}"
            if end > start:
                pending, start = [b"".join(pending)[end - start :]], end
                size = len(pending[0])
            chunk = b""
            if broken or size > self._limit:
                size, chunk = _skipped(b"".join(pending), stream)
                if not adrift:
                    yield RecordError(broken) if broken else self._too_long(size)
                unpacker, pending, start, size = _unpacker(self._limit), [], 0, 0
            chunk = chunk or stream.read1(READ_BYTES)
        if size:
            yield RecordError(f"MessagePack ends within a record, after {size:,} of its bytes")

    def _checked(self, record: object, size: int) -> Record | RecordError:
        if size > self._limit:
            return self._too_long(size)
        if not isinstance(record, dict):
            return RecordError(f"a MessagePack map is wanted, not {NAMES.get(type(record), 'something else')}")
        if not all(isinstance(name, str) for name in record):
            return RecordError("the fields' names must be strings", {k: v for k, v in record.items() if type(k) is str})
        return record

    def _too_long(self, size: int) -> RecordError:
        return RecordError(f"a record of {size:,} bytes; the limit is {self._limit:,} (--max-record)")


def _plain(line: bytes) -> Record:
    """A line of plain text as a record: UTF-8, with U+FFFD for what is none."""
    return {"text": line.rstrip(b"\r\n").decode("utf-8-sig", "replace")}


def parse_line(line: bytes) -> Record | RecordError:
    """The record on one line of JSON."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        record = _parsed_leniently(line)
        if record is None:
            return RecordError(f"not JSON: {error.msg} (character {error.pos + 1})")
    if not isinstance(record, dict):
        return RecordError(f"a JSON object is wanted, not {NAMES[type(record)]}")
    if b'"$base64"' in line:
        try:
            return {key: _from_base64(value) for key, value in record.items()}
        except RecursionError:
            return RecordError("nested too deeply", {key: record[key] for key in ("id", "url") if key in record})
    return record


def error_message(error: Exception) -> str:
    """What an exception says, or what its name means."""
    return str(error) or _SILENT.get(type(error).__name__) or type(error).__name__


_SILENT = {"StackError": "nested too deeply", "FormatError": "a byte that begins nothing"}


def _parsed_leniently(line: bytes) -> Any:
    """The JSON value of a line that is not UTF-8 or has lone surrogates: U+FFFD stands for what cannot be; None for
    no JSON."""
    if b"\\u" not in line and b"\\U" not in line:
        try:
            line.decode()
            return None
        except UnicodeDecodeError:
            pass
    import json

    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=_no_constant)
        # through UTF-16 pairs of surrogates become the character they stand for, and lone ones U+FFFD
        text = json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _from_base64(value: Any) -> Any:
    """Bytes, which JSON has not, are written as `{"$base64": "…"}`."""
    if isinstance(value, list):
        return [_from_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$base64"} and isinstance(value["$base64"], str):
        import base64

        try:
            return base64.b64decode(value["$base64"], validate=True)
        except ValueError:
            return value
    return {key: _from_base64(item) for key, item in value.items()}


def _unpacker(limit: int) -> Any:
    import msgpack

    # Lengths are believed before the items have come: a list of so many is what a lie may cost.
    most = min(limit, 1 << 22)
    return msgpack.Unpacker(
        raw=False,
        unicode_errors="replace",
        strict_map_key=False,
        max_buffer_size=0,
        max_array_len=most,
        max_map_len=most,
    )


# MessagePack's type byte → bytes of a number that follows, or of a length that follows and what it counts
_FIXED = {
    0xCA: 4,
    0xCB: 8,
    0xCC: 1,
    0xCD: 2,
    0xCE: 4,
    0xCF: 8,
    0xD0: 1,
    0xD1: 2,
    0xD2: 4,
    0xD3: 8,
    0xD4: 2,
    0xD5: 3,
    0xD6: 5,
    0xD7: 9,
    0xD8: 17,
}
_LENGTH = {
    0xC4: (1, 0),
    0xC5: (2, 0),
    0xC6: (4, 0),
    0xD9: (1, 0),
    0xDA: (2, 0),
    0xDB: (4, 0),
    0xC7: (1, 1),
    0xC8: (2, 1),
    0xC9: (4, 1),
}  # an extension has one byte more, its type
_ITEMS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}


def _skipped(data: bytes, stream: io.BufferedIOBase) -> tuple[int, bytes]:
    """Passes over one MessagePack object that starts in *data* and goes on in *stream*: its size, and what was read
    behind it.

    Nothing of it is kept, so that a record of any size costs no memory.
    """
    at = size = 0  # in data; of what was thrown away before it

    def pass_over(count: int) -> None:
        nonlocal data, at, size
        while count > len(data) - at:
            count -= len(data) - at
            size += len(data)
            data, at = stream.read1(READ_BYTES), 0
            if not data:
                raise EOFError
        at += count

    def take(count: int) -> bytes:
        nonlocal data, at, size
        if count > len(data) - at:
            size += at
            data, at = data[at:] + stream.read(count - (len(data) - at)), 0
        pass_over(count)
        return data[at - count : at]

    objects = 1
    try:
        while objects:
            objects -= 1
            kind = take(1)[0]
            if kind in _FIXED:
                pass_over(_FIXED[kind])
            elif kind in _LENGTH:
                width, more = _LENGTH[kind]
                pass_over(int.from_bytes(take(width), "big") + more)
            elif kind in _ITEMS:
                width, each = _ITEMS[kind]
                objects += int.from_bytes(take(width), "big") * each
            elif 0x80 <= kind < 0xA0:
                objects += (kind & 15) * (2 if kind < 0x90 else 1)
            elif 0xA0 <= kind < 0xC0:
                pass_over(kind & 31)
    except EOFError:
        return size + len(data), b""
    return size + at, data[at:]
