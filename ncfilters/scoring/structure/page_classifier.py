"""The classifier of whole pages in a structure model: whether a page has content, and its type.

    classifier.classify(table, characters, hidden, log_odds)
    # [{"odds": 7.4, "type": "article", "types": {"article": 0.871, "docs": 0.129}}]

Two logistic regressions over features of a page. The first reads CONTENT_FEATURES, computed from the odds of its
segments: pages without content, such as login walls, error pages and navigation alone, have low odds. The second reads
`type_features`: means and maxima over its segments of inputs of the network and of the output of its first layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.schema import FAMILIES
from ...features.segment_table import SegmentTable
from .network import HIDDEN

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

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
MAX_ODDS = 10
# The features of segments whose means type features have: those of their characters, the first columns of the matrix.
CHARACTER_FEATURES = len(FAMILIES["characters"])
TYPE_FEATURES = 3 * HIDDEN + 2 * CHARACTER_FEATURES + len(CONTENT_FEATURES)


class PageClassifier:
    """The weights of the regressions: *odds*, of CONTENT_FEATURES and the intercept; *types*, a row for each type
    feature and the intercept, a column for each of the page types *names*. Raises ValueError for other shapes."""

    def __init__(self, odds: Doubles, names: Sequence[str], types: Doubles) -> None:
        self.odds, self.names, self.types = odds, list(names), types.reshape(TYPE_FEATURES + 1, len(names))
        if len(odds) != len(CONTENT_FEATURES) + 1 or not np.isfinite(odds).all() or not np.isfinite(types).all():
            raise ValueError("the weights do not fit the features of a page")

    def classify(
        self, table: SegmentTable, characters: Floats, hidden: Floats, log_odds: Floats
    ) -> list[dict[str, Any] | None]:
        """For each document its `odds` (bits) and, if there are types, the most probable `type` and the probabilities
        of all `types`; None for a document without segments.

        Of each segment: *characters*, its normalised character features; *hidden*, the output of the first layer;
        *log_odds*, calibrated.
        """
        content = content_features(table, log_odds)
        bits = (content @ self.odds[:-1] + self.odds[-1]) / log(2)
        out: list[dict[str, Any] | None] = [
            {"odds": round(value, 2) + 0.0} if size else None
            for value, size in zip(bits.tolist(), table.sizes.tolist())
        ]
        if not self.names:
            return out
        probabilities = self.type_probabilities(type_features(table, characters, hidden, log_odds, content))
        for page, row in zip(out, probabilities.tolist()):
            if page is not None:
                page["type"] = self.names[max(range(len(row)), key=row.__getitem__)]
                page["types"] = {name: round(probability, 3) for name, probability in zip(self.names, row)}
        return out

    def type_probabilities(self, rows: Doubles) -> Doubles:
        """The probabilities of page types, of rows of type features (shape: pages, types)."""
        scores = rows @ self.types[:-1] + self.types[-1]
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: Doubles = scores / scores.sum(axis=1, keepdims=True)
        return probabilities

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {"types": self.names}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"whole.odds": self.odds, "whole.types": self.types.ravel()}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> PageClassifier:
        """The classifier in a file's header and arrays. Raises KeyError, TypeError or ValueError if they do not fit."""
        names = header["types"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TypeError("types: expected a list of names")
        return cls(arrays["whole.odds"].astype(np.float64), names, arrays["whole.types"].astype(np.float64))


def content_features(table: SegmentTable, log_odds: Floats) -> Doubles:
    """The CONTENT_FEATURES of each document, zeros for one without segments (shape: documents, CONTENT_FEATURES)."""
    out = np.zeros((len(table.sizes), len(CONTENT_FEATURES)))
    filled, starts = _filled(table)
    if not len(filled):
        return out
    sizes = table.sizes[filled]
    odds = np.clip(log_odds.astype(np.float64), -MAX_ODDS, MAX_ODDS)
    p = 1 / (1 + np.exp(-odds))
    words = np.maximum(table.counts.words, 1).astype(np.float64)
    expected, total = np.add.reduceat(np.stack([p * words, words]), starts, axis=1)
    out[filled] = np.stack(
        [
            np.log1p(expected),
            expected / total,
            np.maximum.reduceat(odds, starts),
            np.maximum.reduceat(p * np.log1p(words), starts),
            _best_expected_f(table, p, words, starts, sizes),
            np.add.reduceat(p > 0.5, starts, dtype=np.int64) / sizes,
            np.log1p(sizes),
            np.log1p(total),
        ],
        axis=1,
    )
    return out


def _best_expected_f(
    table: SegmentTable, p: Doubles, words: Doubles, starts: NDArray[Any], sizes: NDArray[Any]
) -> Doubles:
    """For each document with segments the best expected F of keeping any number of its most probable segments."""
    order = np.lexsort((-p, table.document))
    sums = np.cumsum(np.stack([words[order], (p * words)[order]]), axis=1)
    before = np.concatenate([np.zeros((2, 1)), sums[:, starts[1:] - 1]], axis=1)
    ends = starts + sizes - 1
    kept, clean = sums - np.repeat(before, sizes, axis=1)
    gold = np.repeat(sums[1, ends] - before[1], sizes)
    best: Doubles = np.maximum.reduceat(2 * clean / (kept + gold), starts)
    return best


def type_features(
    table: SegmentTable, characters: Floats, hidden: Floats, log_odds: Floats, content: Doubles
) -> Doubles:
    """The features that distinguish page types, of each document (shape: documents, TYPE_FEATURES).

    They are the means of *hidden* and of *characters* over its segments, weighed by log characters and by this times p;
    the maxima of *hidden*; and its *content* features. See `PageClassifier.classify` for the arguments.
    """
    out = np.zeros((len(table.sizes), TYPE_FEATURES))
    filled, starts = _filled(table)
    if not len(filled):
        return out
    weights = np.empty((2, len(table)))
    weights[0] = table.weights
    np.divide(weights[0], 1 + np.exp(-np.clip(log_odds.astype(np.float64), -MAX_ODDS, MAX_ODDS)), out=weights[1])
    width = hidden.shape[1] + CHARACTER_FEATURES
    for document, start, size in zip(filled.tolist(), starts.tolist(), table.sizes[filled].tolist()):
        own = slice(start, start + size)
        weight = weights[:, own]
        means = np.hstack([weight @ hidden[own], weight @ characters[own, :CHARACTER_FEATURES]])
        means /= weight.sum(axis=1, keepdims=True) + 1e-3
        out[document, : 2 * width] = means.ravel()
        out[document, 2 * width : -len(CONTENT_FEATURES)] = hidden[own].max(axis=0)
    out[:, -len(CONTENT_FEATURES) :] = content
    return out


def _filled(table: SegmentTable) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The documents that have segments, and the index of the first segment of each."""
    filled = np.flatnonzero(table.sizes)
    return filled, (np.cumsum(table.sizes) - table.sizes)[filled]
