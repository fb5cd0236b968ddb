"""The trie: n-grams are found from their histories, and listed as they were given."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.scoring.word_lm.interpolated import NgramTrie

WORDS = ["the", "cat", "sat"]
BIGRAMS = np.array([[0, 1], [1, 2], [2, 0]])
TRIGRAMS = np.array([[0, 1, 2]])


@pytest.fixture
def trie() -> NgramTrie:
    return NgramTrie.build(WORDS, [BIGRAMS, TRIGRAMS])[0]


def places(trie: NgramTrie, *words: str) -> np.ndarray:
    return np.array([trie.vocabulary.place(word) for word in words])


def test_order_says_which_ngram_is_at_each_place() -> None:
    trie, orders = NgramTrie.build(WORDS, [BIGRAMS, TRIGRAMS])
    assert (trie.n, trie.sizes()) == (3, [3, 3, 1])
    assert places(trie, *(WORDS[at] for at in orders[0])).tolist() == [0, 1, 2]
    for rows, order in zip((BIGRAMS, TRIGRAMS), orders[1:]):
        ids = np.array([places(trie, *(WORDS[number] for number in row)) for row in rows])
        assert trie.find(ids)[order].tolist() == list(range(len(rows)))


def test_unknown_ngrams_have_the_size_as_place(trie: NgramTrie) -> None:
    assert trie.find(places(trie, "cat", "the")[None, :]).tolist() == [3]
    assert trie.find(places(trie, "the", "cat", "dog")[None, :]).tolist() == [1]


def test_ending_places_do_not_cross_texts(trie: NgramTrie) -> None:
    run = places(trie, "the", "cat", "sat", "sat", "the")
    unigrams, bigrams, trigrams = trie.ending_places(run, np.array([0, 3]))
    assert unigrams.tolist() == run.tolist()
    assert (bigrams < 3).tolist() == [False, True, True, False, True]
    assert (trigrams < 1).tolist() == [False, False, True, False, False]


def test_a_trie_comes_back_from_its_arrays(trie: NgramTrie) -> None:
    restored = NgramTrie.from_parts(3, trie.arrays())
    assert restored.sizes() == trie.sizes()
    for rows in (BIGRAMS, TRIGRAMS):
        ids = np.array([places(trie, *(WORDS[number] for number in row)) for row in rows])
        assert restored.find(ids).tolist() == trie.find(ids).tolist()
    with pytest.raises(KeyError, match="starts4"):
        NgramTrie.from_parts(4, trie.arrays())


def test_duplicates_and_missing_histories_are_refused() -> None:
    with pytest.raises(ValueError, match="an n-gram of 2 words occurs twice"):
        NgramTrie.build(WORDS, [BIGRAMS[[0, 0]]])
    with pytest.raises(ValueError, match="the n-gram 'the cat sat' has a history that is not an n-gram"):
        NgramTrie.build(WORDS, [BIGRAMS[1:], TRIGRAMS])
