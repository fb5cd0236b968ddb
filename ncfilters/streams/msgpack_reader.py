"""Records of a MessagePack stream.

    for item in msgpack_records(stream, limit=1 << 28): ...

A RecordError replaces a record that cannot be read. Reading resumes after it as far as the format allows.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import RecordError, error_message
from ..record import NAMES, Record
from .compression import READ_BYTES
from .json_lines import lost_names, two_names

# A stream of records starts with a map: fixmap, map 16 or map 32.
_MAPS = frozenset([*range(0x80, 0x90), 0xDE, 0xDF])
_EMPTY_MAP = 0x80
_MAP_HEADER_BYTES = {0xDE: 3, 0xDF: 5}  # one byte for a fixmap
# The name of the first field follows, which is a string. In a PNG image, the letter P follows.
_STRINGS = frozenset([*range(0xA0, 0xC0), 0xC4, 0xC5, 0xC6, 0xD9, 0xDA, 0xDB])
# The library allocates a list by its declared length. This bounds the cost of a wrong length.
MAX_ITEMS = 1 << 22
_NESTED = (dict, list)


def is_msgpack(head: bytes) -> bool:
    """Whether a stream that begins with *head*, after white space, is MessagePack."""
    head = head.lstrip()
    if not head or head[0] not in _MAPS:
        return False
    name = head[_MAP_HEADER_BYTES.get(head[0], 1) :]
    return head[0] == _EMPTY_MAP or not name or name[0] in _STRINGS


def too_long(size: int, limit: int) -> RecordError:
    return RecordError(f"a record of {size:,} bytes; the limit is {limit:,} (NC_MAX_RECORD)")


def msgpack_records(
    stream: io.BufferedIOBase, limit: int, count_bytes: Callable[[int], None]
) -> Iterator[Record | RecordError]:
    """The records of a stream. *count_bytes* is called with the number of bytes of each read.

    A record of more than *limit* bytes is an error, and not kept in memory.
    """
    unpacker = _unpacker(limit)
    pending: list[bytes] = []  # bytes since the end of the last complete record
    start = size = 0  # the position of that end; the number of pending bytes
    adrift = False  # in text that is read as MessagePack, one number for each letter, up to the next record: one error
    chunk = stream.read1(READ_BYTES)
    while chunk:
        count_bytes(len(chunk))
        pending.append(chunk)
        size += len(chunk)
        unpacker.feed(chunk)
        end, broken = start, ""
        try:
            for record in unpacker:
                before, end = end, unpacker.tell()
                item = _checked(record, pending, before - start, end - start, limit)
                if not adrift or isinstance(item, dict):
                    yield item
                adrift = not isinstance(item, dict) and (adrift or isinstance(record, int))
        except Exception as error:  # those of msgpack, and those of creating keys, strings and lists
            broken = f"not MessagePack: {error_message(error)}"
        if end > start:
            pending, start = [b"".join(pending)[end - start :]], end
            size = len(pending[0])
        chunk = b""
        if broken or size > limit:
            size, chunk = _skip_object(b"".join(pending), stream)
            if not adrift:
                yield RecordError(broken) if broken else too_long(size, limit)
            unpacker, pending, start, size = _unpacker(limit), [], 0, 0
        chunk = chunk or stream.read1(READ_BYTES)
    if size:
        yield RecordError(f"truncated: MessagePack ends {size:,} bytes into a record")


def _checked(record: object, pending: list[bytes], start: int, end: int, limit: int) -> Record | RecordError:
    """The record, which is at that place in the *pending* bytes, or what is wrong with it."""
    if end - start > limit:
        return too_long(end - start, limit)
    if not isinstance(record, dict):
        return RecordError(f"expected a MessagePack map, got {NAMES.get(type(record), 'something else')}")
    if _all_are_text(record):
        return record
    pending[:] = [b"".join(pending)]  # once, however many records there are
    wrong = _wrong_names(pending[0][start:end])
    return RecordError(wrong, {key: record[key] for key in ("id", "url") if key in record}) if wrong else record


def _all_are_text(value: Any) -> bool:
    """Whether all names of all maps in a value are strings without U+FFFD, which may stand for anything."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if type(value) is dict:
            if any(type(name) is not str or "\ufffd" in name for name in value):
                return False
            value = value.values()
        elif type(value) is not list:
            continue
        waiting += [item for item in value if type(item) in _NESTED]
    return True


def _wrong_names(data: bytes) -> str:
    """What is wrong with the names in the maps of a record: one is no string, which JSON does not have; or two become
    the same, with U+FFFD for invalid UTF-8. Empty if nothing is."""
    import msgpack  # start-up: most input is JSON lines

    wrong: list[str] = []

    def named(fields: list[tuple[Any, Any]]) -> None:
        names = [name.encode("utf-8", "surrogateescape") for name, _ in fields if type(name) is str]
        wrong.extend(map(two_names, lost_names([name.decode("utf-8", "replace") for name in names])))
        if len(names) < len(fields):
            wrong.append("names of fields must be strings")

    limits = {f"max_{kind}_len": len(data) for kind in ("str", "bin", "array", "map", "ext")}
    msgpack.unpackb(
        data, raw=False, strict_map_key=False, unicode_errors="surrogateescape", object_pairs_hook=named, **limits
    )
    return wrong[0] if wrong else ""


def _unpacker(limit: int) -> Any:
    import msgpack  # start-up: most input is JSON lines

    max_items = min(limit, MAX_ITEMS)
    return msgpack.Unpacker(
        raw=False,
        unicode_errors="replace",
        strict_map_key=False,
        max_buffer_size=0,
        max_array_len=max_items,
        max_map_len=max_items,
    )


# MessagePack's type byte → the size of the number after it; or the size of the length after it, and the unit of the
# length
_FIXED = dict(zip(range(0xCA, 0xD9), (4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17)))
_LENGTH = {0xD9 + n: (1 << n, 0) for n in range(3)} | {0xC4 + n: (1 << n, 0) for n in range(3)}
_LENGTH |= {0xC7 + n: (1 << n, 1) for n in range(3)}  # an extension has one more byte, its type
_ITEMS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}


def _skip_object(data: bytes, stream: io.BufferedIOBase) -> tuple[int, bytes]:
    """Skips one MessagePack object that starts in *data* and continues in *stream*.

    Returns its size, and the bytes that were read after it. The object is not stored: a record of any size costs no
    memory.
    """
    at = size = 0  # the position in data; the bytes dropped before data

    def skip(count: int) -> None:
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
        skip(count)
        return data[at - count : at]

    objects = 1
    try:
        while objects:
            objects -= 1
            kind = take(1)[0]
            if kind in _FIXED:
                skip(_FIXED[kind])
            elif kind in _LENGTH:
                width, more = _LENGTH[kind]
                skip(int.from_bytes(take(width), "big") + more)
            elif kind in _ITEMS:
                width, each = _ITEMS[kind]
                objects += int.from_bytes(take(width), "big") * each
            elif 0x80 <= kind < 0xA0:
                objects += (kind & 15) * (2 if kind < 0x90 else 1)
            elif 0xA0 <= kind < 0xC0:
                skip(kind & 31)
    except EOFError:
        return size + len(data), b""
    return size + at, data[at:]
