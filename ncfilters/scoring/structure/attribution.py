"""Attribution: the contributions of inputs to the odds of a segment in a structure model, and their averages.

    attribute(parameters, document, 3)[0]
    # {"for": [["chars", 1.21], …], "against": [["word:=read more", -3.4], …]}

The odds are those under the first policy. The network is linear as long as the same units are active. So the odds of a
segment are the sum over all inputs, its own and the averages over its surroundings, of gradient times input (Shrikumar
et al. 2016). Inputs are differences from their means in training, so an input that is the same for all segments
contributes nothing. The effect of smoothing the logits also counts as an input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import ModelInput
from ...features.phrase_vocabulary import PhraseIndex
from ...features.schema import DESCRIPTIONS, NAMES
from ...features.segment_table import SegmentTable, build_table
from ..char_ngram.model import correlation
from .embeddings import DECAY, PHRASE_WEIGHT, step_names
from .inference import HIDDEN, NAME, POOL_WINDOWS, SHARED, WORD
from .network import Activations, Inputs, StructureParameters, TrainingMeans

Floats = NDArray[np.float32]
Reason = tuple[str, float]

# What the network averages over, its POOLS and then its windows, as reasons name it and as they describe it.
AROUND = {
    "around: same parent": "the segments of the same parent element",
    "around: same two steps up": "the segments of the same element two steps up",
    "around: same three steps up": "the segments of the same element three steps up",
    "around: same four steps up": "the segments of the same element four steps up",
    "around: same path but for ids": "the segments with the same path but for ids",
    "around: same two innermost elements": "the segments in the same two innermost elements",
    "around: page": "the whole page",
    **{
        f"around: {size} {side}": f"the {size} segments {side}" for size in POOL_WINDOWS for side in ("before", "after")
    },
}
POOL_REASONS = tuple(AROUND)
# The effect of smoothing (see `outputs.smooth_logits`).
SMOOTHING_REASON = "alike: same path but for ids"
AROUND[SMOOTHING_REASON] = "the scores of segments with the same path but for ids"
# The number of inputs that the header lists under `weighs`.
MAX_WEIGHS = 40

# Prefixes of names that are of the vocabulary.
_VOCABULARY = {
    "name:@": "'{}' in the head or the address of the page",
    "name:": "'{}' on the path",
    "word:=": "the text '{}'",
    "word:": "the words '{}'",
    "heading:": "'{}' in the heading above",
}
# What descriptions say of scales and of missing values, and how they begin.
_SCALE = re.compile(
    r"; .*|, -1 if there is none| \((?:0 if there is none|Dice)\)|, up to \d+(?: of each)?|, in \w+s\b.*"
)
_BEGINNINGS = ((r"\blog of how\b", "how"), (r"\blog of (?:the |its |their )?", "number of "), (r"\b1 if\b", "whether"))


def attribute(parameters: StructureParameters, document: ModelInput, count: int) -> list[dict[str, Any]]:
    """For each segment of a document the reasons `for` and `against`: each up to *count* pairs of name and bits,
    largest first. Reasons that round to 0.00 bits are left out."""
    table = build_table(document)
    inputs = parameters.inputs(table)
    logits, activations = parameters.network.forward(inputs)
    bits = np.float32(parameters.calibration[0] / log(2))
    smoothing = ((parameters.smooth(logits, table)[:, 0] - logits[:, 0]) * bits).tolist()
    own, averages = parameters.network.logit_gradients(activations)
    columns = inputs.numbers.shape[1]
    numbers = inputs.numbers * own[:, :columns] * bits
    pools = pool_contributions(activations, averages, parameters.training_means) * bits
    # the strongest features of each sign; no other can be among the reasons
    order = np.argsort(numbers, axis=1, kind="stable")
    strongest = np.hstack([order[:, :count], order[:, count:][:, -count:]]).tolist()
    vocabulary = _VocabularyReasons(parameters, table, bits * own[:, columns:])
    out = []
    for row, places in enumerate(strongest):
        reasons: list[Reason] = [(NAMES[at], float(numbers[row, at])) for at in places]
        reasons += zip(POOL_REASONS, pools[row].tolist())
        reasons += vocabulary.reasons(row)
        reasons.append((SMOOTHING_REASON, smoothing[row]))
        out.append(_both_sides(reasons, count))
    return out


def _both_sides(reasons: list[Reason], count: int) -> dict[str, Any]:
    """The *count* strongest reasons for and against."""
    rounded = sorted(((name, round(value, 2)) for name, value in reasons), key=lambda pair: (-abs(pair[1]), pair[0]))
    return {
        "for": [[in_words(name), value] for name, value in rounded if value > 0][:count],
        "against": [[in_words(name), value] for name, value in rounded if value < 0][:count],
    }


def pool_contributions(activations: Activations, gradients: Floats, means: TrainingMeans) -> Floats:
    """The contribution of each pool to the logit of each segment (shape: segments, AVERAGES)."""
    parts = (activations.combined[:, HIDDEN:] - means.averages) * gradients
    contributions: Floats = parts.reshape(len(parts), len(POOL_REASONS), SHARED).sum(axis=2)
    return contributions


class _VocabularyReasons:
    """The contributions of names and phrases to the odds of segments. *gradients*: of the log odds (bits) with respect
    to the embeddings of each segment."""

    def __init__(self, parameters: StructureParameters, table: SegmentTable, gradients: Floats) -> None:
        self._parameters, self._table, self._gradients = parameters, table, gradients
        known = parameters.names
        self._steps = [
            [known[name] for name in step if name in known] for step in step_names(table.places.elements.names)
        ]
        self._names, self._phrases = list(parameters.names), list(parameters.phrases)
        self._index = PhraseIndex(parameters.phrases)

    def reasons(self, row: int) -> list[Reason]:
        """The contributions to the segment *row*."""
        out = self._name_reasons(row)
        vectors, heading = self._parameters.network.weights["words"], self._table.heading[row]
        for kind, segment in (("word", row), ("heading", heading)):
            if segment < 0:
                continue
            column = NAME if kind == "word" else NAME + WORD
            gradient = self._gradients[row, column : column + WORD] * np.float32(PHRASE_WEIGHT)
            phrases = [number for number in self._index.numbers(self._table.texts[segment]) if number >= 0]
            contributions: dict[str, float] = {}
            for phrase, value in zip(phrases, (vectors[phrases] @ gradient).tolist()):
                name = f"{kind}:{self._phrases[phrase]}"
                contributions[name] = contributions.get(name, 0.0) + value
            out += contributions.items()
        return out

    def _name_reasons(self, row: int) -> list[Reason]:
        tree, names = self._table.places, self._parameters.names
        amounts = {names[name]: 1.0 for name in self._table.head.names if name in names}
        node, weight = tree.nodes[tree.place[row]], 1.0
        while True:
            for place in self._steps[tree.elements.name[node]]:
                amounts[place] = amounts.get(place, 0.0) + weight
            if not tree.elements.depth[node]:
                break
            node, weight = tree.elements.parent[node], weight * DECAY
        if not amounts:
            return []
        places = np.fromiter(amounts, np.int64, len(amounts))
        means = self._parameters.training_means.names
        differences = np.fromiter(amounts.values(), np.float64, len(amounts)) - means[places]
        vectors = self._parameters.network.weights["names"][places]
        contributions = vectors @ self._gradients[row, :NAME] * differences
        return [(f"name:{self._names[place]}", value) for place, value in zip(amounts, contributions.tolist())]


def mean_effects(parameters: StructureParameters) -> dict[str, float]:
    """The bits that one occurrence of each name and phrase adds to the odds of a segment on average, in the linear
    approximation."""
    bits = parameters.calibration[0] / log(2)
    weights = parameters.network.weights
    gradients = parameters.training_means.gradients.astype(np.float64) * bits
    names = weights["names"] @ gradients[:NAME]
    out = {f"name:{name}": float(names[place]) for name, place in parameters.names.items()}
    for kind, start in (("word", NAME), ("heading", NAME + WORD)):
        phrases = weights["words"] @ gradients[start : start + WORD] * PHRASE_WEIGHT
        out |= {f"{kind}:{phrase}": float(phrases[place]) for phrase, place in parameters.phrases.items()}
    return out


def input_contributions(
    parameters: StructureParameters, means: TrainingMeans, inputs: Inputs, activations: Activations
) -> tuple[Floats, Floats]:
    """The contributions of INPUTS to the logit of each segment, and the gradients of the logit with respect to its
    embeddings."""
    own, averages = parameters.network.logit_gradients(activations)
    columns = inputs.numbers.shape[1]
    mean_names = means.names @ parameters.network.weights["names"][: len(means.names)]
    of_names = (inputs.names - mean_names) * own[:, columns : columns + NAME]
    of_phrases = inputs.phrases * own[:, columns + NAME :]
    parts = [of_names, of_phrases[:, :WORD], of_phrases[:, WORD:]]
    sums = np.stack([part.sum(axis=1) for part in parts], axis=1)
    pools = pool_contributions(activations, averages, means)
    return np.hstack([inputs.numbers * own[:, :columns], sums, pools]), own[:, columns:]


# The inputs of `input_contributions`, as the header names them.
INPUTS = (*NAMES, "names on the path", "words", "words of the heading", *POOL_REASONS)


def largest_contributions(contributions: Mapping[str, float]) -> dict[str, float]:
    """The MAX_WEIGHS largest of mean absolute contributions (bits), largest first, rounded, for the header."""
    ranked = sorted(contributions.items(), key=lambda pair: (-round(pair[1], 3), pair[0]))[:MAX_WEIGHS]
    return {name: round(value, 3) for name, value in ranked}


def most_informative(parameters: StructureParameters, weighs: object, count: int) -> dict[str, list[dict[str, Any]]]:
    """The strongest evidence for `clean` and for `dirty`: names and phrases, by what one occurrence adds (bits); and
    the inputs that move `the odds` most either way (mean bits, *weighs* in the header)."""
    effects = [(name, round(value, 3) + 0.0) for name, value in mean_effects(parameters).items()]
    out: dict[str, list[dict[str, Any]]] = {}
    for kind, sign in (("clean", 1), ("dirty", -1)):
        ranked = sorted((-sign * value, name) for name, value in effects if sign * value > 0)[:count]
        out[kind] = [{"reason": name, "bits": -sign * value} for value, name in ranked]
    out["the odds"] = [
        {"reason": str(name), "bits": value, "about": DESCRIPTIONS.get(name) or AROUND.get(name, "")}
        for name, value in list(weighs.items() if isinstance(weighs, dict) else ())[:count]
        if isinstance(value, float)
    ]
    return out


def differences(first: StructureParameters, second: StructureParameters, count: int) -> dict[str, Any]:
    """How the vocabularies of two models differ: the numbers of names and words in both, the correlation of the effects
    of those in both, and up to *count* effects that `changed`, largest change first."""
    out: dict[str, Any] = {}
    for what, one, two in (("names", first.names, second.names), ("words", first.phrases, second.phrases)):
        out[what] = {"first": len(one), "second": len(two), "common": len(one.keys() & two.keys())}
    before, after = mean_effects(first), mean_effects(second)
    both = [name for name in before if name in after]
    out["correlation"] = correlation(np.array([before[n] for n in both]), np.array([after[n] for n in both]))
    changes = sorted((-round(abs(after[name] - before[name]), 2), name) for name in both)[:count]
    rows = [
        {"reason": name, "first": round(before[name], 2), "second": round(after[name], 2), "change": -change}
        for change, name in changes
        if change
    ]
    return out | ({"changed": rows} if rows else {})


def in_words(name: str) -> str:
    """What a reason is: a feature, names or words, or what is around a segment."""
    for prefix, pattern in _VOCABULARY.items():
        if name.startswith(prefix):
            return pattern.format(name.removeprefix(prefix))
    words = _SCALE.sub("", AROUND.get(name) or DESCRIPTIONS.get(name, name))
    for beginning, other in _BEGINNINGS:
        words = re.sub(beginning, other, words)
    return words
