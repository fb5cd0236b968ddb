"""Hashes of words and of their n-grams."""

from __future__ import annotations

import numpy as np

from ncfilters.corpus.word_ngrams import hash_words_of, ngrams
from ncfilters.text.words import words


def test_equal_words_have_equal_hashes() -> None:
    texts = ["It rained: again, it RAINED!", "", "\u00c9t\u00e9, it", "\u6211\u7684it", "a_b 1,000", "...", "\ud800 x"]
    hashes, lengths = hash_words_of(texts)
    spelled = [word for text in texts for word in words(text)]
    assert lengths.tolist() == [len(words(text)) for text in texts]
    assert len(set(hashes.tolist())) == len(set(spelled))
    assert len({*zip(hashes.tolist(), spelled)}) == len(set(spelled))


def test_ngrams_know_the_order_of_words() -> None:
    hashes, _ = hash_words_of(["a b c a b d b a"])
    pairs = ngrams(hashes, 2)
    assert pairs[0] == pairs[3]
    assert len(set(pairs[:-1].tolist())) == 6


def test_ngrams_at_the_end_have_fewer_words() -> None:
    hashes, _ = hash_words_of(["a b c"])
    assert ngrams(hashes, 3)[1] == ngrams(hashes[1:], 2)[0]
    assert ngrams(hashes, 9)[0] == ngrams(hashes, 3)[0]
    assert len(ngrams(np.empty(0, np.uint64), 5)) == 0
