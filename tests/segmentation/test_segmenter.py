"""Segments of blocks, HTML and plain text."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import profiles
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.segmentation import segmenter

LONG = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def typed_texts(html: str) -> list[tuple[str, str]]:
    return [(s["type"], s["text"]) for s in segmenter.segment_html(html)]


def test_c1_controls_of_a_page() -> None:
    assert typed_texts("<p>\x93Quoted\x94 text, it\x92s.") == [("p", "“Quoted” text, it’s.")]


def test_c1_ellipsis_of_a_page() -> None:
    assert typed_texts("<p>He waited\x85 and waited.") == [("p", "He waited… and waited.")]


# ---- paragraphs ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "html, expected",
    [
        ("One line<br>and the rest of it.", ["One line and the rest of it."]),
        ("One.<br><br>Two.", ["One.", "Two."]),
        ("<p>One.</p>Two.", ["One.", "Two."]),
        ("One<br>- an item<br>- another", ["One", "- an item", "- another"]),
        ("One<br>1. an item<br>2. another", ["One", "1. an item", "2. another"]),
        ("<b>A title</b><br>and text.", ["A title", "and text."]),
        (f"A title<br>{LONG} {LONG}", ["A title", f"{LONG} {LONG}"]),
        ("<div>One</div><br><div>two</div>", ["One", "two"]),
        ("<p>\u200b</p><p>One", ["One"]),
        ("<pre>a\n b</pre>", ["a\n b"]),
    ],
)
def test_lines_after_single_breaks_are_joined(html: str, expected: list[str]) -> None:
    assert [text for _, text in typed_texts(html)] == expected


def test_joined_lines_add_their_links() -> None:
    (segment,) = segmenter.segment_html("<p>Some <a href=x>words</a><br>and <a href=y>more</a> of them")
    assert segment["links"] == 9 and "br" not in segment


def test_fields_of_blocks_are_kept() -> None:
    (segment,) = segmenter.segment_html("<div hidden><ol start=4><li>An item.</ol></div>")
    assert segment == {
        "text": "An item.",
        "tag": "li",
        "path": "body/div/ol/li",
        "links": 0,
        "marker": "4.",
        "hidden": "hidden",
        "type": "l",
    }


# ---- records ------------------------------------------------------------------------------------------------
def test_records_of_html_blocks_and_text() -> None:
    html: dict[str, Any] = {"id": 7, "html": f"<p>{LONG}</p>", "lang": "en"}
    expected = [{"text": LONG, "tag": "p", "path": "body/p", "links": 0, "type": "p"}]
    assert segmenter.segment_record(html) == {"id": 7, "lang": "en", "segments": expected}
    assert segmenter.segment_record(profiles.render_record(html)) == {"id": 7, "lang": "en", "segments": expected}
    assert segmenter.segment_record(html, keep=True) == {**html, "segments": expected}
    assert segmenter.segment_record({"text": LONG}) == {"segments": [{"text": LONG, "type": "p"}]}
    assert segmenter.segment_record({"blocks": [], "html": "x"}) == {"html": "x", "segments": []}
    assert segmenter.segment_record({"html": ""}) == {"segments": []}


def test_kept_blocks_do_not_change() -> None:
    blocks = blocks_of_tree(html_parser.parse_html("<p>One<br>two</p>"))
    before = [dict(block) for block in blocks]
    kept = segmenter.segment_record({"blocks": blocks}, keep=True)
    assert kept["blocks"] == before and kept["segments"][0]["text"] == "One two"


@pytest.mark.parametrize(
    "record, message",
    [
        ({}, "html, blocks and text: all missing"),
        ({"blocks": [{}]}, r"blocks\[0\].text: missing"),
        ({"blocks": [{"text": "a", "tag": "p", "path": "p", "links": 0}, 7]}, r"blocks\[1\]: expected an object"),
        ({"blocks": [{"text": 7, "tag": "p", "path": "p", "links": 0}]}, r"blocks\[0\].text: expected a string"),
    ],
)
def test_errors_name_the_field(record: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        segmenter.segment_record(record)
