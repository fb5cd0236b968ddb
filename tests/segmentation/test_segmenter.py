"""Segments: clean text, types, trivial boilerplate."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import block_builder, html_parser, profiles
from ncfilters.segmentation import rules as boilerplate_rules
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.cleaning import clean_text

LONG = "This is a paragraph which is long enough, and which ends as paragraphs do, with a full stop."


def of(html: str) -> list[tuple[str, str]]:
    return [(s["type"], s["text"]) for s in segmenter.segment_html(html)]


def rules(html: str) -> list[tuple[str | None, str]]:
    return [(s.get("rule"), s["text"]) for s in segmenter.segment_html(html)]


# ---- characters ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain", "plain"),
        ("  a  b\t\nc ", "a b c"),
        ("a\x00b\x07c\x7fd", "abcd"),
        ("\x93quoted\x94 \x96 it\x92s \x80 5\x85", "“quoted” – it’s € 5…"),
        ("a\x81\x8d\x8f\x90\x9db", "ab"),
        ("soft\xadhyphen", "softhyphen"),
        ("zero\u200bwidth\ufeff\u2060", "zerowidth"),
        ("left\u200eto\u202aright\u202c", "lefttoright"),
        ("icon \ue000\uf8ff", "icon"),
        ("\ud800lone\udfff", "lone"),
        ("\ufffe\uffff\ufdd0x", "x"),
        ("e\u0301", "é"),
        ("\u1112\u1161\u11ab", "한"),
        ("ﬁ ²", "ﬁ ²"),  # compatibility characters are the author's
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("a\xa0b\u2003c\u3000d", "a b c d"),
        ("a\ufffdb", "a\ufffdb"),
        ("", ""),
        ("\u200b\x01", ""),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean_text(text) == expected


def test_clean_keeps_lines() -> None:
    assert clean_text("\n  a\n\n    b  \n", keep_lines=True) == "  a\n\n    b"
    assert clean_text("a\r\nb\x00", keep_lines=True) == "a\nb"


def test_c1_controls_of_a_page() -> None:
    assert of("<p>\x93Quoted\x94 text, it\x92s.") == [("p", "“Quoted” text, it’s.")]


def test_c1_ellipsis_of_a_page() -> None:
    assert of("<p>He waited\x85 and waited.") == [("p", "He waited… and waited.")]


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
def test_paragraphs(html: str, expected: list[str]) -> None:
    assert [text for _, text in of(html)] == expected


def test_joined_lines_add_their_links() -> None:
    (found,) = segmenter.segment_html("<p>Some <a href=x>words</a><br>and <a href=y>more</a> of them")
    assert found["links"] == 9 and "br" not in found


def test_what_blocks_know_is_kept() -> None:
    (found,) = segmenter.segment_html("<div hidden><ol start=4><li>An item.</ol></div>")
    assert found == {
        "text": "An item.",
        "tag": "li",
        "path": "body/div/ol/li",
        "links": 0,
        "marker": "4.",
        "hidden": "hidden",
        "type": "l",
    }


# ---- types --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html, expected",
    [
        (f"<p>{LONG}", "p"),
        ("<h1>Title</h1>", "h"),
        ("<h6>Title, which ends like a sentence.</h6>", "h"),
        ("<h2><span><a href=x>Title</a></span></h2>", "h"),
        ("<p><b>Bold title</b>", "h"),
        ("<p><b>Bold title, even so:</b>", "h"),
        (f"<p><b>{LONG}</b>", "p"),
        ("<li>item", "l"),
        (f"<li>{LONG}", "l"),
        ("<li><b>Bold item</b>", "h"),
        ("<table><tr><td>a<td>b</table>", "l"),
        (f"<p>• {LONG}", "l"),
        (f"<p>- {LONG}", "l"),
        (f"<p>12. {LONG}", "l"),
        (f"<p>(iv) {LONG}", "l"),
        (f"<p>b) {LONG}", "l"),
        (f"<p>1984 {LONG}", "p"),
        (f"<p>-{LONG}", "p"),
        ("<p>Short and unfinished", "h"),
        ("<p>A sentence.", "p"),
        ("<p>As follows:", "p"),
        ("<p>“Said he.”", "p"),
        ("<p>句子。", "p"),
        ("<p>Unfinished, but longer than headings are", "p"),
        ("<pre>short</pre>", "p"),
        ("<header1>a</header1>", "h"),
    ],
)
def test_types(html: str, expected: str) -> None:
    assert [kind for kind, _ in of(html)] == [expected]


def test_runs_of_short_lines_are_lists() -> None:
    lines = "".join(f"<p>Line {word}</p>" for word in ("one", "two", "three"))
    assert [kind for kind, _ in of(lines)] == ["l", "l", "l"]
    assert [kind for kind, _ in of(lines + f"<p>{LONG}</p><p>Short</p>")] == ["l", "l", "l", "p", "h"]
    assert [kind for kind, _ in of("<p>One</p><p>Two</p>")] == ["h", "h"]
    assert [kind for kind, _ in of("<p>One</p><div>Two</div><p>Three</p>")] == ["h", "h", "h"]


# ---- trivial boilerplate ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path, rule",
    [
        ("body/nav/ul/li", "nav"),
        ("body/main/nav/ul/li", "nav"),
        ("body/footer/p", "footer"),
        ("body/footer.site/nav/ul/li", "footer"),
        ("body/dialog/p", "dialog"),
        ("body/form/select/option", "select"),
        ("body/header/div", "header"),
        ("body/main/header/h1", None),
        ("body/article#post-1/header/h1", None),
        ("body/div.main/header/p", "header"),
        ("body/div.nav/p", None),
        ("body/navigation/p", None),
        ("body/div#cookie-banner/p", "widget"),
        ("body/div.site_cookies/p", "widget"),
        ("body/aside.related-stories/p", "widget"),
        ("body/ul.breadcrumbs/li", "widget"),
        ("body/div.modal.fade/p", "widget"),
        ("body/form.Login/p", "widget"),
        ("body/div.login/p", "widget"),
        ("body/div.a.b.social/p", "widget"),
        ("body/td#copyright", "widget"),
        ("body/div.modality/p", None),
        ("body/div.socialist/p", None),
        ("body/div.correlated/p", None),
        ("body.modal-open/p", None),
        ("body/section.related/p", None),
        ("body/main/p", None),
        ("", None),
    ],
)
def test_rules_of_places(path: str, rule: str | None) -> None:
    assert boilerplate_rules.mark_boilerplate([{"text": LONG, "path": path}])[0].get("rule") == rule


@pytest.mark.parametrize(
    "text, rule",
    [
        ("Home | About | Contact", "bars"),
        ("Home|About|Contact", "bars"),
        ("Home » News » Sport", "bars"),
        ("Home > News > Sport", "bars"),
        ("One · two · three", "bars"),
        ("and/or either/or", None),
        ("One | two", None),
        (f"{LONG} | {LONG} | {LONG}", None),
        ("© 2025 Somebody", "copyright"),
        ("Copyright (c) 2007 by somebody", "copyright"),
        ("Somebody. All rights reserved.", "copyright"),
        ("ALL RIGHTS RESERVED", "copyright"),
        (f"{LONG} © 2025", None),
        (f"© {LONG * 4}", None),
        ("I know my rights", None),
        ("***", "wordless"),
        ("| |", "bars"),
        ("→", "wordless"),
        ("7", None),
        ("文", None),
        (LONG, None),
    ],
)
def test_rules_of_texts(text: str, rule: str | None) -> None:
    assert boilerplate_rules.mark_boilerplate([{"text": text}, {"text": LONG}])[0].get("rule") == rule


def test_links_in_a_row_are_a_menu() -> None:
    menu = "<p><a href=x>One link</a></p><p><a href=y>another</a></p>"
    assert rules(f"<p>{LONG}</p>{menu}<p>{LONG}</p>") == [
        (None, LONG),
        ("links", "One link"),
        ("links", "another"),
        (None, LONG),
    ]
    alone = f"<p>{LONG}</p><p><a href=x>One link</a></p><p>{LONG}</p><p><a href=x>One link</a></p><p>{LONG}</p>"
    assert [rule for rule, _ in rules(alone)] == [None] * 5


def test_links_go_on_over_wordless_segments() -> None:
    html = f"<p>{LONG}</p><p><a href=x>One</a></p><p>|</p><p><a href=x>Two</a></p><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == [None, "links", "wordless", "links", None]


def test_islands() -> None:
    html = f"<nav>a</nav><p>Caption</p><p>Label</p><nav>b</nav><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == ["nav", "island", "island", "nav", None]
    html = f"<nav>a</nav><p>Caption</p><p>A sentence.</p><nav>b</nav><p>{LONG}</p>"
    assert [rule for rule, _ in rules(html)] == ["nav", None, None, "nav", None]
    assert rules("<p>A page of one line</p>") == [(None, "A page of one line")]
    assert rules("") == []


@pytest.mark.parametrize(
    "html",
    [
        f"<nav>a</nav><h1>The title</h1><select><option>b</select><p>{LONG}</p>",
        f"<h1><a href=x>The title</a></h1><p><a href=y>Category</a></p><p>{LONG}</p>",
    ],
)
def test_the_title_is_no_boilerplate(html: str) -> None:
    assert (None, "The title") in rules(html)


def test_rules_need_no_structure() -> None:
    found = segmenter.segment_text("Home | News | Sport\n\n" + LONG + "\n\n© 2025 Somebody\n")
    assert [s.get("rule") for s in found] == ["bars", None, "copyright"]


# ---- records ------------------------------------------------------------------------------------------------


def test_what_is_read() -> None:
    html: dict[str, Any] = {"id": 7, "html": f"<p>{LONG}</p>", "lang": "en"}
    wanted = [{"text": LONG, "tag": "p", "path": "body/p", "links": 0, "type": "p"}]
    assert segmenter.segment_record(html) == {"id": 7, "lang": "en", "segments": wanted}
    assert segmenter.segment_record(profiles.render_record(html)) == {"id": 7, "lang": "en", "segments": wanted}
    assert segmenter.segment_record(html, keep=True) == {**html, "segments": wanted}
    assert segmenter.segment_record({"text": LONG}) == {"segments": [{"text": LONG, "type": "p"}]}
    assert segmenter.segment_record({"blocks": [], "html": "x"}) == {"html": "x", "segments": []}
    assert segmenter.segment_record({"html": ""}) == {"segments": []}


def test_kept_blocks_are_left_as_they_were() -> None:
    blocks = block_builder.blocks(html_parser.parse_html("<p>One<br>two</p>"))
    before = [dict(block) for block in blocks]
    kept = segmenter.segment_record({"blocks": blocks}, keep=True)
    assert kept["blocks"] == before and kept["segments"][0]["text"] == "One two"


@pytest.mark.parametrize(
    "record, message",
    [
        ({}, "html: missing"),
        ({"blocks": [{}]}, r"blocks\[0\].text: missing"),
        ({"blocks": [{"text": "a", "tag": "p", "path": "p", "links": 0}, 7]}, r"blocks\[1\]: an object is wanted"),
        ({"blocks": [{"text": 7, "tag": "p", "path": "p", "links": 0}]}, r"blocks\[0\].text: a string is wanted"),
    ],
)
def test_wrong_records(record: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        segmenter.segment_record(record)
