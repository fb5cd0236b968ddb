"""Pages of HTML as inputs."""

from __future__ import annotations

import gzip
import io
import re

import pytest

from ncfilters.errors import RecordError
from ncfilters.streams.html_pages import (
    MAX_PROLOG_BYTES,
    PageSelection,
    begins_with_tag,
    is_html,
    is_page_file,
    read_page,
)

SELECTION = PageSelection(1 << 20)
HTML = [
    "<!DOCTYPE html><title>T</title>",
    '<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><p>x',
    "<!DOCTYPE>",
    "<html><body>x",
    "<P>x",
    "</p>x",
    "<article class=x>y</article>",
    "<br/>",
    "<my-element></my-element>",
    "<!-- a > b --><!----><p>x",
    "<!-- a comment without an end",
    "<!-- a comment alone -->",
    '<?xml version="1.0"?><!DOCTYPE html><html/>',
    '<?xml version="1.0"?>\n<!-- x -->\n<html xmlns="http://www.w3.org/1999/xhtml"/>',
    '<?xml version="1.0"?><x:html/>',
    "<?php echo 1 ?><p>x",
    '<!DOCTYPE PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN"><html>',
    "<!DOCTYPE html5><p>x",
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>x",
]
OTHERS = [
    '<?xml version="1.0"?><rss version="2.0"/>',
    '<?xml version="1.0"?><p/>',
    '<?xml version="1.0" encoding="utf-8"',
    "<rss/>",
    "<feed>",
    "<urlset>",
    "<!DOCTYPE svg><svg/>",
    "<!DOCTYPE svg",
    '<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x"><article>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><p>',
    "<svg/>",
    "<doc id=1>",
    "<data/>",
    "< 5 apples",
    "<",
    "<3",
    "<![CDATA[x]]><rss/>",
]
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


@pytest.mark.parametrize(
    "data", [b"", b" ", b"{", b'{"html": "<p>"}', b"\x81\xa4html", b"WARC/1.0", b"a < b", b"\xff\xfe{\0"]
)
def test_records_do_not_begin_with_a_tag(data: bytes) -> None:
    assert not begins_with_tag(data)


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.html", b"Text first, then <b>markup</b>", True),
        ("a.HTM.gz", b"", True),
        ("a.xhtml", b"<p>", True),
        ("a", b"<p>", True),
        ("a.html", b'\xef\xbb\xbf\n{"html": 1}', False),
        ("a.html", '{"html": 1}'.encode("utf-16-le"), False),
        ("a.html", b"WARC/1.0\r\n", False),
        ("a.txt", b"Text", False),
        ("standard input", b"", False),
    ],
)
def test_a_suffix_of_html_makes_text_a_page(name: str, head: bytes, expected: bool) -> None:
    assert is_page_file(name, head) == expected


def test_white_space_before_a_page_has_no_limit() -> None:
    data = b" " * (2 * MAX_PROLOG_BYTES) + b"<p>x"
    assert isinstance(read_page("a.html", io.BytesIO(data), SELECTION), dict)


@pytest.mark.parametrize("filler", [b"<!-- x -->", b"<!---->\n", b"<?x?>", b"<!x>", b"<!--", b"<!"])
def test_a_long_prolog_is_read_once(filler: bytes) -> None:
    assert isinstance(is_html(filler * (3 * MAX_PROLOG_BYTES // len(filler)) + b"<p>"), bool)


@pytest.mark.parametrize(
    ("data", "html", "encoding"),
    [
        ("<p>café".encode("cp1252"), "<p>café", {"name": "windows-1252", "evidence": "content"}),
        (b"<p>plain", "<p>plain", {"name": "utf-8", "evidence": "ascii"}),
        ("\ufeff<p>ż".encode("utf-16-le"), "<p>ż", {"name": "utf-16le", "evidence": "bom"}),
        ("\ufeff<p>ż".encode(), "<p>ż", {"name": "utf-8", "evidence": "bom"}),
        (
            "<meta charset=shift_jis><p>テスト".encode("cp932"),
            "<meta charset=shift_jis><p>テスト",
            {"name": "shift_jis", "evidence": "meta"},
        ),
    ],
)
def test_a_page_is_decoded_as_browsers_do(data: bytes, html: str, encoding: dict[str, str]) -> None:
    record = read_page("x/page.html", io.BytesIO(data), SELECTION)
    assert record == {"id": "x/page.html", "encoding": encoding, "html": html}


def test_a_page_may_be_as_long_as_the_limit() -> None:
    assert isinstance(read_page("x", io.BytesIO(b"<p>" + b"x" * 97), PageSelection(100)), dict)
    error = read_page("x", io.BytesIO(b"<p>" + b"x" * 98), PageSelection(100))
    assert isinstance(error, RecordError)
    assert (str(error), error.record) == ("a page of more than 100 bytes (NC_MAX_RECORD)", {"id": "x"})


def test_no_more_of_a_long_page_is_read_than_the_limit() -> None:
    stream = io.BytesIO(b"<p>" * 1000)
    read_page("x", stream, PageSelection(100))
    assert stream.tell() == 101


def test_a_page_that_cannot_be_read_is_an_error_with_its_id() -> None:
    stream = gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(b"<p>x")[:-9]))
    error = read_page("a.html.gz", stream, SELECTION)
    assert isinstance(error, RecordError) and error.record == {"id": "a.html.gz"}


def test_what_is_not_selected_is_not_read() -> None:
    stream = io.BytesIO(b"<p>x")
    assert read_page("a.html", stream, PageSelection(100, match=re.compile("^b"))) is None
    assert read_page("a.html", stream, PageSelection(100, ("text/plain",))) is None
    assert stream.tell() == 0
    assert read_page("a.html", stream, PageSelection(100, ("text/*",), re.compile("^a")))
