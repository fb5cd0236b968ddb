"""The n-gram kind of model: two character models, one of clean text and one of boilerplate (Evert 2008, section 3).

    parameters = CharNgramParameters(3, 0.5, Alphabet("ascii"))
    model = CharNgramModel.train(parameters, clean=[("Some clean text.", 1.0)], dirty=[("Home | About", 1.0)])
    model.score_texts(["Is this clean?"])

The score of a segment is the log2 odds (bits) of the clean model's probability of its text, including its end, against
the dirty model's. The probabilities are those of equation 1; see `odds_table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import ModelInput
from ...record import EMBEDDED
from . import inspect
from .counts import Alphabet, CharNgramCounts, Floats
from .odds_table import DENSE_CELLS, OddsTable, max_marginals

# Texts, and characters of them, that are scored at a time, so that temporary arrays stay in the cache.
MAX_TEXTS, MAX_CHARS = 1 << 12, 1 << 15

MAX_N = 8
# Beyond any score of a segment: a larger bias or context would decide alone.
MAX_BITS = 1e4
# Larger counts are taken for damage: their sums would overflow.
MAX_COUNT = 1e15
# With a smaller weight of shorter histories, odds would overflow.
MIN_Q = 1e-6


@dataclass(frozen=True)
class CharNgramParameters:
    """The parameters of a model: the length *n* of its n-grams, the weight *q* of each shorter history (equation 1) and
    the alphabet.

    *bias* (bits) is subtracted from each segment's odds; *context* (bits) is the cost of a change between text and
    boilerplate (see `neighbour_smoothing`). Both are 0 in Evert's models; `nc-train --fit` fits them. Raises ValueError
    for values out of range.
    """

    n: int
    q: float
    alphabet: Alphabet
    bias: float = 0.0
    context: float = 0.0

    def __post_init__(self) -> None:
        check_parameters(self.n, self.q, self.bias, self.context, self.alphabet.size)


class CharNgramModel:
    """A model with these parameters and counts."""

    kind = "ngram"

    def __init__(
        self, parameters: CharNgramParameters, counts: CharNgramCounts, dense_cells: int = DENSE_CELLS
    ) -> None:
        self.parameters, self.counts = parameters, counts
        self._edge = "\0" * max(parameters.n - 1, 1)
        self._dense_cells = dense_cells

    @cached_property
    def _table(self) -> OddsTable:
        """The odds, computed when the first text needs them: a structure model may see no plain text."""
        p = self.parameters
        return OddsTable(self.counts, p.n, p.q, p.alphabet.size, self._dense_cells)

    @classmethod
    def train(
        cls, parameters: CharNgramParameters, clean: Iterable[tuple[str, float]], dirty: Iterable[tuple[str, float]]
    ) -> CharNgramModel:
        """A model of the segments of each class, given with their weights."""
        return cls(parameters, CharNgramCounts.of_texts(parameters.n, parameters.alphabet, clean, dirty))

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> CharNgramModel:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        alphabet = Alphabet(header["folding"], header.get("characters", ""))
        bias, context = float(header.get("bias", 0)), float(header.get("context", 0))
        parameters = CharNgramParameters(header["n"], header["q"], alphabet, bias, context)
        keys, clean, dirty = arrays["keys"], arrays["clean"], arrays["dirty"]
        if keys.dtype != np.int64:
            raise ValueError(f"n-grams of type {keys.dtype}")
        if not len(keys) == len(clean) == len(dirty):
            raise ValueError("arrays of different lengths")
        if len(keys) and not 0 <= int(keys.min()) <= int(keys.max()) < alphabet.size**parameters.n:
            raise ValueError("an n-gram outside the alphabet")
        if not (keys[1:] > keys[:-1]).all():
            raise ValueError("n-grams that do not ascend")
        if not all((np.abs(counts) <= MAX_COUNT).all() for counts in (clean, dirty)):  # NaN is not, either
            raise ValueError("a count that is no number, or too large")
        return cls(parameters, CharNgramCounts(keys, clean, dirty))

    def with_bias_and_context(self, bias: float, context: float) -> CharNgramModel:
        """The same model with another bias and context (bits). Raises ValueError."""
        model = copy(self)
        model.parameters = replace(self.parameters, bias=bias, context=context)
        return model

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        """For each document the `score` of its segments (bits), with bias and context."""
        scores = self.score_texts([segment["text"] for document in documents for segment in document.segments])
        rounded = np.round(scores.astype(np.float64) - self.parameters.bias, 2).tolist()
        out = []
        at = 0
        for document in documents:
            own = rounded[at : at + len(document)]
            if self.parameters.context:
                self._smooth(own, document)
            out.append({"score": own})
            at += len(document)
        return out

    def _smooth(self, scores: list[float], document: ModelInput) -> None:
        """Adds the context to the scores of a document. Segments that are only embedded in the page (as JSON) have no
        neighbours."""
        visible = [place for place, segment in enumerate(document.segments) if segment.get("rule") != EMBEDDED]
        marked = ["rule" in document.segments[place] for place in visible]
        smoothed = max_marginals([scores[place] for place in visible], marked, self.parameters.context)
        for place, score in zip(visible, smoothed):
            scores[place] = round(score, 2)

    def score_texts(self, texts: Sequence[str]) -> Floats:
        """The log2 odds of each text, without bias and context (bits; shape: texts). An empty text has the odds of its
        end."""
        if not texts:
            return np.zeros(0, np.float32)
        if len(texts) > MAX_TEXTS:
            return np.concatenate(
                [self.score_texts(texts[at : at + MAX_TEXTS]) for at in range(0, len(texts), MAX_TEXTS)]
            )
        edge = len(self._edge)
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        codes = self.parameters.alphabet.codes(self._edge + self._edge.join(texts) + self._edge)
        starts = np.cumsum(lengths + edge) - lengths  # where each text begins in codes
        out = np.empty(len(codes), np.float32)
        history = self.parameters.n - 1
        out[:history] = 0
        for start in range(history, len(codes), MAX_CHARS):
            stop = min(start + MAX_CHARS, len(codes))
            self._table.look_up(codes[start - history : stop], out[start:stop])
        spans = np.empty(2 * len(texts), np.int64)
        spans[0::2] = starts
        spans[1::2] = starts + lengths + 1  # the edge that ends it is predicted too
        if spans[-1] == len(out):
            spans = spans[:-1]
        scores: Floats = np.add.reduceat(out, spans)[::2]
        return scores

    def ngram_odds(self) -> Floats:
        """The log2 odds of each of the n-grams seen (bits; shape: `counts.keys`)."""
        return self._table.odds_of(self.counts.keys)

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """The n-grams that are the strongest evidence for clean text and for boilerplate (see `inspect`)."""
        return inspect.most_informative(self, count)

    def differences(self, other: CharNgramModel, count: int) -> dict[str, Any]:
        """How the odds of another model differ (see `inspect`)."""
        return inspect.differences(self, other, count)

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        p = self.parameters
        fitted = {"bias": p.bias, "context": p.context} if p.bias or p.context else {}
        return {"n": p.n, "q": p.q, **fitted, **p.alphabet.header()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"keys": self.counts.keys, "clean": self.counts.clean, "dirty": self.counts.dirty}


def check_parameters(n: int, q: float, bias: float, context: float, size: int) -> None:
    """Raises ValueError for values out of range (see `CharNgramParameters`), and for n-grams too long for an alphabet
    of that *size*."""
    if not isinstance(n, int) or not 1 <= n <= MAX_N:
        raise ValueError(f"n is {n}; it must be 1 to {MAX_N}")
    if not MIN_Q <= q < 1:
        raise ValueError(f"q is {q}; it must be between 0 and 1")
    if not abs(bias) <= MAX_BITS or not 0 <= context <= MAX_BITS:
        raise ValueError(f"bias is {bias}, context is {context}; at most {MAX_BITS:g} bits, and context at least 0")
    if size**n >= 1 << 63:
        raise ValueError(f"n is {n}: too long for an alphabet of {size} characters")
