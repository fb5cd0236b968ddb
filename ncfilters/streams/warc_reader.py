"""nc-warc: WARC and WET files in, records out.

    nc-warc crawl.warc.gz | nc-segment | nc-score -m en | nc-select

HTML responses become records with `html`, decoded; WET conversions become records with `text`. Of a folder, all HTML
files and archives are read, and those of the folders within.
"""

from __future__ import annotations

import fnmatch
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from ..errors import RecordError
from ..record import Record
from . import charset as charsets
from . import http_payload
from .compression import GZIP, ZSTD, decompress
from .readers import error_message
from .site_folder import HTML, ArchiveFile, SiteFolder
from .warc_resync import ResyncStream

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.I)


class WarcReader:
    """The records of WARC files and folders, one after the other; RecordError items stand for broken ones, and the
    rest is read.

    *limit* bounds a record's bytes, as archived and unpacked. `bytes` counts what has been read of archives.
    """

    def __init__(
        self,
        files: Sequence[tuple[str, io.RawIOBase] | SiteFolder],
        limit: int,
        mime: tuple[str, ...] | None = None,
        url: re.Pattern[str] | None = None,
        most: int | None = None,
    ) -> None:
        self._files, self._limit, self._mime, self._url, self._most = files, limit, mime, url, most
        self.bytes = 0

    def __iter__(self) -> Iterator[Record | RecordError]:
        number = 0
        for file in self._files:
            if self._most is not None and number >= self._most:
                return
            for item in self._folder(file) if isinstance(file, SiteFolder) else self._file(*file):
                number += 1
                yield item
                if number == self._most:
                    return

    def _folder(self, tree: SiteFolder) -> Iterator[Record | RecordError]:
        for item in tree:
            if not isinstance(item, ArchiveFile):
                yield item
                continue
            try:
                raw = io.FileIO(item.path)
            except OSError as error:
                yield RecordError(f"{item.name}: {error.strerror}")
                continue
            with raw:
                yield from self._file(item.name, raw)

    def _file(self, name: str, raw: io.RawIOBase) -> Iterator[Record | RecordError]:
        from fastwarc.warc import ArchiveIterator

        window: ResyncStream | None = None
        broken = False
        while True:
            start = 0
            try:
                # fastwarc itself unpacks gzip and zstd, member by member
                window = window or ResyncStream(decompress(raw, leave=(GZIP, ZSTD))[0], self._limit)
                for archived in ArchiveIterator(cast(Any, window), parse_http=False):
                    window.forget(start := archived.stream_pos)
                    self.bytes += max(archived.content_length, 0)
                    broken = False
                    item = self._record(archived, window)
                    if item is not None:
                        yield item
                if (hole := window.hole()) is None:
                    return
                start = hole
                raise OSError("compressed content breaks off")
            except _Unread as error:
                if error.record:
                    yield error.record
            except Exception as error:  # what fastwarc and the decompressors raise
                if not broken:  # one message for one hole
                    yield RecordError(f"{name}: {error_message(error)}")
                broken = True
            if window is None or not window.find_next(start):
                return

    def _record(self, archived: Any, window: ResyncStream) -> Record | RecordError | None:
        """The record of an archived one; None for one that is not asked for. Raises _Unread."""
        if sum(name.lower() == "warc-record-id" for name, _ in archived.headers.items()) > 1:
            raise _Unread(RecordError("truncated: another record begins within its head"))
        kind, size = str(archived.record_type), archived.content_length
        url = archived.headers.get("WARC-Target-URI", "").strip("<>")
        if kind not in ("response", "resource", "conversion") or self._url and not self._url.search(url):
            if size > self._limit:
                raise _Unread(None)
            return None
        record: Record = {"id": archived.headers.get("WARC-Record-ID", "").strip("<>") or None, "url": url or None}
        if date := archived.headers.get("WARC-Date"):
            record["date"] = date
        for field, header in _OF_CONVERSIONS.items() if kind == "conversion" else ():
            if value := archived.headers.get(header, "").strip("<>"):
                record[field] = value
        if size > self._limit:
            why = f"a record of {size:,} bytes; the limit is {self._limit:,} (--max-record)"
            raise _Unread(RecordError(why, record))
        length = archived.headers.get("Content-Length", "")
        if not length.strip().isdecimal():
            raise _Unread(RecordError(f"Content-Length: {length!r} is no number" if length else "truncated", record))
        truncated = RecordError(f"truncated: not all of its {size:,} bytes are there", record)
        if window.ends_before(archived.stream_pos + size):
            raise _Unread(truncated)
        try:
            body = archived.reader.read()
        except OSError as error:
            raise _Unread(RecordError(error_message(error), record)) from None
        if len(body) < size:
            raise _Unread(truncated)
        try:
            wanted = self._mime or (("text/plain",) if kind == "conversion" else HTML)
            if kind == "response" or archived.headers.get("Content-Type", "").startswith("application/http"):
                return _response(record, body, wanted, self._limit)
            content_type = archived.headers.get("Content-Type", "")
            return _document(record, body, content_type, {}, wanted, self._limit, utf8=kind == "conversion")
        except (OSError, ValueError) as error:
            return RecordError(error_message(error), record)


# field → WARC header
_OF_CONVERSIONS = {"refers_to": "WARC-Refers-To", "lang": "WARC-Identified-Content-Language"}


class _Unread(Exception):
    """A record whose end cannot be found by its length: the next one must be searched for, behind this one's start.

    `record` says what is wrong; None for one nobody asked for.
    """

    def __init__(self, record: RecordError | None) -> None:
        super().__init__()
        self.record = record


def _response(record: Record, message: bytes, wanted: tuple[str, ...], limit: int) -> Record | None:
    head, payload = http_payload.split_message(message)
    lines = head.decode("latin-1").split("\n")
    status = re.match(r"HTTP/\S+\s+(\d{3})", lines[0])
    if not status:
        raise ValueError("not an HTTP response")
    record["status"] = int(status[1])
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    return _document(record, payload, headers.get("content-type", ""), headers, wanted, limit)


def _document(
    record: Record,
    payload: bytes,
    content_type: str,
    headers: dict[str, str],
    wanted: tuple[str, ...],
    limit: int,
    utf8: bool = False,
) -> Record | None:
    mime = content_type.partition(";")[0].strip().lower()
    if mime and not any(fnmatch.fnmatchcase(mime, pattern) for pattern in wanted):
        return None
    payload = http_payload.decode_payload(payload, headers, limit)
    if not mime:
        if not http_payload.looks_like_html(payload):
            return None
        mime = "text/html"
    record["content_type"] = content_type or mime
    charset = _CHARSET.search(content_type)
    text, found = charsets.decode_bytes(payload, charset[1] if charset else "utf-8" if utf8 else None)
    if utf8 and not charset:  # nobody has declared it: all WET files are
        found.pop("declared", None)
        found["evidence"] = "content" if found["evidence"] == "http" else found["evidence"]
    record["encoding"] = found
    record["html" if mime in HTML else "text"] = text
    return record
