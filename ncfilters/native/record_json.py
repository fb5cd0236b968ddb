"""A line of JSON, of which one field is long: the HTML of a page.

    record_and_text(b'{"id": 1, "html": "<p>\\u00e9"}', "html")    # ({"id": 1, "html": ""}, b"<p>\\xc3\\xa9")

Compiled where it can be (`record_json.pyx`): the text goes from JSON to UTF-8 without a `str` between them. A line that
is unusual, such as one with a name twice, goes the way of this module there, too.
"""

from __future__ import annotations

from typing import Any


def record_and_text(line: bytes, name: str) -> tuple[Any, bytes | None]:
    """The value of a line of JSON. If it is an object with a text in the field *name*: the UTF-8 of that, which is
    empty in the object; else None. Raises orjson.JSONDecodeError."""
    import orjson  # start-up: --help reads no lines

    record = orjson.loads(line)
    text = record.get(name) if isinstance(record, dict) else None
    if not isinstance(text, str):
        return record, None
    record[name] = ""
    return record, text.encode()
