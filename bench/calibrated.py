"""Whether stated probabilities are what they say: segments in bins, of pages scored by who had not seen their sites."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from heldout import Record  # noqa: E402
from measured import DEFAULT, decided  # noqa: E402

from ncfilters.dataset import labelled_pages  # noqa: E402
from ncfilters.dataset.gold import key_of  # noqa: E402
from ncfilters.selection import expected_f  # noqa: E402
from ncfilters.training.examples import MAX_WORDS, PAGE_EXPONENT  # noqa: E402

BINS = 10


class Stated(NamedTuple):
    """A page's segments: the stated probability of being clean, whether it is, and what it weighs: as in training, by
    words, alone. And the word precision to be expected of the text that is kept (None where none is)."""

    key: str
    stated: list[float]
    clean: list[bool]
    weights: dict[str, list[float]]
    precision: float | None


def stated(line: bytes) -> Stated | None:
    """What a scored page says, and what is; None of pages that nothing is learned from."""
    found: Record = json.loads(line)
    page = labelled_pages.label_page(found)
    if not page.is_usable:
        return None
    odds = [1 / (1 + 2.0 ** -max(min(segment["score"], 500), -500)) for segment in found["segments"]]
    clean = [words > 0 and matched >= 0.5 * words for words, matched in zip(page.words, page.matched)]
    roots = [math.sqrt(min(words, MAX_WORDS)) for words in page.words]
    of_page = (sum(roots) + 1) ** -PAGE_EXPONENT
    weights = {
        "as in training": [root * of_page for root in roots],
        "words": [float(words) for words in page.words],
        "segments": [1.0] * len(roots),
    }
    kept = decided(found["segments"], DEFAULT, found.get("page"))
    some = [
        (odd, expected_f.word_count(part["text"])) for odd, part, keep in zip(odds, found["segments"], kept) if keep
    ]
    expected = sum(odd * size for odd, size in some) / sum(size for _, size in some) if some else None
    return Stated(str(key_of(found)), odds, clean, weights, expected)


class Bin(NamedTuple):
    """Segments of about the same stated probability: how many, their weight, the means of what is stated and is."""

    segments: int
    weight: float
    stated: float
    observed: float


def binned(
    odds: Sequence[float], clean: Sequence[bool], weights: Sequence[float], number: int = BINS
) -> list[Bin | None]:
    """So many bins of equal width; None for one without weight."""
    sums = [[0.0] * 4 for _ in range(number)]
    for odd, its, weight in zip(odds, clean, weights):
        some = sums[min(int(odd * number), number - 1)]
        some[0] += 1
        some[1] += weight
        some[2] += weight * odd
        some[3] += weight * its
    return [Bin(int(n), weight, odd / weight, its / weight) if weight else None for n, weight, odd, its in sums]


def error_of(bins: Sequence[Bin | None]) -> float:
    """The expected calibration error: the mean distance between what is stated and what is, weighed (per cent)."""
    some = [found for found in bins if found]
    whole = sum(found.weight for found in some)
    return 100 * sum(found.weight * abs(found.stated - found.observed) for found in some) / whole


def pooled(
    pages: Sequence[Stated], way: str, factors: Mapping[str, float]
) -> tuple[list[float], list[bool], list[float]]:
    """The segments of pages: what is stated, what is, the weights."""
    weights = [factors.get(page.key, 1.0) * weight for page in pages for weight in page.weights[way]]
    return [odd for page in pages for odd in page.stated], [its for page in pages for its in page.clean], weights
