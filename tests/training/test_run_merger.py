"""Merged runs: the n-grams are those counted naively, whatever the memory."""

from __future__ import annotations

from collections import Counter

import pytest
from word_lm_corpus import invented_texts, train

from ncfilters.text.tokenizers import tokenize
from ncfilters.training import ngram_counter, run_merger
from ncfilters.training.ngram_counter import Boundaries, NgramCounter
from ncfilters.training.run_merger import MergedNgrams


def naive_counts(texts: list[str], n: int, boundaries: Boundaries) -> list[dict[tuple[str, ...], int]]:
    """The n-grams of each length."""
    starts, end = boundaries.starts, boundaries.end
    out: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(n)]
    for (words,) in (tokenize([text], "words").words() for text in texts):
        run = [boundaries.start] * starts + words + ([end] if end else [])
        if not words:
            continue
        for order in range(1, n + 1):
            for at in range(starts - (order < n), len(run)):
                if at - order + 1 >= 0:
                    out[order - 1][tuple(run[at - order + 1 : at + 1])] += 1
    return [dict(each) for each in out]


@pytest.mark.parametrize("memory", [1, 10_000, 1 << 30])
@pytest.mark.parametrize(
    ("n", "starts", "end"), [(2, 1, None), (3, 2, None), (2, 1, "</s>"), (3, 1, "</s>"), (5, 1, "</s>")]
)
def test_merged_counts_are_those_counted_naively(n: int, starts: int, end: str | None, memory: int) -> None:
    texts = invented_texts(150)
    boundaries = Boundaries("<s>", starts, end)
    with NgramCounter(n, "words", boundaries, memory) as counter:
        counter.add(texts)
        merged = MergedNgrams(counter.finish())
        words = merged.vocabulary()
        counts = [
            {tuple(words[at] for at in row): int(count) for row, count in zip(ids.tolist(), numbers)}
            for ids, numbers in merged.tables()
        ]
        for ids, _ in merged.tables():
            assert ids.tolist() == sorted(ids.tolist())
    expected = naive_counts(texts, n, boundaries)
    assert counts[1:] == expected[1:]
    assert {key: count for key, count in counts[0].items() if count} == expected[0]
    assert merged.words == sum(len(words) for words in tokenize(texts, "words").words())


def test_blocks_have_no_more_ngrams_than_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    append = run_merger.append
    monkeypatch.setattr(run_merger, "append", lambda path, values: lengths.append(len(values)) or append(path, values))
    train(invented_texts(2000), 3, memory=200_000)
    assert len(lengths) > 20 and max(lengths) <= 2 * 200_000 // ngram_counter.BYTES_PER_NGRAM
