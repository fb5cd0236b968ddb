"""The words that texts begin with."""

from __future__ import annotations

import random
import re

import numpy as np

from ncfilters.features import leading_words
from ncfilters.text.word_lookup import word_hashes

# Letters of many scripts, with case and without; digits; marks, signs, spaces of one to four bytes; half a character.
CHARACTERS = "aZ9_ .’“—…·×÷éÉßİſµª²½\xa0\xad΄ΑΣσςюЖ҂א־،عًéẞ€™⁴‿⁀ⅷ①。、中文かカナ한ไท्क𝐀😀\udc80\u2028\t\n\x00\x1f"
PATTERN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


def by_pattern(texts: list[str]) -> list[list[int]]:
    """The hashes of the words of each text, by the pattern alone."""
    return [
        sorted(word_hashes(PATTERN.findall(text[: leading_words.MAX_TEXT_CHARS].lower())).tolist()) for text in texts
    ]


def by_bytes(texts: list[str]) -> list[list[int]]:
    numbers, text = leading_words.leading_word_hashes(texts)
    return [sorted(numbers[text == place].tolist()) for place in range(len(texts))]


def test_words_are_runs_of_letters_and_digits_in_any_script() -> None:
    texts = ["", "The bridge, the river.", "Über 5 «Brücken» — naïve…", "Река́ Ждёт_нас", "ΟΔΟΣ ς", "中文 text", "²x½"]
    assert by_bytes(texts) == by_pattern(texts)


def test_bytes_and_pattern_agree() -> None:
    chance = random.Random(0)
    texts = ["".join(chance.choices(CHARACTERS, k=chance.randrange(300))) for _ in range(500)]
    texts += ["".join(chance.choices(CHARACTERS[:20], k=chance.randrange(300))) for _ in range(500)]
    assert by_bytes(texts) == by_pattern(texts)
    for one in texts[:50]:
        assert by_bytes([one]) == by_pattern([one])


def test_every_character_of_two_bytes() -> None:
    texts = [f"a{chr(code)}b" for code in range(0x80, 0x800)]
    assert by_bytes(texts) == by_pattern(texts)


def test_only_the_beginning_is_read() -> None:
    assert by_bytes(["x" * 199 + "yz"]) == by_bytes(["x" * 199 + "y"])


def test_no_texts_have_no_words() -> None:
    assert by_bytes([]) == [] and len(leading_words.leading_word_hashes([])[0]) == 0


def test_distinct_words_are_counted_by_text() -> None:
    numbers, text = leading_words.leading_word_hashes(["the the bridge", "the", "", "中中文"])
    assert leading_words.count_distinct(numbers, text, np.ones(4, bool)).tolist() == [2, 1, 0, 2]
    assert leading_words.count_distinct(numbers, text, np.array([False, True, True, True])).tolist() == [0, 1, 0, 2]


def test_words_of_a_text_are_distinct() -> None:
    found = leading_words.distinct_words("It’s 2 o'clock, 東京 time_zone")
    assert found == {"it", "s", "2", "o", "clock", "東", "京", "time", "zone"}
