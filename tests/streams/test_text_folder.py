"""Folders of files as records."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams.text_folder import CorpusReader, TextFolder, page_name

LIMIT = 1 << 20


def records(path: Path, text_only: bool = False, limit: int = LIMIT) -> list[Any]:
    return list(TextFolder(str(path), limit, text_only))


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def test_suffixes_tell_html_from_text(tmp_path: Path) -> None:
    write(tmp_path, {"1.HTML": b"<p>caf\xe9", "2.txt": b"<p>text", "3": b"x", "4.htm": b"", "5.md": b"y"})
    assert records(tmp_path) == [
        {"id": "1", "html": b"<p>caf\xe9"},
        {"id": "2", "file": "2.txt", "text": "<p>text"},
        {"id": "3", "file": "3", "text": "x"},
        {"id": "4", "html": b""},
        {"id": "5", "file": "5.md", "text": "y"},
    ]
    assert records(tmp_path, text_only=True)[0] == {"id": "1", "file": "1.HTML", "text": "<p>café"}


def test_names_are_sorted_by_their_numbers(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("10.txt", "9.txt", "b.txt", "100.txt", "a.txt", "1.txt"), b"x"))
    assert [record["id"] for record in records(tmp_path)] == ["a", "b", "1", "9", "10", "100"]


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("42-cleaned.txt", "42"),
        ("42_clean.txt", "42"),
        ("42.gold.txt", "42"),
        ("42-Original.html", "42"),
        ("cleaned.txt", "cleaned"),
        ("unclean.txt", "unclean"),
        ("a.b.txt", "a.b"),
    ],
)
def test_ids_are_names_without_suffixes(tmp_path: Path, name: str, id: str) -> None:
    assert records(write(tmp_path, {name: b""}))[0]["id"] == id


def test_hidden_files_and_folders_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, {".DS_Store": b"x", "1.txt": b"x"})
    write(tmp_path / ".git", {"2.txt": b"x"})
    assert [record["id"] for record in records(tmp_path)] == ["1"]


def test_files_of_all_folders_are_read(tmp_path: Path) -> None:
    write(tmp_path, {"2.txt": b"x", "z.html.txt": b"x"})
    write(tmp_path / "1", {"10.html": b"x", "9-cleaned.txt": b"x"})
    (tmp_path / "link").symlink_to(tmp_path / "1")
    found = records(tmp_path, text_only=True)
    assert [record["id"] for record in found] == ["z.html", "1/9", "1/10", "2"]
    assert found[1]["file"] == "1/9-cleaned.txt"


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("42", "42"),
        ("42-original.html", "42"),
        ("42-cleaned", "42"),
        ("42.html.txt", "42"),
        ("news/1.HTM", "news/1"),
        ("news/1.2", "news/1.2"),
        ("page 1", "page_1"),
        ("http://a/b", "http___a_b"),
    ],
)
def test_files_of_a_page_have_one_name(id: str, name: str) -> None:
    assert page_name(id) == name


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("naïve 中文".encode(), "naïve 中文"),
        (b"\xef\xbb\xbfafter a mark", "after a mark"),
        ("über".encode("utf-16"), "über"),
        ("plain in utf-16 without a mark".encode("utf-16-le"), "plain in utf-16 without a mark"),
        (b"a caf\xe9 in windows-1252 \x96 as old files are", "a café in windows-1252 – as old files are"),
        ("a stray NUL \0 in a naïve text".encode(), "a stray NUL \0 in a naïve text"),
        ('about <meta charset="latin-1">: naïve'.encode(), 'about <meta charset="latin-1">: naïve'),
        (b"", ""),
    ],
)
def test_texts_are_decoded(tmp_path: Path, data: bytes, text: str) -> None:
    assert records(write(tmp_path, {"1.txt": data}))[0]["text"] == text


def test_long_and_unreadable_files_are_errors(tmp_path: Path) -> None:
    write(tmp_path, {"1.txt": b"x" * 11, "3.txt": b"y" * 10})
    os.symlink("nowhere", tmp_path / "2.txt")
    long, gone, good = records(tmp_path, limit=10)
    assert isinstance(long, RecordError) and isinstance(gone, RecordError)
    assert str(long) == f"{tmp_path}/1.txt: 11 bytes; the limit is 10 (NC_MAX_RECORD)"
    assert str(gone) == f"{tmp_path}/2.txt: No such file or directory"
    assert (long.record, gone.record, good["text"]) == ({"id": "1"}, {"id": "2"}, "y" * 10)


def test_folders_and_files_are_read_in_order(tmp_path: Path) -> None:
    folder = write(tmp_path / "folder", {"1.txt": b"x"})
    (tmp_path / "records.jsonl").write_bytes(b'{"id": "2"}\n')
    incomings = CorpusReader([str(folder), str(tmp_path / "records.jsonl")], LIMIT)
    assert [record["id"] for record in incomings if not isinstance(record, RecordError)] == ["1", "2"]
    assert incomings.bytes == 13
    assert incomings.format == "jsonl"


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere: No such file"):
        CorpusReader([str(tmp_path / "nowhere")], LIMIT)
