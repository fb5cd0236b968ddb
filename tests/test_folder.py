"""Folders of files as records."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ncfilters.folder import Folder, Incomings
from ncfilters.record import RecordError
from ncfilters.stream import UsageError

LIMIT = 1 << 20


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("12.html", "12"),
        ("12-cleaned.txt", "12"),
        ("12-clean.txt", "12"),
        ("12.cleaned.txt", "12"),
        ("12_original.htm", "12"),
        ("page-of-gold.txt", "page-of"),
        ("a.b.html", "a.b"),
        ("unclean.txt", "unclean"),
        ("no suffix", "no suffix"),
    ],
)
def test_the_id_is_the_name_without_what_stands_behind_it(tmp_path: Path, name: str, key: str) -> None:
    (tmp_path / name).write_text("text")
    (found,) = Folder(str(tmp_path), LIMIT)
    assert isinstance(found, dict) and found["id"] == key


def test_html_is_bytes_and_text_is_decoded(tmp_path: Path) -> None:
    (tmp_path / "1.HTM").write_bytes("“é”".encode("cp1252"))
    (tmp_path / "2.txt").write_bytes("“é”".encode("cp1252"))
    (tmp_path / "3.txt").write_bytes("“é” 中".encode("utf-8-sig"))
    (tmp_path / "4").write_bytes(b"")
    assert list(Folder(str(tmp_path), LIMIT)) == [
        {"id": "1", "html": b"\x93\xe9\x94"},
        {"id": "2", "text": "“é”"},
        {"id": "3", "text": "“é” 中"},
        {"id": "4", "text": ""},
    ]
    assert next(iter(Folder(str(tmp_path), LIMIT, text_only=True))) == {"id": "1", "text": "“é”"}


def test_files_come_in_the_order_of_their_numbers_and_hidden_ones_and_folders_do_not(tmp_path: Path) -> None:
    for name in ("10.txt", "9.txt", "b.txt", "a.txt", "100.txt", ".hidden", "11.txt"):
        (tmp_path / name).write_text("x")
    (tmp_path / "12").mkdir()
    found = [item["id"] for item in Folder(str(tmp_path), LIMIT) if isinstance(item, dict)]
    assert found == ["a", "b", "9", "10", "11", "100"]


def test_what_cannot_be_read_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("x" * 11)
    (tmp_path / "2.txt").symlink_to(tmp_path / "gone")
    (tmp_path / "3.jsonl").write_text('{"id": 1}\n')
    (tmp_path / "4.jsonl.gz").write_bytes(gzip.compress(b'{"id": 1}\n')[:10])
    (tmp_path / "5.txt").write_text("{braces}")
    *errors, fine = Folder(str(tmp_path), 10)
    assert fine == {"id": "5", "text": "{braces}"}
    assert all(isinstance(error, RecordError) and error.record["id"] for error in errors)
    assert [str(error) for error in errors] == [
        f"{tmp_path}/1.txt: 11 bytes; the limit is 10 (--limit)",
        f"{tmp_path}/2.txt: No such file or directory",
        f"{tmp_path}/3.jsonl: records, or compressed, no page or text: name the file, not its folder",
        f"{tmp_path}/4.jsonl.gz: records, or compressed, no page or text: name the file, not its folder",
    ]


def test_folders_and_files_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "1.html").write_text("<p>x")
    (tmp_path / "more.jsonl").write_text(json.dumps({"id": "2"}) + "\n")
    both = Incomings([str(tmp_path / "pages"), str(tmp_path / "more.jsonl")], LIMIT)
    assert list(both) == [{"id": "1", "html": b"<p>x"}, {"id": "2"}]
    assert both.bytes == 4 + 12
    with pytest.raises(UsageError, match="nowhere: No such file or directory"):
        Incomings([str(tmp_path / "nowhere")], LIMIT)
