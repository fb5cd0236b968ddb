"""nc-warc: WARC and WET files, made here and broken here."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import json
import lzma
import random
import re
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archives import HTML, THREE, TYPE, archived, http, read_archive, zstd

from ncfilters.errors import RecordError
from ncfilters.record import PageText
from ncfilters.streams.crawl_source import CrawlRecords, CrawlSource
from ncfilters.streams.html_pages import PageSelection

Data = Callable[[str], Path]

LIMIT = 1 << 24


def read(data: bytes, **options: Any) -> list[dict[str, Any] | RecordError]:
    return read_archive(data, LIMIT, "test.warc", **options)


def good(data: bytes, **options: Any) -> list[dict[str, Any]]:
    records = read(data, **options)
    assert not [item for item in records if isinstance(item, RecordError)]
    return records  # type: ignore[return-value]


def numbers(items: list[dict[str, Any] | RecordError]) -> list[str]:
    """The ids of what was read, `!` before those of errors."""
    found = [("!", item.record) if isinstance(item, RecordError) else ("", item) for item in items]
    return [sign + (record.get("id") or "?").removeprefix("urn:uuid:") for sign, record in found]


# ---- records ----
def test_a_response_is_a_record() -> None:
    assert good(archived(1, http())) == [{
        "id": "urn:uuid:1", "url": "http://example.org/1", "crawl_date": "2026-05-01T12:00:00Z", "status": 200,
        "content_type": TYPE, "encoding": {"name": "utf-8", "evidence": "http"}, "html": HTML,
    }]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "is_kept"), [(HTML.encode(), True), ("\ufeff<p>x".encode(), False), (b"<p>\xe9", False)]
)
def test_utf8_may_be_kept_for_those_who_read_it(page: bytes, is_kept: bool) -> None:
    items = CrawlSource(None, PageSelection(LIMIT)).items_of("a", io.BytesIO(archived(1, http(page))))  # type: ignore[arg-type]
    ((item, _),) = items
    plain: Any = item.record(LIMIT)
    html = plain["html"]
    kept: Any = item.record(LIMIT, keeps_utf8=True)
    assert isinstance(kept["html"], PageText) is is_kept and str(kept["html"]) == html


@pytest.mark.parametrize("status", ["404 Not Found", "301", "500 "])
def test_the_record_has_the_http_status(status: str) -> None:
    assert good(archived(1, http(status=status)))[0]["status"] == int(status[:3])


@pytest.mark.parametrize(("block", "kind", "content_type", "expected"), [
    (HTML.encode(), "resource", TYPE, {"html": HTML, "content_type": TYPE}),
    (http(), "resource", "application/http; msgtype=response", {"html": HTML, "status": 200}),
    (HTML.encode(), "conversion", "text/plain", {"text": HTML, "content_type": "text/plain"}),
])  # fmt: skip
def test_resources_and_conversions_are_records(
    block: bytes, kind: str, content_type: str, expected: dict[str, Any]
) -> None:
    (record,) = good(archived(2, block, kind, content_type))
    names = expected.keys() | {"html", "text", "status"}
    assert {name: record[name] for name in names if name in record} == expected


@pytest.mark.parametrize("kind", ["request", "warcinfo", "metadata", "revisit", "continuation"])
def test_other_records_are_skipped(kind: str) -> None:
    data = archived(1, http(), kind) + archived(2, http())
    assert numbers(read(data)) == ["2"]


@pytest.mark.parametrize(("mime", "is_read"), [
    *((mime, False) for mime in ("image/png", "application/pdf", "text/plain", "application/json", "text/css")),
    *((mime, True) for mime in ("TEXT/HTML;charset=UTF-8", "application/xhtml+xml", "text/html ; x=y")),
])  # fmt: skip
def test_content_types_of_html_are_recognised(mime: str, is_read: bool) -> None:
    assert numbers(read(archived(1, http(b"<html>", mime)))) == ["1"] * is_read


@pytest.mark.parametrize(("payload", "html"), [
    ("<!DOCTYPE html><p>x", True), (" \n<!-- c --> <html>", True), ("<H1>x", True), ("<a href=x>", True),
    ('{"a": 1}', False), ("plain text", False), ("%PDF-1.4", False), ("<abbr>", False), ("<pre>", False), ("", False),
    ("<body\n>", True), ("<?xml version='1.0'?><rss>", False),
])  # fmt: skip
def test_without_a_content_type_the_content_decides(payload: str, html: bool) -> None:
    assert len(read(archived(1, http(payload, None)))) == html


def test_the_charset_of_the_header_is_used() -> None:
    data = archived(1, http("<p>Żółw".encode("iso-8859-2"), "text/html;charset=Latin2"))
    record = good(data)[0]
    assert record["html"] == "<p>Żółw"
    assert record["encoding"]["name"] == "iso-8859-2"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("page", [HTML, "<p>one</p>\r\n\r\n<p>two</p>"])
def test_header_lines_may_end_with_lf_or_crlf(end: bytes, page: str) -> None:
    message = end.join([b"HTTP/1.0 200 OK", b"Content-Type:text/html;charset=utf-8", b"", page.encode()])
    assert good(archived(1, message))[0]["html"] == page


# ---- containers ----
@pytest.mark.parametrize("packed", [
    b"".join(THREE), b"".join(gzip.compress(record, mtime=0) for record in THREE),
    gzip.compress(b"".join(THREE), mtime=0), b"".join(zstd(record) for record in THREE), zstd(b"".join(THREE)),
    lzma.compress(b"".join(THREE)), bz2.compress(b"".join(THREE)),
], ids=["plain", "gzip members", "gzip", "zstd frames", "zstd", "xz", "bzip2"])  # fmt: skip
def test_compressed_archives_are_read(packed: bytes) -> None:
    records = good(packed)
    assert numbers(list(records)) == ["0", "1", "2"]
    assert [record["html"] for record in records] == [HTML.replace("text", f"text {number}") for number in range(3)]


def in_pieces(data: bytes, size: int, pack: Callable[[bytes], bytes]) -> bytes:
    return b"".join(pack(data[at : at + size]) for at in range(0, len(data), size))


BLANK = archived(0, http("a" * 3000 + "\n" * 3000 + "b" * 3000))
LONG = archived(0, http(" " * 3_000_000))


@pytest.mark.parametrize(("packed", "count"), [
    *((gzip.compress(THREE[0]) + between + gzip.compress(THREE[1]), 2)
      for between in (gzip.compress(b""), gzip.compress(b"\r\n\r\n"), b"\0" * 5000)),
    *((in_pieces(b"".join(THREE), size, pack), 3) for size in (7, 100, 1000) for pack in (gzip.compress, zstd)),
    (in_pieces(BLANK, 3000, gzip.compress) + gzip.compress(THREE[1]), 2),  # a member of line feeds in the block
    (gzip.compress(LONG) + gzip.compress(b"") + b"\0\0", 1), (b"\r\n" + THREE[0] + b"\r\n" * 9 + THREE[1], 2),
    (THREE[0].replace(b"WARC-Date: ", b"X: y\r\n  WARC-Type: request\r\nWARC-Date: "), 1),  # a folded field
])  # fmt: skip
def test_records_and_members_need_not_end_together(packed: bytes, count: int) -> None:
    assert numbers(good(packed)) == [str(number) for number in range(count)]  # type: ignore[arg-type]


@pytest.mark.parametrize("rest", [b"x", b"garbage" * 999, b"\0\0x"])
def test_what_follows_compressed_records_is_told(rest: bytes) -> None:
    assert numbers(read(gzip.compress(THREE[0]) + rest + gzip.compress(THREE[1]))) == ["0", "!?", "1"]


def test_a_head_without_an_end_is_told() -> None:
    assert numbers(read(THREE[0] + b"WARC/1.0\r\n" + b"X: y\r\n" * 99_999 + b"\r\n" + THREE[1])) == ["0", "!?", "1"]


# ---- encodings of the payload ----
def chunked(data: bytes, size: int = 7, end: bytes = b"0\r\n\r\n") -> bytes:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + end


# HTML, packed by brotli, which Python's library has not
BROTLI = bytes.fromhex(
    "1b5800c82c0eec866f8b6bae1812bacc5b0df27227ae798a87a916e064c309ceee2a1e1f70c801fb576221249c719eb24d56"
    "b29124ebaff7078d77909091cdf262bf8cbda900b9419601"
)


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(("coding", "encode"), [
    ("gzip", gzip.compress), ("x-gzip", gzip.compress), ("GZIP", gzip.compress), ("br", lambda _: BROTLI),
    ("deflate", zlib.compress), ("deflate", raw_deflate), ("zstd", zstd), ("identity", bytes),
])  # fmt: skip
@pytest.mark.parametrize("transfer", [False, True], ids=["whole", "chunked"])
def test_content_encodings_are_decoded(coding: str, encode: Callable[[bytes], bytes], transfer: bool) -> None:
    payload = encode(HTML.encode())
    headers = {"Content_Encoding": coding}
    if transfer:
        payload, headers["Transfer_Encoding"] = chunked(payload), "chunked"
    assert good(archived(1, http(payload, **headers)))[0]["html"] == HTML


def test_stacked_content_encodings_are_decoded() -> None:
    payload = gzip.compress(zlib.compress(HTML.encode()))
    assert good(archived(1, http(payload, Content_Encoding="deflate, gzip")))[0]["html"] == HTML


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate", "zstd", "unknown"])
def test_content_decoded_before_is_unchanged(coding: str) -> None:
    data = archived(1, http(HTML, Content_Encoding=coding, Transfer_Encoding="chunked"))
    assert good(data)[0]["html"] == HTML


def test_text_declared_as_deflate_is_unchanged() -> None:
    page = "<!-- page --><meta charset=windows-1251><p>Мост закрыт"
    record = good(archived(1, http(page.encode("cp1251"), Content_Encoding="deflate")))[0]
    assert record["html"] == page


@pytest.mark.parametrize(("field", "coding", "encode", "cut"), [
    ("Content_Encoding", "deflate", raw_deflate, 10), ("Content_Encoding", "gzip", gzip.compress, 10),
    ("Content_Encoding", "deflate", zlib.compress, 10), ("Transfer_Encoding", "chunked", chunked, 20),
])  # fmt: skip
def test_truncated_payloads_are_errors(field: str, coding: str, encode: Callable[[bytes], bytes], cut: int) -> None:
    packed = encode(HTML.encode() * 50)[:-cut]
    first, second = read(archived(1, http(packed, **{field: coding})) + THREE[2])
    assert isinstance(first, RecordError) and "is truncated" in str(first)
    assert isinstance(second, dict)


@pytest.mark.parametrize("payload", [
    b"5\r\n<p>ab\r\n004\r\n</p>\r\n0\r\nTrailer: x\r\n\r\n", b"5;name=value\r\n<p>ab\r\n4\r\n</p>\r\n0\r\n\r\n",
])  # fmt: skip
def test_chunks_may_have_trailers_and_extensions(payload: bytes) -> None:
    assert good(archived(1, http(payload, Transfer_Encoding="chunked")))[0]["html"] == "<p>ab</p>"


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_a_payload_over_the_limit_is_an_error(coding: str, pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(b"<p>" + b" " * (LIMIT - 2))
    assert len(bomb) < 100_000
    first, second = read(archived(1, http(bomb, Content_Encoding=coding)) + THREE[2])
    assert isinstance(first, RecordError) and "more than" in str(first) and first.record["id"] == "urn:uuid:1"
    assert isinstance(second, dict)


# ---- broken files ----
def test_a_response_that_is_not_http_is_an_error() -> None:
    data = archived(0, b"not http at all") + archived(1, b"") + archived(2, http()) + archived(3, b"20 text/gemini\r\n")
    result = read(data)
    assert numbers(result) == ["!0", "!1", "2", "!3"]
    assert str(result[0]) == "test.warc: byte 0: not an HTTP response"


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
@pytest.mark.parametrize("damage", ["zeroed", "cut", "flipped"])
def test_records_around_a_damaged_member_are_read(pack: Callable[[bytes], bytes], damage: str) -> None:
    noise = [random.Random(number).randbytes(3000).hex() for number in range(9)]
    members = [pack(archived(number, http(HTML + noise[number]))) for number in range(9)]
    middle = bytearray(members[4])
    if damage == "zeroed":
        middle[200:600] = bytes(400)
    elif damage == "cut":
        del middle[len(middle) // 2 :]
    else:
        middle[300] ^= 0xFF
    members[4] = bytes(middle)
    result = read(b"".join(members))
    read_well = [item for item in numbers(result) if not item.startswith("!")]
    if pack is zstd and "4" in read_well:  # these frames have no checksum: nobody can know
        read_well.remove("4")
    else:
        assert sum(isinstance(item, RecordError) for item in result) == 1
    assert read_well == ["0", "1", "2", "3", "5", "6", "7", "8"]


def test_each_gap_is_reported_once() -> None:
    members = [gzip.compress(archived(number, http(HTML * 40 + str(number)))) for number in range(7)]
    for number in (1, 2, 5):
        members[number] = members[number][:120] + bytes(60) + members[number][180:]
    result = read(b"".join(members))
    kinds = "".join("!" if isinstance(item, RecordError) else "." for item in result)
    assert kinds in (".!..!.", ".!!..!.")
    assert [item for item in numbers(result) if not item.startswith("!")] == ["0", "3", "4", "6"]


@pytest.mark.parametrize("length", [5000, 10**6, 10**9])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_records_behind_a_length_too_long_are_read(length: int, pack: Callable[[bytes], bytes]) -> None:
    data = [archived(0, http()), archived(1, http(), length=length), archived(2, http()), archived(3, http())]
    result = numbers(read(b"".join(map(pack, data))))
    assert "!1" in result
    assert [item for item in result if not item.startswith("!")] == ["0", "2", "3"]


@pytest.mark.parametrize("length", [0, 30, 100, "-5", "abc", "", "1e3"])
def test_records_behind_a_length_that_is_too_short_or_none_are_read(length: int | str) -> None:
    bad = archived(1, http()).replace(b"Content-Length: ", f"Content-Length: {length}\r\nX: ".encode(), 1)
    result = numbers(read(THREE[0] + bad + archived(2, http())))
    assert [item for item in result if not item.startswith("!")] in (["0", "2"], ["0", "1", "2"])


def test_a_record_over_the_limit_is_an_error() -> None:
    data = b"".join([*THREE, archived(9, http("<p>" + "x" * 5000)), THREE[0]])
    result = read_archive(data, 2000)
    assert numbers(result) == ["0", "1", "2", "!9", "0"]
    assert "the limit is 2,000" in str(result[3])


class Long(io.RawIOBase):
    """An archive with a record of *size* bytes, made while it is read."""

    def __init__(self, size: int, kind: str) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"
        self._parts = [archived(1, head, kind, length=len(head) + size)[:-4], b"\r\n\r\n" + THREE[2]]
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if len(self._parts) == 1 and self._left:
            count = min(self._left, len(buffer))
            buffer[:count] = bytes(count)
            self._left -= count
            return count
        if not self._parts:
            return 0
        data, rest = self._parts[0][: len(buffer)], self._parts[0][len(buffer) :]
        self._parts[:1] = [rest] if rest else []
        buffer[: len(data)] = data
        return len(data)


@pytest.mark.parametrize("kind", ["response", "request"])
def test_a_long_unselected_record_takes_no_memory(kind: str) -> None:
    tracemalloc.start()
    try:
        result = read_archive(Long(60_000_000, kind), 1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert numbers(result)[-1] == "2"
    assert peak < 20_000_000


# ---- what is asked for ----
def test_the_url_selects_records() -> None:
    data = b"".join(archived(n, http(), url=f"https://{h}/x{n}") for n, h in enumerate(["a.org", "b.com", "a.org"]))
    assert numbers(read(data, match=re.compile("a\\.org"))) == ["0", "2"]
    assert numbers(read(data, match=re.compile("x1$"))) == ["1"]
    assert numbers(read(data, match=re.compile("^a"))) == []


def test_the_content_type_selects_records() -> None:
    types = ["text/html", "text/plain; charset=utf-8", "application/json", "application/xhtml+xml"]
    data = b"".join(archived(number, http("x", mime)) for number, mime in enumerate(types))
    assert numbers(read(data, content_types=("text/*",))) == ["0", "1"]
    assert numbers(read(data, content_types=("application/json", "text/plain"))) == ["1", "2"]
    assert numbers(read(data, content_types=("*",))) == ["0", "1", "2", "3"]
    plain = good(data, content_types=("text/plain",))[0]
    assert plain["text"] == "x" and "html" not in plain


def test_reading_stops_after_so_many_records(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"".join(THREE))
    for most in (0, 1, 2, 3, 4):
        source = CrawlSource([str(tmp_path / "a.warc")], PageSelection(LIMIT), archives_alone=True)
        assert numbers(list(CrawlRecords(source, LIMIT, most))) == ["0", "1", "2"][:most]


# ---- a real crawl ----
# What the development set has as C1 controls was windows-1252 in the archive.
C1 = {code: bytes([code]).decode("cp1252") for code in range(0x80, 0xA0) if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}


def test_the_sample_crawl_is_read_as_the_development_set(data: Data) -> None:
    with open(data("data/crawl-sample.warc.gz"), "rb", 0) as file:
        records = read_archive(file, 1 << 28)
    assert len(records) == 258
    assert not [record for record in records if isinstance(record, RecordError)]
    html = {record["url"]: record["html"] for record in records if isinstance(record, dict)}
    texts = set(html.values())
    with lzma.open(data("data/cleaneval-dev.jsonl.xz")) as file:
        pages = [json.loads(line) for line in file]
    assert len(pages) == 58
    for page in pages:
        expected = page["html"].translate(C1)
        assert html[page["url"]] == expected if page["url"] else expected in texts, page["id"]


@pytest.mark.parametrize("size", [1, 3, 7, 8, 20, 61, 100, 200])
def test_an_archive_that_ends_inside_a_head_is_told(size: int) -> None:
    result = read(THREE[0] + THREE[1][:size])
    assert numbers(result)[0] == "0" and len(result) == 2
    assert re.match(r"test\.warc: (after )?byte \d+: ", str(result[1]))


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_errors_have_the_offset_of_their_record(compress: Any) -> None:
    damaged = [*map(compress, [THREE[0], archived(7, b"no http"), b"garbage" * 9, THREE[1], archived(8, b"no http")])]
    result = read(b"".join(damaged))
    for place, number in ((1, 1), (-1, 4)):
        assert str(result[place]) == f"test.warc: byte {len(b''.join(damaged[:number]))}: not an HTTP response"


def flushed(data: bytes) -> bytes:
    """A gzip member that is flushed in between."""
    packer = zlib.compressobj(wbits=31)
    return packer.compress(data[:100]) + packer.flush(zlib.Z_FULL_FLUSH) + packer.compress(data[100:]) + packer.flush()


def test_joined_archives_of_different_compression() -> None:
    packs: list[Callable[[bytes], bytes]] = [gzip.compress, zstd, bytes, flushed]
    for order in itertools.product(packs, repeat=4):
        items = good(b"".join(pack(archived(number, http(f"<p>{number}"))) for number, pack in enumerate(order)))
        assert [item["id"] for item in items] == [f"urn:uuid:{number}" for number in range(4)]


@pytest.mark.parametrize("first", [gzip.compress, zstd, bytes])
def test_joined_archives_that_are_cut(first: Callable[[bytes], bytes]) -> None:
    parts = [pack(archived(number, http())) for number, pack in enumerate([first, zstd, gzip.compress, gzip.compress])]
    places = [len(b"".join(parts[:number])) for number in range(5)]
    for cut in range(1, places[-1]):
        if any(place <= cut < place + 10 for place in places):  # not yet a head of gzip or zstd
            continue
        items = read(b"".join(parts)[:cut])
        whole = [number for number in range(4) if places[number + 1] <= cut]
        ids = [item["id"] for item in items if isinstance(item, dict)]
        assert ids[: len(whole)] == [f"urn:uuid:{number}" for number in whole]
        assert len(ids) > len(whole) or any(isinstance(item, RecordError) for item in items), cut
