"""Perplexity fields, batches of texts and boundary words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ncfilters.features.document import ModelInput
from ncfilters.scoring.word_lm import perplexity


def test_batches_cover_all_texts_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perplexity, "MAX_BATCH_CHARACTERS", 5)
    texts = ["a", "bcdefghi", "", "j", "k", "l"]
    batches = [texts[part] for part in perplexity.text_batches(texts)]
    assert batches == [["a", "bcdefghi"], ["", "j", "k"], ["l"]]
    assert list(perplexity.text_batches([])) == []


def test_boundaries_surround_each_text() -> None:
    words, lengths = np.array([7, 8, 9]), np.array([2, 0, 1])
    run, starts = perplexity.with_boundaries(words, lengths, 1)
    assert (run.tolist(), starts.tolist()) == ([1, 7, 8, 1, 1, 9], [0, 3, 4])
    run, starts = perplexity.with_boundaries(words, lengths, 1, 2)
    assert (run.tolist(), starts.tolist()) == ([1, 7, 8, 2, 1, 2, 1, 9, 2], [0, 4, 6])


def test_perplexities_are_written_with_seven_digits() -> None:
    values = [1.0, 1.23456789, 12.3456789, 123456.789, 1e6, 12345678.9, 8000.0]

    def found(texts: Sequence[str]) -> Any:
        return np.array(values)

    (out,) = perplexity.perplexity_fields(found, 8000.0, [ModelInput.of_texts([""] * len(values))])
    assert out["perplexity"] == [1.0, 1.234568, 12.34568, 123456.8, 1e6, 12345679.0, 8000.0]
    assert out["score"][-1] == 0.0
