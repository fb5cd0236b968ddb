"""HTTP messages in archives: heads, and payloads with their encodings undone.

head, payload = split_message(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>Hello")
decode_payload(payload, {"content-encoding": "gzip"}, limit=1 << 20)
"""

from __future__ import annotations

import io
import re
import zlib
from typing import Any

from ..text.lazy_pattern import lazy_pattern
from .compression import GZIP, ZSTD

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


def split_message(message: bytes | memoryview) -> tuple[bytes, bytes]:
    """Head and payload of an HTTP message."""
    head, start = head_of(message)
    return head, bytes(message[start:])


def head_of(message: bytes | memoryview) -> tuple[bytes, int]:
    """The head of an HTTP message, and where its payload begins."""
    end = _HEAD_END.search(message)
    return (bytes(message[: end.start()]), end.end()) if end else (bytes(message), len(message))


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
