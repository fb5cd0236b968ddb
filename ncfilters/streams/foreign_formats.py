"""Inputs that are no records, pages or archives: what they are, where records begin in them, and whether a tag does.

format_name(b"%PDF-1.7\\n")    # "a PDF document"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from ..errors import RecordError
from ..text.lazy_pattern import lazy_pattern
from .json_lines import parse_line

# First bytes → what the file is, and what makes it readable, if something simple does.
FORMATS: dict[bytes, str] = {
    b"%PDF-": "a PDF document",
    b"\x89PNG\r\n": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"PK\x03\x04": "a ZIP archive or an office document (unzip it: folders of pages are read)",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive (unpack it: folders of pages are read)",
    b"Rar!\x1a\x07": "a RAR archive (unpack it: folders of pages are read)",
    b"\x04\x22\x4d\x18": "compressed with LZ4 (decompress it with lz4 -dc)",
    b"\x1f\x9d": "compressed with compress (decompress it with zcat)",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"{\\rtf": "an RTF document",
    b"SQLite format 3\0": "an SQLite database",
    b"ARROW1": "an Arrow file",
    b"Obj\x01": "an Avro file",
    b"\x7fELF": "a program",
    b"ncfilters model ": "a model (give it with -m)",
    b"filedesc://": "a file in the ARC format, older than WARC (convert it with warcio recompress)",
}
TAR = "a tar archive (unpack it: folders of pages are read)"
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
# The first bytes that say what any of these files is.
START_BYTES = _TAR_MAGIC_AT + len(_TAR_MAGIC)

# How a line with a record begins. An object over several lines begins with a brace alone.
_RECORD_START = lazy_pattern(rb"\s*\{\s*[\"}]")
SPACE = b" \t\n\r\f"
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def format_name(start: bytes) -> str | None:
    """What a file is, by its first bytes (START_BYTES tell all); None where they do not say."""
    if start[_TAR_MAGIC_AT:START_BYTES] == _TAR_MAGIC:
        return TAR
    return next((name for magic, name in FORMATS.items() if start.startswith(magic)), None)


def check_is_page(data: bytes) -> None:
    """Raises RecordError for documents and images, which some servers declare as HTML."""
    if foreign := format_name(data):
        raise RecordError(f"{foreign}, not an HTML page")


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


def begins_with_tag(head: bytes) -> bool:
    """Whether text begins with `<`, in UTF-8 or UTF-16, after white space and a byte-order mark."""
    return plain_ascii(head)[:1] == b"<"


def plain_ascii(data: bytes) -> bytes:
    """The bytes without a byte-order mark, the NULs of UTF-16 and white space at the start."""
    for mark in _BYTE_ORDER_MARKS:
        data = data.removeprefix(mark)
    return (data.replace(b"\0", b"") if b"\0" in data else data).lstrip(SPACE)
