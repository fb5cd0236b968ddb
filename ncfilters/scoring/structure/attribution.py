"""Why a structure model gives a segment its odds, and what it weighs in general.

    reasons.of(model, documents, 3)[0][0]
    # {"for": [["chars", 1.21], …], "against": [["word:=read more", -3.4], …]}

The network is linear wherever its units do not change sides. So the odds of a segment are a sum: each of its own
inputs, and what each pool of its surroundings says, times the slope of the odds by it (gradient times input). Inputs
are taken as they differ from the mean in training: what all segments have is no reason. What the mean of the segments
with the same path but for ids moves the odds by is a reason, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...features import matrix
from ...features.document import Document
from .embeddings import DECAY, WORTH_OF_WORDS, step_names
from .network import HIDDEN, NAME, POOLS, SHARED, WINDOWS, WORD

if TYPE_CHECKING:
    from .model import StructureModel
    from .network import Inputs, Network, Passed

Floats = NDArray[np.float32]
Reason = tuple[str, float]

# The pools of the network, for people.
_POOLS = {
    "up1": "same parent",
    "up2": "same two steps up",
    "up3": "same three steps up",
    "up4": "same four steps up",
    "sig": "same path but for ids",
    "sig2": "same two innermost elements",
    "document": "page",
}
AROUND = tuple(
    f"around: {what}"
    for what in (
        *(_POOLS[name] for name in POOLS),
        *(f"{radius} {side}" for radius in WINDOWS for side in ("before", "after")),
    )
)
# What the mean of such segments moves a logit by (see `model.evened`).
ALIKE = "alike: same path but for ids"
# How many inputs the header names among what the model weighs.
WEIGHS = 40


@dataclass
class Typical:
    """Means in training: of the *names* on a segment's path, of what the network sees *around* it, and of the *slopes*
    of its logit by the vectors of names and words."""

    names: Floats
    around: Floats
    slopes: Floats

    @classmethod
    def unknown(cls, names: int) -> Typical:
        """All zeros, for models that do not say."""
        sizes = (names, SHARED * len(AROUND), NAME + 2 * WORD)
        return cls(*(np.zeros(size, np.float32) for size in sizes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"typical.names": self.names, "typical.around": self.around, "typical.slopes": self.slopes}

    @classmethod
    def from_parts(cls, arrays: Mapping[str, NDArray[Any]], names: int) -> Typical:
        """What a file's arrays say. Raises KeyError, or ValueError where they do not fit."""
        like = cls.unknown(names)
        found = {name: arrays[name] for name in like.arrays()}
        for name, array in like.arrays().items():
            if found[name].shape != array.shape or not np.isfinite(found[name]).all():
                raise ValueError(f"{name}: {len(array)} numbers are wanted")
        return cls(*(array.astype(np.float32) for array in found.values()))


def slopes(network: Network, passed: Passed) -> tuple[Floats, Floats]:
    """The slopes of each segment's logit by its own inputs, and by what it sees around it."""
    weights = network.weights
    second = (passed.second > 0) * weights["last"].T
    seen = second @ weights["second"].T
    own: Floats = (seen[:, :HIDDEN] * (passed.first > 0)) @ weights["first"].T
    around: Floats = seen[:, HIDDEN:]
    return own, around


def of(model: StructureModel, documents: Sequence[Document], count: int) -> list[list[dict[str, Any]]]:
    """For each document and segment the reasons `for` and `against`: each up to *count* pairs of name and bits, largest
    first. What rounds to 0.00 bits is none."""
    out = []
    for document in documents:
        segments = matrix.read([document])
        inputs = model.inputs(segments)
        logits, passed = model.network.forward(inputs)
        alike = model.evened(logits, segments) - logits
        out.append(_sorted_out(model, segments, inputs, passed, alike, count))
    return out


def _sorted_out(
    model: StructureModel, segments: matrix.Segments, inputs: Inputs, passed: Passed, alike: Floats, count: int
) -> list[dict[str, Any]]:
    bits = np.float32(model.calibration[0] / log(2))
    own, around = slopes(model.network, passed)
    columns = inputs.numbers.shape[1]
    numbers = inputs.numbers * own[:, :columns] * bits
    pools = contributed(passed, around, model.typical) * bits
    # the strongest numbers of each sign; more of them cannot be among the reasons
    order = np.argsort(numbers, axis=1, kind="stable")
    few = np.hstack([order[:, :count], order[:, count:][:, -count:]]).tolist()
    named = _Named(model, segments, bits * own[:, columns:])
    out = []
    for row, places in enumerate(few):
        found: list[Reason] = [(matrix.NAMES[at], float(numbers[row, at])) for at in places]
        found += zip(AROUND, pools[row].tolist())
        found += named.reasons(row)
        found.append((ALIKE, float(alike[row] * bits)))
        rounded = sorted(((name, round(value, 2)) for name, value in found), key=lambda pair: (-abs(pair[1]), pair[0]))
        out.append(
            {
                "for": [[name, value] for name, value in rounded if value > 0][:count],
                "against": [[name, value] for name, value in rounded if value < 0][:count],
            }
        )
    return out


def contributed(passed: Passed, around: Floats, typical: Typical) -> Floats:
    """What each pool adds to the logit of each segment (shape: segments, AROUND)."""
    parts = (passed.seen[:, HIDDEN:] - typical.around) * around
    added: Floats = parts.reshape(len(parts), len(AROUND), SHARED).sum(axis=2)
    return added


