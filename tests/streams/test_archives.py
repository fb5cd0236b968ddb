"""Archives: damaged heads, cuts, conversions; and archives, records, pages and folders in turn."""

from __future__ import annotations

import gzip
import random
import string
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archives import archived, http, read_archive, write, zstd

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams.archived_page import ArchivedPage
from ncfilters.streams.crawl_source import ARCHIVE_START, CrawlSource, Item
from ncfilters.streams.html_pages import PageSelection

# ---- heads ----
UUID = "urn:uuid:00000000-0000-4000-8000-0000000000ff"


def told(data: bytes) -> list[str]:
    """What is read of an archive: ids, or the messages of errors without their places."""
    items = read_archive(data + archived(2, http()))
    return [str(item) if isinstance(item, RecordError) else item["id"] for item in items]


@pytest.mark.parametrize(("kind", "message"), [
    ("Response", "urn:uuid:1"), *((kind, "") for kind in (" revisit\t", "warcinfo", "screenshot", "x-response")),
    ("", "WARC-Type: missing"), ("r\xe5sponse", "is damaged"),
    *((kind, "with a bit flipped") for kind in ("sesponse", "!response", "2evisit")),
])  # fmt: skip
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_kinds_that_are_damaged_are_told(kind: str, message: str, pack: Callable[[bytes], bytes]) -> None:
    found = told(pack(archived(1, http(), kind)))
    assert found[-1] == "urn:uuid:2" and len(found) == 1 + bool(message)
    assert found[0].endswith(message or "urn:uuid:2")


def test_names_of_fields_are_in_any_case() -> None:
    assert told(archived(1, http()).replace(b"WARC-Type", b"warc-type")) == ["urn:uuid:1", "urn:uuid:2"]


WHOLE = [f"<{UUID}>", UUID, "<http://a/b?c>", "<1>", f"<{UUID.upper()}>"]
DAMAGED = ["", "<urn:1", "urn:1>", "<urn: 1>", "<urn:\x01>", "<urn:\xe9>", f"<{UUID[:-1]}g>", f"<{UUID[:-1]}v>"]


@pytest.mark.parametrize("value", [*WHOLE, *DAMAGED])
def test_a_page_with_a_damaged_id_comes_out_with_an_error_beside_it(value: str) -> None:
    page, *errors = read_archive(archived(1, http()).replace(b"<urn:uuid:1>", value.encode()))
    assert page["status"] == 200 and len(errors) == (value in DAMAGED)
    assert all("WARC-Record-ID: " in str(error) and error.record == {} for error in errors)


@pytest.mark.parametrize(("content_type", "message"), [
    *((kind, "is text/html with a bit flipped")
      for kind in ("text/htmm", "text/html{ charset=utf-8", "!text/html", "uext/html; charset=x")),
    *((kind, "") for kind in ("text/plain", "image/png", "text/html-x", "text", "textxhtmx", "*/*")),
])  # fmt: skip
def test_content_types_that_are_damaged_are_told_and_others_left_out(content_type: str, message: str) -> None:
    found = told(archived(1, http(content_type=content_type)))
    assert [one.endswith(message) for one in found[:-1]] == [True] * bool(message)


# ---- conversions ----
@pytest.mark.parametrize(("content_type", "payload", "types", "field"), [
    ("text/plain", "Żółw".encode(), None, "text"), ("", "Żółw".encode(), None, "text"),
    ("", "Żółw".encode(), ("text/html",), ""), ("", b"<p>Text.", None, "html"), ("", b"\x89PNG\xff", None, "!"),
])  # fmt: skip
def test_conversions_are_utf8_and_may_be_text(
    content_type: str, payload: bytes, types: tuple[str, ...] | None, field: str
) -> None:
    items = read_archive(archived(1, payload, "conversion", content_type), content_types=types)
    assert len(items) == bool(field)
    if field == "!":
        assert str(items[0]) == "test: byte 0: Content-Type: missing"
    elif field:
        assert items[0][field] == payload.decode() and items[0]["encoding"]["evidence"] in ("content", "ascii")


def test_what_is_declared_as_html_and_is_not() -> None:
    (error,) = read_archive(archived(1, http(b"%PDF-1.7\n")))
    assert str(error) == "test: byte 0: a PDF document, not an HTML page" and error.record["id"] == "urn:uuid:1"


