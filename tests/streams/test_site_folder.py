"""Folders of pages and archives, and of folders of them."""

from __future__ import annotations

import gzip
import io
import os
import re
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
from ncfilters.streams.crawl_source import ArchiveFile, CrawlRecords, CrawlSource, SiteFolder
from ncfilters.streams.html_pages import (
    MAX_PROLOG_BYTES,
    PageSelection,
    begins_with_tag,
    is_html,
    is_page_file,
    read_page,
)
from ncfilters.streams.text_folder import CorpusReader, TextFolder, page_name

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
    assert pages(tree) == [{"id": "2.htm", "encoding": {"name": "utf-8", "evidence": "content"}, "html": "<p>Żółw"}, {
        "id": "news/1.html", "encoding": {"name": "iso-8859-2", "evidence": "meta"},
        "html": '<meta charset="iso-8859-2">Żółw',
    }]  # fmt: skip
    assert tree.bytes == 31 + 10


def test_suffix_and_content_tell_pages_from_archives(tmp_path: Path) -> None:
    write(tmp_path, {
        "a.HTML": b"", "b.xhtml": b"x", "c.html.gz": gzip.compress(b"<p>c"), "d.warc": b"", "e.warc.wet.gz": b"broken",
        "f": b"WARC/1.0\r\n", "g.bin": gzip.compress(b"WARC/1.0\r\n"), "h?id=3": b"\n<!DOCTYPE html><p>h",
        "i.css": b"a {}", "j.png": b"\x89PNG\r\n", "k.txt": b"<p>text", "l": b"",
        "m.jsonl": b'{"id": "m", "html": "<p>m"}\n', ".n.html": b"<p>hidden", ".git/o.html": b"<p>hidden",
        "p1": "\ufeff<!DOCTYPE html><p>a".encode(), "p2": "\ufeff<!DOCTYPE html><p>b".encode("utf-16-le"),
        "p3": "<!DOCTYPE html><p>c".encode("utf-16-be"), "q": b'<?xml version="1.0"?><rss/>',
        "p4": b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html/>', "r": b"<!--\nfunction f() {}\n//-->",
        "p5": b'\xef\xbb\xbf<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
    })  # fmt: skip
    tree = SiteFolder(str(tmp_path), SELECTION)
    found = ["a.HTML", "b.xhtml", "c.html.gz", "[d.warc]", "[e.warc.wet.gz]", "[f]", "[g.bin]", "h?id=3"]
    assert names(tree) == [*found, "p1", "p2", "p3", "p4", "p5"]
    assert tree.skipped == 9
    html = [item["html"] for item in tree if isinstance(item, dict)]
    assert html[:4] == ["", "x", "<p>c", "\n<!DOCTYPE html><p>h"]


def test_pages_recognised_by_content_are_whole(tmp_path: Path) -> None:
    page = b"<html><p>" + b"word " * 100_000
    write(tmp_path, {"1": page, "2": gzip.compress(page)})
    assert [record["html"].encode() == page for record in pages(SiteFolder(str(tmp_path), SELECTION))] == [True, True]


def test_files_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    order = ["B.html", "a-b.html", "a.html", "a/b/c.html", "a/c.html", "a0.html", "b.html", "é.html"]
    write(tmp_path, dict.fromkeys(reversed(order), b""))
    assert names(SiteFolder(str(tmp_path), SELECTION)) == order == sorted(order, key=str.encode)
    assert names(SiteFolder(f"{tmp_path}/", SELECTION)) == order


@pytest.mark.parametrize(("mime", "found"), [
    (("text/html",), ["1.html", "4"]), (("application/xhtml+xml",), ["2.xhtml"]), (("text/plain",), ["3.txt"]),
    (("text/*",), ["1.html", "3.txt", "4"]), (("image/png",), []),
])  # fmt: skip
def test_content_types_select_files(tmp_path: Path, mime: tuple[str, ...], found: list[str]) -> None:
    write(tmp_path, {"1.html": b"", "2.xhtml": b"", "3.txt": b"<p>caf\xe9", "4": b"<html>"})
    read = pages(SiteFolder(str(tmp_path), PageSelection(LIMIT, mime)))
    assert [record["id"] for record in read] == found
    assert [(record["text"], "html" in record) for record in read if record["id"] == "3.txt"] in (
        [],
        [("<p>café", False)],
    )


