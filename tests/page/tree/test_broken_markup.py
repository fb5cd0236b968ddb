"""Markup that costs a parser memory or time out of proportion to the page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from operations import assert_linear_time

from ncfilters.page.tree import broken_markup
from ncfilters.page.tree.broken_markup import MAX_COPIES, RUN_LENGTH, break_text, drop_root_tags, end_formatting
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.page.tree.limits import limit_markup

# Pages whose memory or time was quadratic, of a size n.
HOSTILE: dict[str, Callable[[int], str]] = {
    "rows outside tables": lambda n: "<tr><td class=a>some cell text</td></tr>\n" * n,
    "rows and unknown end tags": lambda n: "<tr><td>some cell text</td></zz></tr>\n" * n,
    "text in rows": lambda n: "<table>" + "<tr>text <td>cell</td>" * n,
    "text around cells": lambda n: "<table>" + "x <td>y</td> z" * n,
    "formatting that is not closed": lambda n: "".join(f"<b id=x{at}><p>x" for at in range(n)),
    "formatting that is closed late": lambda n: "".join(f"<b id=x{at}>" for at in range(500)) + "<p>x</p>" * n,
    "attributes of the body": lambda n: "".join(f"<body a{at}=1>" for at in range(n)),
    "names of elements": lambda n: "".join(f"<t{at}>text</t{at}>" for at in range(n)),
    "names of attributes": lambda n: "".join(f"<p a{at}=v{at}>text" for at in range(n)),
    "quoted ends of a tag": lambda n: "<p " + "".join(f" a{at}" + " b='>'" * (at % 900 == 0) for at in range(n)) + ">x",
}
# Resident megabytes of a process that parses 30,000 repetitions, 1 MB at most; a page of 1 MB with a megabyte of <p>x
# takes more.
MAX_MEGABYTES = 120
# The peak of the kernel's resource usage would be that of the process that starts this one.
PARSE = (
    "import re, sys; from ncfilters.page.tree.html_parser import parse_html; parse_html(sys.stdin.read(), dense=True);"
    "print(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])"
)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", HOSTILE)
def test_memory_is_in_proportion_to_the_page(name: str) -> None:
    page = HOSTILE[name](30_000)
    done = subprocess.run([sys.executable, "-c", PARSE], input=page, capture_output=True, text=True, check=True)
    assert int(done.stdout) < MAX_MEGABYTES * 1024, f"{int(done.stdout) // 1024} MB for {len(page):,} characters"


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_in_proportion_to_the_page(name: str) -> None:
    size = broken_markup.MIN_TAGS_WITH_NAMES if name.startswith("names") else 12_000  # both sizes have the same bounds
    assert_linear_time(lambda html: parse_html(html, dense=True), HOSTILE[name], size)


@pytest.mark.parametrize("name", ["rows outside tables", "text in rows", "text around cells", "names of elements"])
def test_text_stays(name: str) -> None:
    def characters(html: str) -> str:
        body = parse_html(html).body
        assert body is not None
        return "".join(sorted("".join(body.text().split())))

    assert characters(HOSTILE[name](12_000)) == "".join(sorted(characters(HOSTILE[name](100)) * 120))


def test_a_break_stands_in_each_run() -> None:
    rows = "<tr><td>some cell text</td></tr>" * 20_000
    assert 80_000 // (RUN_LENGTH + 4) <= break_text(rows).count("<!>") <= 80_000 // RUN_LENGTH
    assert break_text(rows).replace("<!>", "") == rows
    text = "<table>" + "<tr>some text<td><p>" * 20_000
    assert break_text(text).count("<wbr>") == 20_000 // RUN_LENGTH
    assert limit_markup(rows[:10_000]) == rows[:10_000]


@pytest.mark.parametrize("num_tags", [1_000, 20_000])
def test_formatting_ends_where_it_would_be_copied_too_often(num_tags: int) -> None:
    page = "".join(f"<b id={at}><p>x" for at in range(num_tags // 2))
    ended = end_formatting(page, page.count("<"))
    num_open = ended.count("<b ")
    assert num_open * (num_open - 1) // 2 < MAX_COPIES + page.count("<")
    assert ended.count("</b>") == num_open
    assert ended.count("<p>x") == num_tags // 2


@pytest.mark.parametrize(
    "part",
    [
        "<p><b>a</b> <i class=x>b</i>",
        "<p><font size=2>never closed",
        "<table><tr><td><font id={n}><b class={n}>a<td><i>b</table>",
        "<b id={n}><p>x</b>",
    ],
)
def test_usual_formatting_stays(part: str) -> None:
    page = "".join(part.format(n=number) for number in range(3_000))
    assert end_formatting(page, page.count("<")) == page


def test_root_tags_after_the_first_are_dropped() -> None:
    page = drop_root_tags("<html><body a>" + "<BODY b=c>text" * 100)
    assert page.lower().count("<body") + page.count("<html") == 16
    assert page.count("text") == 100


def test_a_long_tag_with_quoted_ends_loses_its_attributes() -> None:
    page = f"<p {' '.join(f'a{at}' for at in range(5_000))} b='>' {' '.join(f'c{at}' for at in range(5_000))}>text"
    assert limit_markup(page) == "<p>text"
    few = f"<p a='{'x' * 20_000}>{'x' * 20_000}' b>text"
    assert limit_markup(few) == few
    script = f"""<script>if (a <b) {{ x = {"y.z = 1; " * 2_000} "'>" {"y.z = 1; " * 2_000} }}</script>text"""
    assert limit_markup(script) == script
