"""WET files, read back by other people's programs and our own."""

from __future__ import annotations

import gzip
import io
import re
from typing import Any

import pytest
from archives import DOCUMENTS
from fastwarc.warc import ArchiveIterator, WarcRecordType

from ncfilters.errors import RecordError
from ncfilters.streams import warc_reader, wet_writer
from ncfilters.streams.html_pages import PageSelection

TEXTS = [document["text"].replace("\ud800", "\ufffd") for document in DOCUMENTS]


def whole(packed: bool = False, documents: list[dict[str, Any]] | None = None) -> bytes:
    """A WET file."""
    out: list[bytes] = []

    class Output:
        def write(self, data: bytes) -> None:
            out.append(data)

        def flush(self) -> None:
            pass

    sink = wet_writer.WetWriter(Output(), packed)  # type: ignore[arg-type]
    for document in DOCUMENTS if documents is None else documents:
        sink.write(dict(document))
    sink.close()
    return b"".join(out)


def headers(document: dict[str, Any]) -> dict[str, str]:
    """The headers of a document's record, as they are written."""
    head = wet_writer.conversion(document, 1).partition(b"\r\n\r\n")[0].decode()
    return dict(line.split(": ", 1) for line in head.split("\r\n")[1:])


@pytest.mark.parametrize("packed", [False, True])
def test_fastwarc_reads_the_file(packed: bool) -> None:
    first, *records = [(record, sound, record.reader.read()) for record, sound in _verified(whole(packed))]
    assert first[0].record_type == WarcRecordType.warcinfo
    assert b"software: ncfilters/" in first[2]
    assert first[1]
    assert [body.decode() for *_, body in records] == TEXTS
    for record, sound, _ in records:
        assert record.record_type == WarcRecordType.conversion
        assert sound
        assert record.headers["Content-Type"] == "text/plain"
        assert record.record_date is not None
        assert len(record.headers) == len(set(dict(record.headers.items())))


def _verified(data: bytes) -> list[tuple[Any, bool]]:
    return [(record, record.verify_block_digest()) for record in _frozen(data)]


def _frozen(data: bytes) -> list[Any]:
    out = []
    for record in ArchiveIterator(io.BytesIO(data)):  # type: ignore[arg-type]
        record.freeze()
        out.append(record)
    return out


@pytest.mark.oracle
@pytest.mark.parametrize("packed", [False, True])
def test_warcio_reads_the_file(packed: bool) -> None:
    archives = pytest.importorskip("warcio.archiveiterator")
    read = [
        (
            record.rec_type,
            record.content_type,
            record.rec_headers.get_header("WARC-Refers-To"),
            record.content_stream().read().decode(),
            record.digest_checker.passed,
        )
        for record in archives.ArchiveIterator(io.BytesIO(whole(packed)), check_digests="raise")
    ]
    assert read[0][:2] == ("warcinfo", "application/warc-fields")
    refers = ["<urn:uuid:0c1a>", "<urn:uuid:0c1b>"] + [None] * 6
    # warcio does not look at the digest of what is empty
    assert read[1:] == [
        ("conversion", "text/plain", refer, text, True if text else None)
        for refer, text in zip(refers, TEXTS, strict=True)
    ]


@pytest.mark.parametrize("packed", [False, True])
def test_nc_warc_reads_the_file(packed: bool) -> None:
    records = list(warc_reader.WarcReader([("x.wet", io.BytesIO(whole(packed)))], PageSelection(1 << 20)))  # type: ignore[list-item]
    assert not [record for record in records if isinstance(record, RecordError)]
    good: list[Any] = records
    assert [record["text"] for record in good] == TEXTS
    assert {record["encoding"]["name"] for record in good} == {"utf-8"}
    assert [record.get("refers_to") for record in good] == ["urn:uuid:0c1a", "urn:uuid:0c1b", *[None] * 6]
    assert [record.get("lang") for record in good] == ["pl", *[None] * 7]
    assert [record["url"] for record in good[:5]] == [
        "http://a/1",
        "http://a/żółw?q=%20&x=1",
        "urn:x-ncfilters:news/a%20b.html",
        "http://a/%0D%0AX:%20y%0D%0A%0D%0AZ%20%00%C2%85%E2%80%A8%3Cb%3E",
        "urn:x-ncfilters:7",
    ]
    assert [record["url"] == record["id"] for record in good] == [False] * 5 + [True] * 3
    assert [record["crawl_date"] for record in good[:3]] == ["2026-05-01T12:00:00Z"] * 2 + [wet_writer.UNDATED]
    assert len({record["id"] for record in good}) == len(DOCUMENTS)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", record["id"]) for record in good)