def test_unreadable_files_are_errors_in_their_place(tmp_path: Path) -> None:
    write(tmp_path, {
        "1.html": b"x" * (LIMIT + 1), "2.html.gz": gzip.compress(b"x" * (LIMIT + 1)),
        "3.html.gz": gzip.compress(b"<p>is truncated" * 99)[:-9], "6.html": b"x" * LIMIT,
    })  # fmt: skip
    os.symlink("nowhere", tmp_path / "4.html")
    os.symlink("5.html", tmp_path / "5.html")
    *errors, good = list(SiteFolder(str(tmp_path), SELECTION))
    expected = {
        "1.html": "1,048,577 bytes; the limit is 1,048,576 (NC_MAX_RECORD)",
        "2.html.gz": "more than 1,048,576 bytes after decompression (NC_MAX_RECORD)",
        "3.html.gz": "compressed content is truncated",
        "4.html": "No such file or directory",
        "5.html": "Too many levels of symbolic links",
    }
    assert [str(error) for error in errors] == [f"{tmp_path}/{name}: {why}" for name, why in expected.items()]
    assert [error.record["id"] for error in errors if isinstance(error, RecordError)] == [*expected]
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


# ---- nc-warc ----
def read(*parts: Any, **options: Any) -> list[str]:
    selection = PageSelection(LIMIT, **options)
    items = CrawlRecords(CrawlSource(list(map(str, parts)), selection, archives_alone=True), LIMIT)
    return ["!" + str(item) if isinstance(item, RecordError) else item["id"] for item in items]


def test_archives_are_read_in_their_place(tmp_path: Path) -> None:
    packed = gzip.compress(resource(2, "<p>two")) + gzip.compress(resource(3, "three", "conversion", "text/plain"))
    write(tmp_path, {
        "a.html": b"", "b/c.warc.gz": packed, "b/d.warc": b"nothing of it", "e": resource(4, "<p>4"), "f.html": b"",
    })  # fmt: skip
    found = read(tmp_path)
    assert found[:3] + found[-2:] == ["a.html", "urn:uuid:2", "urn:uuid:3", "urn:uuid:4", "f.html"]
    assert len(found) == 6 and found[3].startswith(f"!{tmp_path}/b/d.warc: ")


def test_one_file_is_open_at_a_time(tmp_path: Path) -> None:
    write(tmp_path, {f"{number}.warc": resource(number, "<p>x") for number in range(50)})
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    if before is None:
        pytest.skip("no /proc here")
    source = CrawlSource([str(tmp_path)], SELECTION)
    assert max(len(os.listdir("/proc/self/fd")) - before for _ in source) <= 1


# ---- pages of HTML as inputs ----
HTML = [
    "<!DOCTYPE html><title>T</title>", '<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><p>x', "<!DOCTYPE>",
    "<html><body>x", "<P>x", "</p>x", "<article class=x>y</article>", "<br/>", "<my-element></my-element>",
    "<!-- a > b --><!----><p>x", "<!-- a comment without an end", "<!-- a comment alone -->",
    '<?xml version="1.0"?><!DOCTYPE html><html/>',
    '<?xml version="1.0"?>\n<!-- x -->\n<html xmlns="http://www.w3.org/1999/xhtml"/>',
    '<?xml version="1.0"?><x:html/>', "<?php echo 1 ?><p>x",
    '<!DOCTYPE PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN"><html>', "<!DOCTYPE html5><p>x",
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>x",
]  # fmt: skip
OTHERS = [
    '<?xml version="1.0"?><rss version="2.0"/>', '<?xml version="1.0"?><p/>', '<?xml version="1.0" encoding="utf-8"',
    "<rss/>", "<feed>", "<urlset>", "<!DOCTYPE svg><svg/>", "<!DOCTYPE svg",
    '<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x"><article>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><p>', "<svg/>", "<doc id=1>", "<data/>", "< 5 apples", "<", "<3",
    "<![CDATA[x]]><rss/>",
]  # fmt: skip
LEADING = ["", " \t\r\n\f", "\ufeff", "\ufeff\n"]
ENCODINGS = ["utf-8", "utf-16-le", "utf-16-be"]


