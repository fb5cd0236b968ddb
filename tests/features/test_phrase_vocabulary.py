"""Phrases: whole short texts and first words, as strings and as numbers."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.features.document import ModelInput
from ncfilters.features.segment_table import build_table

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.features.phrase_vocabulary"), ids=lambda form: form.__name__
)


@FORMS
def test_phrases_are_short_texts_and_two_words(form: ModuleType) -> None:
    texts = ["Read more…", "12 Comments (3):", "Home", "", "?!", "É Ñandú", "x" * 39, "word " * 8]
    assert form.segment_phrases(build_table(ModelInput.of_texts(texts))) == [
        ("=read more…", "read", "more…"),
        ("=00 comments 0", "00", "comments"),
        ("=home", "home"),
        (),
        (),
        ("=é ñandú", "é", "ñandú"),
        ("=" + "x" * 39, "x" * 39),
        ("word", "word"),
    ]


@FORMS
def test_numbers_of_phrases(form: ModuleType) -> None:
    index = form.PhraseIndex({"=comments": 7, "comments": 3, "read": 5, "on": 2, "=home": 1, "=read": 4})
    assert index.numbers("Comments") == (7, 3, -1)
    assert index.numbers("read on") == (-1, 5, 2)
    assert index.numbers("Read") == (4, 5, -1)
    assert index.numbers("Comments " * 20) == (-1, 3, 3)
    assert index.numbers("unknown") == index.numbers("") == (-1, -1, -1)


@FORMS
def test_phrases_and_numbers_agree(form: ModuleType) -> None:
    texts = ["A b c", "a B", "A, b; c", "zz" * 30, "1 2 3", "tab\there", "nul\0here", " x  y "]
    found = form.segment_phrases(build_table(ModelInput.of_texts(texts)))
    vocabulary = {phrase: number for number, phrase in enumerate(dict.fromkeys(p for row in found for p in row))}
    index = form.PhraseIndex(vocabulary)
    for text, row in zip(texts, found):
        assert [vocabulary[phrase] for phrase in row] == [number for number in index.numbers(text) if number >= 0]
