"""Text without invalid characters."""

from __future__ import annotations

import re

import pytest
import regex

from ncfilters.segmentation.cleaning import MAX_MARKS, MAY_BE_MARKS, clean_text


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
def test_invalid_characters_and_spaces_go(text: str, expected: str) -> None:
    assert clean_text(text) == expected


def test_lines_are_kept_where_asked_for() -> None:
    assert clean_text("\n  a\n\n    b  \n", keep_lines=True) == "  a\n\n    b"
    assert clean_text("a\r\nb\x00", keep_lines=True) == "a\nb"


def test_combining_marks_on_a_letter_are_bounded() -> None:
    assert clean_text("e" + "\u0323" * 10_000) == "\u1eb9" + "\u0323" * (MAX_MARKS - 1)


def test_what_may_be_a_mark_is_found() -> None:
    may_be = re.compile(MAY_BE_MARKS)
    assert all(may_be.match(mark) for mark in regex.findall(r"\p{M}", "".join(map(chr, range(0x110000)))))
