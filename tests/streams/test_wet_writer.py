"""WET files, read back by other people's programs and our own."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from ncfilters.errors import RecordError
from ncfilters.selection import selector
from ncfilters.streams import warc_reader, wet_writer

Verb = Callable[..., tuple[int, bytes, str]]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

# What a crawl can do to a writer of headers.
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "urn:uuid:0c1a", "url": "http://a/1", "date": "2026-05-01T12:00:00Z", "lang": "pl", "text": "Żółw\n\n中文"},
    {"id": "urn:uuid:0c1b", "url": "http://a/żółw?q=%20&x=1", "date": "2026-05-01T12:00:00.123456789Z", "text": ""},
    {"id": "news/a b.html", "text": "WARC/1.0\r\nWARC-Type: response\r\n\r\n\r\n\r\nWARC/1.0\r\n"},
    {
        "id": "x\r\nWARC-Type: response",
        "url": "http://a/\r\nX: y\r\n\r\nZ \x00\x85\u2028<b>",
        "text": "NUL \0 ESC \x1b ż",
    },
    {"id": 7, "url": None, "lang": "en\r\nX: y", "date": "no\r\ndate", "text": '<meta charset="latin-1"> naïve \ud800'},
    {"text": "nobody knows me"},
    {"text": "nobody knows me"},
    {"id": "", "url": "", "text": "x" * 300_000},
]
TEXTS = [document["text"].replace("\ud800", "\ufffd") for document in DOCUMENTS]


def segments(document: dict[str, Any]) -> dict[str, Any]:
    """A document for nc-select that has its text as one segment."""
    rest = {name: value for name, value in document.items() if name != "text"}
    text = document["text"].replace("\ud800", "\ufffd")
    return {**rest, "segments": [{"text": text, "type": "p", "score": 1}] if text else []}


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
def test_fastwarc_reads_it(packed: bool) -> None:
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


@pytest.mark.parametrize("packed", [False, True])
def test_warcio_reads_it(packed: bool) -> None:
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
def test_we_read_it(packed: bool) -> None:
    records = list(warc_reader.WarcReader([("x.wet", io.BytesIO(whole(packed)))], 1 << 20))  # type: ignore[list-item]
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
    assert [record["date"] for record in good[:3]] == ["2026-05-01T12:00:00Z"] * 2 + [wet_writer.UNDATED]
    assert len({record["id"] for record in good}) == len(DOCUMENTS)
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", record["id"]) for record in good)


def test_a_member_for_each_record() -> None:
    data = whole(packed=True)
    assert gzip.decompress(data) == whole()
    places = [record.stream_pos for record in ArchiveIterator(io.BytesIO(data))]  # type: ignore[arg-type]
    assert len(places) == len(DOCUMENTS) + 1
    for place in places:
        assert gzip.GzipFile(fileobj=io.BytesIO(data[place:])).read(9) == b"WARC/1.0\r"


def test_it_is_the_same_tomorrow() -> None:
    assert whole() == whole()
    changed = [{**DOCUMENTS[0], "text": "Żółw"}, *DOCUMENTS[1:]]
    ids = [
        [record.record_id for record in ArchiveIterator(io.BytesIO(whole(documents=documents)))]  # type: ignore[arg-type]
        for documents in (DOCUMENTS, changed)
    ]
    assert [one == other for one, other in zip(*ids, strict=True)] == [False, False, *[True] * 7]


def test_a_file_without_documents() -> None:
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
def test_dates(date: object, said: str) -> None:
    assert headers({"id": "a", "date": date, "text": ""})["WARC-Date"] == said


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
def test_what_an_id_refers_to(id: str, refers: bool) -> None:
    written = headers({"id": id, "url": "http://page/", "text": ""})
    assert written.get("WARC-Refers-To") == (f"<{id}>" if refers else None)
    assert "X" not in written


@pytest.mark.parametrize(
    ("lang", "known"),
    [("en", True), ("zho,eng", True), ("pt-BR", True), ("", False), ("en, de", False), (["en"], False), (None, False)],
)
def test_languages(lang: object, known: bool) -> None:
    assert ("WARC-Identified-Content-Language" in headers({"id": "a", "lang": lang, "text": ""})) == known


@pytest.mark.parametrize("field", ["url", "id"])
def test_what_is_too_long_for_a_header_is_an_error(field: str) -> None:
    assert headers({field: "h" * (wet_writer.MAX_URI - len(wet_writer.NAMESPACE)), "text": ""})
    for long in ("h" * (wet_writer.MAX_URI + 1), "urn:" + "h" * wet_writer.MAX_URI, " " * (wet_writer.MAX_URI // 2)):
        with pytest.raises(RecordError, match=f"^{field}: too long"):
            wet_writer.conversion({field: long, "text": ""}, 1)


def test_nc_select_writes_it(verb: Verb) -> None:
    documents = [segments(document) for document in DOCUMENTS]
    documents.insert(1, {"id": "bad", "segments": [{"text": "x", "type": "p"}]})
    status, out, err = verb(selector.main, "-f", "wet", stdin=documents)
    assert (status, err) == (1, "nc-select: record 2 (bad): segments[0].score: missing\n")
    read: list[Any] = list(warc_reader.WarcReader([("x", io.BytesIO(out))], 1 << 20))  # type: ignore[list-item]
    jsonl = verb(selector.main, "-f", "jsonl", stdin=documents)[1].splitlines()
    assert [record["text"] for record in read] == [json.loads(line)["text"] for line in jsonl if b'"error"' not in line]
    assert [record["text"] for record in read][0] == "Żółw 中文"
    packed = verb(selector.main, "-f", "wet", "--gzip", stdin=documents)[1]
    assert gzip.decompress(packed) == out


def test_a_url_that_is_too_long_ends_nothing(verb: Verb) -> None:
    documents = [
        segments({"id": id, "url": "h" * size, "text": id}) for id, size in (("a", 1), ("b", 99_999), ("c", 1))
    ]
    status, out, err = verb(selector.main, "-f", "wet", stdin=documents)
    assert (status, err) == (1, "nc-select: record 2 (b): url: too long for a WET file, more than 16,384 bytes\n")
    assert [record.reader.read() for record in _frozen(out)[1:]] == [b"a", b"c"]


def test_gzip_is_for_wet(verb: Verb) -> None:
    assert verb(selector.main, "--gzip")[::2] == (2, "nc-select: --gzip: only with -f wet\n")


def test_a_folder_to_a_wet_file(tmp_path: Path, run: Run) -> None:
    text = "The council decided on Monday that the old bridge will be repaired before the winter, and not replaced."
    page = f"<title>T</title><nav><a href=/>Home</a> | <a href=/x>More</a></nav><p>{text}</p><p>{text[:-1]} at all.</p>"
    for name in ("a.html", "b/c.html"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(page)
    data = b""
    for command in (("nc-warc", "in"), ("nc-segment",), ("nc-score",), ("nc-select", "-f", "wet")):
        done = run(*command, stdin=data)
        assert (done.returncode, done.stderr) == (0, b"")
        data = done.stdout
    again = [json.loads(line) for line in run("nc-warc", stdin=data).stdout.splitlines()]
    assert [record["url"] for record in again] == ["urn:x-ncfilters:a.html", "urn:x-ncfilters:b/c.html"]
    assert {record["text"] for record in again} == {f"{text}\n{text[:-1]} at all."}
