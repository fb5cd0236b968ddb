"""UTF-8: of a string of JSON, without a `str` between them; and the places of its characters.

unescaped(b'{"html": "<p>\\u00e9"}', 10)       # (b"<p>\\xc3\\xa9", 20)
char_places(b"\\xc3\\xa9\\xc3\\xa9x", 2)    # (3, [0, 4])
"""

from __future__ import annotations

import re

_STRING = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def unescaped(line: bytes, start: int) -> tuple[bytes, int] | None:
    """The UTF-8 of the string whose first `"` is before *start*, and the place behind it; None for what is none."""
    import orjson  # start-up: --help reads no lines

    found = _STRING.match(line, start)
    if found is None:
        return None
    try:
        return orjson.loads(b'"' + found[0]).encode(), found.end()
    except ValueError:
        return None


def char_places(utf8: bytes, step: int) -> tuple[int, list[int]]:
    """The number of characters of valid UTF-8; and the places of the first one, and of each that is *step* behind."""
    text = utf8.decode()
    places, at = [], 0
    for start in range(0, len(text), step):
        places.append(at)
        at += len(text[start : start + step].encode())
    return len(text), places
