"""The word kind: each estimator's parameters and arrays give a model of its class."""

from __future__ import annotations

from typing import Any

import pytest
from word_lm_corpus import DATA, SENTENCES, train

from ncfilters.scoring.word_lm.backoff import BackoffModel
from ncfilters.scoring.word_lm.convert import convert_model
from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.scoring.word_lm.model import from_parts


@pytest.mark.parametrize(
    ("made", "kind"),
    [(train(SENTENCES[:50]), InterpolatedModel), (convert_model(DATA / "harbour-2.arpa")[0], BackoffModel)],
)
def test_an_estimator_has_one_class_of_model(made: Any, kind: type) -> None:
    restored = from_parts(made.header(), made.arrays())
    assert type(restored) is type(made) is kind
    assert restored.perplexities(SENTENCES).tolist() == made.perplexities(SENTENCES).tolist()
