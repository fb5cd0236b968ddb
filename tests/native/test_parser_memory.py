"""What is read in the memory of the parser: its size, attributes of tags."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, SelectolaxError
from uncompiled import both_forms, is_compiled

from ncfilters.errors import RecordError
from ncfilters.native import parser_memory
from ncfilters.page.tree import guards, html_parser

HAS_BOUND = is_compiled("ncfilters.native.parser_memory") and platform.libc_ver()[0] == "glibc"
pytestmark = pytest.mark.skipif(not HAS_BOUND, reason="not compiled, or another C library")

# Pages for which the parser takes memory in the square of their size: end tags that it does not see, or ignores.
HOSTILE: dict[str, Callable[[int], str]] = {
    "an end tag in a comment": lambda n: "".join(f"<b id=x{at}><p>x<!--</b>-->" for at in range(n)),
    "an end tag in an object": lambda n: "".join(f"<b id=x{at}><p>x<object></b></object>" for at in range(n)),
    "an end tag in a list of options": lambda n: "".join(f"<b id=x{at}><p>x<select></b></select>" for at in range(n)),
    "an end tag in a template": lambda n: "".join(f"<b id=x{at}><p>x<template></b></template>" for at in range(n)),
    "a tag with a tag in it": lambda n: "".join(f"<b id='<x{at}'><p>x" for at in range(n)),
    "long attributes": lambda n: "<p>" + "".join(f"<b id={at} title='{'x' * n * 5}'>" for at in range(6)) + "<p>x" * n,
}
PEAK = (
    "import re, sys; from ncfilters.page.tree.html_parser import parse_html\n"
    "from ncfilters.errors import RecordError\n"
    "def peak(): return int(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])\n"
    "parse_html('<p>x'); before = peak()\n"
    "try: parse_html(sys.stdin.read())\n"
    "except RecordError: pass\n"
    "print(peak() - before)"
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_takes_no_more_memory_than_the_bound(name: str) -> None:
    page = HOSTILE[name](2_000)
    done = subprocess.run([sys.executable, "-c", PEAK], input=page, capture_output=True, text=True, check=True)
    assert int(done.stdout) * 1024 < guards.parser_bytes(len(page)) + 2_000_000


@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_that_takes_more_is_an_error_and_the_next_is_read(name: str) -> None:
    with pytest.raises(RecordError, match="bytes in the parser|open elements"):
        html_parser.lexbor_tree(HOSTILE[name](1_500))
    body = html_parser.lexbor_tree("<p>One<p>Two").body
    assert body is not None and body.text() == "OneTwo"


@pytest.mark.parametrize("page", ["<p>usual words</p>\n" * 2_000, "x" * 3_000_000, f"<p title='{'x' * 3_000_000}'>x"])
def test_usual_pages_take_less_than_four_fifths_of_the_bound(page: str) -> None:
    assert parser_memory.limit_parser(guards.parser_bytes(len(page)) * 8 // 10) == 0
    LexborHTMLParser(page)
    assert parser_memory.limit_parser(0) == 0


def test_the_bound_that_was_met_is_told_once() -> None:
    for page, most, bound in (("<p>x" * 9_000, 2_000_000, 1), ("<div>" * 1_100, 9_000_000, 2)):
        parser_memory.limit_parser(most)
        with pytest.raises(SelectolaxError):
            LexborHTMLParser(page)
        assert [parser_memory.limit_parser(0), parser_memory.limit_parser(0)] == [bound, 0]


def test_each_thread_has_a_bound_of_its_own() -> None:
    hostile, good = HOSTILE["an end tag in a comment"](1_500), "<p>x" * 2_000

    def parsed(number: int) -> bool:
        try:
            html_parser.lexbor_tree(hostile if number % 2 else good)
        except RecordError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parsed, range(40))) == [True, False] * 20


both = both_forms("ncfilters.native.parser_memory")
FORMS = pytest.mark.parametrize("form", both)
PARTS = [
    "<", "p", ">", " ", "/", "=", "'", '"', "a", "<!--", "-->", "<script", "</SCRIPT>", "<title>", "b=c", "é", "\0",
]  # fmt: skip


@FORMS
@pytest.mark.parametrize(("html", "number"), [
    ("<p>a b c", 0), ("<p id=a class='b c' d>", 3), ('<br a="<p b c d>" e/>', 2), ("<p a=1\n/b = 2 =c>", 3),
    ("<!-- <p a b c> --><p d>", 1), ("<script>'<p a b c>'</script><p d e>", 2),
    ("<sCript>a<b c d e</scripT f><p d>", 1), ("</p a b c><p", 0), ("<p a='b c > d", 1),
])  # fmt: skip
def test_number_of_attributes(form: ModuleType, html: str, number: int) -> None:
    assert form.most_attributes(html.encode()) == number


@given(st.lists(st.sampled_from(PARTS), max_size=40))
def test_both_forms_count_alike(parts: list[str]) -> None:
    html = "".join(parts).encode()
    assert len({form.most_attributes(html) for form in both}) == 1
