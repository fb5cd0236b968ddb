"""Reasons in words: no name of a feature, no scale, no value for what is missing."""

from __future__ import annotations

import re

import pytest

from ncfilters.features.schema import NAMES
from ncfilters.scoring.structure.attribution import POOL_REASONS, SMOOTHING_REASON
from ncfilters.scoring.structure.reason_words import AROUND, in_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("chars", "number of characters"),
        ("sig_chars", "the same path but for ids: number of characters"),
        ("ends_stop+1", "segment 1 after: whether a full stop ends it"),
        ("punctuation", "share of ASCII punctuation but .!?,;:"),
        ("from_h1", "segments since the first h1"),
        ("around: 3 before", "the 3 segments before"),
        ("word:=read more", "the text 'read more'"),
        ("word:1 if", "the words '1 if'"),
        ("heading:our", "'our' in the heading above"),
        ("name:form", "'form' on the path"),
        ("name:@path blog", "'path blog' in the head or the address of the page"),
    ],
)
def test_words(name: str, words: str) -> None:
    assert in_words(name) == words


def test_all_reasons_have_words_of_their_own() -> None:
    names = [*NAMES, *POOL_REASONS, SMOOTHING_REASON]
    words = [in_words(name) for name in names]
    assert set(AROUND) == {*POOL_REASONS, SMOOTHING_REASON}
    assert len(set(words)) == len(names)
    for text in words:
        assert not re.search(r"\w_\w|\blog of\b|\b1 if\b|-1 if|, in \d|^around|^alike", text), text
