"""Repeated n-grams, by the definition and by datatrove."""

from __future__ import annotations

import random

import pytest

from ncfilters.corpus.repetition import Repetition


@pytest.mark.parametrize(
    ("text", "n", "top", "repeated"),
    [
        ("it rained and it rained again", 2, 18, 8),
        ("a b c d", 2, 3, 0),  # of several, the first
        ("aa b aa b aa b", 2, 12, 6),  # two of three; the overlapping "b aa" is not counted, too
        ("a a a a a", 2, 12, 4),
        ("a b", 3, 0, 0),
        ("", 2, 0, 0),
        ("x", 1, 1, 0),
    ],
)
def test_characters_of_ngrams(text: str, n: int, top: int, repeated: int) -> None:
    found = Repetition(text.split())
    assert (found.top_chars(n), found.repeated_chars(n)) == (top, repeated)


def test_datatrove_counts_the_same() -> None:
    theirs = pytest.importorskip("datatrove.pipeline.filters.gopher_repetition_filter", reason="datatrove is missing")
    rnd = random.Random(0)
    for size in range(0, 200, 7):
        tokens = [rnd.choice(["a", "bb", "ccc", "ddddd"]) for _ in range(size)]
        found = Repetition(tokens)
        for n in range(2, 11):
            assert found.repeated_chars(n) == theirs.find_all_duplicate(tokens, n)
            if ngrams := theirs.get_n_grams(tokens, n):
                assert found.top_chars(n) == theirs.find_top_duplicate(ngrams)