@pytest.mark.parametrize("leading", LEADING)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", HTML)
def test_html_is_recognised_by_its_start(text: str, encoding: str, leading: str) -> None:
    data = (leading + text).encode(encoding)
    assert begins_with_tag(data) and is_html(data)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", OTHERS)
def test_other_markup_is_not_html(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    assert begins_with_tag(data) and not is_html(data)


@pytest.mark.parametrize(("name", "head", "expected"), [
    ("a.html", b"Text first, then <b>markup</b>", True), ("a.HTM.gz", b"", True), ("a.xhtml", b"<p>", True),
    ("a", b"<p>", True), ("a.html", b'\xef\xbb\xbf\n{"html": 1}', False),
    ("a.html", '{"html": 1}'.encode("utf-16-le"), False), ("a.html", b"WARC/1.0\r\n", False), ("a.txt", b"Text", False),
    ("standard input", b"", False),
])  # fmt: skip
def test_a_suffix_of_html_makes_text_a_page(name: str, head: bytes, expected: bool) -> None:
    assert is_page_file(name, head) == expected


@pytest.mark.parametrize("filler", [b" ", b"<!-- x -->", b"<!---->\n", b"<?x?>", b"<!x>", b"<!--", b"<!"])
def test_a_long_prolog_is_read_once(filler: bytes) -> None:
    data = filler * (3 * MAX_PROLOG_BYTES // len(filler)) + b"<p>x"
    assert isinstance(is_html(data), bool)
    assert filler.strip() or isinstance(read_page("a.html", io.BytesIO(data), SELECTION), dict)


def test_a_page_is_decoded_as_browsers_do() -> None:
    record = read_page("x/page.html", io.BytesIO("<p>café".encode("cp1252")), SELECTION)
    encoding = {"name": "windows-1252", "evidence": "content"}
    assert record == {"id": "x/page.html", "encoding": encoding, "html": "<p>café"}


def test_a_page_may_be_as_long_as_the_limit_and_no_more_is_read() -> None:
    assert isinstance(read_page("x", io.BytesIO(b"<p>" + b"x" * 97), PageSelection(100)), dict)
    for size in (98, 3000):
        stream = io.BytesIO(b"<p>" + b"x" * size)
        error = read_page("x", stream, PageSelection(100))
        assert isinstance(error, RecordError) and stream.tell() == 101
        assert (str(error), error.record) == ("a page of more than 100 bytes (NC_MAX_RECORD)", {"id": "x"})


def test_a_page_that_cannot_be_read_is_an_error_with_its_id() -> None:
    stream = gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(b"<p>x")[:-9]))
    error = read_page("a.html.gz", stream, SELECTION)
    assert isinstance(error, RecordError) and error.record == {"id": "a.html.gz"}


def test_what_is_not_selected_is_not_read() -> None:
    stream = io.BytesIO(b"<p>x")
    for selection in (PageSelection(100, match=re.compile("^b")), PageSelection(100, ("text/plain",))):
        assert read_page("a.html", stream, selection) is None and stream.tell() == 0
    assert read_page("a.html", stream, PageSelection(100, ("text/*",), re.compile("^a")))


# ---- folders of files as records ----
def records(path: Path, text_only: bool = False, limit: int = LIMIT) -> list[Any]:
    return list(TextFolder(str(path), limit, text_only))


