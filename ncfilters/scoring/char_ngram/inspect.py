"""What n-gram models learned, for people: the n-grams that tell most, and those two models differ about.

    telling(model, 1)["clean"]    # [{"ngram": "e␣t", "odds": 1.01, "clean": 6.2, "dirty": 3.1, "evidence": 6.26}]

White space is shown as ␣, the edges of a segment as ⊢ and ⊣.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .alphabet import Alphabet

if TYPE_CHECKING:
    from .model import CharNgramModel

Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

SPACE, START, END = "␣⊢⊣"
# Shares are said for so many n-grams: as many as two paragraphs have.
TEXT = 1000


def most_informative(model: CharNgramModel, count: int) -> dict[str, list[dict[str, Any]]]:
    """For clean and for dirty, up to *count* n-grams (of the full length) with the most evidence.

    Of each, `odds` (log2, clean against dirty), how often it comes in 1,000 of `clean` and of `dirty` text, and
    `evidence`: the bits it is expected to add for its class in 1,000 characters of that class, share times odds.
    Counts below 0, as differential training leaves them, are none.
    """
    odds = np.nan_to_num(model.odds().astype(np.float64))
    shares = {"clean": _shares(model.clean), "dirty": _shares(model.dirty)}
    out = {}
    for name, sign in (("clean", 1), ("dirty", -1)):
        evidence = sign * odds * shares[name]
        out[name] = [
            {
                "ngram": shown(model.folding, model.n, int(model.keys[at])),
                "odds": _rounded(odds[at]),
                **{of: _rounded(share[at]) for of, share in shares.items()},
                "evidence": _rounded(evidence[at]),
            }
            for at in _largest(evidence, count)
        ]
    return out


def differences(first: CharNgramModel, second: CharNgramModel, count: int) -> dict[str, Any]:
    """How the odds of two models differ: the numbers of n-grams, the correlation of the odds of those in both
    (Pearson's; None where it is not defined), and up to *count* of these, `changed` most.

    Of each, the odds in the first and the second model, the `change`, its `share` in 1,000 n-grams (the mean of both
    classes and models), and the `effect` it is listed for: share times change, the bits that scores of 1,000 characters
    change. Without correlation and changes, but with a `note`, where the n-grams are not the same characters.
    """
    numbers = {"first": len(first.keys), "second": len(second.keys)}
    if first.n != second.n or first.folding.header() != second.folding.header():
        return {"ngrams": numbers, "note": "n or folding differ: the odds are not compared"}
    keys, of_first, of_second = np.intersect1d(first.keys, second.keys, assume_unique=True, return_indices=True)
    odds = [np.nan_to_num(m.odds().astype(np.float64)[at]) for m, at in ((first, of_first), (second, of_second))]
    change = odds[1] - odds[0]
    share = _share(first)[of_first] / 2 + _share(second)[of_second] / 2
    effect = np.abs(change) * share
    changed = [
        {
            "ngram": shown(first.folding, first.n, int(keys[at])),
            "first": _rounded(odds[0][at]),
            "second": _rounded(odds[1][at]),
            "change": _rounded(change[at]),
            "share": _rounded(share[at]),
            "effect": _rounded(effect[at]),
        }
        for at in _largest(effect, count)
    ]
    return {
        "ngrams": {**numbers, "common": len(keys)},
        "correlation": correlation(odds[0], odds[1]),
        **({"changed": changed} if changed else {}),
    }


def shown(folding: Alphabet, n: int, key: int) -> str:
    """An n-gram as people can read it: ⟨Lu⟩ is a category, ⟨U+0301⟩ a character that cannot be seen by itself."""
    cells = [key // folding.size**place % folding.size for place in reversed(range(n))]
    # all cells before the text are its start; an edge after text, or the edge an empty text ends with, is the end
    text = next((place for place, cell in enumerate(cells) if cell), n - 1)
    return "".join(
        _visible(folding.symbols[cell]) if cell else START if place < text else END for place, cell in enumerate(cells)
    )


def _visible(symbol: str) -> str:
    import unicodedata

    if len(symbol) > 1:
        return f"⟨{symbol}⟩"
    if symbol == " ":
        return SPACE
    if symbol.isprintable() and not unicodedata.category(symbol).startswith("M"):
        return symbol
    return f"⟨U+{ord(symbol):04X}⟩"


def _shares(counts: NDArray[Any]) -> Doubles:
    """How often each n-gram comes in 1,000."""
    counts = np.clip(np.nan_to_num(counts.astype(np.float64)), 0, None)
    shares: Doubles = counts * (TEXT / (counts.sum() or 1))
    return shares


def _share(model: CharNgramModel) -> Doubles:
    return _shares(model.clean) / 2 + _shares(model.dirty) / 2


def _largest(values: Doubles, count: int) -> Ints:
    """Where the *count* largest values are, of those above 0; the first of equals comes first."""
    there = np.flatnonzero(values > 0)
    return there[np.argsort(-values[there], kind="stable")[:count]]


def _rounded(value: float) -> float:
    return round(float(value), 2) + 0.0  # no -0.0


def correlation(one: Doubles, other: Doubles) -> float | None:
    if len(one) < 2 or not one.std() or not other.std():
        return None
    return round(float(np.corrcoef(one, other)[0, 1]), 4)
