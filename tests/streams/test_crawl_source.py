"""Archives, records, pages and folders, in the order of the command line."""

from __future__ import annotations

import gzip
import random
import string
import zlib
from pathlib import Path
from typing import Any

import pytest
from archives import archived, http, write, zstd

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams.archived_page import ArchivedPage
from ncfilters.streams.crawl_source import ARCHIVE_START, CrawlSource, Item
from ncfilters.streams.html_pages import PageSelection

ARCHIVE = archived(1, http()) + archived(2, http("<p>Two"))


def described(item: Item) -> tuple[str, Any]:
    record = item.record(1 << 20)
    if isinstance(record, RecordError):
        return item.tool, str(record)
    return item.tool, str(record.get("id")).rpartition("/")[2]


def source(folder: Path, *names: str) -> CrawlSource:
    return CrawlSource([str(folder / name) for name in names], PageSelection(1 << 20))


def test_everything_in_order(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.warc.gz": gzip.compress(ARCHIVE),
            "b.warc.zst": zstd(ARCHIVE),
            "c.jsonl": b'{"id": "c1"}\n\n{"id": "c2"}\nnot JSON\n',
            "d.html": b"<p>A page",
            "e.jsonl.gz": gzip.compress(b'{"id": "e1"}\n'),
            "mirror/1.html": b"<p>One",
            "mirror/2.warc": ARCHIVE,
            "mirror/image.png": b"\x89PNG",
        },
    )
    read = source(tmp_path, "a.warc.gz", "b.warc.zst", "c.jsonl", "d.html", "e.jsonl.gz", "mirror")
    items = [item for item, _ in read]
    assert [described(item) for item in items] == [
        ("nc-warc", "urn:uuid:1"),
        ("nc-warc", "urn:uuid:2"),
        ("nc-warc", "urn:uuid:1"),
        ("nc-warc", "urn:uuid:2"),
        ("nc-segment", "c1"),
        ("nc-segment", "c2"),
        ("nc-segment", "not JSON: invalid literal, expected 'null' (character 1)"),
        ("nc-segment", "d.html"),
        ("nc-segment", "e1"),
        ("nc-segment", "1.html"),
        ("nc-warc", "urn:uuid:1"),
        ("nc-warc", "urn:uuid:2"),
    ]
    # lines of JSON are parsed, and pages of archives decoded, where they are worked on
    assert [type(item.content) for item in items[3:7]] == [ArchivedPage, bytes, bytes, bytes]
    assert read.format == "jsonl"
    assert [folder.skipped for folder in read.folders] == [1]
    assert read.folders_without_pages == []


def test_an_archive_whose_first_bytes_decompress_to_less_than_its_name(tmp_path: Path) -> None:
    for seed in range(2000):
        text = "".join(random.Random(seed).choices(string.printable[: 10 + seed % 80], k=400))
        packed = gzip.compress(archived(1, http(text), url=f"http://example.org/{seed}"))
        if 0 < len(zlib.decompressobj(31).decompress(packed[:64])) < len(ARCHIVE_START):
            break
    else:
        pytest.fail("no such archive")
    write(tmp_path, {"a.warc.gz": packed})
    assert [described(item)[0] for item, _ in source(tmp_path, "a.warc.gz")] == ["nc-warc"]


def test_sizes_add_up(tmp_path: Path) -> None:
    lines = b'{"id": "a", "html": "<p>One"}\n{"id": "b"}\n' * 100
    write(tmp_path, {"a.jsonl": lines, "b.jsonl.gz": gzip.compress(lines)})
    read = source(tmp_path, "a.jsonl", "b.jsonl.gz")
    assert read.size == sum((tmp_path / name).stat().st_size for name in ("a.jsonl", "b.jsonl.gz"))
    assert sum(size for _, size in read) == read.bytes == 2 * len(lines)
    assert read.read == read.size
    assert source(tmp_path, ".").size is None


def test_what_cannot_be_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"text": b"Only text.\n", "empty": b"", "broken.gz": gzip.compress(b"{}")[:-9], "a/notes.pdf": b"%PDF"},
    )
    read = source(tmp_path, "text", "empty", "broken.gz", "a")
    errors = [str(item.record(1 << 20)) for item, _ in read]
    assert len(errors) == 3
    assert "text: neither records nor an HTML page" in errors[0]
    assert errors[1] == "{}"  # what was read before
    assert "broken.gz: " in errors[2]
    assert read.folders_without_pages == [str(tmp_path / "a")]
    with pytest.raises(UsageError, match="No such file"):
        source(tmp_path, "nosuch")
