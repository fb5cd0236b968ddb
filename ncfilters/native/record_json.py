"""A line of JSON, of which one field is long: the HTML of a page, or its segments.

    record_and_text(b'{"id": 1, "html": "<p>\\u00e9"}', "html")    # ({"id": 1, "html": ""}, b"<p>\\xc3\\xa9")
    record_and_rows(b'{"segments": [{"text": "a"}]}', "segments")
    # ({"segments": []}, ({"text": ["a"]}, {"text": {str}}, [("text",)]))

Compiled where it can be (`record_json.pyx`): the text goes from JSON to UTF-8 without a `str` between them, segments to
columns without dictionaries. A line that is unusual, such as one with a name twice, is left to orjson there, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rows = tuple[dict[str, list[Any]], dict[str, frozenset[type]], list[tuple[str, ...]]]


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


def record_and_rows(line: bytes, name: str) -> tuple[Any, Rows | None]:
    """The value of a line of JSON. If it is an object with an array of objects in the field *name*: the columns of
    that, by the names of the fields, with None where an object lacks one; the types in each column; and the names of
    each object, in order. The array is empty in the value then. Else None, also where an object has null, and where it
    is compiled, for other unusual lines. Raises orjson.JSONDecodeError."""
    import orjson  # start-up, as above

    record = orjson.loads(line)
    items = record.get(name) if isinstance(record, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return record, None
    columns: dict[str, list[Any]] = {}
    for row, item in enumerate(items):
        for field, value in item.items():
            if value is None:
                return record, None
            column = columns.setdefault(field, [])
            column += [None] * (row - len(column))
            column.append(value)
    for column in columns.values():
        column += [None] * (len(items) - len(column))
    record[name] = []
    types = {field: frozenset(map(type, column)) for field, column in columns.items()}
    return record, (columns, types, [tuple(item) for item in items])


def rows_json(columns: dict[str, list[Any]], fields: list[tuple[str, ...]], dumps: Callable[[Any], bytes]) -> bytes:
    """The JSON of rows, as `record_and_rows` gives them. *dumps* writes a value. Raises UnicodeEncodeError, or an error
    of *dumps*, for text that has no UTF-8."""
    return dumps([{name: columns[name][row] for name in names} for row, names in enumerate(fields)])
