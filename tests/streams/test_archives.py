"""WARC archives: damage, cuts, pages in codings."""

from __future__ import annotations

import gzip
import random
import string
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archives import HTML as PAGE
from archives import archived, http, read_archive, write, zstd

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams.archived_page import (
    ArchivedPage,
    but_for_a_bit,
    damaged_id,
    damaged_type,
    decode_payload,
    record_kind,
    select_page,
    select_response,
)
from ncfilters.streams.crawl_source import ARCHIVE_START, CrawlSource, Item
from ncfilters.streams.html_pages import PageSelection

# ---- warc_damage ----
HTML = ("text/html", "application/xhtml+xml")
UUID = "urn:uuid:00000000-0000-4000-8000-0000000000ff"


@pytest.mark.parametrize("kind", ["Response", " revisit\t", "warcinfo", "screenshot", "respond", "x-response"])
def test_kinds(kind: str) -> None:
    assert record_kind(kind) == kind.strip().lower()
    assert bool(read_archive(archived(1, http(), kind))) is (kind == "Response")


@pytest.mark.parametrize(
    "kind", ["", " ", "sesponse", "!response", "r\xe5sponse", "response\nContent-Type: x", "2evisit"]
)
def test_damaged_kinds_are_told(kind: str) -> None:
    with pytest.raises(ValueError, match="WARC-Type"):
        record_kind(kind)


def test_a_head_without_a_kind_is_told_and_reading_goes_on() -> None:
    for pack in (bytes, gzip.compress):
        data = pack(archived(1, http()).replace(b"WARC-Type", b"UARC-Type")) + pack(archived(2, http()))
        damaged, page = read_archive(data)
        assert isinstance(damaged, RecordError) and "test: byte 0: WARC-Type: missing" in str(damaged)
        assert isinstance(page, dict) and page["id"] == "urn:uuid:2"


def test_names_of_fields_are_in_any_case() -> None:
    (page,) = read_archive(archived(1, http()).replace(b"WARC-Type", b"warc-type"))
    assert isinstance(page, dict) and page["status"] == 200


WHOLE = [f"<{UUID}>", UUID, "<http://a/b?c>", "<1>", f"<{UUID.upper()}>"]
DAMAGED = [None, "", "<urn:1", "urn:1>", "<urn: 1>", "<urn:\x01>", "<urn:\xe9>", f"<{UUID[:-1]}g>", f"<{UUID[:-1]}v>"]


@pytest.mark.parametrize("value", [*WHOLE, *DAMAGED])
def test_damaged_ids_are_told(value: str | None) -> None:
    assert damaged_id(value)[:16] == ("WARC-Record-ID: " if value in DAMAGED else "")


def test_a_page_with_a_damaged_id_comes_out_with_an_error_beside_it() -> None:
    page, damage = read_archive(archived(1, http()).replace(b"<urn:uuid:1>", b"<urn\x1auuid:1>"))
    assert isinstance(page, dict) and page["status"] == 200
    assert isinstance(damage, RecordError) and damage.record == {}


FLIPPED = ["text/htmm", "text/html{ charset=utf-8", "!text/html", "uext/html; charset=x"]
OTHER = ["", "text/plain", "image/png", "text/css", "text/html-x", "text", "textxhtmx", "*/*"]


@pytest.mark.parametrize("value", [*FLIPPED, *OTHER])
def test_damaged_content_types_are_told_and_others_left_out(value: str) -> None:
    told = "is text/html with a bit flipped" if value in FLIPPED else ""
    assert damaged_type(value, HTML).endswith(told) and bool(damaged_type(value, HTML)) is bool(told)
    damage = read_archive(archived(1, http(content_type=value))) if told else []
    assert [isinstance(one, RecordError) and "with a bit flipped" in str(one) for one in damage] == [True] * bool(told)


def test_one_bit() -> None:
    assert but_for_a_bit("a", "c", ";") == but_for_a_bit("\ufffd", "c", ";") == "c"
    assert not any(but_for_a_bit(text, "a", ";") for text in ("b", "a", "ab"))


