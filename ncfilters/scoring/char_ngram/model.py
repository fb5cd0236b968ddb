"""The n-gram kind of model: two character models, one of clean text and one of boilerplate (Evert 2008, section 3).

    parameters = CharNgramParameters(3, 0.5, Alphabet("ascii"))
    model = CharNgramModel.train(parameters, clean=[("Some clean text.", 1.0)], dirty=[("Home | About", 1.0)])
    model.score_texts(["Is this clean?"])
    model.most_informative(1)["clean"]
    # [{"ngram": "e␣t", "odds": 1.01, "clean": 6.2, "dirty": 3.1, "evidence": 6.26}]

The score of a segment is the log2 odds (bits) of the clean model's probability of its text, including its end, against
the dirty model's. The probabilities are those of equation 1; see `ngrams`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import ModelInput
from ...record import EMBEDDED
from ..base import Model
from .ngrams import Alphabet, CharNgramCounts, Doubles, Floats, Ints, OddsTable

# Texts, and characters of them, that are scored at a time, so that temporary arrays stay in the cache.
MAX_TEXTS, MAX_CHARS = 1 << 12, 1 << 15

MAX_N = 8
# Beyond any score of a segment: a larger bias or context would decide alone.
MAX_BITS = 1e4
# Larger counts are taken for damage: their sums would overflow.
MAX_COUNT = 1e15
# With a smaller weight of shorter histories, odds would overflow.
MIN_Q = 1e-6

# How white space and the edges of a segment are printed.
SPACE, START, END = "␣⊢⊣"
# Shares are numbers of occurrences among so many n-grams, about the length of two paragraphs.
SHARE_CHARS = 1000


@dataclass(frozen=True)
class CharNgramParameters:
    """The parameters of a model: the length *n* of its n-grams, the weight *q* of each shorter history (equation 1) and
    the alphabet.

    *bias* (bits) is subtracted from each segment's odds; *context* (bits) is the cost of a change between text and
    boilerplate (see `max_marginals`). Both are 0 in Evert's models; `nc-train --fit` fits them. Raises ValueError for
    values out of range, and for n-grams too long for the alphabet.
    """

    n: int
    q: float
    alphabet: Alphabet
    bias: float = 0.0
    context: float = 0.0

    def __post_init__(self) -> None:
        n, size = self.n, self.alphabet.size
        if not isinstance(n, int) or not 1 <= n <= MAX_N:
            raise ValueError(f"n is {n}; it must be 1 to {MAX_N}")
        if not MIN_Q <= self.q < 1:
            raise ValueError(f"q is {self.q}; it must be between 0 and 1")
        if not abs(self.bias) <= MAX_BITS or not 0 <= self.context <= MAX_BITS:
            raise ValueError(
                f"bias is {self.bias}, context is {self.context}; at most {MAX_BITS:g} bits, and context at least 0"
            )
        if size**n >= 1 << 63:
            raise ValueError(f"n is {n}: too long for an alphabet of {size} characters")


class CharNgramModel(Model):
    """A model with these parameters and counts."""

    kind = "ngram"

    def __init__(self, parameters: CharNgramParameters, counts: CharNgramCounts) -> None:
        self.parameters, self.counts = parameters, counts
        self._edge = "\0" * max(parameters.n - 1, 1)

    @cached_property
    def _table(self) -> OddsTable:
        """The odds, computed when the first text needs them: a structure model may see no plain text."""
        p = self.parameters
        return OddsTable(self.counts, p.n, p.q, p.alphabet.size)

    @classmethod
    def train(
        cls, parameters: CharNgramParameters, clean: Iterable[tuple[str, float]], dirty: Iterable[tuple[str, float]]
    ) -> CharNgramModel:
        """A model of the segments of each class, given with their weights."""
        return cls(parameters, CharNgramCounts.of_texts(parameters.n, parameters.alphabet, clean, dirty))

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> CharNgramModel:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        alphabet = Alphabet(header["folding"], header.get("characters", ""))
        bias, context = float(header.get("bias", 0)), float(header.get("context", 0))
        parameters = CharNgramParameters(header["n"], header["q"], alphabet, bias, context)
        keys, clean, dirty = arrays["keys"], arrays["clean"], arrays["dirty"]
        if keys.dtype != np.int64 or not len(keys) == len(clean) == len(dirty):
            raise ValueError("arrays of other types or lengths")
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
        """For `clean` and for `dirty`, up to *count* n-grams (of the full length) with the most evidence for it.

        Of each: `odds` (log2, clean against dirty); its occurrences in 1,000 n-grams of `clean` and of `dirty` text;
        and `evidence`, the bits it is expected to contribute in 1,000 characters of the class: share times odds. Counts
        below 0, as differential training leaves them, are 0 here.
        """
        odds = np.nan_to_num(self.ngram_odds().astype(np.float64))
        shares = {"clean": _shares(self.counts.clean), "dirty": _shares(self.counts.dirty)}
        out = {}
        for name, sign in (("clean", 1), ("dirty", -1)):
            evidence = sign * odds * shares[name]
            out[name] = [
                {
                    "ngram": self._readable(at),
                    "odds": _round(odds[at]),
                    **{of: _round(share[at]) for of, share in shares.items()},
                    "evidence": _round(evidence[at]),
                }
                for at in _largest(evidence, count)
            ]
        return out

    def differences(self, other: CharNgramModel, count: int) -> dict[str, Any]:
        """How the odds of another model differ: their numbers of n-grams, Pearson's correlation of the odds of common
        n-grams (None where it is undefined), and up to *count* of these that are `changed` most.

        Of each: its odds in the first and the second model, the `change`, its `share` (occurrences in 1,000 n-grams,
        the mean of both classes and models), and the `effect` by which they are sorted: share times absolute change,
        the bits by which scores of 1,000 characters change. If n or the foldings differ, a `note` replaces correlation
        and changes.
        """
        models = (self, other)
        numbers = {"first": len(self.counts.keys), "second": len(other.counts.keys)}
        of_self, of_other = ((m.parameters.n, m.parameters.alphabet.header()) for m in models)
        if of_self != of_other:
            return {"ngrams": numbers, "note": "n or folding differ: the odds are not compared"}
        keys, *places = np.intersect1d(self.counts.keys, other.counts.keys, assume_unique=True, return_indices=True)
        odds = [np.nan_to_num(m.ngram_odds().astype(np.float64)[at]) for m, at in zip(models, places)]
        change = odds[1] - odds[0]
        shares = [(_shares(m.counts.clean) / 2 + _shares(m.counts.dirty) / 2)[at] for m, at in zip(models, places)]
        share = shares[0] / 2 + shares[1] / 2
        effect = np.abs(change) * share
        changed = [
            {
                "ngram": self._readable(places[0][at]),
                "first": _round(odds[0][at]),
                "second": _round(odds[1][at]),
                "change": _round(change[at]),
                "share": _round(share[at]),
                "effect": _round(effect[at]),
            }
            for at in _largest(effect, count)
        ]
        return {
            "ngrams": {**numbers, "common": len(keys)},
            "correlation": correlation(odds[0], odds[1]),
            **({"changed": changed} if changed else {}),
        }

    def _readable(self, place: int) -> str:
        """The symbols of an n-gram as text. ⟨Lu⟩ is a Unicode category, ⟨U+0301⟩ a character that is invisible."""
        n, alphabet, key = self.parameters.n, self.parameters.alphabet, int(self.counts.keys[place])
        codes = [key // alphabet.size**position % alphabet.size for position in reversed(range(n))]
        # edges before the text are its start; an edge after it, or the last edge of an empty text, is its end
        text = next((position for position, code in enumerate(codes) if code), n - 1)
        return "".join(
            _visible(alphabet.symbols[code]) if code else START if position < text else END
            for position, code in enumerate(codes)
        )

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        p = self.parameters
        fitted = {"bias": p.bias, "context": p.context} if p.bias or p.context else {}
        return {"n": p.n, "q": p.q, **fitted, **p.alphabet.header()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"keys": self.counts.keys, "clean": self.counts.clean, "dirty": self.counts.dirty}


def max_marginals(scores: Sequence[float], marked: Sequence[bool], context: float) -> list[float]:
    """The smoothed scores of a page's segments (bits): each with a message of at most *context* bits from either side.

    To their neighbours, segments *marked* by a rule and the edges of the page are dirty.
    """
    own = [-context if mark else score for score, mark in zip(scores, marked)]
    before = _messages(own, context)
    after = _messages(own[::-1], context)[::-1]
    return [score + left + right for score, left, right in zip(scores, before, after)]


def _messages(own: list[float], context: float) -> list[float]:
    """The message to each segment from all segments before it."""
    message = -context
    out = []
    for score in own:
        out.append(message)
        message = min(max(score + message, -context), context)
    return out


def correlation(first: Doubles, second: Doubles) -> float | None:
    """Pearson's correlation with four decimals; None where it is undefined."""
    if len(first) < 2 or not first.std() or not second.std():
        return None
    return round(float(np.corrcoef(first, second)[0, 1]), 4)


def _visible(symbol: str) -> str:
    if len(symbol) > 1:
        return f"⟨{symbol}⟩"
    if symbol == " ":
        return SPACE
    if symbol.isprintable() and not unicodedata.category(symbol).startswith("M"):
        return symbol
    return f"⟨U+{ord(symbol):04X}⟩"


def _shares(counts: NDArray[Any]) -> Doubles:
    """The occurrences of each n-gram among SHARE_CHARS."""
    counts = np.clip(np.nan_to_num(counts.astype(np.float64)), 0, None)
    shares: Doubles = counts * (SHARE_CHARS / (counts.sum() or 1))
    return shares


def _largest(values: Doubles, count: int) -> Ints:
    """The places of the *count* largest values above 0; of equal ones, the first come first."""
    positive = np.flatnonzero(values > 0)
    return positive[np.argsort(-values[positive], kind="stable")[:count]]


def _round(value: float) -> float:
    return round(float(value), 2) + 0.0  # no -0.0
