"""N-gram counts: batches are bounded, and temporary files are removed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from word_lm_corpus import invented_texts, train

from ncfilters.training import ngram_counter
from ncfilters.training.ngram_counter import Boundaries, NgramCounter


def test_each_batch_leaves_a_sorted_run_for_each_length() -> None:
    with NgramCounter(3, "words", Boundaries("<s>", 1, "</s>"), 20_000) as counter:
        counter.add(invented_texts(150))
        counted = counter.finish()
        assert counter.words == counted.words
        for runs in counted.runs:
            assert len(runs.starts) > 5
            for start, end in zip(runs.starts, runs.starts[1:]):
                assert (np.diff(runs.keys()[start:end].astype(np.float64)) > 0).all()
            assert len(runs.keys()) == len(runs.counts()) == runs.starts[-1]
        assert int(counted.runs[0].counts().sum()) == counted.words + 2 * counter.texts


def test_batches_have_no_more_text_than_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    tokenize = ngram_counter.tokenize
    monkeypatch.setattr(
        ngram_counter, "tokenize", lambda texts, how: lengths.append(sum(map(len, texts))) or tokenize(texts, how)
    )
    train(invented_texts(2000), 3, memory=200_000)
    assert len(lengths) > 10 and max(lengths) < 6000


def test_texts_without_words_count_nothing() -> None:
    with NgramCounter(2, "words", Boundaries("<s>")) as counter:
        counter.add(["", " \n"])
        assert (counter.finish().words, counter.texts) == (0, 0)


def test_files_are_removed_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), NgramCounter(2, "words", Boundaries("<s>"), 1, str(tmp_path)) as counter:
        counter.add(["some text", "and more"])
        assert list(tmp_path.iterdir())
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        NgramCounter(2, "words", Boundaries("<s>"), folder=str(tmp_path / "nowhere"))
