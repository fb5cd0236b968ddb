"""Inputs that are no records."""

from __future__ import annotations

import io
import tarfile

import pytest

from ncfilters.errors import RecordError
from ncfilters.streams.foreign_formats import FORMATS, format_name, from_first_record


@pytest.mark.parametrize(("magic", "name"), FORMATS.items())
def test_first_bytes_name_the_format(magic: bytes, name: str) -> None:
    assert format_name(magic + b"\n rest") == name


@pytest.mark.parametrize("start", [b"", b'{"id": 1}', b"<p>", b"\x82\xa2id\x01", b"WARC/1.0\r\n", b"plain text"])
def test_what_filters_read_is_no_foreign_format(start: bytes) -> None:
    assert format_name(start) is None


def after(data: bytes) -> list[str | bytes]:
    found = from_first_record(iter(data.splitlines(keepends=True)), lambda what: f"x: {what}")
    return [str(item) if isinstance(item, RecordError) else item for item in found]


def test_lines_before_the_first_record_are_one_error() -> None:
    assert after(b'"log"\n1\n2\n {"id": 1}\nnoise\n{}\n') == [
        "x: expected a JSON object, got a string; 2 more lines without a record",
        b' {"id": 1}\n',
        b"noise\n",
        b"{}\n",
    ]
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
