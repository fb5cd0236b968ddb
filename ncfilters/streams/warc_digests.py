"""The digests in the heads of WARC records: whether a block is what was archived.

check_digests({"WARC-Block-Digest": "sha1:…"}.get, block)    # ValueError if the block has another
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable

from . import http_payload

BLOCK, PAYLOAD = "WARC-Block-Digest", "WARC-Payload-Digest"


def check_digests(header: Callable[[str], str | None], block: bytes | memoryview) -> None:
    """Compares the block of a record with the digest of its block; or else its payload, as sent or without chunks, with
    the digest of its payload. *header* returns a field of the head of the record.

    Digests in an unknown notation are not checked. Raises ValueError if they differ.
    """
    if (stated := _parse(header(BLOCK))) is not None:
        if not _is_digest(stated, block):
            raise ValueError(f"the block does not have its {BLOCK}, {header(BLOCK)}")
    elif (stated := _parse(header(PAYLOAD))) is not None:
        payload = http_payload.split_message(block)[1]
        if not any(_is_digest(stated, form) for form in (payload, *http_payload.without_chunks(payload))):
            raise ValueError(f"the payload does not have its {PAYLOAD}, {header(PAYLOAD)}")


def _parse(field: str | None) -> tuple[str, bytes] | None:
    """Algorithm and value of a digest such as `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`, in Base32 or hexadecimal."""
    name, _, value = (field or "").strip().partition(":")
    algorithm = name.strip().lower().replace("-", "")
    if algorithm not in hashlib.algorithms_guaranteed or algorithm.startswith("shake"):
        return None
    size = hashlib.new(algorithm, usedforsecurity=False).digest_size
    try:
        if len(value) == 2 * size:
            return algorithm, bytes.fromhex(value)
        digest = base64.b32decode(value.upper() + "=" * (-len(value) % 8))
    except (ValueError, binascii.Error):
        return None
    return (algorithm, digest) if len(digest) == size else None


def _is_digest(stated: tuple[str, bytes], data: bytes | memoryview) -> bool:
    return hashlib.new(stated[0], data, usedforsecurity=False).digest() == stated[1]
