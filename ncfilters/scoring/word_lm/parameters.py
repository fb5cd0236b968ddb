"""The estimators of word n-gram models, and the parameters that all models share.

WordModelParameters("interpolated", "words", limit=4000.0)
ESTIMATORS["interpolated"].boundary      # "<s>", the word before each text
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

SENTENCE_START = "<s>"
# The perplexity of a score of 0: the cut-off that PyPlexity's paper (2023) settles on in section 5.1.1.
DEFAULT_LIMIT = 8000.0
# Lengths of n-grams that nc-train estimates: the interpolation weights of PyPlexity are for these.
ORDERS = (2, 3)


@dataclass(frozen=True)
class Estimator:
    """What an estimator expects of texts: the tokenization it uses by default, and the word before each text."""

    tokens: str
    boundary: str


ESTIMATORS = {
    "pyplexity": Estimator("pyplexity", "#"),
    "pyplexity-misaligned": Estimator("pyplexity", "#"),
    "interpolated": Estimator("words", SENTENCE_START),
}


@dataclass(frozen=True)
class WordModelParameters:
    """How a model computes perplexity: the estimator of its probabilities, how texts are tokenized (a name in
    `tokenizers.TOKENIZERS`), and the perplexity of a score of 0.

    Raises ValueError for an unknown tokenization and for a limit that is no perplexity.
    """

    estimator: str
    tokens: str
    limit: float = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        from ...text.tokenizers import TOKENIZERS  # start-up: the options of nc-train need no numpy

        if not isinstance(self.tokens, str) or self.tokens not in TOKENIZERS:
            raise ValueError(f"tokens is {self.tokens!r}; known are {', '.join(TOKENIZERS)}")
        object.__setattr__(self, "limit", checked_limit(self.limit))


def check_estimation(n: Any, estimator: Any) -> None:
    """Raises ValueError for parameters that no model can be estimated with."""
    if not isinstance(estimator, str) or estimator not in ESTIMATORS:
        raise ValueError(f"estimator is {estimator!r}; known are {', '.join(ESTIMATORS)}")
    if not isinstance(n, int) or n not in ORDERS:
        raise ValueError(f"n is {n}; it must be 2 or 3")
    if estimator == "pyplexity-misaligned" and n != 3:
        raise ValueError(f"n is {n}; the estimator pyplexity-misaligned requires 3")


def checked_limit(limit: Any) -> float:
    """*limit* as a float. Raises ValueError unless it is a finite number above 0."""
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not (limit > 0 and math.isfinite(limit)):
        raise ValueError(f"limit: expected a perplexity above 0, got {limit}")
    return float(limit)