# ---- cuts and flipped bits ----
def page(number: int) -> str:
    return f"<p>{number} " + " ".join(map(str, random.Random(number).sample(range(10_000), 40)))


RECORDS = [archived(number, http(page(number))) for number in range(5)]
PACKINGS = {
    "plain": lambda parts: b"".join(parts),
    "members": lambda parts: b"".join(gzip.compress(part, mtime=0) for part in parts),
    "one member": lambda parts: gzip.compress(b"".join(parts), mtime=0),
}


def pages_and_errors(data: bytes) -> tuple[list[str], list[RecordError]]:
    """The pages of an archive, and its errors."""
    items = read_archive(data, name="archive")
    errors = [item for item in items if isinstance(item, RecordError)]
    return [str(item["html"]) for item in items if isinstance(item, dict)], errors


@pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)
def test_pages_of_a_cut_archive_are_whole_or_told(pack: Callable[[list[bytes]], bytes]) -> None:
    data, pages = pack(RECORDS), [page(number) for number in range(5)]
    assert pages_and_errors(data) == (pages, [])
    ends = {len(pack(RECORDS[:number])) for number in range(6)}
    for cut in range(1, len(data), 7):
        found, errors = pages_and_errors(data[:cut])
        assert found == pages[: len(found)], cut
        is_between = pack is not PACKINGS["one member"] and any(0 <= end - cut <= 4 for end in ends)
        assert errors or is_between, cut
        assert all("archive: " in str(error) for error in errors)


def test_pages_of_a_damaged_archive_are_whole_or_told() -> None:
    data, pages = PACKINGS["members"](RECORDS), [page(number) for number in range(5)]
    at = random.Random(3)
    for _ in range(300):
        place = at.randrange(len(data))
        damaged = data[:place] + bytes([data[place] ^ 1 << at.randrange(8)]) + data[place + 1 :]
        found, errors = pages_and_errors(damaged)
        assert set(found) <= set(pages), place
        assert errors or found == pages, place


# ---- archives, records, pages and folders, in the order of the command line ----
ARCHIVE = archived(1, http()) + archived(2, http("<p>Two"))


def described(item: Item) -> tuple[str, Any]:
    record = item.record(1 << 20)
    if isinstance(record, RecordError):
        return item.tool, str(record)
    return item.tool, str(record.get("id")).rpartition("/")[2]


def source(folder: Path, *names: str) -> CrawlSource:
    return CrawlSource([str(folder / name) for name in names], PageSelection(1 << 20))


def test_everything_in_order(tmp_path: Path) -> None:
    write(tmp_path, {
        "a.warc.gz": gzip.compress(ARCHIVE), "b.warc.zst": zstd(ARCHIVE),
        "c.jsonl": b'{"id": "c1"}\n\n{"id": "c2"}\nnot JSON\n', "d.html": b"<p>A page",
        "e.jsonl.gz": gzip.compress(b'{"id": "e1"}\n'), "mirror/1.html": b"<p>One", "mirror/2.warc": ARCHIVE,
        "mirror/image.png": b"\x89PNG",
    })  # fmt: skip
    read = source(tmp_path, "a.warc.gz", "b.warc.zst", "c.jsonl", "d.html", "e.jsonl.gz", "mirror")
    items = [item for item, _ in read]
    assert [described(item) for item in items] == [
        ("nc-warc", "urn:uuid:1"), ("nc-warc", "urn:uuid:2"), ("nc-warc", "urn:uuid:1"), ("nc-warc", "urn:uuid:2"),
        ("nc-segment", "c1"), ("nc-segment", "c2"),
        ("nc-segment", "not JSON: invalid literal, expected 'null' (character 1)"),
        ("nc-segment", "d.html"), ("nc-segment", "e1"), ("nc-segment", "1.html"), ("nc-warc", "urn:uuid:1"),
        ("nc-warc", "urn:uuid:2"),
    ]  # fmt: skip
    # lines of JSON are parsed, and pages of archives decoded, where they are worked on
    assert [type(item.content) for item in items[3:7]] == [ArchivedPage, bytes, bytes, bytes]
    assert read.format == "jsonl"
    assert [folder.skipped for folder in read.folders] == [1]
    assert [folder.items > 0 for folder in read.folders] == [True]


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
    assert [(folder.path, folder.items) for folder in read.folders] == [(str(tmp_path / "a"), 0)]
    with pytest.raises(UsageError, match="No such file"):
        source(tmp_path, "nosuch")
