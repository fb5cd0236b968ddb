"""Records of archives and files of folders, for tests."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from ncfilters.streams.crawl_source import CrawlSource
from ncfilters.streams.html_pages import PageSelection

HTML = "<html><head><title>T</title></head><body><p>Żółw – 中文 – text</p></body></html>"
TYPE = "text/html; charset=utf-8"


def http(payload: bytes | str = HTML, content_type: str | None = TYPE, status: str = "200 OK", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {content_type}"] if content_type else [])]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (payload if isinstance(payload, bytes) else payload.encode())


def archived(
    number: int,
    block: bytes,
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    length: int | None = None,
    url: str | None = None,
) -> bytes:
    head = [
        "WARC/1.0", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:uuid:{number}>",
        f"WARC-Target-URI: {url or f'http://example.org/{number}'}", "WARC-Date: 2026-05-01T12:00:00Z",
        f"Content-Type: {content_type}", f"Content-Length: {len(block) if length is None else length}",
    ]  # fmt: skip
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def zstd(data: bytes) -> bytes:
    """A zstd frame of one raw block."""
    out = b"\x28\xb5\x2f\xfd" + b"\xa0" + len(data).to_bytes(4, "little")  # single segment, four bytes of size
    blocks = [data[at : at + 100_000] for at in range(0, len(data), 100_000)] or [b""]
    for number, block in enumerate(blocks):
        out += (len(block) << 3 | (number == len(blocks) - 1)).to_bytes(3, "little") + block
    return out


def resource(number: int, html: str, kind: str = "resource", mime: str = "text/html") -> bytes:
    """A record without an HTTP head."""
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nContent-Type: {mime}\r\n"
    return f"{head}WARC-Target-URI: http://a/{number}\r\nContent-Length: {len(html)}\r\n\r\n{html}\r\n\r\n".encode()


def write(folder: Path, files: dict[str, bytes]) -> Path:
    """Writes the files with their folders."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def read_archive(data: bytes | io.RawIOBase, limit: int = 1 << 20, name: str = "test", **selection: Any) -> list[Any]:
    """What nc-warc reads of an archive: records, and errors."""
    source = CrawlSource(None, PageSelection(limit, **selection), archives_alone=True)
    raw = io.BytesIO(data) if isinstance(data, bytes) else data
    return [item.record(limit) for item, _ in source.items_of(name, raw)]  # type: ignore[arg-type]


THREE = [archived(number, http(HTML.replace("text", f"text {number}"))) for number in range(3)]

# What a crawl can do to a writer of headers.
DOCUMENTS: list[dict[str, Any]] = [
    {
        "id": "urn:uuid:0c1a",
        "url": "http://a/1",
        "crawl_date": "2026-05-01T12:00:00Z",
        "lang": "pl",
        "text": "Żółw\n\n中文",
    },
    {
        "id": "urn:uuid:0c1b",
        "url": "http://a/żółw?q=%20&x=1",
        "crawl_date": "2026-05-01T12:00:00.123456789Z",
        "text": "",
    },
    {"id": "news/a b.html", "text": "WARC/1.0\r\nWARC-Type: response\r\n\r\n\r\n\r\nWARC/1.0\r\n"},
    {
        "id": "x\r\nWARC-Type: response",
        "url": "http://a/\r\nX: y\r\n\r\nZ \x00\x85\u2028<b>",
        "text": "NUL \0 ESC \x1b ż",
    },
    {
        "id": 7,
        "url": None,
        "lang": "en\r\nX: y",
        "crawl_date": "no\r\ndate",
        "text": '<meta charset="latin-1"> naïve \ud800',
    },
    {"text": "nobody knows me"},
    {"text": "nobody knows me"},
    {"id": "", "url": "", "text": "x" * 300_000},
]
