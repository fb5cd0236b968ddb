"""Digests of WARC records."""

from __future__ import annotations

import base64
import hashlib

import pytest
from archives import http

from ncfilters.streams.warc_digests import BLOCK, PAYLOAD, check_digests

PAGE = http("<p>Text")
CHUNKED = http(b"7\r\n<p>Text\r\n0\r\n\r\n", transfer_encoding="chunked")


def digest(data: bytes, algorithm: str = "sha1", base32: bool = True) -> str:
    value = hashlib.new(algorithm, data).digest()
    return f"{algorithm}:{base64.b32encode(value).decode().rstrip('=') if base32 else value.hex()}"


@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "md5", "SHA-512"])
@pytest.mark.parametrize("base32", [True, False])
def test_the_block_has_its_digest(algorithm: str, base32: bool) -> None:
    stated = digest(PAGE, algorithm.lower().replace("-", ""), base32).replace(algorithm.lower(), algorithm)
    check_digests({BLOCK: stated}.get, PAGE)
    with pytest.raises(ValueError, match="the block does not have its WARC-Block-Digest"):
        check_digests({BLOCK: stated}.get, PAGE[:-1] + b"u")


@pytest.mark.parametrize("data", [b"<p>Text", b"7\r\n<p>Text\r\n0\r\n\r\n"])
def test_a_payload_is_compared_with_and_without_chunks(data: bytes) -> None:
    check_digests({PAYLOAD: digest(data)}.get, CHUNKED)
    with pytest.raises(ValueError, match="payload"):
        check_digests({PAYLOAD: digest(b"other")}.get, CHUNKED)


@pytest.mark.parametrize("stated", ["", "sha1", "sha1:", "sha1:ABC", "crc32:12345678", "sha1:" + "1" * 32, "shake128:"])
def test_unknown_notations_are_not_checked(stated: str) -> None:
    check_digests({BLOCK: stated}.get, PAGE)
    check_digests({}.get, PAGE)