def test_suffixes_tell_html_from_text(tmp_path: Path) -> None:
    write(tmp_path, {"1.HTML": b"<p>caf\xe9", "2.txt": b"<p>text", "3": b"x", "4.htm": b"", "5.md": b"y"})
    assert records(tmp_path) == [
        {"id": "1", "html": b"<p>caf\xe9"}, {"id": "2", "file": "2.txt", "text": "<p>text"},
        {"id": "3", "file": "3", "text": "x"}, {"id": "4", "html": b""}, {"id": "5", "file": "5.md", "text": "y"},
    ]  # fmt: skip
    assert records(tmp_path, text_only=True)[0] == {"id": "1", "file": "1.HTML", "text": "<p>café"}


def test_names_are_sorted_by_their_numbers(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("10.txt", "9.txt", "b.txt", "100.txt", "a.txt", "1.txt"), b"x"))
    assert [record["id"] for record in records(tmp_path)] == ["a", "b", "1", "9", "10", "100"]


@pytest.mark.parametrize(("name", "id"), [
    ("42-cleaned.txt", "42"), ("42_clean.txt", "42"), ("42.gold.txt", "42"), ("42-Original.html", "42"),
    ("cleaned.txt", "cleaned"), ("unclean.txt", "unclean"), ("a.b.txt", "a.b"),
])  # fmt: skip
def test_ids_are_names_without_suffixes(tmp_path: Path, name: str, id: str) -> None:
    assert records(write(tmp_path, {name: b""}))[0]["id"] == id


def test_files_of_all_folders_are_read_but_hidden_ones(tmp_path: Path) -> None:
    names = (".DS_Store", ".git/2.txt", "2.txt", "z.html.txt", "1/10.html", "1/9-cleaned.txt")
    write(tmp_path, dict.fromkeys(names, b"x"))
    (tmp_path / "link").symlink_to(tmp_path / "1")
    found = records(tmp_path, text_only=True)
    assert [record["id"] for record in found] == ["z.html", "1/9", "1/10", "2"]
    assert found[1]["file"] == "1/9-cleaned.txt"


@pytest.mark.parametrize(("id", "name"), [
    ("42", "42"), ("42-original.html", "42"), ("42-cleaned", "42"), ("42.html.txt", "42"), ("news/1.HTM", "news/1"),
    ("news/1.2", "news/1.2"), ("page 1", "page_1"), ("http://a/b", "http___a_b"),
])  # fmt: skip
def test_files_of_a_page_have_one_name(id: str, name: str) -> None:
    assert page_name(id) == name


@pytest.mark.parametrize(("data", "text"), [
    ("naïve 中文".encode(), "naïve 中文"), (b"\xef\xbb\xbfafter a mark", "after a mark"),
    ("über".encode("utf-16"), "über"),
    ("plain in utf-16 without a mark".encode("utf-16-le"), "plain in utf-16 without a mark"),
    (b"a caf\xe9 in windows-1252 \x96 as old files are", "a café in windows-1252 – as old files are"),
    ("a stray NUL \0 in a naïve text".encode(), "a stray NUL \0 in a naïve text"),
    ('about <meta charset="latin-1">: naïve'.encode(), 'about <meta charset="latin-1">: naïve'),
    (b"", ""),
])  # fmt: skip
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
    write(tmp_path, {"folder/1.txt": b"x", "records.jsonl": b'{"id": "2"}\n'})
    incomings = CorpusReader([str(tmp_path / "folder"), str(tmp_path / "records.jsonl")], LIMIT)
    assert [record["id"] for record in incomings if not isinstance(record, RecordError)] == ["1", "2"]
    assert (incomings.bytes, incomings.format) == (13, "jsonl")
    with pytest.raises(UsageError, match=r"nowhere: No such file"):
        CorpusReader([str(tmp_path / "nowhere")], LIMIT)
