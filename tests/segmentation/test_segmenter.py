"""Segments of pages: their types, languages, titles, posts, labels, code."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from uncompiled import in_both_forms

from ncfilters.errors import RecordError
from ncfilters.page import profiles
from ncfilters.page.blocks.block_table import table_of
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.markup import clean_code
from ncfilters.segmentation.page_language import SAMPLE_CHARS, SEGMENT_CHARS, with_language
from ncfilters.segmentation.segmenter import place_posts, segment_record

LONG = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def typed_texts(html: str) -> list[tuple[str, str]]:
    return [(s["type"], s["text"]) for s in segmenter.segment_html(html)]


def test_c1_controls_of_a_page() -> None:
    assert typed_texts("<p>\x93Quoted\x94 text, it\x92s.") == [("p", "“Quoted” text, it’s.")]
    assert typed_texts("<p>He waited\x85 and waited.") == [("p", "He waited… and waited.")]


# ---- paragraphs ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("html, expected", [
    ("One line<br>and the rest of it.", ["One line and the rest of it."]), ("One.<br><br>Two.", ["One.", "Two."]),
    ("<p>One.</p>Two.", ["One.", "Two."]), ("One<br>- an item<br>- another", ["One", "- an item", "- another"]),
    ("One<br>1. an item<br>2. another", ["One", "1. an item", "2. another"]),
    ("<b>A title</b><br>and text.", ["A title", "and text."]),
    (f"A title<br>{LONG} {LONG}", ["A title", f"{LONG} {LONG}"]), ("<div>One</div><br><div>two</div>", ["One", "two"]),
    ("<p>\u200b</p><p>One", ["One"]), ("<pre>a\n b</pre>", ["a\n b"]),
])  # fmt: skip
def test_lines_after_single_breaks_are_joined(html: str, expected: list[str]) -> None:
    assert [text for _, text in typed_texts(html)] == expected


def test_joined_lines_keep_their_fields() -> None:
    (segment,) = segmenter.segment_html("<p>Some <a href=x>words</a><br>and <a href=y>more</a> of them")
    assert segment["links"] == 9 and "br" not in segment
    (segment,) = segmenter.segment_html("<div hidden><ol start=4><li>An item.</ol></div>")
    assert segment == {
        "text": "An item.", "tag": "li", "path": "body/div/ol/li", "links": 0, "marker": "4.", "hidden": "hidden",
        "type": "l",
    }  # fmt: skip


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


FORMS = in_both_forms("segmentation.segment_types")


@pytest.mark.parametrize("html, expected", [
    (f"<p>{LONG}", "p"), ("<h1>Title</h1>", "h"), ("<h6>Title, which ends like a sentence.</h6>", "h"),
    ("<h2><span><a href=x>Title</a></span></h2>", "h"), ("<p><b>Bold title</b>", "h"),
    ("<p><b>Bold title, even so:</b>", "h"), (f"<p><b>{LONG}</b>", "p"), ("<li>item", "l"), (f"<li>{LONG}", "l"),
    ("<li><b>Bold item</b>", "h"), ("<table><tr><td>a<td>b</table>", "l"), (f"<p>• {LONG}", "l"), (f"<p>- {LONG}", "l"),
    (f"<p>12. {LONG}", "l"), (f"<p>(iv) {LONG}", "l"), (f"<p>b) {LONG}", "l"), (f"<p>1984 {LONG}", "p"),
    (f"<p>-{LONG}", "p"), ("<p>Short and unfinished", "h"), ("<p>A sentence.", "p"), ("<p>As follows:", "p"),
    ("<p>“Said he.”", "p"), ("<p>句子。", "p"), ("<p>Unfinished, but longer than headings are", "p"),
    ("<pre>short</pre>", "p"), ("<header1>a</header1>", "h"),
])  # fmt: skip
def test_type_of_one_segment(html: str, expected: str) -> None:
    assert [kind for kind, _ in typed_texts(html)] == [expected]


@FORMS
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1. a", "l"), ("(iv) b", "l"), ("IV. c", "l"), ("• d", "l"), ("-- e", "l"), ("a) f", "l"), ("٣. x", "l"),
        ("1.g", "h"), ("(a h", "h"), ("Mr. Smith", "h"), ("A dog", "h"), ("12345. y", "h"), ("Abcdef) z", "h"),
        ("z. b", "h"), ("h. b", "l"), ("Ⅷ", "h"), ("xviii) f", "l"), ("xviiii) f", "h"), ("He said “no.”", "p"),
    ],
)  # fmt: skip
def test_type_of_texts(form: ModuleType, text: str, kind: str) -> None:
    table = table_of([{"text": text, "path": "body/p"}])
    form.assign_types(table, [0, 0, 0])
    assert table.type == [kind]


@FORMS
def test_types_that_segments_have_stay(form: ModuleType) -> None:
    table = table_of([{"text": text, "type": kind} for text, kind in zip("abcdef", ("h", None, "p", None, None, None))])
    form.assign_types(table, [0])
    assert table.type == ["h", "h", "p", "l", "l", "l"]


def test_runs_of_short_lines_are_lists() -> None:
    lines = "".join(f"<p>Line {word}</p>" for word in ("one", "two", "three"))
    assert [kind for kind, _ in typed_texts(lines)] == ["l", "l", "l"]
    assert [kind for kind, _ in typed_texts(lines + f"<p>{LONG}</p><p>Short</p>")] == ["l", "l", "l", "p", "h"]
    assert [kind for kind, _ in typed_texts("<p>One</p><p>Two</p>")] == ["h", "h"]
    assert [kind for kind, _ in typed_texts("<p>One</p><div>Two</div><p>Three</p>")] == ["h", "h", "h"]


FORMS_PAGE_LANGUAGE = in_both_forms("segmentation.page_language")

PAGES = Path(__file__).parents[1] / "data" / "language-pages.jsonl"
GREEK = "Το τελευταίο τραμ φεύγει από το λιμάνι στις έντεκα και δέκα."


@pytest.mark.parametrize("page", list(map(json.loads, PAGES.open(encoding="utf-8"))), ids=lambda page: str(page["id"]))
def test_language_of_pages_that_mislead(page: dict[str, Any]) -> None:
    found = with_language(segment_record({"html": page["html"]}))
    assert found["lang"] == page["lang"]


def test_known_languages_are_kept_and_come_first() -> None:
    record = with_language({"id": 1, "segments": [{"text": GREEK}]})
    assert list(record) == ["id", "lang", "lang_probability", "segments"]
    assert record["lang"] == "el" and record["lang_probability"] == round(record["lang_probability"], 3) > 0.9


@pytest.mark.parametrize("lang", ["en", "zho,eng", 7])
def test_known_language_is_kept(lang: object) -> None:
    record = {"lang": lang, "segments": [{"text": GREEK}]}
    assert with_language(record) == record


@pytest.mark.parametrize("lang", [None, ""])
def test_empty_language_is_none(lang: object) -> None:
    assert with_language({"lang": lang, "segments": [{"text": GREEK}]})["lang"] == "el"


@FORMS_PAGE_LANGUAGE
def test_sample_is_bounded_and_of_several_segments(form: ModuleType) -> None:
    sample = form.likely_text(table_of([{"text": f"{number} " + "word " * 1000} for number in range(10, 50)]))
    assert SAMPLE_CHARS <= len(sample) < SAMPLE_CHARS + SEGMENT_CHARS + 10
    assert [line[:2] for line in sample.split("\n")] == ["10", "11", "12", "13"]


@FORMS_PAGE_LANGUAGE
def test_running_text_comes_before_menus_and_tables(form: ModuleType) -> None:
    text = {"text": "A sentence of the text that the page is about, and somebody wrote it. " * 3}
    others: list[dict[str, Any]] = [
        {"text": "m " * 200, "rule": "nav"}, {"text": "l " * 200, "links": 400}, {"text": "p " * 200, "pre": True},
        {"text": "h " * 200, "hidden": "display"}, {"text": "t\t" * 200},
    ]  # fmt: skip
    assert form.likely_text(table_of([*others, text])) == text["text"].strip()[:SEGMENT_CHARS].strip()
    assert form.likely_text(table_of(others[3:])).startswith("h")
    assert form.likely_text(table_of(others[:1])).startswith("m")
    assert form.likely_text(table_of([])) == ""


def test_posts_have_the_places_of_their_joined_segments() -> None:
    parts = [("byline", 0), (None, 0), (None, 0), ("furniture", 0), ("byline", 1)]
    segments = [{"text": "a", "post": post} | ({"part": part} if part else {}) for part, post in parts]
    record = {"posts": [{"author": "Ann"}, {}]}
    place_posts(record, table_of(segments))
    assert record == {"posts": [{"author": "Ann", "first": 1, "last": 2}, {}]}
    post = "<div id=post{0}><b class=username>Ann</b><div class=content>Roses are red,<br>violets are blue,</div></div>"
    record = segment_record({"html": post.format(1) + post.format(2)})
    assert [(post["first"], post["last"]) for post in record["posts"]] == [(1, 1), (3, 3)]
    assert [segment["post"] for segment in record["segments"]] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "segments, expected",
    [
        ([{"text": "a\n  b", "code": 1, "code_text": "a\n  b"}], [None]),
        ([{"text": "a", "code": 1, "code_text": "a\n  b"}, {"text": "b", "code": 1}], ["a\n  b", None]),
        ([{"text": "a", "code": 1, "code_text": "a"}, {"text": "Copy", "code": 1}], ["a", None]),
        ([{"text": "a b", "code": 1, "code_text": "a\u200b\x00  b  \n\n"}], ["a  b"]),
        ([{"text": "a", "code": 1, "code_text": "\ue000"}], [None]),
        ([{"text": "a"}], [None]),
    ],
)
def test_code(segments: list[dict[str, object]], expected: list[str | None]) -> None:
    table = table_of(segments)
    clean_code(table)
    assert [segment.get("code_text") for segment in table.records()] == expected
