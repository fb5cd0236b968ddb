"""Where the files of documents go."""

from __future__ import annotations

import gzip
import io
import os
import re
import resource
from pathlib import Path
from typing import Any

import pytest
from archives import DOCUMENTS, read_archive
from fastwarc.warc import ArchiveIterator, WarcRecordType

from ncfilters.errors import RecordError
from ncfilters.streams import wet_writer
from ncfilters.streams.writers import MAX_NAME, MAX_PATH, Files, Text, TextFrame, by_id, file_path, json_line


def written(folder: Path, *ids: Any) -> list[str]:
    """The files for documents with these ids, by their paths in *folder*; each has its id as text."""
    sink = Files(str(folder), ".txt", lambda record: str(record["id"]), name_of=by_id(file_path))
    for id in ids:
        sink.write({"id": id})
    sink.close()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sorted(path.read_text() for path in files) == sorted(f"{id}\n" for id in ids)
    return sorted(str(path.relative_to(folder)) for path in files)


@pytest.mark.parametrize(("id", "path"), [
    ("news/1.html", "news/1.html"), ("a b/ü?/c&d", "a_b/ü_/c_d"), (".hidden/x", ".hidden/x"), ("../x", ".._x"),
    ("a/../x", "a_.._x"), ("a/./x", "a_._x"), ("a/..", "a_.."), ("/etc/passwd", "_etc_passwd"), ("a//b", "a__b"),
    ("a/", "a_"), ("http://a/b", "http___a_b"), ("a/?/b", "a___b"), ("a/\0/b", "a___b"), ("a\\..\\b", "a_.._b"),
    ("/", "000005"), ("..", "000005"), (None, "000005"), ("", "000005"), (7, "7"), ("a/\ud800b", "a/_b"),
])  # fmt: skip
def test_an_id_that_is_a_path_makes_folders(id: Any, path: str) -> None:
    assert file_path(id, 5) == path


