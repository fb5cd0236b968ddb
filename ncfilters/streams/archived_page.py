"""Pages of archives whose content is not yet decoded, so that another process can do that.

page = ArchivedPage({"id": "urn:1"}, b"<p>caf\\xe9", {"content-type": "text/html; charset=iso-8859-1"})
page.decoded(limit=1 << 28)    # {"id": "urn:1", "content_type": …, "encoding": {…}, "html": "<p>café"}
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..errors import RecordError, error_message
from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from . import charset as charsets
from . import http_payload
from .foreign_formats import check_is_page
from .html_pages import HTML_TYPES, PageSelection
from .warc_damage import damaged_type

_CHARSET = lazy_pattern(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.I)
_TEXT = "text/plain"
# What headers say that is needed to decode a page.
_USED = frozenset(("content-type", "content-encoding", "transfer-encoding"))
_STATUS = lazy_pattern(r"HTTP/\S+\s+(\d{3})")


class ArchivedPage(NamedTuple):
    """A selected page as it is archived: the fields of its record so far, its block, and what is needed to decode
    that."""

    record: Record
    block: bytes | memoryview
    headers: dict[str, str]  # the _USED ones of HTTP, in lower case
    start: int = 0  # of the payload in the block
    is_conversion: bool = False  # the payload is UTF-8 and may be plain text, as in WET files
    place: str = ""  # what messages begin with: archive and offset

    def __reduce_ex__(self, protocol: Any) -> tuple[type[ArchivedPage], tuple[Any, ...]]:
        """How it is pickled: with a block that need not be copied, where the protocol allows it."""
        from pickle import PickleBuffer  # start-up: loaded where something is pickled

        block = PickleBuffer(self.block) if protocol >= 5 else bytes(self.block)
        return ArchivedPage, (self.record, block, *self[2:])

    def decoded(self, limit: int) -> Record | RecordError:
        """The record with `html` or `text`; a RecordError for a payload that is damaged, or longer than *limit*."""
        try:
            return _decoded(self, http_payload.decode_payload(self.payload, self.headers, limit))
        except (OSError, ValueError) as error:
            return RecordError(self.place + error_message(error), self.record)

    @property
    def payload(self) -> bytes:
        """The block without the head of HTTP."""
        return bytes(self.block[self.start :] if self.start else self.block)


def select_response(record: Record, message: bytes | memoryview, selection: PageSelection) -> ArchivedPage | None:
    """The page of an HTTP response; None if its content type is not selected. Raises ValueError and OSError."""
    head, start = http_payload.head_of(message)
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
    return select_page(ArchivedPage(record, message, headers, start), selection)


def select_page(page: ArchivedPage, selection: PageSelection) -> ArchivedPage | None:
    """The page, if its content type is selected, or if it has none and looks like HTML, or is a conversion in UTF-8.
    Raises OSError for a payload of no content type that is damaged, and ValueError for a content type that is, and for
    a conversion without one."""
    default = (_TEXT,) if page.is_conversion else HTML_TYPES
    if mime := _mime(page):
        if selection.accepts_type(mime, default):
            return page
        if damage := damaged_type(page.headers["content-type"], selection.content_types or default):
            raise ValueError(damage)
        return None
    payload = http_payload.decode_payload(page.payload, page.headers, selection.max_record)
    if http_payload.looks_like_html(payload):
        return page
    if page.is_conversion and not charsets.is_plain_utf8(payload):
        raise ValueError("Content-Type: missing")
    is_text = page.is_conversion and selection.accepts_type(_TEXT, default)
    return page._replace(headers={"content-type": _TEXT}) if is_text else None


def _mime(page: ArchivedPage) -> str:
    return page.headers.get("content-type", "").partition(";")[0].strip().lower()


def _decoded(page: ArchivedPage, payload: bytes) -> Record:
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
    record["html" if mime in HTML_TYPES else "text"] = text
    return record
