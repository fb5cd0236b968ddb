"""Records in streams: their fields and formats, and the inputs that have them."""

from __future__ import annotations

import io
import json
import os
import resource
import tarfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams.compression import FORMATS, begins_with_tag, format_name
from ncfilters.streams.crawl_source import PageSource
from ncfilters.streams.json_lines import from_first_record, parse_line
from ncfilters.streams.msgpack_reader import is_msgpack, msgpack_records
from ncfilters.streams.readers import open_inputs, path_text
from ncfilters.streams.runner import FieldNames


# ---- field_names ----
def test_fields_are_renamed() -> None:
    names = FieldNames({"html": "content", "text": "plain"})
    record = {"id": 1, "content": "<p>x", "html": "old"}
    names.rename(record)
    assert record == {"id": 1, "html": "<p>x"}
    assert names.message() == "no record has the field plain (--field text)"


def test_a_name_that_no_record_has_is_remarked() -> None:
    names = FieldNames({"html": "contnet"})
    names.rename({"html": "<p>x"})
    names.see({"content": "<p>x"})
    names.see(
        b'{"content": "contnet"'
    )  # the value is not the name, but is quoted alike: no remark, rather than a wrong one
    assert names.message() is None
    other = FieldNames({"html": "contnet"})
    other.see(b'{"content": "x"}')
    assert other.message() == "no record has the field contnet (--field html)"
    assert FieldNames({}).message() is None


@pytest.mark.parametrize("is_ascii", [False, True])
def test_a_name_is_seen_in_a_line_of_json(is_ascii: bool) -> None:
    names = FieldNames({"html": "содержание"})
    names.see(json.dumps({"содержание": "<p>x"}, ensure_ascii=is_ascii).encode())
    assert names.message() is None


# ---- json_lines ----
@pytest.mark.parametrize(("line", "record"), [
    (b'{"a": "\\ud83d\\ude00 \\ud83d"}', {"a": "😀 \ufffd"}), (b'{"a": "\xff"}', {"a": "\ufffd"}),
    (b'{"a": {"$base64": "aGk="}}', {"a": b"hi"}),
    (b'{"a": "\xff", "b": 123456789012345678901}', {"a": "\ufffd", "b": 123456789012345678901.0}),
    (b'{"a": [{"$base64": "?"}]}', {"a": [{"$base64": "?"}]}),
])  # fmt: skip
def test_a_line_is_read_as_far_as_it_can_be(line: bytes, record: dict[str, Any]) -> None:
    assert parse_line(line) == record


@pytest.mark.parametrize(
    "line", [b"[1]", b"1", b'"x"', b"null", b"{", b'{"a": NaN}', b'{"a": "\xff" x}', b'{"\xff": 1e999}']
)
def test_a_line_that_is_no_object_is_an_error(line: bytes) -> None:
    assert isinstance(parse_line(line), RecordError)


@pytest.mark.parametrize(
    "names", [(b'"\\ud800"', b'"\\udfff"'), (b'"x\xff"', b'"x\xfe"'), (b'"\\ud800"', b'"\\ufffd"')]
)
@pytest.mark.parametrize("place", [b'{"id": "a", %s: 1, %s: 2}', b'{"id": "a", "x": [{%s: 1, "y": 3, %s: 2}]}'])
def test_two_names_that_become_one_are_an_error(names: tuple[bytes, bytes], place: bytes) -> None:
    error = parse_line(place % names)
    assert isinstance(error, RecordError)
    assert "two field names become" in str(error)
    assert error.record == {"id": "a"}


@pytest.mark.parametrize("line", [b'{"\\ud800": 1, "b": {"\\ud800": 2}}', b'{"\\ud800": 1, "a": 2, "a": 3}'])
def test_one_name_without_surrogates_is_none(line: bytes) -> None:
    assert isinstance(parse_line(line), dict)


