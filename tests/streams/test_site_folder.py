"""Folders of pages and archives, and of folders of them."""

from __future__ import annotations

import gzip
import os
import subprocess
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from archives import resource, write

from ncfilters.errors import RecordError, UsageError
from ncfilters.record import Record
from ncfilters.streams import warc_reader
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.site_folder import ArchiveFile, SiteFolder

LIMIT = 1 << 20
SELECTION = PageSelection(LIMIT)


def pages(tree: SiteFolder) -> list[Record]:
    """All that was read, where no archive and no error is expected."""
    out = []
    for item in tree:
        assert isinstance(item, dict), item
        out.append(item)
    return out


def names(tree: SiteFolder) -> list[str]:
    """What was read: the ids of pages, `!` before those of errors; archives in brackets."""
    out = []
    for item in tree:
        if isinstance(item, ArchiveFile):
            out.append(f"[{os.path.basename(item.path)}]")
        elif isinstance(item, RecordError):
            out.append("!" + item.record["id"])
        else:
            out.append(item["id"])
    return out


def test_a_page_is_a_record(tmp_path: Path) -> None:
    write(tmp_path, {"news/1.html": b'<meta charset="iso-8859-2">\xaf\xf3\xb3w', "2.htm": "<p>Żółw".encode()})
    tree = SiteFolder(str(tmp_path), SELECTION)
    assert pages(tree) == [
        {"id": "2.htm", "encoding": {"name": "utf-8", "evidence": "content"}, "html": "<p>Żółw"},
        {
            "id": "news/1.html",
            "encoding": {"name": "iso-8859-2", "evidence": "meta"},
            "html": '<meta charset="iso-8859-2">Żółw',
        },
    ]
    assert tree.bytes == 31 + 10


def test_suffix_and_content_tell_pages_from_archives(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.HTML": b"",
            "b.xhtml": b"x",
            "c.html.gz": gzip.compress(b"<p>c"),
            "d.warc": b"",
            "e.warc.wet.gz": b"broken",
            "f": b"WARC/1.0\r\n",
            "g.bin": gzip.compress(b"WARC/1.0\r\n"),
            "h?id=3": b"\n<!DOCTYPE html><p>h",
            "i.css": b"a {}",
            "j.png": b"\x89PNG\r\n",
            "k.txt": b"<p>text",
            "l": b"",
            "m.jsonl": b'{"id": "m", "html": "<p>m"}\n',
            ".n.html": b"<p>hidden",
            ".git/o.html": b"<p>hidden",
        },
    )
    tree = SiteFolder(str(tmp_path), SELECTION)
    found = ["a.HTML", "b.xhtml", "c.html.gz", "[d.warc]", "[e.warc.wet.gz]", "[f]", "[g.bin]", "h?id=3"]
    assert names(tree) == found
    assert tree.skipped == 7
    assert [item["html"] for item in tree if isinstance(item, dict)] == ["", "x", "<p>c", "\n<!DOCTYPE html><p>h"]


def test_pages_without_suffix_may_begin_with_marks(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a": "\ufeff<!DOCTYPE html><p>a".encode(),
            "b": "\ufeff<!DOCTYPE html><p>b".encode("utf-16-le"),
            "c": "<!DOCTYPE html><p>c".encode("utf-16-be"),
            "d": b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html/>',
            "e": b'\xef\xbb\xbf<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
            "f": b'<?xml version="1.0"?><rss/>',
            "g": b"<!--\nfunction f() {}\n//-->",
        },
    )
    assert names(SiteFolder(str(tmp_path), SELECTION)) == ["a", "b", "c", "d", "e"]


def test_pages_recognised_by_content_are_whole(tmp_path: Path) -> None:
    page = b"<html><p>" + b"word " * 100_000
    write(tmp_path, {"1": page, "2": gzip.compress(page)})
    assert [record["html"].encode() == page for record in pages(SiteFolder(str(tmp_path), SELECTION))] == [True, True]


