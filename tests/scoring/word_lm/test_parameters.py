"""Parameters of word models: defaults, and values out of range."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import pytest

from ncfilters.scoring.word_lm.interpolated import PROBABILITIES, WEIGHTS
from ncfilters.scoring.word_lm.parameters import ESTIMATORS, ORDERS, WordModelParameters, check_estimation
from ncfilters.text.tokenizers import TOKENIZERS


def test_limits_are_floats_and_tables_agree() -> None:
    limit = WordModelParameters("interpolated", "words", 500).limit
    assert (limit, type(limit)) == (500.0, float)
    assert set(PROBABILITIES) == set(ESTIMATORS)
    assert tuple(WEIGHTS) == ORDERS
    assert {estimator.tokens for estimator in ESTIMATORS.values()} <= set(TOKENIZERS)


@pytest.mark.parametrize("limit", [0, -5, math.inf, math.nan, "8000", True, None])
def test_a_limit_that_is_no_perplexity_is_refused(limit: Any) -> None:
    with pytest.raises(ValueError, match=f"limit: expected a perplexity above 0, got {limit}"):
        WordModelParameters("interpolated", "words", limit)


@pytest.mark.parametrize("tokens", ["letters", [], None])
def test_an_unknown_tokenization_is_refused(tokens: Any) -> None:
    with pytest.raises(ValueError, match="tokens is .*; known are pyplexity"):
        WordModelParameters("interpolated", tokens)


@pytest.mark.parametrize(("n", "estimator", "why"), [
    (1, "pyplexity", "n is 1; it must be 2 or 3"), (2.0, "pyplexity", "n is 2.0"),
    (2, "pyplexity-misaligned", "requires 3"), (2, "good-turing", "estimator is 'good-turing'"),
    (2, None, "estimator is None"),
])  # fmt: skip
def test_estimation_parameters_out_of_range_are_refused(n: Any, estimator: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        check_estimation(n, estimator)


def test_the_names_of_estimators_need_no_numpy() -> None:
    code = "import sys, ncfilters.scoring.word_lm.parameters; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
