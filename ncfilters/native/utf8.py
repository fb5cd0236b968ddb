"""The UTF-8 of a string of JSON, without a `str` between them.

unescaped(b'{"html": "<p>\\u00e9"}', 10)    # (b"<p>\\xc3\\xa9", 20)
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
