"""Tables built in files: counts are kept exactly, with and without a codebook."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from word_lm_corpus import invented_texts, train

from ncfilters.scoring import registry
from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.text import hash_table
from ncfilters.training import trie_builder
from ncfilters.training.ngram_counter import Boundaries, NgramCounter
from ncfilters.training.run_merger import MergedNgrams


@pytest.mark.parametrize("memory", [1, 1 << 30])
@pytest.mark.parametrize("min_count", [1, 3])
def test_the_trie_holds_the_frequent_ngrams_and_counts(min_count: int, memory: int) -> None:
    with NgramCounter(2, "words", Boundaries("<s>"), memory) as counter:
        counter.add(invented_texts(150))
        merged = MergedNgrams(counter.finish())
        trie, tables = trie_builder.build_trie(merged, min_count)
        words, merged_words = trie.vocabulary.words(), merged.vocabulary()
        for ids, (rows, counts), (codes, book) in zip(trie.ngrams(), merged.tables(), tables):
            assert book is not None
            stored = {
                tuple(words[at] for at in row): int(count)
                for row, count in zip(ids.tolist(), book[codes[:-1]].tolist())
            }
            expected = {
                tuple(merged_words[at] for at in row): int(count)
                for row, count in zip(rows.tolist(), counts.tolist())
                if count >= min_count
            }
            assert stored == expected
            assert book[codes[-1]] == 0  # of unknown n-grams


def test_more_counts_than_a_codebook_holds_are_exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = invented_texts(500)
    usual = train(texts, 3)
    monkeypatch.setattr(trie_builder, "MAX_CODES", 3)
    plain = train(texts, 3)
    assert isinstance(plain, InterpolatedModel)
    assert [book for _, book in plain.counts.tables] == [None] * 3
    registry.write_model(tmp_path / "x.model", plain, {})
    restored = registry.load(str(tmp_path / "x.model"))
    assert isinstance(restored, InterpolatedModel)
    assert np.array_equal(restored.perplexities(texts), usual.perplexities(texts))
    assert hash_table.MAX_CODES == 1 << 16
