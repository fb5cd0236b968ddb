"""What a structure model says of whole pages: whether one has content at all, and of what type it is.

    whole.said(batch, numbers, hidden, logits)
    # [{"odds": 7.4, "type": "article", "types": {"article": 0.871, "docs": 0.129}}]

Two logistic regressions over numbers of a page: `ODDS`, of its segments' odds, and `typical`, means and maxima over its
segments of what the network reads and of what its first layer makes of it. A page without content (a login wall, an
error page, navigation alone) has low odds; those of a page with content are high.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features import matrix
from ...features.segment_table import Segments
from .network import HIDDEN

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# The numbers that say whether there is content, p being the probability that a segment is clean, w its words.
ODDS = {
    "words": "log of the expected clean words, the sum of p w",
    "share": "share of the words that are expected to be clean",
    "best": "highest log odds of a segment, -10 to 10",
    "best_words": "highest p log(1 + w) of a segment",
    "fscore": "best expected F of any number of the best segments",
    "above": "share of the segments with p above a half",
    "segments": "log of the segments",
    "all_words": "log of the words",
}
# Columns of `features` whose means are read: those of a segment's characters.
READ = len(matrix.FAMILIES["characters"])
# How many numbers `typical` has.
TYPICAL = 3 * HIDDEN + 2 * READ + len(ODDS)


class Whole:
    """The weights of the regressions: *odds* (one more than ODDS, the last the constant) and *types* (one row more than
    TYPICAL; a column for each of *names*, the page types). Raises ValueError for other shapes."""

    def __init__(self, odds: Doubles, names: Sequence[str], types: Doubles) -> None:
        self.odds, self.names, self.types = odds, list(names), types.reshape(TYPICAL + 1, len(names))
        if len(odds) != len(ODDS) + 1 or not np.isfinite(odds).all() or not np.isfinite(types).all():
            raise ValueError("weights for other numbers of a page than there are")

    def said(self, segments: Segments, numbers: Floats, hidden: Floats, logits: Floats) -> list[dict[str, Any] | None]:
        """For each document its `odds` (bits) and, where there are types, the likeliest `type` and the probabilities of
        `types`; None for one without segments. *numbers*, *hidden* and *logits*: what the network reads, its first
        layer, and its calibrated logits, of each segment."""
        about = evidence(segments, logits)
        bits = (about @ self.odds[:-1] + self.odds[-1]) / log(2)
        out: list[dict[str, Any] | None] = [
            {"odds": round(value, 2) + 0.0} if size else None
            for value, size in zip(bits.tolist(), segments.documents.tolist())
        ]
        if not self.names:
            return out
        for said, shares in zip(out, self.shares(typical(segments, numbers, hidden, logits, about)).tolist()):
            if said is not None:
                said["type"] = self.names[max(range(len(shares)), key=shares.__getitem__)]
                said["types"] = {name: round(share, 3) for name, share in zip(self.names, shares)}
        return out

    def shares(self, rows: Doubles) -> Doubles:
        """The probabilities of the types of pages with such numbers (shape: pages, types)."""
        found = rows @ self.types[:-1] + self.types[-1]
        found = np.exp(found - found.max(axis=1, keepdims=True))
        shares: Doubles = found / found.sum(axis=1, keepdims=True)
        return shares

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {"types": self.names}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"whole.odds": self.odds, "whole.types": self.types.ravel()}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Whole:
        """What a file's header and arrays say. Raises KeyError, TypeError or ValueError where they do not fit."""
        names = header["types"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TypeError("types: a list of names is wanted")
        return cls(arrays["whole.odds"].astype(np.float64), names, arrays["whole.types"].astype(np.float64))


def evidence(segments: Segments, logits: Floats) -> Doubles:
    """The numbers ODDS of each document, 0 for one without segments (shape: documents, ODDS)."""
    out = np.zeros((len(segments.documents), len(ODDS)))
    filled, starts = _filled(segments)
    if not len(filled):
        return out
    sizes = segments.documents[filled]
    odds = np.clip(logits.astype(np.float64), -10, 10)
    share = 1 / (1 + np.exp(-odds))
    words = np.maximum(segments.counts.words, 1).astype(np.float64)
    expected, total = np.add.reduceat(np.stack([share * words, words]), starts, axis=1)
    out[filled] = np.stack(
        [
            np.log1p(expected),
            expected / total,
            np.maximum.reduceat(odds, starts),
            np.maximum.reduceat(share * np.log1p(words), starts),
            _best(segments, share, words, starts, sizes),
            np.add.reduceat(share > 0.5, starts, dtype=np.int64) / sizes,
            np.log1p(sizes),
            np.log1p(total),
        ],
        axis=1,
    )
    return out


def _best(segments: Segments, share: Doubles, words: Doubles, starts: NDArray[Any], sizes: NDArray[Any]) -> Doubles:
    """Of each filled document the best expected F that taking its best segments has."""
    order = np.lexsort((-share, segments.document))
    sums = np.cumsum(np.stack([words[order], (share * words)[order]]), axis=1)
    before = np.concatenate([np.zeros((2, 1)), sums[:, starts[1:] - 1]], axis=1)
    ends = starts + sizes - 1
    taken, found = sums - np.repeat(before, sizes, axis=1)
    wanted = np.repeat(sums[1, ends] - before[1], sizes)
    best: Doubles = np.maximum.reduceat(2 * found / (taken + wanted), starts)
    return best


def typical(segments: Segments, numbers: Floats, hidden: Floats, logits: Floats, about: Doubles) -> Doubles:
    """What types are told by, for each document (shape: documents, TYPICAL): the means of the hidden units and of the
    first numbers over its segments, weighed by log characters, and by this times p; the maxima of the hidden units; and
    *about*, its `evidence`."""
    out = np.zeros((len(segments.documents), TYPICAL))
    filled, starts = _filled(segments)
    if not len(filled):
        return out
    weights = np.empty((2, len(segments)), np.float32)
    weights[0] = segments.weights
    np.divide(weights[0], 1 + np.exp(-np.clip(logits, -10, 10)), out=weights[1])
    width = hidden.shape[1] + READ
    for document, start, size in zip(filled.tolist(), starts.tolist(), segments.documents[filled].tolist()):
        own = slice(start, start + size)
        weight = weights[:, own]
        means = np.hstack([weight @ hidden[own], weight @ numbers[own, :READ]])
        means /= weight.sum(axis=1, keepdims=True) + np.float32(1e-3)
        out[document, : 2 * width] = means.ravel()
        out[document, 2 * width : -len(ODDS)] = hidden[own].max(axis=0)
    out[:, -len(ODDS) :] = about
    return out


def _filled(segments: Segments) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The documents that have segments, and where those of each begin."""
    filled = np.flatnonzero(segments.documents)
    return filled, (np.cumsum(segments.documents) - segments.documents)[filled]