class _Named:
    """What the names on the path of a segment and its words add to its odds; *slopes*: by their vectors, in bits."""

    def __init__(self, model: StructureModel, segments: matrix.Segments, by: Floats) -> None:
        self._model, self._segments, self._by = model, segments, by
        self._known = [
            [model.names[name] for name in step if name in model.names] for step in step_names(segments.tree.steps)
        ]
        self._names, self._phrases = list(model.names), list(model.phrases)
        self._words = model.words.indices(segments) if model.phrases else None

    def reasons(self, row: int) -> list[Reason]:
        """Those of the segment *row*."""
        out = self._of_names(row)
        if self._words is None:
            return out
        own, own_at, heading, heading_at = self._words
        vectors = self._model.network.weights["words"]
        for kind, places, at in (("word", own, own_at), ("heading", heading, heading_at)):
            start = NAME if kind == "word" else NAME + WORD
            by = self._by[row, start : start + WORD] * WORTH_OF_WORDS
            some = places[at[row] : at[row + 1]]
            added: dict[str, float] = {}
            for place, value in zip(some.tolist(), (vectors[some] @ by).tolist()):
                name = f"{kind}:{self._phrases[place]}"
                added[name] = added.get(name, 0.0) + value
            out += added.items()
        return out

    def _of_names(self, row: int) -> list[Reason]:
        tree = self._segments.tree
        names = self._model.names
        head = self._segments.heads[int(self._segments.document[row])]
        amounts = {names[name]: 1.0 for name in head.names if name in names}
        node, weight = int(self._segments.node[row]), 1.0
        while True:
            for place in self._known[tree.step[node]]:
                amounts[place] = amounts.get(place, 0.0) + weight
            if not tree.depth[node]:
                break
            node, weight = int(tree.parent[node]), weight * float(DECAY)
        if not amounts:
            return []
        places = np.fromiter(amounts, np.int64, len(amounts))
        beyond = np.fromiter(amounts.values(), np.float64, len(amounts)) - self._model.typical.names[places]
        added = self._model.network.weights["names"][places] @ self._by[row, :NAME] * beyond
        return [(f"name:{self._names[place]}", value) for place, value in zip(amounts, added.tolist())]


def pulls(model: StructureModel) -> dict[str, float]:
    """What one occurrence of each name and phrase adds to the odds of a segment on average (bits), linear in them."""
    bits = model.calibration[0] / log(2)
    weights, by = model.network.weights, model.typical.slopes.astype(np.float64) * bits
    names = weights["names"] @ by[:NAME]
    out = {f"name:{name}": float(names[place]) for name, place in model.names.items()}
    for kind, start in (("word", NAME), ("heading", NAME + WORD)):
        words = weights["words"] @ by[start : start + WORD] * float(WORTH_OF_WORDS)
        out |= {f"{kind}:{phrase}": float(words[place]) for phrase, place in model.phrases.items()}
    return out


def weighed(contributions: Mapping[str, float]) -> dict[str, float]:
    """The WEIGHS largest of mean absolute contributions (bits), largest first, for the header."""
    found = sorted(contributions.items(), key=lambda pair: (-round(pair[1], 3), pair[0]))[:WEIGHS]
    return {name: round(value, 3) for name, value in found}


def most_informative(model: StructureModel, count: int) -> dict[str, list[dict[str, Any]]]:
    """What speaks most for `clean` and for `dirty`: names and words, by what one occurrence adds (bits); the inputs
    that move `the odds` most either way (mean bits, the header's `weighs`); and the most telling n-grams."""
    found = [(name, round(value, 3) + 0.0) for name, value in pulls(model).items()]
    out: dict[str, list[dict[str, Any]]] = {}
    for kind, sign in (("clean", 1), ("dirty", -1)):
        some = sorted((-sign * value, name) for name, value in found if sign * value > 0)[:count]
        out[kind] = [{"reason": name, "bits": -sign * value} for value, name in some]
    weighs = model.about.get("weighs")
    out["the odds"] = [
        {"reason": str(name), "bits": value, "about": matrix.ABOUT.get(name, "")}
        for name, value in list(weighs.items() if isinstance(weighs, dict) else ())[:count]
        if isinstance(value, float)
    ]
    return out | {f"{kind}, n-grams": rows for kind, rows in model.plain.most_informative(count).items()}


def differences(model: StructureModel, other: StructureModel, count: int) -> dict[str, Any]:
    """How another model differs: how many names and words are in both, the correlation of what they add in both, and up
    to *count* that `changed` most; and the same of the n-grams."""
    from ..char_ngram.inspect import correlation

    out: dict[str, Any] = {}
    for what, one, two in (("names", model.names, other.names), ("words", model.phrases, other.phrases)):
        out[what] = {"first": len(one), "second": len(two), "common": len(one.keys() & two.keys())}
    first, second = pulls(model), pulls(other)
    both = [name for name in first if name in second]
    out["correlation"] = correlation(np.array([first[n] for n in both]), np.array([second[n] for n in both]))
    changes = sorted((-round(abs(second[name] - first[name]), 2), name) for name in both)[:count]
    rows = [
        {"reason": name, "first": round(first[name], 2), "second": round(second[name], 2), "change": -change}
        for change, name in changes
        if change
    ]
    out |= {"changed": rows} if rows else {}
    return out | {f"{what}, n-grams": value for what, value in model.plain.differences(other.plain, count).items()}
