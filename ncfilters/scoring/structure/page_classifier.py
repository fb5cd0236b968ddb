"""The classifier of whole pages in a structure model: whether a page has content, and its type.

    classifier.classify(table, characters, hidden, log_odds)
    # {"odds": 7.4, "type": "article", "types": {"article": 0.871, "docs": 0.129}}

Two logistic regressions over features of a page. The first reads CONTENT_FEATURES, computed from the odds of its
segments: pages without content, such as login walls, error pages and navigation alone, have low odds. The second reads
`type_features`: means and maxima over its segments of inputs of the network and of the output of its first layer.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from ...features.schema import FAMILIES, NUMBERS, WEIGHT
from ...features.segment_table import SegmentTable
from ...native.sums import add_doubles, exp, log1p, max_rows, sum_products, zero_doubles
from ...text.char_classes import WORDS
from ..file_format import are_bounded
from .layers import HIDDEN

# The features that distinguish pages with content; p is the probability that a segment is clean, w its number of words.
CONTENT_FEATURES = {
    "words": "log of the expected clean words, the sum of p w",
    "share": "share of the words that are expected to be clean",
    "best": "highest log odds of a segment, -10 to 10",
    "best_words": "highest p log(1 + w) of a segment",
    "fscore": "best expected F of any number of the best segments",
    "above": "share of the segments with p above a half",
    "segments": "log of the segments",
    "all_words": "log of the words",
}
MAX_ODDS = 10.0
# The features of segments whose means type features have: those of their characters, the first columns of the matrix.
CHARACTER_FEATURES = len(FAMILIES["characters"])
TYPE_FEATURES = 3 * HIDDEN + 2 * CHARACTER_FEATURES + len(CONTENT_FEATURES)
# Added to sums of weights.
_LEAST_WEIGHT, _MAX_ODDS = 1e-3, MAX_ODDS


class PageClassifier:
    """The weights of the regressions: *odds*, of CONTENT_FEATURES and the intercept; *types*, a row for each type
    feature and the intercept, a column for each of the page types *names* (doubles). Raises ValueError for other
    numbers."""

    def __init__(self, odds: Any, names: Sequence[str], types: Any) -> None:
        self.odds, self.names, self.types = array("d", odds), list(names), array("d", types)
        fits = len(self.odds) == len(CONTENT_FEATURES) + 1 and len(self.types) == (TYPE_FEATURES + 1) * len(self.names)
        if not fits or not (are_bounded(self.odds) and are_bounded(self.types)):
            raise ValueError("the weights do not fit the features of a page")

    def classify(self, table: SegmentTable, characters: Any, hidden: Any, log_odds: Any) -> dict[str, Any] | None:
        """The `odds` of a page (bits) and, if there are types, the most probable `type` and the probabilities of all
        `types`; None for a page without segments.

        Of each segment (floats, rows): *characters*, its normalised character features; *hidden*, the output of the
        first layer; *log_odds*, calibrated.
        """
        if not table.size:
            return None
        content = content_features(table, log_odds)
        odds = self.odds[-1] + sum(map(float.__mul__, content, self.odds))
        page: dict[str, Any] = {"odds": round(odds / log(2), 2) + 0.0}
        if self.names:
            row = self.type_probabilities(type_features(table, characters, hidden, log_odds, content))
            page["type"] = self.names[max(range(len(row)), key=row.__getitem__)]
            page["types"] = {name: round(probability, 3) for name, probability in zip(self.names, row)}
        return page

    def type_probabilities(self, features: Sequence[float]) -> list[float]:
        """The probabilities of page types, for the type features of a page."""
        types = len(self.names)
        scores = self.types[-types:]
        add_doubles(scores, array("d", features), TYPE_FEATURES, self.types, types)
        highest = max(scores)
        powers = [exp(score - highest) for score in scores]
        total = sum(powers)
        return [power / total for power in powers]

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {"types": self.names}

    def arrays(self) -> dict[str, Any]:
        """The arrays for the model file."""
        import numpy as np  # start-up: scoring does without

        return {"whole.odds": np.array(self.odds), "whole.types": np.array(self.types)}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> PageClassifier:
        """The classifier in a file's header and arrays. Raises KeyError, TypeError or ValueError if they do not fit."""
        names = header["types"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TypeError("types: expected a list of names")
        return cls(arrays["whole.odds"], names, arrays["whole.types"])


def content_features(table: SegmentTable, log_odds: Any) -> list[float]:
    """The CONTENT_FEATURES of a page, zeros for one without segments."""
    if not table.size:
        return [0.0] * len(CONTENT_FEATURES)
    chances, words = [], []
    best, best_words, above, expected, total = -_MAX_ODDS, 0.0, 0.0, 0.0, 0.0
    for at in range(table.size):
        odds = _bounded(log_odds[at])
        count = table.numbers[at * NUMBERS + WORDS]
        count = count if count > 1 else 1
        chance = 1 / (1 + exp(-odds))
        best = odds if odds > best else best
        if chance * count > best_words:  # a logarithm is less
            value = chance * log1p(count)
            best_words = value if value > best_words else best_words
        above += chance > 0.5
        expected += chance * count
        total += count
        chances.append(chance)
        words.append(count)
    fscore = _best_expected_f(chances, words, expected)
    size = table.size
    return [log1p(expected), expected / total, best, best_words, fscore, above / size, log1p(size), log1p(total)]


def _bounded(odds: float) -> float:
    return -_MAX_ODDS if odds < -_MAX_ODDS else _MAX_ODDS if odds > _MAX_ODDS else odds


def _best_expected_f(chances: list[float], words: list[float], expected: float) -> float:
    """The best expected F of keeping any number of the most probable segments."""
    kept = found = best = 0.0
    for at in sorted(range(len(chances)), key=chances.__getitem__, reverse=True):
        chance, count = chances[at], words[at]
        kept += count
        found += chance * count
        value = 2 * found / (kept + expected)
        best = value if value > best else best
    return best


def type_features(table: SegmentTable, characters: Any, hidden: Any, log_odds: Any, content: Sequence[float]) -> Any:
    """The features that distinguish page types (doubles; TYPE_FEATURES).

    They are the means of *hidden* and of *characters* over its segments, weighed by log characters and by this times p;
    the maxima of *hidden*; and its *content* features. See `PageClassifier.classify` for the arguments.
    """
    if not table.size:
        return zero_doubles(TYPE_FEATURES)
    made = zero_doubles(2 * table.size)
    weights = made
    sure = likely = _LEAST_WEIGHT
    for at in range(table.size):
        weight = table.numbers[at * NUMBERS + WEIGHT]
        weights[2 * at], weights[2 * at + 1] = weight, weight / (1 + exp(-_bounded(log_odds[at])))
        sure += weights[2 * at]
        likely += weights[2 * at + 1]
    of_hidden, of_characters = zero_doubles(2 * HIDDEN), zero_doubles(2 * CHARACTER_FEATURES)
    sum_products(of_hidden, hidden, HIDDEN, made, 2)
    sum_products(of_characters, characters, CHARACTER_FEATURES, made, 2)
    out = array("d")
    for which, total in enumerate((sure, likely)):
        out.extend([value / total for value in of_hidden[which * HIDDEN : (which + 1) * HIDDEN]])
        own = of_characters[which * CHARACTER_FEATURES : (which + 1) * CHARACTER_FEATURES]
        out.extend([value / total for value in own])
    highest = zero_doubles(HIDDEN)
    max_rows(highest, hidden)
    return out + highest + array("d", content)
