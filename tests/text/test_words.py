"""Texts as words."""

from __future__ import annotations

import pytest

from ncfilters.text.words import words


def test_words_are_lower_case_and_without_punctuation() -> None:
    assert words("The BRIDGE's 2nd—pier, café № 5!") == ["the", "bridge", "s", "2nd", "pier", "café", "5"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("大桥关闭", ["大", "桥", "关", "闭"]),
        ("2026年5月 iPhone版", ["2026", "年", "5", "月", "iphone", "版"]),
        ("はい、カタカナ", ["は", "い", "カ", "タ", "カ", "ナ"]),
        ("สะพาน", list("สะพาน")),
        ("다리는 닫혀", ["다리는", "닫혀"]),
        ("Мост ЗАКРЫТ", ["мост", "закрыт"]),
        ("", []),
        ("— … !", []),
    ],
)
def test_a_word_in_scripts_without_spaces_is_a_character(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_words_in_ascii_are_like_those_of_other_texts() -> None:
    text = "".join(f"a{chr(code)}B_1 " for code in range(128))
    assert words(text) == words("é " + text)[1:]
