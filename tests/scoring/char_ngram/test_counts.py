"""Counts of n-grams against a slow implementation."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from slow_ngrams import ASCII, MIXED, Slow, some_texts, weighted

from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.counts import CharNgramCounts, count_ngrams


@pytest.mark.parametrize("batch", [1, 7, 100])
def test_batches_do_not_change_the_counts(batch: int) -> None:
    rnd = random.Random(batch)
    texts = weighted(rnd, some_texts(rnd, MIXED, 60))
    keys, counts = count_ngrams(3, Alphabet("ascii"), texts, batch)
    whole_keys, whole = count_ngrams(3, Alphabet("ascii"), texts)
    assert keys.tolist() == whole_keys.tolist() == sorted(set(keys.tolist()))
    np.testing.assert_allclose(counts, whole, rtol=1e-6)


@pytest.mark.parametrize("n", range(1, 9))
def test_counts_are_those_of_the_definition(n: int) -> None:
    rnd = random.Random(n)
    texts = weighted(rnd, some_texts(rnd, ASCII, 30))
    fold = Alphabet("ascii")
    keys, counts = count_ngrams(n, fold, texts)
    slow: Counter[int] = Counter()
    for text, weight in texts:
        for gram in Slow(n, 0.5, "ascii", []).grams(text):
            key = 0
            for symbol in gram:
                key = key * fold.size + fold.symbols.index(symbol)
            slow[key] += weight
    assert keys.tolist() == sorted(slow)
    np.testing.assert_allclose(counts, [slow[key] for key in keys.tolist()], rtol=1e-6)


def test_counts_of_both_classes_have_common_keys() -> None:
    counts = CharNgramCounts.of_texts(1, Alphabet("ascii"), [("ab", 1.0)], [("b", 2.0)])
    assert counts.clean.tolist() == [1, 1, 1]  # the edge, a, b
    assert counts.dirty.tolist() == [2, 0, 2]
    assert counts.differential().dirty.tolist() == [1, -1, 1]
