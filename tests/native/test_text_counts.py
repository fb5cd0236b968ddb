"""Counts over the characters of texts, in both forms."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import both_forms

from ncfilters.text.scripts import UNSPACED_ALL

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.native.text_counts"), ids=lambda form: form.__name__)


@FORMS
@pytest.mark.parametrize("space", [" ", "\n", "\v", "\x1c", "\x85", "\xa0", "\u3000", "\u2029"])
def test_words_are_between_white_space(form: ModuleType, space: str) -> None:
    texts = ["", space, f"one{space}two", f"{space}one{space}{space}two {space}", "a\u200bb", "é中😀"]
    assert form.num_words(texts) == [len(text.split()) for text in texts]


@FORMS
@given(st.lists(st.text(), max_size=3))
def test_all_texts(form: ModuleType, texts: list[str]) -> None:
    assert form.num_words(texts) == [len(text.split()) for text in texts]


@FORMS
def test_characters_in_ranges(form: ModuleType) -> None:
    counter = form.CharCounter(UNSPACED_ALL)
    assert counter.count("ฝน rain 我的 book \U00020000 é") == 5
    assert [counter.count(text) for text in ("", "rain", "\u0dff\u0e00\u0eff\u0f00")] == [0, 0, 2]


@FORMS
def test_the_common_length_of_texts(form: ModuleType) -> None:
    for text, other, size in (
        ("", "a", 0),
        ("abc", "abd", 2),
        ("ab", "abc", 2),
        ("aé一", "aé二", 2),
        ("aé", "aé一", 2),
        ("body/div.a/p", "body/div.b/p", 9),
    ):
        assert form.common_length(text, other) == form.common_length(other, text) == size, text
    assert form.common_length("body/p", "body/p") == 6
