"""nc-warc: WARC and WET files in, records out.

    nc-warc crawl.warc.gz | nc-segment | nc-score -m en | nc-select

HTML responses become records with `html`, decoded; WET conversions become records with `text`.
"""

from __future__ import annotations

import argparse
import fnmatch
import io
import re
from collections.abc import Iterator
from typing import Any

from . import encoding, stream
from .record import Record, RecordError
from .source import GZIP, READ, ZSTD, Rejoined, unpacked

TOOL = "nc-warc"
HTML = ("text/html", "application/xhtml+xml")
# What a page without a Content-Type starts with, after white space and comments (MIME Sniffing standard, section 7.1)
_SNIFF = re.compile(
    rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|script|title|table|div|h1|p|br|a|b)[\s>]", re.I | re.S
)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.I)


class Warc:
    """The records of WARC files, one after the other; RecordError items stand for broken ones, and the rest is read.

    *limit* bounds a record's bytes, as archived and unpacked. `bytes` counts what has been read.
    """

    def __init__(
        self,
        files: list[tuple[str, io.RawIOBase]],
        limit: int,
        mime: tuple[str, ...] | None = None,
        url: re.Pattern[str] | None = None,
        most: int | None = None,
    ) -> None:
        self._files, self._limit, self._mime, self._url, self._most = files, limit, mime, url, most
        self.bytes = 0

    def __iter__(self) -> Iterator[Record | RecordError]:
        number = 0
        for name, raw in self._files:
            for item in self._file(name, raw):
                if self._most is not None and number >= self._most:
                    return
                number += 1
                yield item

    def _file(self, name: str, raw: io.RawIOBase) -> Iterator[Record | RecordError]:
        from fastwarc.warc import ArchiveIterator

        source: Any = unpacked(raw, leave=(GZIP, ZSTD))[0]  # fastwarc unpacks these itself, member by member
        broken = False
        while True:
            window = _Window(source)
            start = 0
            try:
                for archived in ArchiveIterator(window, parse_http=False):
                    window.forget(start := archived.stream_pos)
                    self.bytes += max(archived.content_length, 0)
                    item = self._record(archived)
                    if item is not None:
                        broken = broken and isinstance(item, RecordError)
                        yield item
                return
            except _Truncated as error:
                yield error
            except OSError as error:
                if not broken:  # one message for one hole
                    yield RecordError(f"{name}: {error}")
                broken = True
            rest = window.rest_after(start)
            if rest is None:
                return
            source = rest

    def _record(self, archived: Any) -> Record | RecordError | None:
        """The record of an archived one; None for one that is not asked for."""
        kind = str(archived.record_type)
        if kind not in ("response", "resource", "conversion"):
            return None
        url = archived.headers.get("WARC-Target-URI", "").strip("<>")
        if self._url and not self._url.search(url):
            return None
        record: Record = {"id": archived.headers.get("WARC-Record-ID", "").strip("<>") or None, "url": url or None}
        if date := archived.headers.get("WARC-Date"):
            record["date"] = date
        size = archived.content_length
        if size > self._limit:
            return RecordError(f"a record of {size:,} bytes; the limit is {self._limit:,} (--limit)", record)
        body = archived.reader.read()
        if len(body) < size:
            raise _Truncated(f"truncated: {len(body):,} of {size:,} bytes", record)
        try:
            wanted = self._mime or (("text/plain",) if kind == "conversion" else HTML)
            if kind == "response" or archived.headers.get("Content-Type", "").startswith("application/http"):
                return _response(record, body, wanted, self._limit)
            return _document(record, body, archived.headers.get("Content-Type", ""), {}, wanted, self._limit)
        except (OSError, ValueError) as error:
            return RecordError(str(error), record)


class _Truncated(RecordError):
    """A record shorter than it says. What follows may have been taken for its end: the search goes on behind its
    start."""


