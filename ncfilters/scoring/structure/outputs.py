"""Scores and roles of segments and the class of the page, from the outputs of the network.

    logits = smooth_logits(inference.logits, outputs, policies, smoothed_groups(table), segment_chars(table))
    odds = calibrated(logits, [(1.0, 0.0)])    # natural log odds under each policy
    bits(odds, 0, 1)                           # of each segment under the first policy
    classifier.classify(table, inference.characters, inference.hidden, odds)
    # {"odds": 7.4, "type": "article", "types": {"article": 0.871, "docs": 0.129}}

The classifier of pages is two logistic regressions. The first reads CONTENT_FEATURES, computed from the odds of
segments: pages without content, such as login walls, error pages and navigation alone, have low odds. The second reads
`type_features`: means and maxima over segments of inputs of the network and of the output of its first layer.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from ...features.schema import FAMILIES, KINDS, NUMBERS, SIG, WEIGHT
from ...features.segment_table import SegmentTable
from ...native.sums import (
    add_doubles,
    exp,
    log1p,
    max_rows,
    rounded,
    sum_products,
    zero_doubles,
    zero_floats,
    zero_ints,
)
from ...text.char_classes import CHARS, WORDS
from ..file_format import are_bounded
from .inference import HIDDEN

# Segments with the same path apart from ids share their class more often than the network predicts. So their logits are
# moved towards their mean, by this share; beforehand all are cut at MAX_LOGIT. It raises F on WCXB by 0.2 points.
SMOOTHED_GROUP, SMOOTHING, MAX_LOGIT = "sig", 0.75, 8.0
_SMOOTHING, _MAX_LOGIT, _LN2 = SMOOTHING, MAX_LOGIT, log(2)

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


def smoothed_groups(table: SegmentTable) -> Any:
    """The group of SMOOTHED_GROUP of each segment (ints)."""
    groups, place = table.places.groups, table.places.place
    made = zero_ints(table.size)
    out = made
    for at in range(table.size):
        out[at] = groups[place[at] * KINDS + SIG]
    return made


def segment_chars(table: SegmentTable) -> Any:
    """The characters of each segment (floats)."""
    made = zero_floats(table.size)
    out = made
    for at in range(table.size):
        out[at] = table.numbers[at * NUMBERS + CHARS]
    return made


def smooth_logits(logits: Any, outputs: int, policies: int, groups: Any, chars: Any) -> Any:
    """The first outputs, as many as there are *policies*, of each segment's *logits* (floats, rows of *outputs*), moved
    towards the mean of its group (*groups*: numbers from 0), in which segments weigh by their characters."""
    size = len(groups)
    count = 0
    for at in range(size):
        count = groups[at] + 1 if groups[at] >= count else count
    width = policies + 1
    sums = zero_doubles(width * count)
    made = zero_floats(policies * size)
    out = made
    for at in range(size):
        weight, to = chars[at] + 1.0, groups[at] * width
        for policy in range(policies):
            logit = logits[at * outputs + policy]
            logit = -_MAX_LOGIT if logit < -_MAX_LOGIT else _MAX_LOGIT if logit > _MAX_LOGIT else logit
            out[at * policies + policy] = logit
            sums[to + policy] += weight * logit
        sums[to + policies] += weight
    for at in range(size):
        to = groups[at] * width
        for policy in range(policies):
            logit = out[at * policies + policy]
            mean = sums[to + policy] / sums[to + policies]
            out[at * policies + policy] = (1 - _SMOOTHING) * logit + _SMOOTHING * mean
    return made


def first_outputs(logits: Any, outputs: int, count: int) -> Any:
    """The first outputs of each segment (floats)."""
    size = len(logits) // outputs
    made = zero_floats(count * size)
    out = made
    for at in range(size):
        for place in range(count):
            out[at * count + place] = logits[at * outputs + place]
    return made


def calibrated(logits: Any, calibrations: Sequence[tuple[float, float]]) -> Any:
    """Calibrated natural log odds under each policy (floats, rows), from logits: a factor, then a shift for each."""
    policies = len(calibrations)
    factors = array("f", [factor for factor, _ in calibrations])
    shifts = array("f", [shift for _, shift in calibrations])
    made = zero_floats(len(logits))
    out = made
    for at in range(len(logits)):
        out[at] = logits[at] * factors[at % policies]
        out[at] += shifts[at % policies]
    return made


def bits(odds: Any, first: int, step: int) -> list[float]:
    """The values of *odds* from *first* on with this *step*, as bits with two decimals."""
    values = zero_doubles(len(odds))
    for at in range(first, len(odds), step):
        values[at] = odds[at] / _LN2
    return rounded(values, first, step, 100.0)


def roles(logits: Any, outputs: int, first: int, names: Sequence[str]) -> tuple[list[str], list[float]]:
    """The most probable role of each segment and its probability, with three decimals; *logits* (floats, rows of
    *outputs*) have those of roles from a column on."""
    size = len(logits) // outputs
    out: list[str] = []
    probabilities = zero_doubles(size)
    for at in range(size):
        start, end = at * outputs + first, (at + 1) * outputs
        best = start
        for place in range(start, end):
            if logits[place] > logits[best]:
                best = place
        highest, total = logits[best], 0.0
        for place in range(start, end):
            total += exp(logits[place] - highest)
        out.append(names[best - start])
        probabilities[at] = 1 / total
    return out, rounded(probabilities, 0, 1, 1000.0)


# ---- whole pages ------------------------------------------------------------------------------------------


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
