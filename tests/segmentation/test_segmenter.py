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
from ncfilters.segmentation.byline_text import labelled_statements
from ncfilters.segmentation.markup import clean_code
from ncfilters.segmentation.page_language import SAMPLE_CHARS, SEGMENT_CHARS, with_language
from ncfilters.segmentation.page_segments import (
    Around,
    exact_place,
    first_long,
    may_be_section,
    numbers_around,
    place_of_title,
    short_around,
    site_beside,
    title_on_page,
)
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


SEGMENTS = [
    {"text": text, "tag": tag}
    for text, tag in (
        ("Snow", "p"), ("It rained.", "p"), ("It rained", "h2"), ("ÉTÉ", "h1"), ("The rain in É, which is long", "p"),
        ("ﬁnd", "h3"), ("Posted today", "h1"),
    )
]  # fmt: skip


@pytest.mark.parametrize("title, place", [
    ("It rained!", 2), ("snow", 0), ("été", 3), ("find", 5), ("the rain in é which is long", 4), ("rain", None),
    ("", None), ("…", None),
])  # fmt: skip
def test_a_heading_is_the_title_and_not_what_is_before_it(title: str, place: int | None) -> None:
    assert exact_place(SEGMENTS, title) == place


def test_which_segments_are_the_title_and_around_it() -> None:
    assert exact_place([{"text": "Rain" + " ! " * 20}], "Rain") is None
    assert exact_place([{"text": "Rain" + " ! " * 20}], "Rain" + " " * 40) == 0
    assert first_long(SEGMENTS, 20) == 4 and first_long(SEGMENTS, 99) is None
    assert numbers_around(SEGMENTS, 2, Around(before=2, after=3, most=9)) == [3, 4, 5, 1, 0]
    assert numbers_around(SEGMENTS, 6, Around(before=1, after=9, most=9)) == [5]
    assert short_around(SEGMENTS, 2, Around(before=2, after=3, most=9, least=4)) == [0]


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


@pytest.mark.parametrize(
    "texts, title, place",
    [
        (("News", "It rained", "All day."), "It rained", 1),
        (("News", "It rained", "All day."), "It rained | Weather_The Gazette", 1),
        (("News", "It rained", "All day."), "GAZETTE : It rained", 1),
        (("News", "It rained", "It rained - again"), "It rained - again - The Gazette", 2),
        (("新闻", "连日大雨致道路中断", "大雨。"), "连日大雨致道路中断_要闻_水洼新闻网", 1),
        (("新闻", "连日大雨致道路中断", "大雨。"), "连日大雨致道路中断-要闻-水洼新闻网", 1),
        (("News", "Rain", "All day."), "Rain | The Gazette", None),  # too short a part
        (("a", "It rained", "b"), "It rained" + " | b" * 6, None),  # too many parts
        (("News", "Snow"), "It rained", None),
    ],
)
def test_part_of_title(texts: tuple[str, ...], title: str, place: int | None) -> None:
    assert place_of_title([{"text": text} for text in texts], title) == place


def test_names_of_sections_and_headings_that_are_titles() -> None:
    title = "It rained all day - Weather - The Gazette"
    assert may_be_section("Sports", title) and may_be_section("Weather", title)
    assert not may_be_section("It rained all day", title) and not may_be_section("The Gazette", title)
    assert not may_be_section("Rain and gazette", title)
    segments = [{"text": "It rained", "tag": "li"}, {"text": "It rained", "tag": "h1"}, {"text": "Snow", "tag": "h1"}]
    assert place_of_title(segments, "It rained") == 1
    assert place_of_title(segments, "Hail") == 1
    assert exact_place(segments, "It rained | The Gazette") is None
    assert site_beside("连日大雨致道路中断_要闻_水洼新闻网", "连日大雨致道路中断") == "水洼新闻网"
    assert site_beside("GAZETTE : It rained all day", "It rained all day") == "GAZETTE"
    assert site_beside("It rained all day", "It rained all day") == ""


@pytest.mark.parametrize(
    "texts, title, part",
    [
        (("连日大雨致道路中断", "大雨。"), "连日大雨致道路中断_要闻_水洼新闻网", "连日大雨致道路中断"),
        (("It rained all day", "Wet."), "GAZETTE : It rained all day", "It rained all day"),
        (("It rained all day / Weather / Gazette", "It rained all day"), "It rained all day / Weather / Gazette", None),
        (("Ducks of the parish", "Wet."), "Rain | Puddles and ponds | Ducks of the parish", "Ducks of the parish"),
        (("Gazette", "Wet."), "Gazette - read, write and learn about any puddle", None),  # a site and its motto
        (("Snow",), "It rained all day | Gazette", None),
    ],
)
def test_title_on_page(texts: tuple[str, ...], title: str, part: str | None) -> None:
    assert title_on_page([{"text": text} for text in texts], title) == (part or title)


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
    "texts, expected",
    [
        (["Rain", "Written by Ann Lee", "Published: 3 May 2024"], {"author": ["Ann Lee"], "date": "2024-05-03"}),
        (["Written by", "Ann Lee"], {"author": ["Ann Lee"]}),
        (["Written by Ann Lee", "Written by Bo Xi"], {}),
        (["Last updated", "4 May 2024"], {"modified": "2024-05-04"}),
        (["written by the sea", "Published by us"], {}),
        ([], {}),
    ],
)
def test_labels(texts: list[str], expected: dict[str, object]) -> None:
    assert labelled_statements([{"text": text} for text in texts]) == expected


def test_labels_of_the_page_and_of_others() -> None:
    assert labelled_statements([{"text": "Written by Ann Lee", "origin": "json-ld"}]) == {}
    assert labelled_statements([{"text": "Author: Ann Lee"}], ["Ann Lee"]) == {"author": ["Ann Lee"]}


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
