"""Paragraphs of plain text: dumps, WET files, text with markers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from operations import assert_linear_time

from ncfilters.page import tidy
from ncfilters.page.blocks import text_dump
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.segmentation import plain_text, segmenter

CRAWL = Path(__file__).resolve().parents[1] / "data" / "crawl.jsonl"


def paragraphs(text: str) -> list[dict[str, Any]]:
    return [{**p, "text": " ".join(p["text"].split())} for p in plain_text.paragraphs(text)]


def texts(text: str) -> list[str]:
    return [p["text"] for p in paragraphs(text)]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(s["type"], s["text"]) for s in segmenter.segment_text(text)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", []),
        ("\n \n", []),
        ("one", ["one"]),
        ("one\ntwo\n\nthree\n", ["one two", "three"]),
        ("one\r\ntwo\r\n\r\nthree", ["one two", "three"]),
        ("one\n \t \ntwo", ["one", "two"]),
        ("   one\n   two\n\n   three", ["one two", "three"]),
        ("one\n\n\n\n\ntwo", ["one", "two"]),
        ("one\ftwo\n\nthree", ["one two", "three"]),
    ],
)
def test_empty_lines_separate_paragraphs(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("text\n\n* one\n* two\n  goes on\n", [(None, "text"), ("*", "one"), ("*", "two goes on")]),
        ("text\n\n  1. one\n  2. two", [(None, "text"), ("1.", "one"), ("2.", "two")]),
        ("text\n\n(1) one\n12) two", [(None, "text"), ("(1)", "one"), ("12)", "two")]),
        ("text\n\n• one\n•two", [(None, "text"), ("*", "one"), ("*", "two")]),
        (
            "text\n\n     * one\n          + two\n               o three",
            [(None, "text"), *zip("***", ["one", "two", "three"])],
        ),
        ("text\n\n-- one\n- two", [(None, "text"), ("*", "one"), ("*", "two")]),
        (
            "text\n\nlonger than\n- which it is -\nthat",
            [(None, "text"), (None, "longer than"), ("*", "which it is - that")],
        ),
        ("text\n\n-5 degrees", [(None, "text"), (None, "-5 degrees")]),
        ("text\n\n1.5 litres", [(None, "text"), (None, "1.5 litres")]),
        ("text\n\n1984. A year", [(None, "text"), (None, "1984. A year")]),
        ("text\n\n*\n\nmore", [(None, "text"), (None, "*"), (None, "more")]),
    ],
)
def test_list_items(text: str, expected: list[tuple[str | None, str]]) -> None:
    assert [(p.get("marker"), p["text"]) for p in paragraphs(text)] == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("<h>Title\n<p>One\ntwo.\n<l>item\n\n", [("h", "Title"), ("p", "One two."), ("l", "item")]),
        ("<h> Title\n\n   * <l> item\n", [("h", "Title"), ("l", "item")]),
        ("<H>Title\n\n<L>item", [("h", "Title"), ("l", "item")]),
        ("<q>Title.\n\nText.", [("p", "<q>Title."), ("p", "Text.")]),
    ],
)
def test_markers_give_the_type(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(kind, text.removeprefix("<l> ")) for kind, text in kinds(text)] == expected


def test_marker_behind_a_bullet() -> None:
    assert kinds("Some text.\n\n     * <l> item\n     1. <l> other\n") == [
        ("p", "Some text."),
        ("l", "item"),
        ("l", "other"),
    ]


def test_unwrapped_text_has_a_paragraph_a_line() -> None:
    long = "A paragraph of a WET file is one line however long it is, and no empty line is between it and the next one."
    text = f"Home\nNews\nSport\nA title\n{long}\n{long} {long}\n© Somebody\n"
    assert texts(text) == text.splitlines()
    assert segmenter.segment_text(text)[-1]["rule"] == "copyright"


def test_runs_of_short_lines_are_lists() -> None:
    assert [kind for kind, _ in kinds("Home\n\nNews\n\nSport\n\nEnd of it.\n")] == ["l", "l", "l", "p"]


def test_text_without_empty_lines_has_a_paragraph_a_line() -> None:
    lines = [f"line {number}" for number in range(100)]
    assert texts("\n".join(lines)) == lines


def test_headings_of_dumps_are_at_the_margin() -> None:
    text = (
        "A title\n\n   Some text that goes on\n   for lines.\n\n   More of it.\n\n   And more.\n\n"
        "A second title\n\n   The end."
    )
    assert [(p.get("type"), p["text"]) for p in paragraphs(text)] == [
        ("h", "A title"),
        (None, "Some text that goes on for lines."),
        (None, "More of it."),
        (None, "And more."),
        ("h", "A second title"),
        (None, "The end."),
    ]


def test_ideographs_are_joined_without_a_space() -> None:
    text = "   这是第一行的文字，\n   这是第二行。\n\n   Some words\n   and 文字\n   words."
    assert [" ".join(p["text"].split()) for p in plain_text.paragraphs(text)] == [
        "这是第一行的文字，这是第二行。",
        "Some words and 文字 words.",
    ]


def test_dump_of_a_page_has_its_segments() -> None:
    html = "<h1>A title</h1><p>{0}</p><ul><li>one item</li><li>another</li></ul><ol><li>{0}</li></ol><p>{0}</p>"
    html = html.format("Some words of a paragraph that is longer than a line of the dump can be, or nearly. " * 2)
    text = text_dump.dump(blocks_of_tree(html_parser.parse_html(html)))
    assert kinds(text) == [(s["type"], s["text"]) for s in segmenter.segment_html(html)]


def lynx(html: str) -> str:
    if not shutil.which("lynx"):
        pytest.skip("lynx is not installed")
    command = ["lynx", "-dump", "-nolist", "-stdin", "-assume_charset=utf-8", "-display_charset=utf-8"]
    done = subprocess.run(command, input=html.encode(), capture_output=True, check=True, timeout=60)
    return done.stdout.decode("utf-8", "replace")


@pytest.mark.oracle
def test_dump_of_lynx_has_the_segments_of_the_page() -> None:
    html = (
        "<h1>A title</h1><p>A paragraph that goes on until the line is full and must be broken by the browser. It "
        "ends.</p><p>Another one.</p><ul><li>one item<li>another<ul><li>and one within</ul></ul><ol><li>numbered<li>"
        "twice</ol><p>The end.</p>"
    )
    found = [(s["type"], s["text"]) for s in segmenter.segment_text(lynx(html))]
    assert found == [(s["type"], s["text"]) for s in segmenter.segment_html(html)]


@pytest.mark.oracle
def test_dump_of_lynx_with_markers() -> None:
    html = "<body><h2>A title</h2><p>Some text.</p><p>More text, then a break.<br>And more.</p><h3>End</h3><p>Ends."
    text = lynx(tidy.normalize_record({"html": html})["html"])
    found = [(s["type"], s["text"]) for s in segmenter.segment_text(text)]
    assert found == [
        ("h", "A title"),
        ("p", "Some text."),
        ("p", "More text, then a break."),
        ("p", "And more."),
        ("h", "End"),
        ("p", "Ends."),
    ]


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["news", "tables", "blog", "service"])
def test_dump_of_lynx_has_the_paragraphs_of_a_page(name: str) -> None:
    with CRAWL.open(encoding="utf-8") as lines:
        (html,) = [record["html"] for record in map(json.loads, lines) if record["id"] == name]
    dumped = segmenter.segment_text(lynx(tidy.normalize_record({"html": html})["html"]))
    text = "\n".join(s["text"] for s in dumped)
    long = [s["text"] for s in segmenter.segment_html(html) if len(s["text"]) > 150 and "©" not in s["text"]]
    assert [paragraph for paragraph in long if paragraph not in text] == []


@pytest.mark.parametrize("text", ["\x00", "\x85\u2028\u2029", "\t" * 1000, "<h>", "* ", "1.", "\ud800"])
def test_text_of_unusual_characters(text: str) -> None:
    assert all(segment["text"] for segment in segmenter.segment_text(text))


def test_references_of_lynx_are_left_out() -> None:
    text = "Text with [1]a link.\n\n \t\nReferences\n\n   1. http://a/\n   2. http://b/\n"
    assert paragraphs(text) == [{"text": "Text with a link."}]
    assert len(paragraphs(text.replace("References", "Other references"))) > 1


@pytest.mark.parametrize("part", ["\n", " \n", "References\n", "\nReferences\n1. ", "\n\x1d ", "word\n \n"])
def test_blank_lines_take_linear_time(part: str) -> None:
    assert_linear_time(segmenter.segment_text, lambda size: "word" + part * size + "word", 3_000)
