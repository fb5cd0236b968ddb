"""Pages of archives, not yet decoded, so that another process can do that; HTTP messages, and heads that are damaged.

page = ArchivedPage({"id": "urn:1"}, b"<p>caf\\xe9", {"content-type": "text/html; charset=iso-8859-1"})
page.decoded(limit=1 << 28)    # {"id": "urn:1", "content_type": …, "encoding": {…}, "html": "<p>café"}
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings, which takes 2 ms.
import io
import re
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..errors import RecordError, error_message
from ..record import PageText, Record
from ..text.lazy_pattern import lazy_pattern
from . import charset as charsets
from .compression import GZIP, ZSTD, check_is_page
from .html_pages import HTML_TYPES, PageSelection

_CHARSET = lazy_pattern(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.I)
_TEXT = "text/plain"
# What headers say that is needed to decode a page.
_USED = frozenset(("content-type", "content-encoding", "transfer-encoding"))
_STATUS = lazy_pattern(r"HTTP/\S+\s+(\d{3})")
# The kinds of records (WARC 1.1, section 6), and those that have pages.
KINDS = ("warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation")
PAGE_KINDS = ("response", "resource", "conversion")
_WORD = lazy_pattern("[!-~]+")
# The id of a record is an address in angle brackets. Some programs leave these out, or write something else.
_ID = lazy_pattern(r"<[!-;=?-~]+>|[!-;=?-~]+")
_UUID = lazy_pattern(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}", re.I)
_UUID_CHARS = 36
# The start of a page without a Content-Type, after white space and comments (MIME Sniffing standard, section 7.1)
_SNIFF = lazy_pattern(
    rb"\s*(?:<!--(?:(?!-->).)*-->\s*)*"
    rb"<(?:!doctype html|html|head|body|script|title|table|div|h1|p|br|a|b)[\s>]",
    re.I | re.S,
)
SNIFF_BYTES = 1024  # bytes of a payload that decide whether it is HTML
_HEAD_END = lazy_pattern(rb"\r?\n\r?\n")
_CHUNK = lazy_pattern(rb"\s*([0-9a-fA-F]{1,8})[ \t]*(?:;[^\n]*)?\r?\n")
MAX_CODINGS = 4  # content encodings that are decoded, the last first


class ArchivedPage(NamedTuple):
    """A selected page as it is archived: the fields of its record so far, its payload, and what is needed to decode
    that."""

    record: Record
    payload: bytes
    headers: dict[str, str]  # the _USED ones of HTTP, in lower case
    is_conversion: bool = False  # the payload is UTF-8 and may be plain text, as in WET files
    place: str = ""  # what messages begin with: archive and offset

    def decoded(self, limit: int, keeps_utf8: bool = False) -> Record | RecordError:
        """The record with `html` or `text`; a RecordError for a payload that is damaged, or longer than *limit*. With
        *keeps_utf8*, HTML in UTF-8 is a PageText."""
        try:
            return _decoded(self, decode_payload(self.payload, self.headers, limit), keeps_utf8)
        except (OSError, ValueError) as error:
            return RecordError(self.place + error_message(error), self.record)


def select_response(record: Record, message: bytes | memoryview, selection: PageSelection) -> ArchivedPage | None:
    """The page of an HTTP response; None if its content type is not selected. Raises ValueError and OSError."""
    end = _HEAD_END.search(message)
    head = bytes(message[: end.start()] if end else message)
    lines = head.decode("latin-1").split("\n")
    status = _STATUS.match(lines[0])
    if not status:
        raise ValueError("not an HTTP response")
    record["status"] = int(status[1])
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        if (name := name.strip().lower()) in _USED:
            headers.setdefault(name, value.strip())
    return select_page(ArchivedPage(record, bytes(message[end.end() :]) if end else b"", headers), selection)


def select_page(page: ArchivedPage, selection: PageSelection) -> ArchivedPage | None:
    """The page, if its content type is selected, or if it has none and looks like HTML, or is a conversion in UTF-8.
    Raises OSError for a payload of no content type that is damaged, and ValueError for a content type that is, and for
    a conversion without one."""
    default = (_TEXT,) if page.is_conversion else HTML_TYPES
    if mime := _mime(page):
        if selection.accepts_type(mime, default):
            return page
        content_type = page.headers["content-type"]  # types with wild cards have no bits to be flipped
        if known := but_for_a_bit(content_type.lower(), selection.content_types or default, ";"):
            raise ValueError(f"Content-Type: {content_type[:80]!a} is {known} with a bit flipped")
        return None
    payload = decode_payload(page.payload, page.headers, selection.max_record)
    if looks_like_html(payload):
        return page
    if page.is_conversion and not _is_text(payload):
        raise ValueError("Content-Type: missing")
    is_text = page.is_conversion and selection.accepts_type(_TEXT, default)
    return page._replace(headers={"content-type": _TEXT}) if is_text else None


def _mime(page: ArchivedPage) -> str:
    return page.headers.get("content-type", "").partition(";")[0].strip().lower()


def _decoded(page: ArchivedPage, payload: bytes, keeps_utf8: bool) -> Record:
    record, content_type = page.record, page.headers.get("content-type", "")
    mime = _mime(page) or "text/html"
    record["content_type"] = content_type or mime
    if mime in HTML_TYPES:
        check_is_page(payload)
    charset = _CHARSET.search(content_type)
    text, encoding = charsets.decode_bytes(payload, charset[1] if charset else "utf-8" if page.is_conversion else None)
    if page.is_conversion and not charset:  # UTF-8 is assumed, not declared
        encoding.pop("declared", None)
        encoding["evidence"] = "content" if encoding["evidence"] == "http" else encoding["evidence"]
    record["encoding"] = encoding
    is_utf8 = encoding["name"] == "utf-8" and encoding["evidence"] != "bom" and "replaced" not in encoding
    if mime in HTML_TYPES:
        record["html"] = PageText(payload) if keeps_utf8 and is_utf8 else text
    else:
        record["text"] = text
    return record


# ---- damaged heads of records ----------------------------------------------------------------------------------------


def record_kind(value: str | None) -> str:
    """The kind of a record, of the value of its head. Raises ValueError if it has none, or one with a bit flipped."""
    kind = (value or "").strip().lower()
    if not kind:
        raise ValueError("WARC-Type: missing")
    if kind not in KINDS:
        if not _WORD.fullmatch(kind):
            raise ValueError(f"WARC-Type: {kind[:80]!a} is damaged")
        if known := but_for_a_bit(kind, KINDS, "\r"):
            raise ValueError(f"WARC-Type: {kind} is {known} with a bit flipped")
    return kind


def damaged_id(value: str | None) -> str:
    """What is wrong with the id of a record; empty if nothing is."""
    text = (value or "").strip()
    if not text:
        return "WARC-Record-ID: missing"
    uuid = text.strip("<>").rpartition(":")[2]
    has_uuid = "uuid:" in text.lower() and len(uuid) == _UUID_CHARS
    is_whole = _ID.fullmatch(text) and not (has_uuid and not _UUID.fullmatch(uuid))
    return "" if is_whole else f"WARC-Record-ID: {text!a} is damaged"


def but_for_a_bit(text: str, words: Iterable[str], end: str) -> str:
    """The word that a text is but for one bit, which may be that of a space before or of the *end* after it; empty
    for any other text. Whatever is not ASCII may have been."""
    for word in words:
        for wanted in (word, f" {word}", word + end, f" {word}{end}"):
            found = text[: len(wanted)] if wanted.endswith(";") else text  # parameters follow
            differing = [(ord(a), ord(b)) for a, b in zip(found, wanted) if a != b]
            if len(found) == len(wanted) and len(differing) == 1:
                is_flipped, expected = differing[0]
                if is_flipped > 127 or (is_flipped ^ expected).bit_count() == 1:
                    return word
    return ""


# ---- HTTP messages ---------------------------------------------------------------------------------------------------


def decode_payload(payload: bytes, headers: dict[str, str], limit: int) -> bytes:
    """The payload without its transfer and content encodings. Raises OSError if it is truncated or longer than *limit*.

    Many archives keep the headers of encodings that they have decoded. A payload that does not look encoded is returned
    unchanged.
    """
    from fastwarc import stream_io  # start-up: only for encoded payloads

    if "chunked" in headers.get("transfer-encoding", "").lower() and _CHUNK.match(payload):
        payload = _dechunk(payload)
    for coding in reversed(re.findall(r"[\w-]+", headers.get("content-encoding", "").lower())[:MAX_CODINGS]):
        if coding in ("gzip", "x-gzip") and payload.startswith(GZIP):
            payload = _inflate(payload, 31, limit)
        elif coding == "deflate":
            payload = _undeflate(payload, limit)
        elif coding == "zstd" and payload.startswith(ZSTD):
            payload = _read_bounded(stream_io.ZstdReader(io.BytesIO(payload)), limit)
        elif coding == "br" and not _is_text(payload):
            payload = _read_bounded(stream_io.BrotliReader(io.BytesIO(payload)), limit)
    return payload


def looks_like_html(payload: bytes) -> bool:
    """Whether a page without a Content-Type is HTML."""
    return bool(_SNIFF.match(payload[:SNIFF_BYTES]))


def _dechunk(payload: bytes) -> bytes:
    out: list[bytes] = []
    at = 0
    while chunk := _CHUNK.match(payload, at):
        size = int(chunk[1], 16)
        if not size:
            return b"".join(out)
        at = chunk.end() + size
        if at > len(payload):
            raise OSError("chunked content is truncated")
        out.append(payload[chunk.end() : at])
    if payload[at:].strip():
        raise OSError("chunked content has an invalid chunk size")
    return b"".join(out)


def _undeflate(payload: bytes, limit: int) -> bytes:
    """The payload without deflate. Some servers omit the zlib header; browsers accept both."""
    if payload[:1] == b"\x78" and int.from_bytes(payload[:2], "big") % 31 == 0:
        return _inflate(payload, 15, limit)
    if _is_text(payload):
        return payload
    try:
        zlib.decompressobj(-15).decompress(payload[:SNIFF_BYTES])
    except zlib.error:
        return payload
    return _inflate(payload, -15, limit)


def _inflate(payload: bytes, window_bits: int, limit: int) -> bytes:
    """The payload without gzip (31), zlib (15) or raw deflate (-15). Bytes after it are ignored, as by browsers."""
    inflate = zlib.decompressobj(window_bits)
    try:
        data = inflate.decompress(payload, limit + 1)
    except zlib.error as error:
        raise OSError(f"compressed content: {error}") from None
    if inflate.unused_data.startswith(GZIP):
        from fastwarc.stream_io import GzipReader  # start-up: only for gzip

        return _read_bounded(GzipReader(io.BytesIO(payload)), limit)
    if not inflate.eof and len(data) <= limit:
        raise OSError("compressed content is truncated")
    return _bounded(data, limit)


def _read_bounded(reader: Any, limit: int) -> bytes:
    try:
        data = reader.read(limit + 1)
    except OSError as error:
        raise OSError(f"compressed content: {error}") from None
    return _bounded(data, limit)


def _bounded(data: bytes, limit: int) -> bytes:
    if len(data) > limit:
        raise OSError(f"more than {limit:,} bytes after decompression (NC_MAX_RECORD)")
    return data


def _is_text(payload: bytes) -> bool:
    """Whether the payload looks like markup, or is valid UTF-8, which compressed content seldom is."""
    if looks_like_html(payload):
        return True
    try:
        payload.decode()
        return True
    except UnicodeDecodeError:
        return False
