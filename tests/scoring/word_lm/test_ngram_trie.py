"""The trie of n-grams and its compact tables: n-grams are found from their histories, and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncfilters.scoring.word_lm.ngram_trie import CompactTable, NgramTrie

WORDS = ["the", "cat", "sat"]
BIGRAMS = np.array([[0, 1], [1, 2], [2, 0]])
TRIGRAMS = np.array([[0, 1, 2]])


@pytest.fixture
def trie() -> NgramTrie:
    return NgramTrie.build(WORDS, [BIGRAMS, TRIGRAMS])[0]


def places(trie: NgramTrie, *words: str) -> Any:
    return np.array([trie.place(word) for word in words])


# ---- tries
def test_order_says_which_ngram_is_at_each_place() -> None:
    trie, orders = NgramTrie.build(WORDS, [BIGRAMS, TRIGRAMS])
    assert (trie.n, trie.sizes()) == (3, [3, 3, 1])
    assert places(trie, *(WORDS[at] for at in orders[0])).tolist() == [0, 1, 2]
    for rows, order in zip((BIGRAMS, TRIGRAMS), orders[1:]):
        ids = np.array([places(trie, *(WORDS[number] for number in row)) for row in rows])
        assert trie.find(ids)[order].tolist() == list(range(len(rows)))


def test_unknown_words_and_ngrams_have_the_size_as_place(trie: NgramTrie) -> None:
    assert trie.find(places(trie, "cat", "the")[None, :]).tolist() == [3]
    assert trie.find(places(trie, "the", "cat", "dog")[None, :]).tolist() == [1]
    words = ["the", "cat", "été", "書", "x" * 900, "#", "ab", "ba"]
    made, order = NgramTrie.of_words([word.encode() for word in words])
    assert [made.place(words[at]) for at in order] == list(range(len(words)))
    assert [made.place(word) for word in ("dog", "", "ca", "catt", "x" * 899)] == [len(words)] * 5


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
    with pytest.raises(ValueError, match="the word 'cat' is there twice"):
        NgramTrie.of_words([b"cat", b"the", b"cat"])
    with pytest.raises(ValueError, match="an n-gram of 2 words occurs twice"):
        NgramTrie.build(WORDS, [BIGRAMS[[0, 0]]])
    with pytest.raises(ValueError, match="the n-gram 'the cat sat' has a history that is not an n-gram"):
        NgramTrie.build(WORDS, [BIGRAMS[1:], TRIGRAMS])


# ---- tables of many n-grams
def pairs(entries: int, words: int) -> tuple[NgramTrie, Any, Any, Any]:
    """A trie of so many pairs of words, the index of each pair, and the pairs."""
    trie, _ = NgramTrie.of_words([str(number).encode() for number in range(words)])
    keys = np.random.default_rng(1).choice(words * words, entries, replace=False)
    return trie, trie.add(keys // words, keys % words), keys // words, keys % words


@pytest.mark.parametrize(("entries", "words"), [(0, 1), (1, 1), (1, 6), (20, 6), (36, 6), (1000, 100), (50_000, 5000)])
def test_stored_ngrams_are_found_and_no_others(entries: int, words: int) -> None:
    trie, order, some, last = pairs(entries, words)
    assert trie.sizes() == [words, entries]
    assert trie.find_longer(2, some[order], last[order]).tolist() == list(range(entries))
    there = set(zip(some.tolist(), last.tolist()))
    rng = np.random.default_rng(2)
    others = rng.integers(0, words + 1, 5000), rng.integers(0, words + 1, 5000)
    missing = [pair not in there for pair in zip(others[0].tolist(), others[1].tolist())]
    assert (trie.find_longer(2, *others) == entries).tolist() == missing


def test_ngrams_take_few_bytes() -> None:
    trie, *_ = pairs(300_000, 1 << 13)
    assert (trie.tables[1].starts.nbytes + trie.tables[1].rests.nbytes) / 300_000 < 8


def test_keys_of_tables() -> None:
    first = 12
    some = np.arange(0, 1 << first, 2, dtype=np.uint64) << np.uint64(40 - first)
    made, _ = CompactTable.of(40, np.concatenate([some, some | np.uint64(1)]))
    assert made.first == first
    odd = some + (np.uint64(1) << np.uint64(40 - first))
    assert (made.find(odd[:-1]) == len(made)).all()
    numbers = np.arange(1 << 14, dtype=np.uint64)  # all in one bucket, the others empty
    with pytest.raises(ValueError, match="evenly"):
        CompactTable.of(38, numbers)
    rng = np.random.default_rng(3)
    some, counts = np.unique(rng.integers(0, 1 << 40, 2000).astype(np.uint64)), rng.integers(1, 99, 2000)
    made, order = CompactTable.of(40, some, counts[: len(some)])
    sizes = np.diff(made.starts.astype(np.int64))
    for start, size in zip(made.starts.tolist(), sizes.tolist()):
        assert sorted(counts[order[start : start + size]], reverse=True) == list(counts[order[start : start + size]])
    assert made.find(some[order]).tolist() == list(range(len(some)))


@pytest.mark.parametrize("of", ["starts2", "rests2"])
def test_damaged_tables_give_errors_or_wrong_places_only(of: str) -> None:
    """Look-ups in whatever a file has end soon, and do not raise."""
    trie, _, some, last = pairs(5000, 1000)
    rng = np.random.default_rng(4)
    for fill in (0, 1, (1 << 32) - 1, None):
        part = trie.arrays()[of].copy()
        most = np.iinfo(part.dtype).max
        part[:] = rng.integers(0, most, len(part)) if fill is None else min(fill, most)
        parts = {**trie.arrays(), of: part}
        if of == "starts2":
            with pytest.raises(ValueError, match="ascend"):
                NgramTrie.from_parts(2, parts)
        broken = NgramTrie.from_parts(1, parts)
        broken.tables.append(CompactTable(trie.tables[1].bits, parts["starts2"], parts["rests2"]))
        assert len(broken.find_longer(2, some, last)) == len(some)


@pytest.mark.parametrize(("bits", "starts", "rests"), [
    (40, np.zeros(4, np.uint32), np.zeros(3, np.uint64)), (40, np.zeros(5, np.uint64), np.zeros(3, np.uint64)),
    (40, np.zeros(5, np.uint32), np.zeros(3, np.uint16)), (40, np.zeros(5, np.uint32), np.zeros(3, np.int64)),
    (65, np.zeros(5, np.uint32), np.zeros(3, np.uint64)), (40, np.zeros(0, np.uint32), np.zeros(3, np.uint64)),
])  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(bits: int, starts: Any, rests: Any) -> None:
    with pytest.raises(ValueError):
        CompactTable(bits, starts, rests)
