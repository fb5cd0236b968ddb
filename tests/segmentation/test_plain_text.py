"""Plain text, broken lines, and what cleaning takes out of texts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import regex
from operations import assert_linear, assert_linear_time
from uncompiled import in_both_forms

from ncfilters.page import tidy
from ncfilters.page.blocks import visual_blocks
from ncfilters.page.blocks.block_table import LINES, PRE, table_of
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.segmentation import plain_text, segmenter
from ncfilters.segmentation.cleaning import MAX_MARKS, MAY_BE_MARKS, clean_text
from ncfilters.segmentation.line_breaks import join_lines

CRAWL = Path(__file__).resolve().parents[1] / "data" / "crawl.jsonl"


def paragraphs(text: str) -> list[dict[str, Any]]:
    return [{**p, "text": " ".join(p["text"].split())} for p in plain_text.paragraphs(text)]


def texts(text: str) -> list[str]:
    return [p["text"] for p in paragraphs(text)]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(s["type"], s["text"]) for s in segmenter.segment_text(text)]


@pytest.mark.parametrize("text, expected", [
    ("", []), ("\n \n", []), ("one", ["one"]), ("one\ntwo\n\nthree\n", ["one two", "three"]),
    ("one\r\ntwo\r\n\r\nthree", ["one two", "three"]), ("one\n \t \ntwo", ["one", "two"]),
    ("   one\n   two\n\n   three", ["one two", "three"]), ("one\n\n\n\n\ntwo", ["one", "two"]),
    ("one\ftwo\n\nthree", ["one two", "three"]),
])  # fmt: skip
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


def test_unwrapped_text_has_a_paragraph_a_line() -> None:
    long = "A paragraph of a WET file is one line however long it is, and no empty line is between it and the next one."
    text = f"Home\nNews\nSport\nA title\n{long}\n{long} {long}\n© Somebody\n"
    assert texts(text) == text.splitlines()
    assert segmenter.segment_text(text)[-1]["rule"] == "copyright"
    lines = [f"line {number}" for number in range(100)]
    assert texts("\n".join(lines)) == lines
    assert [kind for kind, _ in kinds("Home\n\nNews\n\nSport\n\nEnd of it.\n")] == ["l", "l", "l", "p"]
    assert kinds("Some text.\n\n     * <l> item\n     1. <l> other\n") == [
        ("p", "Some text."),
        ("l", "item"),
        ("l", "other"),
    ]


def test_headings_and_ideographs_of_dumps() -> None:
    text = (
        "A title\n\n   Some text that goes on\n   for lines.\n\n   More of it.\n\n   And more.\n\n"
        "A second title\n\n   The end."
    )
    assert [(p.get("type"), p["text"]) for p in paragraphs(text)] == [
        ("h", "A title"), (None, "Some text that goes on for lines."), (None, "More of it."), (None, "And more."),
        ("h", "A second title"), (None, "The end."),
    ]  # fmt: skip
    text = "   这是第一行的文字，\n   这是第二行。\n\n   Some words\n   and 文字\n   words."
    assert [" ".join(p["text"].split()) for p in plain_text.paragraphs(text)] == [
        "这是第一行的文字，这是第二行。",
        "Some words and 文字 words.",
    ]


def test_dump_of_a_page_has_its_segments() -> None:
    html = "<h1>A title</h1><p>{0}</p><ul><li>one item</li><li>another</li></ul><ol><li>{0}</li></ol><p>{0}</p>"
    html = html.format("Some words of a paragraph that is longer than a line of the dump can be, or nearly. " * 2)
    text = visual_blocks.dump(blocks_of_tree(html_parser.parse_html(html)))
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
    html = "<body><h2>A title</h2><p>Some text.</p><p>More text, then a break.<br>And more.</p><h3>End</h3><p>Ends."
    text = lynx(tidy.normalize_record({"html": html})["html"])
    found = [(s["type"], s["text"]) for s in segmenter.segment_text(text)]
    assert found == [
        ("h", "A title"), ("p", "Some text."), ("p", "More text, then a break."), ("p", "And more."), ("h", "End"),
        ("p", "Ends."),
    ]  # fmt: skip


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


FORMS = in_both_forms("segmentation.line_breaks")

PROSE = (
    "This is a paragraph that somebody wrapped by hand at some/width with line breaks, because the editor they used in"
    "/those days did not know how to do it otherwise, and so every/line ends in the middle of a sentence."
)


@pytest.mark.parametrize(
    "text",
    [
        "Roses are red,/Violets are blue,/Sugar is sweet,/And so are you.",
        # verse in lower case has an uneven margin
        "the fog comes/on little cat feet/it sits looking/over harbor and city/on silent haunches/and then moves on",
        "so much depends/upon/a red wheel/barrow/glazed with rain/water/beside the white/chickens",
        "Jane Doe/12 High Street/Oxford OX1 2AB/United Kingdom",
        "12:01 start/12:02 connect 10.0.0.1/12:05 done",
        "phone: 01865 1234/fax: 01865 1235/email: jane@example.org",
        "Opening hours:/Monday to Friday 9 to 5",
        "Monday: potato soup with a sausage and bread, and small salad/Tuesday: spaghetti with tomatoes and cheese, and"
        " a mixed salad",
        "A description of some changes to the tool, 17 February 2026/Jane Doe",
        # long lines are paragraphs
        f"{'The river rose again in the night. ' * 5}/{'Nobody had expected that. ' * 6}",
        "Sing, O goddess, the anger of Achilles son of Peleus,/That brought countless ills upon the Achaeans, all."
        "/Many a brave soul did it send hurrying down to Hades,/And many a hero did it yield a prey to dogs.",
        "山重水复疑无路，/柳暗花明又一村。",
    ],
)
def test_lines_that_are_real(text: str) -> None:
    assert join_lines(text.split("/")) == text.replace("/", "\n")


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "Wir haben uns über den Besuch sehr gefreut und glauben, dass alle/Gäste im nächsten Jahr wiederkommen, denn so"
        " viele Leute/waren noch nie da, und die meisten von ihnen haben mit uns/Lieder gesungen.",
        "The quick brown fox/jumps over the dog",  # too few lines to tell, and in the middle of a sentence
        "这是一段很长的文字，作者在每一行的末尾都加了换行符，因为当时/的编辑器不会自动换行，所以每一行都在句子的中间结束，读起来很"
        "/奇怪。",
    ],
)
def test_wrapped_prose(text: str) -> None:
    assert join_lines(text.split("/")) == text.replace("/", " ")


def test_paragraphs_of_wrapped_prose_stay_apart_in_linear_time() -> None:
    lines = PROSE.split("/")
    assert join_lines([*lines[:-1], "line ends here.", *lines]).count("\n") == 1
    assert_linear(join_lines, lambda size: ["some words, and others"] * size, 1_000)


@FORMS
def test_blocks_become_lines(form: ModuleType) -> None:
    p = {"tag": "p", "path": "body/p", "links": 1}
    table = table_of(
        [
            {"text": "One,", **p},
            {"text": "Two", **p, "br": True},
            {"text": "", **p},
            {"text": "three", **p, "br": True, "path": "body/div"},
            {"text": "1. four", **p, "br": True, "path": "body/div"},
            {"text": "five", **p, "pre": True, "tag": "div", "path": "pre/div.a", "marker": "1"},
            {"text": "six", **p, "pre": True, "tag": "div", "path": "pre/div.b"},
            {"text": "seven", **p, "pre": True, "tag": "p", "path": "pre/p"},
            {"text": "eight", **p, "br": True, "pre": True, "tag": "p", "path": "pre/p"},
        ]
    )
    assert form.join_blocks(table) == [0, 0, -1, 1, 2, 3, 3, 4, 4]
    assert table.text == ["One,\nTwo", "three", "1. four", "five\nsix", "seven\neight"]
    assert table.links == [2, 1, 1, 2, 2] and table.marker == [None] * 5
    assert table.flags == [LINES, 0, 0, PRE, PRE]


FORMS_CLEANING = in_both_forms("segmentation.cleaning")


@FORMS_CLEANING
@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain", "plain"), ("  a  b\t\nc ", "a b c"), ("a\x00b\x07c\x7fd", "abcd"),
        ("\x93quoted\x94 \x96 it\x92s \x80 5\x85", "“quoted” – it’s € 5…"), ("a\x81\x8d\x8f\x90\x9db", "ab"),
        ("soft\xadhyphen", "softhyphen"), ("zero\u200bwidth\ufeff\u2060", "zerowidth"),
        ("left\u200eto\u202aright\u202c", "lefttoright"), ("icon \ue000\uf8ff", "icon"), ("\ud800lone\udfff", "lone"),
        ("\u25a2 400 grams", "400 grams"),  # a check box
        ("\ufffe\uffff\ufdd0x", "x"), ("e\u0301", "é"), ("\u1112\u1161\u11ab", "한"),
        ("ﬁ ²", "ﬁ ²"),  # compatibility characters are the author's
        ("می\u200cخواهم", "می\u200cخواهم"), ("👩\u200d👧", "👩\u200d👧"), ("a\xa0b\u2003c\u3000d", "a b c d"),
        ("a\ufffdb", "a\ufffdb"), ("", ""), ("\u200b\x01", ""),
    ],
)  # fmt: skip
def test_invalid_characters_and_spaces_go(form: ModuleType, text: str, expected: str) -> None:
    assert form.clean_text(text) == expected
    table = table_of([{"text": text}])
    form.clean_texts(table)
    assert table.text == [expected] or "\t" in text  # the cells of a row stay apart


@FORMS_CLEANING
@pytest.mark.parametrize(
    "text, expected",
    [("\u200d", ""), ("\u200d\u200c", ""), (" \u200d ", ""), ("\u200da", "\u200da"), ("ه\u200d", "ه\u200d")],
)
def test_joiners_alone_are_no_text(form: ModuleType, text: str, expected: str) -> None:
    table = table_of([{"text": text}])
    form.clean_texts(table)
    assert table.text == [expected]


def test_lines_are_kept_and_marks_bounded() -> None:
    assert clean_text("\n  a\n\n    b  \n", keep_lines=True) == "  a\n\n    b"
    assert clean_text("a\r\nb\x00", keep_lines=True) == "a\nb"
    assert clean_text("e" + "\u0323" * 10_000) == "\u1eb9" + "\u0323" * (MAX_MARKS - 1)
    may_be = re.compile(MAY_BE_MARKS)
    assert all(may_be.match(mark) for mark in regex.findall(r"\p{M}", "".join(map(chr, range(0x110000)))))


@FORMS_CLEANING
@pytest.mark.parametrize(("text", "flags", "clean"), [
    ("a  b\tc\t", 0, "a b\tc"), (" a\n  b ", PRE, " a\n  b"), ("A heading ¶", 0, "A heading"), ("¶", 0, ""),
    ("\t", 0, ""), (" a", 0, "a"),
])  # fmt: skip
def test_blocks(form: ModuleType, text: str, flags: int, clean: str) -> None:
    table = table_of([{"text": text}])
    table.flags[0] = flags
    form.clean_texts(table)
    assert table.text == [clean]


@FORMS_CLEANING
def test_characters_that_stay_stay_next_to_each_other(form: ModuleType) -> None:
    followers = {
        parts[1]
        for code in range(sys.maxunicode)
        if (parts := unicodedata.decomposition(chr(code)).split())[1:] and not parts[0].startswith("<")
    }
    codes = [*range(0x21, 0x11000), *range(0x1F000, 0x1FB00)]
    kept = {chr(code) for code in codes if not 0xD800 <= code < 0xE000 and form.is_clean(f"a{chr(code)}b")}
    assert {"é", "’", "中", "한", "я", "★", "✓", "🙂", "a", "|"} <= kept
    assert [c for c in kept if unicodedata.combining(c) or f"{ord(c):04X}" in followers] == []
    assert [c for c in kept if form.clean_text(f"a{c}b") != f"a{c}b" or form.clean_text(c * 40) != c * 40] == []
