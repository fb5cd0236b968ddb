"""Patterns for Western text."""

from __future__ import annotations

import re
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from ncfilters.page.embedded import hydration
from ncfilters.text import words
from ncfilters.text.western import END, MARKS, characters, is_western

# Text of characters that may be Western, or nearly.
TEXTS = st.text(
    st.characters(max_codepoint=0x2FF) | st.sampled_from("’“”…–€→■🙂❤\ufe0f²\u2070\u1e00\u0300ªǅǀ 。.aA\x1c\x85\u2028")
)


@pytest.mark.parametrize("category", ["L", "Lu", "Ll", "Lo", "M", "N"])
def test_characters_of_a_category_are_those_of_regex(category: str) -> None:
    found = characters(category)
    own = re.compile(f"[{found}]" if found else r"(?!)")
    other = regex.compile(rf"\p{{{category}}}")
    assert all(bool(own.match(chr(code))) == bool(other.match(chr(code))) for code in (*range(END), *MARKS))


def test_western_text_has_no_other_letters() -> None:
    beyond = [chr(code) for code in set(range(END, 0x110000)) - {*MARKS} if is_western(chr(code))]
    assert len(beyond) > 1_000
    assert not any(regex.search(r"[\p{L}\p{M}\p{N}]", character) for character in beyond)
    assert not any(unicodedata.category(character)[0] in "LMN" for character in beyond)


@given(TEXTS)
def test_words_of_western_text_are_those_of_regex(text: str) -> None:
    assert words.words(text) == words.word_pattern().findall(text.lower())


@given(st.lists(TEXTS, max_size=12).map(" ".join))
def test_western_prose_is_that_of_regex(text: str) -> None:
    text = f"{text}. Voilà ce qui est arrivé: « c’est fini »"
    with pytest.MonkeyPatch.context() as patch:
        found = hydration.is_prose(text)
        patch.setattr(hydration, "is_western", lambda text: False)
        assert hydration.is_prose(text) == found