def test_files_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    order = ["B.html", "a-b.html", "a.html", "a/b/c.html", "a/c.html", "a0.html", "b.html", "é.html"]
    write(tmp_path, dict.fromkeys(reversed(order), b""))
    assert names(SiteFolder(str(tmp_path), SELECTION)) == order == sorted(order, key=str.encode)
    assert names(SiteFolder(f"{tmp_path}/", SELECTION)) == order


@pytest.mark.parametrize(
    ("mime", "found"),
    [
        (("text/html",), ["1.html", "4"]),
        (("application/xhtml+xml",), ["2.xhtml"]),
        (("text/plain",), ["3.txt"]),
        (("text/*",), ["1.html", "3.txt", "4"]),
        (("image/png",), []),
    ],
)
def test_content_types_select_files(tmp_path: Path, mime: tuple[str, ...], found: list[str]) -> None:
    write(tmp_path, {"1.html": b"", "2.xhtml": b"", "3.txt": b"<p>as it is", "4": b"<html>"})
    assert names(SiteFolder(str(tmp_path), PageSelection(LIMIT, mime))) == found


def test_plain_text_is_read_on_request(tmp_path: Path) -> None:
    write(tmp_path, {"1.txt": b"<p>caf\xe9"})
    (record,) = pages(SiteFolder(str(tmp_path), PageSelection(LIMIT, ("text/plain",))))
    assert (record["text"], "html" in record) == ("<p>café", False)


def test_unreadable_files_are_errors_in_their_place(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "1.html": b"x" * (LIMIT + 1),
            "2.html.gz": gzip.compress(b"x" * (LIMIT + 1)),
            "3.html.gz": gzip.compress(b"<p>is truncated" * 99)[:-9],
            "6.html": b"x" * LIMIT,
        },
    )
    os.symlink("nowhere", tmp_path / "4.html")
    os.symlink("5.html", tmp_path / "5.html")
    *errors, good = list(SiteFolder(str(tmp_path), SELECTION))
    assert [str(error).removeprefix(f"{tmp_path}/") for error in errors] == [
        "1.html: 1,048,577 bytes; the limit is 1,048,576 (NC_MAX_RECORD)",
        "2.html.gz: more than 1,048,576 bytes after decompression (NC_MAX_RECORD)",
        "3.html.gz: compressed content is truncated",
        "4.html: No such file or directory",
        "5.html: Too many levels of symbolic links",
    ]
    assert [error.record["id"] for error in errors if isinstance(error, RecordError)] == [
        "1.html",
        "2.html.gz",
        "3.html.gz",
        "4.html",
        "5.html",
    ]
    assert isinstance(good, dict) and good["id"] == "6.html"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_forbidden_files_and_folders_are_errors(tmp_path: Path) -> None:
    write(tmp_path, {"1.html": b"", "2/3.html": b"", "4.html": b""})
    (tmp_path / "1.html").chmod(0)
    (tmp_path / "2").chmod(0)
    try:
        assert names(SiteFolder(str(tmp_path), SELECTION)) == ["!1.html", "!2", "4.html"]
        with pytest.raises(UsageError, match=r"2: Permission denied"):
            SiteFolder(str(tmp_path / "2"), SELECTION)
    finally:
        (tmp_path / "2").chmod(0o700)


def test_links_to_files_are_read_and_to_folders_not(tmp_path: Path) -> None:
    write(tmp_path, {"in/a.html": b"", "elsewhere.html": b""})
    os.symlink(".", tmp_path / "in" / "loop")
    os.symlink("..", tmp_path / "in" / "up")
    os.symlink("../elsewhere.html", tmp_path / "in" / "b.html")
    os.mkfifo(tmp_path / "in" / "pipe.html")
    os.symlink("in", tmp_path / "link")
    for top in ("in", "link"):
        tree = SiteFolder(str(tmp_path / top), SELECTION)
        assert names(tree) == ["a.html", "b.html"]
        assert tree.skipped == 3


