"""The word kind: each estimator's parameters and arrays give a model of its class."""

from __future__ import annotations

import pytest
from word_lm_corpus import SENTENCES, train

from ncfilters.scoring.word_lm.backoff import BackoffModel
from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.scoring.word_lm.model import from_parts


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [("pyplexity", InterpolatedModel), ("interpolated", InterpolatedModel), ("kneser-ney", BackoffModel)],
)
def test_an_estimator_has_one_class_of_model(estimator: str, kind: type) -> None:
    model = train(SENTENCES[:50], 2, estimator)
    restored = from_parts(model.header(), model.arrays())
    assert type(restored) is type(model) is kind
    assert restored.perplexities(SENTENCES).tolist() == model.perplexities(SENTENCES).tolist()