# ---- inputs ----
def test_more_files_than_may_be_open_can_wait_to_be_read(tmp_path: Path) -> None:
    paths = [tmp_path / str(number) for number in range(300)]
    for path in paths:
        path.write_bytes(path.name.encode())
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, limits[1]))
    try:
        for (name, raw), path in zip(open_inputs([str(path) for path in paths]), paths):
            assert (name, raw.read()) == (str(path), path.name.encode())
            raw.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_pipe_is_opened_once_and_late(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    ((_, raw),) = open_inputs([str(path)])  # does not wait for the program at the other end
    writer = threading.Thread(target=path.write_bytes, args=(b"text",))
    writer.start()
    assert raw.read() == b"text"
    writer.join()
    raw.close()


@pytest.mark.parametrize(("name", "why"), [("nowhere", "No such file"), (".", "Is a directory")])
def test_an_unreadable_file_is_a_usage_error(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{name}: {why}"):
        open_inputs([str(tmp_path / name)])


def test_names_that_are_not_utf8_are_spelled_out() -> None:
    assert path_text("a/\udce9.html") == "a/\\xe9.html"
    assert path_text("żółw") == "żółw"


# ---- page_inputs ----
PAGE = "<!DOCTYPE html><p>Café".encode("windows-1252")


def files(folder: Path) -> list[str]:
    (folder / "records.jsonl").write_text('{"id": "r"}\n{"id": "s"}\n')
    (folder / "page.html").write_bytes(PAGE)
    (folder / "mirror" / "sub").mkdir(parents=True)
    (folder / "mirror" / "sub" / "b.html").write_bytes(PAGE)
    (folder / "mirror" / "a.html").write_bytes(PAGE)
    (folder / "mirror" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return [str(folder / name) for name in ("records.jsonl", "page.html", "mirror")]


def test_records_pages_and_folders_are_read_in_order(tmp_path: Path) -> None:
    source = PageSource(names := files(tmp_path), 1 << 20)
    records = [item for item in source if isinstance(item, dict)]
    assert [Path(str(record["id"])).name for record in records] == ["r", "s", "page.html", "a.html", "b.html"]
    assert [record["html"] for record in records[2:]] == ["<!DOCTYPE html><p>Café"] * 3
    assert [folder.skipped for folder in source.folders] == [1]
    assert PageSource(names[:2], 1 << 20).folders == []
    assert [isinstance(item, RecordError) for item in PageSource(names[1:], 10)] == [True] * 3
    with pytest.raises(UsageError, match="none.html"):
        list(PageSource([str(tmp_path / "none.html")], 1 << 20))


def test_an_archive_in_a_folder_is_an_error_that_names_nc_warc(tmp_path: Path) -> None:
    (tmp_path / "crawl.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    (item,) = PageSource([str(tmp_path)], 1 << 20)
    assert isinstance(item, RecordError)
    assert "nc-warc" in str(item)


# ---- foreign_formats ----
@pytest.mark.parametrize(("start", "name"), [
    *((magic + b"\n rest", name) for magic, name in FORMATS.items()),
    *((start, None) for start in (b"", b'{"id": 1}', b"<p>", b"\x82\xa2id\x01", b"WARC/1.0\r\n", b"plain text")),
])  # fmt: skip
def test_first_bytes_name_a_foreign_format(start: bytes, name: str | None) -> None:
    assert format_name(start) == name


def after(data: bytes) -> list[str | bytes]:
    found = from_first_record(iter(data.splitlines(keepends=True)), lambda what: f"x: {what}")
    return [str(item) if isinstance(item, RecordError) else item for item in found]


def test_lines_before_the_first_record_are_one_error() -> None:
    assert after(b'"log"\n1\n2\n {"id": 1}\nnoise\n{}\n') == [
        "x: expected a JSON object, got a string; 2 more lines without a record",
        b' {"id": 1}\n', b"noise\n", b"{}\n",
    ]  # fmt: skip
    assert after(b'7\n{"id": \n') == ["x: expected a JSON object, got a number", b'{"id": \n']
    assert after(b'{"id": 1}\n7\n') == [b'{"id": 1}\n', b"7\n"]
    assert after(b"") == []


def test_records_after_an_object_over_several_lines_are_read() -> None:
    told, record = after(b'{\n  "a": {"b": [\n    {"c": 1},\n  ]}\n}\n{"id": 2}\n')
    assert str(told).startswith("x: JSON with records over several lines") and record == b'{"id": 2}\n'


def test_a_tar_archive_is_named() -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("page.html"), io.BytesIO())
    assert after(file.getvalue()) == ["x: a tar archive (unpack it: folders of pages are read)"]


def test_a_line_that_is_too_long_is_named() -> None:
    found = list(from_first_record(iter([RecordError("a record of 9 bytes"), b"{}"]), lambda what: f"x: {what}"))
    assert str(found[0]) == "x: a record of 9 bytes" and found[1:] == [b"{}"]


# ---- msgpack_reader ----
RECORDS = [{"id": "a", "html": b"<p>\xe9", "n": 1.5}, {"id": "b", "list": [None, True, {"x": "y" * 300}]}]


class SlowStream(io.BytesIO):
    """A stream that gives one byte at a time."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(1)


def read(data: bytes, limit: int = 1 << 20, stream: type[io.BytesIO] = io.BytesIO) -> tuple[list[Any], int]:
    sizes: list[int] = []
    return list(msgpack_records(stream(data), limit, sizes.append)), sum(sizes)


@pytest.mark.parametrize("stream", [io.BytesIO, SlowStream])
def test_records_are_read_as_they_were_written(stream: type[io.BytesIO]) -> None:
    data = b"".join(map(msgpack.packb, RECORDS))
    assert read(data, stream=stream) == (RECORDS, len(data))


@pytest.mark.parametrize(
    "head, is_one", [(b"\x81", True), (b" \xde\x00", True), (b"{", False), (b"\xc1", False), (b"", False)]
)
def test_a_stream_of_maps_is_recognised(head: bytes, is_one: bool) -> None:
    assert is_msgpack(head) is is_one


@pytest.mark.parametrize(("value", "message"), [
    ([1, 2], "expected a MessagePack map, got an array"), ("text", "got a string"),
    *((value, "must be strings") for value in ({1: 2}, {"a": {None: 1}}, {"a": [[{"b": {b"c": 1}}]]})),
    ({"id": "long", "text": "x" * 10_000}, "NC_MAX_RECORD"),
])  # fmt: skip
def test_what_is_no_record_or_too_long_is_an_error_in_its_place(value: Any, message: str) -> None:
    first, error, last = read(b"".join(map(msgpack.packb, [RECORDS[0], value, RECORDS[1]])), limit=1000)[0]
    assert (first, last) == (RECORDS[0], RECORDS[1])
    assert isinstance(error, RecordError) and message in str(error)


def test_a_stream_that_ends_within_a_record_is_an_error() -> None:
    first, error = read(b"".join(map(msgpack.packb, RECORDS))[:-5])[0]
    assert first == RECORDS[0]
    assert isinstance(error, RecordError)


@pytest.mark.parametrize("value", [{"a\ufffd": 1}, {"a": [{"\U0001f600\ufffd": 1}]}])
def test_a_name_may_have_what_stands_for_anything(value: Any) -> None:
    assert read(msgpack.packb(value))[0] == [value]


@pytest.mark.parametrize("wrap", [lambda fields: fields, lambda fields: b"\x82\xa2id\x01\xa1x\x91" + fields])
def test_two_names_that_become_one_are_an_error_of_msgpack_reader(wrap: Callable[[bytes], bytes]) -> None:
    two = b"\x83\xa2id\x01\xa1\xff\x02\xa1\xfe\x03"
    one = b"\x83\xa2id\x02\xa1\xff\x02\xa3ab\xff\x03"
    (first, second, third), _ = read(wrap(two) + wrap(one) + msgpack.packb({"id": 3}))
    assert isinstance(first, RecordError) and "two field names become" in str(first)
    assert first.record == {"id": 1}
    assert isinstance(second, dict) and third == {"id": 3}


# ---- first_tag ----
@pytest.mark.parametrize(("head", "expected"), [
    (b"<!DOCTYPE html>", True), (b"\xef\xbb\xbf \r\n<p>", True), ("<p>It rained.".encode("utf-16"), True),
    ("<p>It rained.".encode("utf-16-be"), True), (b'{"html": "<p>"}', False), (b"It rained <b>", False), (b"", False),
])  # fmt: skip
def test_what_begins_with_a_tag(head: bytes, expected: bool) -> None:
    assert begins_with_tag(head) is expected
