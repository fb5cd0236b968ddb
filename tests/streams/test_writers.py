"""Where the files of documents go."""

from __future__ import annotations

import io
import os
import resource
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError
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


@pytest.mark.parametrize(
    ("id", "path"),
    [
        ("news/1.html", "news/1.html"),
        ("a b/ü?/c&d", "a_b/ü_/c_d"),
        (".hidden/x", ".hidden/x"),
        ("../x", ".._x"),
        ("a/../x", "a_.._x"),
        ("a/./x", "a_._x"),
        ("a/..", "a_.."),
        ("/etc/passwd", "_etc_passwd"),
        ("a//b", "a__b"),
        ("a/", "a_"),
        ("http://a/b", "http___a_b"),
        ("a/?/b", "a___b"),
        ("a/\0/b", "a___b"),
        ("a\\..\\b", "a_.._b"),
        ("/", "000005"),
        ("..", "000005"),
        (None, "000005"),
        ("", "000005"),
        (7, "7"),
        ("a/\ud800b", "a/_b"),
    ],
)
def test_an_id_that_is_a_path_makes_folders(id: Any, path: str) -> None:
    assert file_path(id, 5) == path


def test_long_ids_are_cut() -> None:
    assert file_path("a/" + "x" * 300, 1) == "a/" + "x" * MAX_NAME
    assert file_path("ab/" * 2000 + "x", 1) == ("ab_" * 2000)[:MAX_NAME]
    assert len(file_path("a/" * (MAX_PATH // 2), 1)) == MAX_NAME  # an empty name at its end
    assert file_path("a/" * (MAX_PATH // 2 - 1) + "x", 1).count("/") == MAX_PATH // 2 - 1


def test_folders_follow_the_ids(tmp_path: Path) -> None:
    assert written(tmp_path / "out", "a.html", "b/c.html", "b/d/e.html", "../f") == [
        ".._f.txt",
        "a.txt",
        "b/c.txt",
        "b/d/e.txt",
    ]
    assert os.listdir(tmp_path) == ["out"]


def test_files_and_folders_of_one_name_do_not_clash(tmp_path: Path) -> None:
    ids = ("a", "a.txt/b", "a.txt/c/d", "e.txt/f", "e", "x/g", "x/g")
    assert written(tmp_path, *ids) == [
        "a.txt",
        "a.txt_b~2.txt",
        "a.txt_c_d~3.txt",
        "e.txt/f.txt",
        "e~5.txt",
        "x/g.txt",
        "x/g~7.txt",
    ]


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
    assert victim.read_text() == "before"
    assert [path.name for path in elsewhere.iterdir()] == ["victim"]
    assert sorted(path.name for path in out.iterdir()) == [
        "a.txt",
        "b.txt",
        "sub",
        "sub_other~4.txt",
        "sub_victim~3.txt",
    ]
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
