"""Pages that are UTF-8 as they are archived: checked, and written as JSON, without becoming a string.

utf8_is_ascii(b"<p>caf\\xc3\\xa9")                      # False
line_with_string({"id": 1}, "html", b'<p class="a">')    # b'{"id":1,"html":"<p class=\\\\"a\\\\">"}\\n'
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..record import Record
from ..text import compiled_modules
from .writers import json_line


@cache
def streams_core() -> Any:
    """The compiled core, or None (see `compiled_modules.chosen`)."""
    return compiled_modules.chosen(lambda: compiled_modules.load("ncfilters.streams._core"))


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


def line_with_string(record: Record, name: str, utf8: bytes | memoryview, after: Record) -> bytes | None:
    """The line of JSON (see `writers.json_line`) of a record that has fields, the field *name* with the text that is
    *utf8*, and the fields *after* that. None without a compiled core, and for bytes that are not valid UTF-8."""
    core = streams_core()
    if core is None:
        return None
    before = json_line(record)[:-2] + b',"%b":' % name.encode()
    end = b"," + json_line(after)[1:] if after else b"}\n"
    line: bytes | None = core.string_line(before, utf8, end)
    return line
