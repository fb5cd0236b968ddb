"""Scripts that put no spaces between words."""

from __future__ import annotations

import re
import unicodedata

import pytest
import regex

from ncfilters.text import scripts

SETS = [scripts.EAST_ASIAN, scripts.UNSPACED, scripts.UNSPACED_ALL, scripts.UNSPACED_IN_LINES]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ως", "el"),
        ("Да", "ru"),
        ("你好", "zh"),
        ("ひ", "ja"),
        ("Zażółć", "en"),
        ("12", "en"),
        ("", "en"),
        ("กา", "en"),
    ],
)
def test_the_script_tells_the_language(text: str, language: str) -> None:
    assert scripts.likely_language(text) == language


@pytest.mark.parametrize("ranges", SETS)
def test_no_set_has_letters_of_spaced_scripts(ranges: str) -> None:
    assert not re.search(f"[{ranges}]", "Aé Ω Ж א ع हि 한 ა")


def test_both_spellings_of_the_set_agree_on_letters() -> None:
    by_block, by_script = re.compile(f"[{scripts.UNSPACED_ALL}]"), regex.compile(f"[{scripts.UNSPACED_SCRIPTS}]")
    for code in (*range(0x3041, 0x3097), *range(0x4E00, 0x9FA6), *range(0x0E01, 0x0E31), 0x1780, 0x1000, 0x20000):
        assert by_block.match(chr(code)) and by_script.match(chr(code)), unicodedata.name(chr(code))


@pytest.mark.parametrize(
    ("character", "expected"), [("你", True), ("。", True), ("ひ", True), ("a", False), ("", False)]
)
def test_east_asian_characters_include_punctuation(character: str, expected: bool) -> None:
    assert scripts.is_east_asian(character) == expected
