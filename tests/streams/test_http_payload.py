"""HTTP messages in archives: heads, payloads, and payloads without their encodings."""

from __future__ import annotations

import gzip
import zlib

import pytest

from ncfilters.streams.http_payload import decode_payload, looks_like_html, split_message

PAGE = b"<p>The text of the page. \xe9\xe8\xff" * 20
RAW_DEFLATE = zlib.compressobj(wbits=-15)
PACKED = {"gzip": gzip.compress(PAGE, mtime=0), "x-gzip": gzip.compress(PAGE), "deflate": zlib.compress(PAGE)}
LIMIT = 1 << 20


@pytest.mark.parametrize("end", [b"\r\n\r\n", b"\n\n"])
def test_head_and_payload_are_apart(end: bytes) -> None:
    assert split_message(b"HTTP/1.1 200 OK" + end + b"<p>One\n\nTwo") == (b"HTTP/1.1 200 OK", b"<p>One\n\nTwo")
    assert split_message(b"HTTP/1.1 204 No Content") == (b"HTTP/1.1 204 No Content", b"")


@pytest.mark.parametrize("coding", list(PACKED))
def test_content_encodings_are_decoded(coding: str) -> None:
    assert decode_payload(PACKED[coding], {"content-encoding": coding}, LIMIT) == PAGE


def test_deflate_without_zlib_s_header_is_decoded() -> None:
    raw = RAW_DEFLATE.compress(PAGE) + RAW_DEFLATE.flush()
    assert decode_payload(raw, {"content-encoding": "deflate"}, LIMIT) == PAGE


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "unknown"])
def test_a_payload_that_is_decoded_already_stays(coding: str) -> None:
    page = b"<!DOCTYPE html><p>Text"
    assert decode_payload(page, {"content-encoding": coding}, LIMIT) == page


def test_chunks_are_joined() -> None:
    chunks = b"4\r\n<p>O\r\n3;name=value\r\nne \r\n0\r\n\r\n"
    assert decode_payload(chunks, {"transfer-encoding": "chunked"}, LIMIT) == b"<p>One "


@pytest.mark.parametrize(
    "payload, headers",
    [
        (PACKED["gzip"][:-9], {"content-encoding": "gzip"}),
        (PACKED["deflate"][:-9], {"content-encoding": "deflate"}),
        (b"ff\r\n<p>", {"transfer-encoding": "chunked"}),
    ],
)
def test_what_breaks_off_is_an_error(payload: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(OSError, match="is truncated"):
        decode_payload(payload, headers, LIMIT)


@pytest.mark.parametrize("coding", list(PACKED))
def test_the_limit_is_that_of_the_unpacked_payload(coding: str) -> None:
    assert decode_payload(PACKED[coding], {"content-encoding": coding}, len(PAGE)) == PAGE
    with pytest.raises(OSError, match="--max-record"):
        decode_payload(PACKED[coding], {"content-encoding": coding}, len(PAGE) - 1)


@pytest.mark.parametrize(
    "payload, is_html",
    [
        (b"<!doctype HTML>", True),
        (b"\n <!-- a comment --> <P>Text", True),
        (b"<body\n>", True),
        (b"<?xml version='1.0'?><rss>", False),
        (b"{}", False),
        (b"<pre>", False),
        (b"", False),
    ],
)
def test_pages_without_a_content_type_are_sniffed(payload: bytes, is_html: bool) -> None:
    assert looks_like_html(payload) is is_html
