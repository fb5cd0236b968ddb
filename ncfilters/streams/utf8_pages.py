"""Pages that are UTF-8 as they are archived: checked, and written as JSON, without becoming a string.

utf8_is_ascii(b"<p>caf\\xc3\\xa9")                      # False
line_with_string({"id": 1}, "html", b'<p class="a">')    # b'{"id":1,"html":"<p class=\\\\"a\\\\">"}\\n'
"""

from __future__ import annotations

from collections.abc import Iterator

from ..record import Record
from .compiled_core import streams_core
from .writers import json_line

# Bytes of text that become JSON at once: what they become is written before it leaves the caches of the processor.
PIECE_BYTES = 1 << 17


def utf8_is_ascii(data: bytes | memoryview) -> bool | None:
    """Whether UTF-8 has characters of ASCII alone; None for other bytes, for those with NUL, and for ASCII with the
    escapes that switch between encodings (ISO 2022)."""
    if core := streams_core():
        known: bool | None = core.utf8_is_ascii(data)
        return known
    data = bytes(data)
    if b"\0" in data:
        return None
    if data.isascii():
        return None if b"\x1b" in data else True
    try:
        data.decode()
        return False
    except UnicodeDecodeError:
        return None


def encoded(text: str) -> bytes:
    """The text in UTF-8. Raises UnicodeEncodeError for lone surrogates."""
    core = None if text.isascii() else streams_core()
    utf8: bytes | None = core.encode(text) if core else None
    return text.encode() if utf8 is None else utf8


def line_with_string(record: Record, name: str, utf8: bytes | memoryview, after: Record) -> bytes:
    """The line of JSON (see `writers.json_line`) of a record that has fields, the field *name* with the text that is
    *utf8*, and the fields *after* that. There is a core, and the bytes are valid UTF-8."""
    start, end = _around(record, name, after)
    line: bytes = streams_core().string_part(start, utf8, end)
    return line


def pieces_of_line(record: Record, name: str, utf8: bytes | memoryview, after: Record) -> Iterator[bytes]:
    """The same line in pieces, which are made when they are taken."""
    start, end = _around(record, name, after)
    text = memoryview(utf8)
    at, size = 0, len(text)
    while True:
        to = min(at + PIECE_BYTES, size)
        while to < size and text[to] & 0xC0 == 0x80:  # inside a character
            to -= 1
        yield streams_core().string_part(b"" if at else start, text[at:to], end if to == size else b"")
        if to == size:
            return
        at = to


def _around(record: Record, name: str, after: Record) -> tuple[bytes, bytes]:
    """What is before the text in the line, and after it."""
    return json_line(record)[:-2] + b',"%b":"' % name.encode(), b'",' + json_line(after)[1:] if after else b'"}\n'
