"""Inspection of n-gram models: the most informative n-grams, and the differences between the odds of two models.

    most_informative(model, 1)["clean"]
    # [{"ngram": "e␣t", "odds": 1.01, "clean": 6.2, "dirty": 3.1, "evidence": 6.26}]

White space is printed as ␣, the edges of a segment as ⊢ and ⊣.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .counts import Alphabet, CharNgramCounts, Doubles, Floats, Ints

SPACE, START, END = "␣⊢⊣"
# Shares are numbers of occurrences among so many n-grams, about the length of two paragraphs.
SHARE_CHARS = 1000


class _Parameters(Protocol):
    @property
    def n(self) -> int: ...
    @property
    def alphabet(self) -> Alphabet: ...


class _Model(Protocol):
    """What this module uses of `CharNgramModel`, which imports it."""

    @property
    def parameters(self) -> _Parameters: ...
    @property
    def counts(self) -> CharNgramCounts: ...
    def ngram_odds(self) -> Floats: ...


def most_informative(model: _Model, count: int) -> dict[str, list[dict[str, Any]]]:
    """For `clean` and for `dirty`, up to *count* n-grams (of the full length) with the most evidence for it.

    Of each: `odds` (log2, clean against dirty); its occurrences in 1,000 n-grams of `clean` and of `dirty` text; and
    `evidence`, the bits it is expected to contribute in 1,000 characters of the class: share times odds. Counts below
    0, as differential training leaves them, are 0 here.
    """
    odds = np.nan_to_num(model.ngram_odds().astype(np.float64))
    shares = {"clean": _shares(model.counts.clean), "dirty": _shares(model.counts.dirty)}
    out = {}
    for name, sign in (("clean", 1), ("dirty", -1)):
        evidence = sign * odds * shares[name]
        out[name] = [
            {
                "ngram": readable_ngram(model.parameters.alphabet, model.parameters.n, int(model.counts.keys[at])),
                "odds": _round(odds[at]),
                **{of: _round(share[at]) for of, share in shares.items()},
                "evidence": _round(evidence[at]),
            }
            for at in _largest(evidence, count)
        ]
    return out


def differences(first: _Model, second: _Model, count: int) -> dict[str, Any]:
    """How the odds of two models differ: their numbers of n-grams, Pearson's correlation of the odds of common n-grams
    (None where it is undefined), and up to *count* of these that are `changed` most.

    Of each: its odds in the first and the second model, the `change`, its `share` (occurrences in 1,000 n-grams, the
    mean of both classes and models), and the `effect` by which they are sorted: share times absolute change, the bits
    by which scores of 1,000 characters change. If n or the foldings differ, a `note` replaces correlation and changes.
    """
    numbers = {"first": len(first.counts.keys), "second": len(second.counts.keys)}
    n, alphabet = first.parameters.n, first.parameters.alphabet
    if n != second.parameters.n or alphabet.header() != second.parameters.alphabet.header():
        return {"ngrams": numbers, "note": "n or folding differ: the odds are not compared"}
    keys, *places = np.intersect1d(first.counts.keys, second.counts.keys, assume_unique=True, return_indices=True)
    odds = [np.nan_to_num(m.ngram_odds().astype(np.float64)[at]) for m, at in zip((first, second), places)]
    change = odds[1] - odds[0]
    share = _mean_share(first)[places[0]] / 2 + _mean_share(second)[places[1]] / 2
    effect = np.abs(change) * share
    changed = [
        {
            "ngram": readable_ngram(alphabet, n, int(keys[at])),
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


def readable_ngram(alphabet: Alphabet, n: int, key: int) -> str:
    """The symbols of an n-gram as text. ⟨Lu⟩ is a Unicode category, ⟨U+0301⟩ a character that is invisible alone."""
    codes = [key // alphabet.size**place % alphabet.size for place in reversed(range(n))]
    # edges before the text are its start; an edge after it, or the last edge of an empty text, is its end
    text = next((place for place, code in enumerate(codes) if code), n - 1)
    return "".join(
        _visible(alphabet.symbols[code]) if code else START if place < text else END for place, code in enumerate(codes)
    )


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


def _mean_share(model: _Model) -> Doubles:
    return _shares(model.counts.clean) / 2 + _shares(model.counts.dirty) / 2


def _largest(values: Doubles, count: int) -> Ints:
    """The places of the *count* largest values above 0; of equal ones, the first come first."""
    positive = np.flatnonzero(values > 0)
    return positive[np.argsort(-values[positive], kind="stable")[:count]]


def _round(value: float) -> float:
    return round(float(value), 2) + 0.0  # no -0.0
