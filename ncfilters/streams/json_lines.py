"""A line of JSON as a record.

parse_line(b'{"id": "a"}')    # {"id": "a"}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from ..errors import RecordError
from ..native.utf8 import unescaped
from ..record import NAMES, PageText, Record
from ..text.lazy_pattern import lazy_pattern
from .compression import TAR, format_name

# What a page's line has before its HTML. Within a string, the first quotation mark has a backslash before it.
_HTML = lazy_pattern(rb'(?<!\\)"html"[ \t\n\r]*:[ \t\n\r]*"')
# What stands for the HTML while the rest of the line is read.
_NO_PAGE = "\0html"
_NO_PAGE_JSON = b'\\u0000html"'

# How a line with a record begins. An object over several lines begins with a brace alone.
_RECORD_START = lazy_pattern(rb"\s*\{\s*[\"}]")


class WrittenLine(Record):
    """A record of which only *line*, its bytes, is written: it has only the fields that the program reads."""

    line: bytes


def parse_page(line: bytes) -> Record | RecordError:
    """The record on one line of JSON, with its `html` as a PageText, which takes half the time of a `str`."""
    return parse_line(line, _page)


def parse_line(line: bytes, loads: Callable[[bytes], Any] | None = None) -> Record | RecordError:
    """The record on one line of JSON, as *loads* reads it: by default orjson."""
    import orjson  # start-up: nc-warc reads no lines

    try:
        record = (loads or orjson.loads)(line)
    except orjson.JSONDecodeError as error:
        record = _parse_leniently(line)
        if record is None:
            if line.startswith(b"{") and not line.endswith((b"\n", b"}")):  # the last line, of a program that died
                return RecordError(f"truncated: JSON ends {len(line):,} bytes into a record")
            return RecordError(f"not JSON: {error.msg} (character {error.pos + 1})")
    if isinstance(record, RecordError):
        return record
    if not isinstance(record, dict):
        return RecordError(f"expected a JSON object, got {NAMES[type(record)]}")
    if _may_have_bytes(record, line):
        try:
            return {key: _from_base64(value) for key, value in record.items()}
        except RecursionError:
            return RecordError("nested too deeply", {key: record[key] for key in ("id", "url") if key in record})
    return record


def _page(line: bytes) -> Any:
    """The value of a line, with its `html` as a PageText unless the line is unusual. Raises JSONDecodeError."""
    import orjson  # start-up: nc-warc reads no lines

    begins = _HTML.search(line)
    text = unescaped(line, begins.end()) if begins else None
    if begins and text:
        utf8, end = text
        try:
            record = orjson.loads(line[: begins.end()] + _NO_PAGE_JSON + line[end:])
        except orjson.JSONDecodeError:  # the error of the whole line is raised
            return orjson.loads(line)
        if isinstance(record, dict) and record.get("html") == _NO_PAGE:  # else it is the field of another object
            record["html"] = PageText(utf8)
            return record
    return orjson.loads(line)


def _may_have_bytes(record: Record, line: bytes) -> bool:
    """Whether a value of a record may be bytes in the notation of JSON. A line with segments is searched for that; of a
    page, whose line is long, the few values that are no strings."""
    values: list[Any] = [value for value in record.values() if isinstance(value, dict | list)]
    if not values or "segments" in record or "blocks" in record:
        return bool(values) and b"$" in line and b'"$base64"' in line
    while values:
        value = values.pop()
        if isinstance(value, dict):
            if "$base64" in value:
                return True
            value = value.values()
        values += [item for item in value if isinstance(item, dict | list)]
    return False


def _parse_leniently(line: bytes) -> Any:
    """The JSON value of a line that is not UTF-8 or has lone surrogates, with U+FFFD for these; None if it is not
    JSON; an error if it has two names that become the same."""
    if b"\\u" not in line and b"\\U" not in line:
        try:
            line.decode()
            return None
        except UnicodeDecodeError:
            pass
    import json  # start-up: only for lines that orjson rejects

    import orjson  # start-up, as above

    lost: list[str] = []

    def named(fields: list[tuple[str, Any]]) -> dict[str, Any]:
        lost.extend(lost_names([without_surrogates(name) for name, _ in fields]))
        return dict(fields)

    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=_no_constant, object_pairs_hook=named)
        text = without_surrogates(json.dumps(value, ensure_ascii=False))
        value = orjson.loads(text)  # integers beyond 64 bits and deep nesting as on other lines
    except (ValueError, RecursionError):
        return None
    if not lost:
        return value
    fields = value if isinstance(value, dict) else {}
    return RecordError(two_names(lost[0]), {key: fields[key] for key in ("id", "url") if key in fields})


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for lone surrogates; pairs become their character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def lost_names(names: Sequence[str]) -> list[str]:
    """The names of an object that others have become, with U+FFFD for what is no character."""
    return [name for name, count in Counter(names).items() if count > 1 and "\ufffd" in name]


def two_names(name: str) -> str:
    """The message about two fields of an object whose names become *name*."""
    return f"two field names become {name!r}, with U+FFFD for what is no character"


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _from_base64(value: Any) -> Any:
    """The value with bytes for `{"$base64": "…"}`, the notation of bytes in JSON."""
    if isinstance(value, list):
        return [_from_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$base64"} and isinstance(value["$base64"], str):
        import base64  # start-up: only for bytes in JSON

        try:
            return base64.b64decode(value["$base64"], validate=True)
        except ValueError:
            return value
    return {key: _from_base64(item) for key, item in value.items()}


# ---- where records begin --------------------------------------------------------------------------------------------


def from_first_record(
    lines: Iterator[bytes | RecordError], describe: Callable[[str], str]
) -> Iterator[bytes | RecordError]:
    """The lines from the first that may be a record. All lines before it are one error, which *describe* makes of what
    they are."""
    first, more = None, 0
    for line in lines:
        if not isinstance(line, RecordError) and _may_be_record(line, first):
            lines = chain([line], lines)
            break
        first, more = first or line, more + (first is not None)
    if first is not None:
        yield RecordError(describe(_kind(first, more)))
    yield from lines


def _may_be_record(line: bytes, first: bytes | RecordError | None) -> bool:
    """Whether a line is to be read as a record. After a *first* line that opens an array or object, it may be a part of
    that: of an array always, of an object if it is indented."""
    if not _RECORD_START.match(line) or _opens_array(first):
        return False
    is_part = isinstance(first, bytes) and first.startswith(b"{") and not line.startswith(b"{")
    return not is_part


def _opens_array(first: bytes | RecordError | None) -> bool:
    return isinstance(first, bytes) and first.startswith(b"[") and not first.rstrip().endswith(b"]")


def _kind(line: bytes | RecordError, more: int) -> str:
    """What an input with this first line is, or why this line and *more* after it are no records."""
    if isinstance(line, bytes):
        if format_name(line) == TAR:
            return TAR
        if b"\0" in line or "\ufffd" in line.decode(errors="replace"):
            return "binary data"
        if line.strip() == b"{":
            return "JSON with records over several lines (jq -c . makes a line of each)"
        if line.startswith(b"[") and (b"{" in line or _opens_array(line)):
            return "a JSON array (jq -c '.[]' makes a line of each record)"
        parsed = parse_line(line)
        line = parsed if isinstance(parsed, RecordError) else RecordError("not a record")
    return f"{line}; {more:,} more line{'s' if more > 1 else ''} without a record" if more else str(line)
