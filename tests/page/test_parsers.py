"""lexbor, which is fast, and html5lib, the reference, come to the same segments."""

from __future__ import annotations

import difflib
import json
import lzma
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation import segmenter

HERE = Path(__file__).resolve().parents[1]
CRAWL = HERE / "data" / "crawl.jsonl"
DATA = HERE.parent.parent / "shared" / "data"
# set → how many of its pages are looked at, how many are compared, and how long they may be: html5lib is slow.
SAMPLE = {"cleaneval-dev": (58, 12, 30_000), "daniel-dev": (120, 6, 60_000), "wcxb-dev": (120, 7, 60_000)}
SAME = 0.995

Pair = tuple[str, str]


def segments(html: str, parser: str) -> list[Pair]:
    return [(s["type"], s["text"]) for s in segmenter.segment_html(html, PageOptions(parser))]


def equal(one: list[Pair], other: list[Pair]) -> int:
    """How many segments the two have in common, in order."""
    if one == other:
        return len(one)
    blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def records(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("record", records(CRAWL), ids=lambda record: str(record["id"]))
def test_our_pages(record: dict[str, Any]) -> None:
    assert segments(record["html"], "lexbor") == segments(record["html"], "html5lib")


@pytest.mark.parametrize("name", SAMPLE)
def test_real_pages(name: str) -> None:
    path = DATA / f"{name}.jsonl.xz"
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    first, wanted, longest = SAMPLE[name]
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        pages = [page for page in (json.loads(line)["html"] for line in islice(lines, first)) if len(page) < longest]
    assert len(pages) >= wanted
    total = same = 0
    for page in pages[:: len(pages) // wanted][:wanted]:
        one, other = segments(page, "lexbor"), segments(page, "html5lib")
        total += max(len(one), len(other))
        same += equal(one, other)
    assert same >= SAME * total


@pytest.mark.parametrize(
    "html",
    [
        "<p>one<p>two<b>three<p>four</b>five",
        "<table><tr><td>one<p>two<tr><td>three</table>four",
        "<table>misplaced<tr><td>one</table>",
        "<b><p>one</b>two</p>three",
        "<a href=x>one<a href=y>two</a>three",
        "<ul><li>one<ul><li>two</ul>three",
        "<select><option>one<option>two</select>three",
        "<div><span>one</div>two</span>",
        "<p>one<table><tr><td>two</table>three",
        "</p>one</br>two",
        "<pre>\n\n one\n</pre><textarea>\ntwo</textarea>",
        "one &notin; &amp &copy2 &#x80; &#0; &unknown; two",
        "<title>one</title><p>two<title>three</title>",
        "<noscript><p>one</noscript><body><noscript><p>two</noscript>",
        "<frameset><noframes>one</noframes></frameset>two",
        "<form><form>one</form>two</form>three",
        "<h1>one<h2>two</h1>three",
        "<math><mi>x</mi></math><svg><desc>no</desc></svg>one",
        "<body><p>one</body>two<p>three</html>four",
        "one<!-- two --! three -->four<!-->five-->",
        "<![CDATA[one]]>two<!three>four</ five>six",
    ],
)
def test_broken_markup(html: str) -> None:
    assert segments(html, "lexbor") == segments(html, "html5lib")


@pytest.mark.parametrize("instruction", ["<?php echo 1 ?>", "<?xml:namespace prefix = o />", "<?xml version='1.0'?>"])
def test_processing_instructions(instruction: str) -> None:
    html = f"<body><p>one{instruction} two</p>"
    assert segments(html, "lexbor") == segments(html, "html5lib") == [("h", "one two")]