def test_long_ids_are_cut() -> None:
    assert file_path("a/" + "x" * 300, 1) == "a/" + "x" * MAX_NAME
    assert file_path("ab/" * 2000 + "x", 1) == ("ab_" * 2000)[:MAX_NAME]
    assert len(file_path("a/" * (MAX_PATH // 2), 1)) == MAX_NAME  # an empty name at its end
    assert file_path("a/" * (MAX_PATH // 2 - 1) + "x", 1).count("/") == MAX_PATH // 2 - 1


@pytest.mark.parametrize(("ids", "names"), [
    (["a.html", "b/c.html", "b/d/e.html", "../f"], [".._f.txt", "a.txt", "b/c.txt", "b/d/e.txt"]),
    (["a", "a.txt/b", "a.txt/c/d", "e.txt/f", "e", "x/g", "x/g"], [
        "a.txt", "a.txt_b~2.txt", "a.txt_c_d~3.txt", "e.txt/f.txt", "e~5.txt", "x/g.txt", "x/g~7.txt",
    ]),
])  # fmt: skip
def test_folders_follow_the_ids_and_names_do_not_clash(ids: list[str], names: list[str], tmp_path: Path) -> None:
    assert written(tmp_path / "out", *ids) == names
    assert os.listdir(tmp_path) == ["out"]


def test_links_in_the_folder_are_replaced_or_avoided_not_followed(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    out.mkdir()
    victim = elsewhere / "victim"
    victim.write_text("before")
    (out / "a.txt").symlink_to(victim)
    os.link(victim, out / "b.txt")
    (out / "sub").symlink_to(elsewhere)
    files = Files(str(out), ".txt", lambda record: "after", name_of=by_id(file_path))
    for name in ("a", "b", "sub/victim", "sub/other"):
        files.write({"id": name})
    assert victim.read_text() == "before" and os.listdir(elsewhere) == ["victim"]
    assert sorted(os.listdir(out)) == ["a.txt", "b.txt", "sub", "sub_other~4.txt", "sub_victim~3.txt"]
    assert (out / "a.txt").read_text() == (out / "b.txt").read_text() == "after\n"
    assert files.replaced == 2


@pytest.mark.parametrize(
    "id, name", [("a.html", "a"), (".html", ".html"), ("x/.htm", "x/.htm"), ("b.HTM", "b"), (7, "7")]
)
def test_the_suffix_of_a_page_is_left_out(id: Any, name: str) -> None:
    assert by_id(file_path)({"id": id}, 5) == name


def test_a_full_disk_leaves_no_file_and_names_it(tmp_path: Path) -> None:
    files = Files(str(tmp_path), ".txt", lambda record: "x" * 5_000)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, limits[1]))
    try:
        with pytest.raises(OSError, match=r"a\.txt"):
            files.write({"id": "a"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


OWN_HEAD = TextFrame("<all>\n", "", "</all>\n", lambda record: f"<{record['id']}>\n")


@pytest.mark.parametrize(
    ("ids", "expected"), [("", "<all>\n</all>\n"), ("a", "<a>\na\n</all>\n"), ("abc", "<all>\na\nb\nc\n</all>\n")]
)
def test_the_only_document_of_an_output_has_its_own_head(ids: str, expected: str) -> None:
    output = io.BytesIO()
    sink = Text(output, lambda record: str(record["id"]), OWN_HEAD)
    for id in ids:
        sink.write({"id": id})
    sink.close()
    assert output.getvalue().decode() == expected


def test_each_file_has_its_own_head(tmp_path: Path) -> None:
    sink = Files(str(tmp_path), ".html", lambda record: str(record["id"]), OWN_HEAD)
    sink.write({"id": "a"})
    sink.write({"id": "b"})
    assert (tmp_path / "b.html").read_text() == "<b>\nb\n</all>\n"


def test_names_with_lone_surrogates() -> None:
    assert json_line({"\ud800": ["\udfff"]}) == '{"\ufffd":["\ufffd"]}\n'.encode()
    with pytest.raises(RecordError, match="two field names"):
        json_line({"a": [dict.fromkeys(["\ud800", "\udfff"])]})


# ---- wET files, read back by other people's programs and our own ----
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
    records = _frozen(whole(packed))
    assert all(record.verify_block_digest() for record in records)
    first, *bodies = [record.reader.read() for record in records]
    kinds = [record.record_type for record in records]
    assert kinds == [WarcRecordType.warcinfo, *[WarcRecordType.conversion] * len(TEXTS)]
    assert b"software: ncfilters/" in first and [body.decode() for body in bodies] == TEXTS
    for record in records[1:]:
        assert record.headers["Content-Type"] == "text/plain" and record.record_date is not None
        assert len(record.headers) == len(set(dict(record.headers.items())))


def _frozen(data: bytes) -> list[Any]:
    records = []
    for record in ArchiveIterator(io.BytesIO(data)):  # type: ignore[arg-type]
        record.freeze()
        records.append(record)
    return records


@pytest.mark.oracle
@pytest.mark.parametrize("packed", [False, True])
def test_warcio_reads_the_file(packed: bool) -> None:
    archives = pytest.importorskip("warcio.archiveiterator")
    read = [(
        record.rec_type, record.content_type, record.rec_headers.get_header("WARC-Refers-To"),
        record.content_stream().read().decode(), record.digest_checker.passed,
    ) for record in archives.ArchiveIterator(io.BytesIO(whole(packed)), check_digests="raise")]  # fmt: skip
    assert read[0][:2] == ("warcinfo", "application/warc-fields")
    refers = ["<urn:uuid:0c1a>", "<urn:uuid:0c1b>"] + [None] * 6
    # warcio does not look at the digest of what is empty
    assert read[1:] == [
        ("conversion", "text/plain", refer, text, True if text else None)
        for refer, text in zip(refers, TEXTS, strict=True)
    ]


@pytest.mark.parametrize("packed", [False, True])
def test_nc_warc_reads_the_file(packed: bool) -> None:
    records = read_archive(whole(packed))
    assert not [record for record in records if isinstance(record, RecordError)]
    good: list[Any] = records
    assert [record["text"] for record in good] == TEXTS
    assert {record["encoding"]["name"] for record in good} == {"utf-8"}
    assert [record.get("refers_to") for record in good] == ["urn:uuid:0c1a", "urn:uuid:0c1b", *[None] * 6]
    assert [record.get("lang") for record in good] == ["pl", *[None] * 7]
    assert [record["url"] for record in good[:5]] == [
        "http://a/1", "http://a/żółw?q=%20&x=1", "urn:x-ncfilters:news/a%20b.html",
        "http://a/%0D%0AX:%20y%0D%0A%0D%0AZ%20%00%C2%85%E2%80%A8%3Cb%3E", "urn:x-ncfilters:7",
    ]  # fmt: skip
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


@pytest.mark.parametrize(("date", "said"), [
    ("2026-05-01T12:00:00Z", "2026-05-01T12:00:00Z"), ("2026-05-01T12:00:00.5Z", "2026-05-01T12:00:00Z"),
    ("2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00Z"), ("2026-05-01 12:00:00", "2026-05-01T12:00:00Z"),
    ("2026-05-01", "2026-05-01T00:00:00Z"), ("0001-01-01T00:00:00+02:00", wet_writer.UNDATED),
    ("2026-99-99T99:99:99Z", wet_writer.UNDATED), ("yesterday", wet_writer.UNDATED), (None, wet_writer.UNDATED),
    ({}, wet_writer.UNDATED),
])  # fmt: skip
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
