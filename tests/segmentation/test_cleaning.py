"""Text without invalid characters."""

from __future__ import annotations

import re
import sys
import unicodedata
from types import ModuleType

import pytest
import regex
from uncompiled import both_forms

from ncfilters.page.blocks.block_table import PRE, table_of
from ncfilters.segmentation.cleaning import MAX_MARKS, MAY_BE_MARKS, clean_text

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.segmentation.cleaning"), ids=lambda form: form.__name__)


@FORMS
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
        ("\u25a2 400 grams", "400 grams"),  # a check box
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
def test_invalid_characters_and_spaces_go(form: ModuleType, text: str, expected: str) -> None:
    assert form.clean_text(text) == expected
    table = table_of([{"text": text}])
    form.clean_texts(table)
    assert table.text == [expected] or "\t" in text  # the cells of a row stay apart


@FORMS
@pytest.mark.parametrize(
    "text, expected",
    [("\u200d", ""), ("\u200d\u200c", ""), (" \u200d ", ""), ("\u200da", "\u200da"), ("ه\u200d", "ه\u200d")],
)
def test_joiners_alone_are_no_text(form: ModuleType, text: str, expected: str) -> None:
    table = table_of([{"text": text}])
    form.clean_texts(table)
    assert table.text == [expected]


def test_lines_are_kept_where_asked_for() -> None:
    assert clean_text("\n  a\n\n    b  \n", keep_lines=True) == "  a\n\n    b"
    assert clean_text("a\r\nb\x00", keep_lines=True) == "a\nb"


@FORMS
@pytest.mark.parametrize(
    ("text", "flags", "clean"),
    [
        ("a  b\tc\t", 0, "a b\tc"),
        (" a\n  b ", PRE, " a\n  b"),
        ("A heading ¶", 0, "A heading"),
        ("¶", 0, ""),
        ("\t", 0, ""),
        (" a", 0, "a"),
    ],
)
def test_blocks(form: ModuleType, text: str, flags: int, clean: str) -> None:
    table = table_of([{"text": text}])
    table.flags[0] = flags
    form.clean_texts(table)
    assert table.text == [clean]


@FORMS
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


def test_combining_marks_on_a_letter_are_bounded() -> None:
    assert clean_text("e" + "\u0323" * 10_000) == "\u1eb9" + "\u0323" * (MAX_MARKS - 1)


def test_what_may_be_a_mark_is_found() -> None:
    may_be = re.compile(MAY_BE_MARKS)
    assert all(may_be.match(mark) for mark in regex.findall(r"\p{M}", "".join(map(chr, range(0x110000)))))