def test_each_record_is_a_gzip_member() -> None:
    data = whole(packed=True)
    assert gzip.decompress(data) == whole()
    places = [record.stream_pos for record in ArchiveIterator(io.BytesIO(data))]  # type: ignore[arg-type]
    assert len(places) == len(DOCUMENTS) + 1
    for place in places:
        assert gzip.GzipFile(fileobj=io.BytesIO(data[place:])).read(9) == b"WARC/1.0\r"


def test_the_same_documents_give_the_same_bytes() -> None:
    assert whole() == whole()
    changed = [{**DOCUMENTS[0], "text": "Żółw"}, *DOCUMENTS[1:]]
    ids = [
        [record.record_id for record in ArchiveIterator(io.BytesIO(whole(documents=documents)))]  # type: ignore[arg-type]
        for documents in (DOCUMENTS, changed)
    ]
    assert [one == other for one, other in zip(*ids, strict=True)] == [False, False, *[True] * 7]


def test_no_documents_give_a_warcinfo_record() -> None:
    assert [record.record_type for record in _frozen(whole(documents=[]))] == [WarcRecordType.warcinfo]
    failed = {"id": "a", "error": {"stage": "nc-render", "message": "x"}}
    assert len(_frozen(whole(documents=[failed, DOCUMENTS[0], failed]))) == 2


@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("2026-05-01T12:00:00Z", "2026-05-01T12:00:00Z"),
        ("2026-05-01T12:00:00.5Z", "2026-05-01T12:00:00Z"),
        ("2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00Z"),
        ("2026-05-01 12:00:00", "2026-05-01T12:00:00Z"),
        ("2026-05-01", "2026-05-01T00:00:00Z"),
        ("0001-01-01T00:00:00+02:00", wet_writer.UNDATED),
        ("2026-99-99T99:99:99Z", wet_writer.UNDATED),
        ("yesterday", wet_writer.UNDATED),
        (None, wet_writer.UNDATED),
        ({}, wet_writer.UNDATED),
    ],
)
def test_dates_are_in_utc_and_whole_seconds(date: object, said: str) -> None:
    assert headers({"id": "a", "crawl_date": date, "text": ""})["WARC-Date"] == said


@pytest.mark.parametrize(
    ("id", "refers"),
    [
        ("urn:uuid:f1d2", True),
        ("http://archive/record/1", True),
        ("42", False),
        ("news/1.html", False),
        ("a:b", False),
        ("urn:uuid:f1d2>\r\nX: y", False),
        ("urn:uuid:a b", False),
        ("http://page/", False),  # its URL, no record
    ],
)
def test_only_ids_that_are_uris_are_referred_to(id: str, refers: bool) -> None:
    written = headers({"id": id, "url": "http://page/", "text": ""})
    assert written.get("WARC-Refers-To") == (f"<{id}>" if refers else None)
    assert "X" not in written


@pytest.mark.parametrize(
    ("lang", "known"),
    [("en", True), ("zho,eng", True), ("pt-BR", True), ("", False), ("en, de", False), (["en"], False), (None, False)],
)
def test_only_valid_languages_are_written(lang: object, known: bool) -> None:
    assert ("WARC-Identified-Content-Language" in headers({"id": "a", "lang": lang, "text": ""})) == known


@pytest.mark.parametrize("field", ["url", "id"])
def test_a_url_or_id_too_long_for_a_header_is_an_error(field: str) -> None:
    assert headers({field: "h" * (wet_writer.MAX_URI - len(wet_writer.NAMESPACE)), "text": ""})
    for long in ("h" * (wet_writer.MAX_URI + 1), "urn:" + "h" * wet_writer.MAX_URI, " " * (wet_writer.MAX_URI // 2)):
        with pytest.raises(RecordError, match=f"^{field}: too long"):
            wet_writer.conversion({field: long, "text": ""}, 1)
