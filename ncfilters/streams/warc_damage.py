"""Damage in the heads of WARC records and HTTP responses that makes a page another record, or none.

    damaged_type("text/htmm", ("text/html",))    # "Content-Type: 'text/htmm' is text/html with a bit flipped"

A record of an unknown kind is to be ignored (WARC 1.1, section 5.5), and so are pages of other content types. One
whose kind or type is a known one but for one bit is damaged.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..text.lazy_pattern import lazy_pattern

# The kinds of records (WARC 1.1, section 6), and those that have pages.
KINDS = ("warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation")
PAGE_KINDS = ("response", "resource", "conversion")
_WORD = lazy_pattern("[!-~]+")
# The id of a record is an address in angle brackets. Some programs leave these out, or write something else.
_ID = lazy_pattern(r"<[!-;=?-~]+>|[!-;=?-~]+")
_UUID = lazy_pattern(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}", re.I)
_UUID_CHARS = 36


def record_kind(header: Callable[[str], str | None]) -> str:
    """The kind of a record, of which *header* returns the fields of the head. Raises ValueError if it has none, or one
    with a bit flipped."""
    kind = (header("WARC-Type") or "").strip().lower()
    if not kind:
        raise ValueError("WARC-Type: missing")
    if kind not in KINDS:
        if not _WORD.fullmatch(kind):
            raise ValueError(f"WARC-Type: {kind[:80]!a} is damaged")
        for known in KINDS:
            if any(is_nearly(kind, written) for written in (known, f" {known}", f"{known}\r")):
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


def damaged_type(content_type: str, selected: tuple[str, ...]) -> str:
    """The message about a content type that is one of those *selected*, or has one and parameters, but for one bit;
    empty for any other. Types with wild cards are left out."""
    text = content_type.lower()
    for wanted in selected:
        for written in (wanted, f"{wanted};", f" {wanted}", f" {wanted};"):
            if is_nearly(text[: len(written)] if written.endswith(";") else text, written):
                return f"Content-Type: {content_type[:80]!a} is {wanted} with a bit flipped"
    return ""


def is_nearly(text: str, wanted: str) -> bool:
    """Whether a text is another one but for one bit of one character; whatever is not ASCII may have been."""
    if len(text) != len(wanted):
        return False
    differing = [(ord(a), ord(b)) for a, b in zip(text, wanted) if a != b]
    return len(differing) == 1 and (differing[0][0] > 127 or (differing[0][0] ^ differing[0][1]).bit_count() == 1)
