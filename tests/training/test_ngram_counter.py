"""Counts of n-grams are those of a naive count."""

from __future__ import annotations

from collections import Counter

import pytest
from word_lm_corpus import invented_texts, places

from ncfilters.scoring.word_lm.interpolated import CodedCounts
from ncfilters.training import ngram_counter
from ncfilters.training.ngram_counter import NgramCounter

Counts = list[dict[tuple[str, ...], int]]


def decoded(table: CodedCounts) -> list[int]:
    """The counts by place; the last is that of unknown n-grams."""
    codes, book = table
    values = codes if book is None else book[codes]
    assert values[-1] == 0
    return [int(value) for value in values[:-1]]


def naive(texts: list[str], n: int) -> Counts:
    """The same, counted one by one: n - 1 boundaries precede each text, of which the last is a history."""
    out: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(n)]
    for words in filter(None, map(str.split, texts)):
        run = ["#"] * (n - 1) + words
        for order in range(1, n + 1):
            first = n - 1 if order == n else n - 2
            out[order - 1].update(
                tuple(run[at - order + 1 : at + 1]) for at in range(first, len(run)) if at >= order - 1
            )
    return [dict(some) for some in out]


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("codes", [1, 1 << 16])
def test_counts_are_those_of_a_naive_count(n: int, codes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngram_counter, "MAX_CODES", codes)
    texts = [*invented_texts(150), "one", "", "# x #"]
    counter = NgramCounter(n, "spaces", "#")
    counter.add(texts)
    trie, tables = counter.build_trie()
    for counts, table in zip(naive(texts, n), tables):
        found = decoded(table)
        at = places(trie, counts)
        assert sorted(at) == list(range(len(found)))
        assert [found[place] for place in at] == list(counts.values())