def test_ids_spell_out_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    top = os.fsencode(tmp_path)
    for name in (b"caf\xe9.html", b"caf\xff.html", "café.html".encode(), b"new\nline.html"):
        with open(os.path.join(top, name), "wb") as file:
            file.write(b"<p>x")
    tree = SiteFolder(str(tmp_path), SELECTION)
    assert names(tree) == ["café.html", "caf\\xe9.html", "caf\\xff.html", "new\nline.html"]


@contextmanager
def deep(top: Path, name: str, depth: int) -> Iterator[int]:
    """Folders of that name in each other, as many as *depth*; a descriptor of the last. They are gone afterwards, for
    what cleans up behind the tests would not get to their end."""
    here = os.open(top, os.O_RDONLY)
    try:
        for _ in range(depth):
            os.mkdir(name, dir_fd=here)
            below = os.open(name, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)
        subprocess.run(["rm", "-rf", str(top / name)], check=True)


@pytest.mark.slow
def test_folders_may_be_deeper_than_the_recursion_limit(tmp_path: Path) -> None:
    with deep(tmp_path, "d", 1500) as last:
        os.close(os.open("x.html", os.O_CREAT | os.O_WRONLY, dir_fd=last))
        assert names(SiteFolder(str(tmp_path), SELECTION)) == ["d/" * 1500 + "x.html"]


def test_paths_longer_than_the_system_allows_are_errors(tmp_path: Path) -> None:
    write(tmp_path, {"e.html": b""})
    with deep(tmp_path, "d" * 200, 25):
        error, good = list(SiteFolder(str(tmp_path), SELECTION))
    assert isinstance(error, RecordError) and "File name too long" in str(error)
    assert isinstance(good, dict)


def test_many_files_take_memory_for_their_names_only(tmp_path: Path) -> None:
    count, page = 3000, b"<p>" + b"x" * 20_000
    first = write(tmp_path, {"000000.html": page}) / "000000.html"
    for number in range(1, count):
        os.link(first, tmp_path / f"{number:06}.html")
    tracemalloc.start()
    try:
        assert sum(1 for _ in SiteFolder(str(tmp_path), SELECTION)) == count
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 3 * 2**20  # all pages have 60 MB


# ---- nc-warc --------------------------------------------------------------------------------------------------


def read(*parts: Any, **options: Any) -> list[str]:
    folders = [SiteFolder(str(part), PageSelection(LIMIT, **options)) for part in parts]
    items = warc_reader.WarcReader(folders, SELECTION)
    return ["!" + str(item) if isinstance(item, RecordError) else item["id"] for item in items]


def test_archives_are_read_in_their_place(tmp_path: Path) -> None:
    packed = gzip.compress(resource(2, "<p>two")) + gzip.compress(resource(3, "three", "conversion", "text/plain"))
    write(
        tmp_path,
        {
            "a.html": b"",
            "b/c.warc.gz": packed,
            "b/d.warc": b"nothing of the kind",
            "e": resource(4, "<p>4"),
            "f.html": b"",
        },
    )
    found = read(tmp_path)
    assert found[:3] + found[-2:] == ["a.html", "urn:uuid:2", "urn:uuid:3", "urn:uuid:4", "f.html"]
    assert len(found) == 6 and found[3].startswith(f"!{tmp_path}/b/d.warc: ")


def test_one_file_is_open_at_a_time(tmp_path: Path) -> None:
    write(tmp_path, {f"{number}.warc": resource(number, "<p>x") for number in range(50)})
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    if before is None:
        pytest.skip("no /proc here")
    source = iter(warc_reader.WarcReader([SiteFolder(str(tmp_path), SELECTION)], SELECTION))
    assert max(len(os.listdir("/proc/self/fd")) - before for _ in source) <= 1
