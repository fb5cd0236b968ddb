"""Calibration of the probabilities of models: binned segments of pages whose sites the model has not seen.

low, high = calibration_bins([0.2, 0.9], [False, True], [1.0, 1.0], 2)
expected_error([low, high])      # 15.0 per cent
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import NamedTuple

from bench.support import Record
from bench.systems import DEFAULT, select
from ncfilters.dataset import labelled_pages
from ncfilters.dataset.gold import key_of
from ncfilters.selection import roles
from ncfilters.selection.scored_table import table_of, word_counts
from ncfilters.training.examples import CLEAN_SHARE, MAX_WORDS, PAGE_EXPONENT

BINS = 10
# The weights of segments, see `ScoredPage`.
AS_IN_TRAINING = "as in training"


class ScoredPage(NamedTuple):
    """The segments of a page: the probability of being clean under the content policy of the gold standard, whether
    each is clean, and its weight in three ways (as in training on pages of one kind, by words, equal). And the expected
    word precision of the text kept (None where none is)."""

    key: str
    probabilities: list[float]
    clean: list[bool]
    weights: dict[str, list[float]]
    precision: float | None


def scored_page(line: bytes) -> ScoredPage | None:
    """The probabilities and labels of a scored record; None for pages that training does not use."""
    page: Record = json.loads(line)
    labelled = labelled_pages.label_page(page)
    if not labelled.is_usable:
        return None
    scores = roles.with_policy_scores(table_of(page["segments"]), labelled.gold.policy).score
    probabilities = [1 / (1 + 2.0 ** -max(min(score, 500), -500)) for score in scores]
    clean = [words > 0 and matched >= CLEAN_SHARE * words for words, matched in zip(labelled.words, labelled.matched)]
    roots = [math.sqrt(min(words, MAX_WORDS)) for words in labelled.words]
    page_weight = (sum(roots) + 1) ** -PAGE_EXPONENT
    weights = {
        AS_IN_TRAINING: [root * page_weight for root in roots],
        "words": [float(words) for words in labelled.words],
        "segments": [1.0] * len(roots),
    }
    sizes = [
        (probability, word_counts([segment["text"]])[0])
        for probability, segment in zip(probabilities, select(page, DEFAULT)["segments"])
        if segment["keep"]
    ]
    words = sum(size for _, size in sizes)
    precision = sum(probability * size for probability, size in sizes) / words if sizes else None
    return ScoredPage(str(key_of(page)), probabilities, clean, weights, precision)


class Bin(NamedTuple):
    """Segments of similar probability: their number and weight, the mean probability, and the share that is clean."""

    segments: int
    weight: float
    probability: float
    clean: float


def calibration_bins(
    probabilities: Sequence[float], clean: Sequence[bool], weights: Sequence[float], number: int = BINS
) -> list[Bin | None]:
    """*number* bins of equal width; None for a bin without weight."""
    sums = [[0.0] * 4 for _ in range(number)]
    for probability, label, weight in zip(probabilities, clean, weights):
        row = sums[min(int(probability * number), number - 1)]
        row[0] += 1
        row[1] += weight
        row[2] += weight * probability
        row[3] += weight * label
    return [Bin(int(n), weight, odd / weight, label / weight) if weight else None for n, weight, odd, label in sums]


def expected_error(bins: Sequence[Bin | None]) -> float:
    """The expected calibration error (per cent): the weighted mean distance of probability and share of clean."""
    filled = [one for one in bins if one]
    total = sum(one.weight for one in filled)
    return 100 * sum(one.weight * abs(one.probability - one.clean) for one in filled) / total


def pooled_segments(pages: Sequence[ScoredPage], way: str) -> tuple[list[float], list[bool], list[float]]:
    """The segments of pages: probabilities, labels, and weights."""
    weights = [weight for page in pages for weight in page.weights[way]]
    probabilities = [value for page in pages for value in page.probabilities]
    return probabilities, [label for page in pages for label in page.clean], weights