class _Window:
    """A stream that remembers what was read of it since the start of the record under way."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self._kept: list[bytes] = []
        self._start = self._read = 0  # where what is kept begins, and where it ends

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._source.read(size)
        self._kept.append(data)
        self._read += len(data)
        return data

    def seek(self, place: int, whence: int = 0) -> int:
        """Cannot be done."""
        raise OSError("not seekable")

    def close(self) -> None:
        """Leaves the source open."""

    def tell(self) -> int:
        """How much has been read."""
        return self._read

    def forget(self, before: int) -> None:
        """Lets go of what stands before that place."""
        while self._kept and self._start + len(self._kept[0]) <= before:
            self._start += len(self._kept.pop(0))

    def rest_after(self, place: int) -> io.BufferedReader | None:
        """The stream from the next record behind *place* on; None if there is no other."""
        data = b"".join(self._kept)[max(place - self._start, 0) :]
        marks = (
            [GZIP + b"\x08"] if data.startswith(GZIP) else [ZSTD] if data.startswith(ZSTD) else [b"WARC/1.", b"WARC/0."]
        )
        at = 1
        while True:
            found = [where for mark in marks if (where := data.find(mark, at)) >= 0]
            if found:
                return io.BufferedReader(Rejoined(data[min(found) :], self._source), READ)
            more = self._source.read(READ)
            if not more:
                return None
            data, at = data[-8:] + more, 0


def _response(record: Record, message: bytes, wanted: tuple[str, ...], limit: int) -> Record | None:
    head, payload = _split(message)
    lines = head.decode("latin-1").splitlines()
    status = re.match(r"HTTP/\S+\s+(\d{3})", lines[0] if lines else "")
    if not status:
        raise ValueError("not an HTTP response")
    record["status"] = int(status[1])
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    return _document(record, payload, headers.get("content-type", ""), headers, wanted, limit)


def _document(
    record: Record, payload: bytes, content_type: str, headers: dict[str, str], wanted: tuple[str, ...], limit: int
) -> Record | None:
    mime = content_type.partition(";")[0].strip().lower()
    if mime and not any(fnmatch.fnmatchcase(mime, pattern) for pattern in wanted):
        return None
    payload = _payload(payload, headers, limit)
    if not mime:
        if not _SNIFF.match(payload[:1024]):
            return None
        mime = "text/html"
    record["content_type"] = content_type or mime
    charset = _CHARSET.search(content_type)
    text, record["encoding"] = encoding.decoded(payload, charset[1] if charset else None)
    record["html" if mime in HTML else "text"] = text
    return record


def _split(message: bytes) -> tuple[bytes, bytes]:
    """Head and payload of an HTTP message."""
    for line_end in (b"\r\n\r\n", b"\n\n"):
        head, found, payload = message.partition(line_end)
        if found:
            return head, payload
    return message, b""


def _payload(payload: bytes, headers: dict[str, str], limit: int) -> bytes:
    """The payload without its transfer and content encodings. Raises OSError where it breaks off or is longer than
    *limit*.

    Many archives keep the headers of encodings they have undone: what does not look encoded is taken as it is.
    """
    from fastwarc import stream_io

    if "chunked" in headers.get("transfer-encoding", "").lower() and _CHUNK.match(payload):
        payload = _read(stream_io.ChunkedReader(io.BytesIO(payload)), limit)
    for coding in reversed(re.findall(r"[\w-]+", headers.get("content-encoding", "").lower())):
        if coding in ("gzip", "x-gzip") and payload.startswith(GZIP):
            payload = _read(stream_io.GzipReader(io.BytesIO(payload)), limit)
        elif coding == "deflate" and payload[:1] == b"\x78":
            payload = _read(stream_io.GzipReader(io.BytesIO(payload), zlib=True), limit)
        elif coding == "zstd" and payload.startswith(ZSTD):
            payload = _read(stream_io.ZstdReader(io.BytesIO(payload)), limit)
        elif coding == "br" and not _SNIFF.match(payload):
            payload = _read(stream_io.BrotliReader(io.BytesIO(payload)), limit)
    return payload


def _read(reader: Any, limit: int) -> bytes:
    data: bytes = reader.read(limit + 1)
    if len(data) > limit:
        raise OSError(f"unpacked, more than {limit:,} bytes (--limit)")
    return data


_CHUNK = re.compile(rb"\s*[0-9a-fA-F]{1,8}[\s;]")


def options() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = stream.parser(
        TOOL, "WARC and WET files to records.", "nc-warc crawl.warc.gz | nc-segment | nc-score -m en | nc-select"
    )
    stream.add_format(parser, default="jsonl")
    parser.add_argument("-n", "--number", type=int, metavar="N", help="stop after N records")
    parser.add_argument("--url-match", metavar="REGEX", help="only pages whose URL matches")
    parser.add_argument(
        "--mime",
        metavar="TYPE,…",
        help=f"only these content types; * is a wild card (default: {', '.join(HTML)}, and text/plain of WET files)",
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    args = options().parse_intermixed_args(argv)

    def start() -> int:
        from .sink import Records

        try:
            url = re.compile(args.url_match) if args.url_match else None
        except re.error as error:
            raise stream.UsageError(f"--url-match: {error}") from None
        mime = tuple(args.mime.lower().replace(" ", "").split(",")) if args.mime else None
        source = Warc(stream.inputs(args.files), args.limit, mime, url, args.number)
        sink = Records(stream.output(args), args.format or "jsonl")
        return stream.run(TOOL, source, lambda records: records, sink, args.strict, args.verbose)

    return stream.guarded(TOOL, start)
