"""HTML to trees: both parsers, decoding, and parts of pages that parsers set aside."""

from __future__ import annotations

import difflib
import json
import lzma
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.native.page_table import table_of
from ncfilters.page import tidy
from ncfilters.page.metadata.page_head import head_of_page
from ncfilters.page.profiles import PageOptions, blocks_of_html
from ncfilters.page.tree import html_parser
from ncfilters.record import PageText
from ncfilters.segmentation import segmenter

PARSERS = list(html_parser.PARSERS)
HERE = Path(__file__).resolve().parents[2]
CRAWL = HERE / "data" / "crawl.jsonl"
DATA = HERE.parent.parent / "shared" / "data"
# set → pages that are read, pages that are compared, and characters they may have: html5lib is slow.
SAMPLE = {"cleaneval-dev": (58, 12, 30_000), "daniel-dev": (120, 6, 60_000), "wcxb-dev": (120, 7, 60_000)}
# Share of the segments that both parsers must have.
MIN_EQUAL = 0.995

TypedText = tuple[str, str]


def segments(html: str, parser: str) -> list[TypedText]:
    return [(s["type"], s["text"]) for s in segmenter.segment_html(html, PageOptions(parser))]


def equal(one: list[TypedText], other: list[TypedText]) -> int:
    """How many segments the two have in common, in order."""
    if one == other:
        return len(one)
    blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def records(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_unknown_parser_is_an_error() -> None:
    with pytest.raises(ValueError, match="parser: expected lexbor or html5lib, got 'tidy'"):
        html_parser.parse_html("", "tidy")


def test_bytes_are_decoded() -> None:
    record = html_parser.decode_html({"html": "<meta charset=iso-8859-1><p>\x93caf\xe9\x94".encode("latin-1")})
    assert "“café”" in record["html"] and record["encoding"]


def test_bytes_of_another_format_are_an_error() -> None:
    with pytest.raises(RecordError, match="a PDF document, not an HTML page"):
        html_parser.decode_html({"html": b"%PDF-1.7\n"})


@pytest.mark.parametrize("kind", [str, str.encode, lambda text: PageText(text.encode())])
def test_utf_8_that_was_decoded_as_latin_1_is_decoded_as_utf_8(kind: Callable[[str], object]) -> None:
    record = html_parser.decode_html({"html": kind("<meta charset=utf-8><p>itâ\x80\x99s")})
    assert str(record["html"]).endswith("<p>it’s")
    assert record["encoding"] == {"name": "utf-8", "evidence": "content", "declared": "iso-8859-1"}


def test_decoded_html_stays() -> None:
    record = {"id": 1, "html": "<p>caf\xe9"}
    assert html_parser.decode_html(record) is record
    with pytest.raises(RecordError, match="html: missing"):
        html_parser.decode_html({"id": 1})


@pytest.mark.parametrize("parser", PARSERS)
def test_lone_surrogates_are_replaced(parser: str) -> None:
    found = segments("<p>a\ud800b</p>", parser)
    assert [text for _, text in found] in (["ab"], ["a\ufffdb"])


@pytest.mark.parametrize("parser", PARSERS)
def test_shadow_roots_are_elements_of_the_tree(parser: str) -> None:
    html = "<body><x-a><template shadowrootmode=open><p>a</p></template></x-a><template><p>b</p></template>"
    tree = html_parser.parse_html(html, parser)
    assert [node.text() for node in tree.css("shadow-root p")] == ["a"] == [node.text() for node in tree.css("p")]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("end", ["", "</iframe>", "\n"])
def test_frames_end_with_noscript(end: str, parser: str) -> None:
    html = f"<body><noscript><iframe src=x height=0 />{end}</noscript><p>a</p><iframe src=y></iframe><p>b"
    assert [block["text"] for block in blocks_of_html(html, PageOptions(parser))] == ["a", "b"]
    assert "<p>a</p>" in tidy.tidy_html(html, parser)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("end", ["", "</titlebar>", '</titlevalue="true">'])
def test_titles_end_before_the_next_tag(end: str, parser: str) -> None:
    html = f"<head><TITLE>It rained{end}<link href=x></head><body><p>a</p>"
    assert [block["text"] for block in blocks_of_html(html, PageOptions(parser))] == ["a"]
    assert head_of_page(table_of(html_parser.parse_html(html, parser).root))["title"] == "It rained"


@pytest.mark.parametrize(
    "html", ["<title>a<b></TITLE ><p>c", "<titles><p>a", "<p>a<title>b", "<!-- <title> --><p>a", "<TITLE>a<i></title>b"]
)
def test_titles_that_end_stay(html: str) -> None:
    closed = html_parser.close_title(html)
    assert closed == html or closed == html.replace("<p>", "</title><p>")
    assert html_parser.lexbor_tree(closed).html == html_parser.lexbor_tree(html).html


@pytest.mark.parametrize("record", records(CRAWL), ids=lambda record: str(record["id"]))
def test_both_parsers_agree_on_written_pages(record: dict[str, Any]) -> None:
    assert segments(record["html"], "lexbor") == segments(record["html"], "html5lib")


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_both_parsers_agree_on_real_pages(name: str) -> None:
    path = DATA / f"{name}.jsonl.xz"
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    num_pages, num_compared, max_chars = SAMPLE[name]
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        pages = [
            page for page in (json.loads(line)["html"] for line in islice(lines, num_pages)) if len(page) < max_chars
        ]
    assert len(pages) >= num_compared
    total = same = 0
    for page in pages[:: len(pages) // num_compared][:num_compared]:
        one, other = segments(page, "lexbor"), segments(page, "html5lib")
        total += max(len(one), len(other))
        same += equal(one, other)
    assert same >= MIN_EQUAL * total


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
def test_both_parsers_agree_on_broken_markup(html: str) -> None:
    assert segments(html, "lexbor") == segments(html, "html5lib")


@pytest.mark.parametrize("instruction", ["<?php echo 1 ?>", "<?xml:namespace prefix = o />", "<?xml version='1.0'?>"])
def test_processing_instructions_are_dropped(instruction: str) -> None:
    html = f"<body><p>one{instruction} two</p>"
    assert segments(html, "lexbor") == segments(html, "html5lib") == [("h", "one two")]


def test_frames_replace_the_body() -> None:
    root = html_parser.walked_root(html_parser.parse_html("<p><frameset><frame src=x></frameset>"))
    assert root is not None and root.tag == "html"
    root = html_parser.walked_root(html_parser.parse_html("<p>text<frameset>"))
    assert root is not None and root.tag == "body"