# ---- archived_page ----
LIMIT = 1 << 16
SELECTION = PageSelection(LIMIT)


def test_a_response_is_decoded_where_it_is_needed() -> None:
    page = select_response({"id": "a"}, http(gzip.compress(PAGE.encode()), content_encoding="gzip"), SELECTION)
    assert page and page.payload.startswith(b"\x1f\x8b") and "html" not in page.record
    assert page.decoded(LIMIT) == {
        "id": "a", "status": 200, "content_type": "text/html; charset=utf-8", "html": PAGE,
        "encoding": {"name": "utf-8", "evidence": "http"},
    }  # fmt: skip


@pytest.mark.parametrize(("content_type", "payload", "selected"), [
    ("text/html", "x", True), ("application/xhtml+xml; charset=utf-8", "x", True), ("image/png", "<html>", False),
    (None, "<html> page", True), (None, "no page", False),
])  # fmt: skip
def test_content_types_and_payloads_without_one(content_type: str | None, payload: str, selected: bool) -> None:
    page = select_response({}, http(payload, content_type), SELECTION)
    assert (page is not None) == selected
    if page:
        record: Any = page.decoded(LIMIT)
        assert (record["html"], record["content_type"]) == (payload, content_type or "text/html")


def test_a_conversion_without_a_content_type_is_text_if_it_is_utf8() -> None:
    page = ArchivedPage({"id": "a"}, "Żółw".encode(), {}, is_conversion=True)
    found = select_page(page, SELECTION)
    assert found
    record = found.decoded(LIMIT)
    assert isinstance(record, dict) and (record["text"], record["content_type"]) == ("Żółw", "text/plain")
    assert select_page(page, PageSelection(LIMIT, ("text/html",))) is None
    with pytest.raises(ValueError, match="Content-Type: missing"):
        select_page(page._replace(payload=b"\x89PNG\xff"), SELECTION)
    html = select_page(page._replace(payload=b"<p>Text."), SELECTION)
    assert html and "html" in html.decoded(LIMIT)


def test_conversions_are_utf8_and_may_be_text() -> None:
    page = ArchivedPage({}, "Żółw".encode(), {"content-type": "text/plain"}, is_conversion=True)
    assert select_page(page, SELECTION) == page
    encoding = {"name": "utf-8", "evidence": "content"}
    assert page.decoded(LIMIT) == {"content_type": "text/plain", "encoding": encoding, "text": "Żółw"}
    assert select_page(page._replace(is_conversion=False), SELECTION) is None


def test_what_cannot_be_decoded_is_an_error_with_its_place() -> None:
    packed = gzip.compress(b"x" * (LIMIT + 1))
    for payload, message in ((packed[:-20], "truncated"), (packed, "more than 65,536 bytes")):
        page = select_response({"id": "a"}, http(payload, content_encoding="gzip"), SELECTION)
        assert page
        error = page._replace(place="a.warc: byte 7: ").decoded(LIMIT)
        assert isinstance(error, RecordError)
        assert str(error).startswith("a.warc: byte 7: ") and message in str(error)
        assert error.record["id"] == "a"
    page = select_response({"id": "a"}, http(b"%PDF-1.7\n"), SELECTION)  # declared as text/html
    assert page and str(page.decoded(LIMIT)) == "a PDF document, not an HTML page"
    with pytest.raises(ValueError, match="not an HTTP response"):
        select_response({}, b"no head", SELECTION)


# ---- http_payload ----
PAYLOAD = b"<p>The text of the page. \xe9\xe8\xff" * 20


@pytest.mark.parametrize(("coding", "payload"), [
    ("gzip", gzip.compress(PAYLOAD, mtime=0)), ("deflate", zlib.compress(PAYLOAD)),
])  # fmt: skip
def test_the_limit_is_that_of_the_unpacked_payload(coding: str, payload: bytes) -> None:
    assert decode_payload(payload, {"content-encoding": coding}, len(PAYLOAD)) == PAYLOAD
    with pytest.raises(OSError, match="NC_MAX_RECORD"):
        decode_payload(payload, {"content-encoding": coding}, len(PAYLOAD) - 1)


# ---- cut_archives ----
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
