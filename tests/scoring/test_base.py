"""The protocols of models: which of them each installed kind implements."""

from __future__ import annotations

import pytest
from model_files import Oracle

from ncfilters.scoring import registry
from ncfilters.scoring.base import (
    ExplainingModel,
    FieldReadingModel,
    InspectableModel,
    MappedModel,
    PageScoringModel,
    PerplexityModel,
    TokenizingModel,
)

PROTOCOLS = (
    ExplainingModel,
    FieldReadingModel,
    InspectableModel,
    MappedModel,
    PageScoringModel,
    PerplexityModel,
    TokenizingModel,
)


@pytest.mark.parametrize(
    ("name", "protocols"),
    [
        ("en", {ExplainingModel, FieldReadingModel, InspectableModel, MappedModel, PageScoringModel}),
        ("ncleaner-en", {InspectableModel}),
        ("perplexity-en", {MappedModel, PerplexityModel, TokenizingModel}),
        ("justext-en", {FieldReadingModel}),
    ],
)
def test_kinds_implement_the_protocols_they_offer(name: str, protocols: set[type]) -> None:
    model = registry.load(name)
    assert {protocol for protocol in PROTOCOLS if isinstance(model, protocol)} == protocols


def test_a_minimal_model_implements_no_other_protocol() -> None:
    assert not any(isinstance(Oracle([1.0]), protocol) for protocol in PROTOCOLS)
