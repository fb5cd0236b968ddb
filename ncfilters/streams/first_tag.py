"""Whether an input begins with a tag, as HTML pages and other markup do.

begins_with_tag(b"\\xef\\xbb\\xbf  <!DOCTYPE html>")    # True
"""

from __future__ import annotations

SPACE = b" \t\n\r\f"
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def begins_with_tag(head: bytes) -> bool:
    """Whether text begins with `<`, in UTF-8 or UTF-16, after white space and a byte-order mark."""
    return plain_ascii(head)[:1] == b"<"


def plain_ascii(data: bytes) -> bytes:
    """The bytes without a byte-order mark, the NULs of UTF-16 and white space at the start."""
    for mark in _BYTE_ORDER_MARKS:
        data = data.removeprefix(mark)
    return (data.replace(b"\0", b"") if b"\0" in data else data).lstrip(SPACE)
