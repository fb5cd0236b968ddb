"""A small neural network over the segments of a page, in two layers with pooling between them, as arrays of numpy: for
training and attribution. `inference` computes the same for scoring.

    network = Network.initial(columns=200, names=3000, phrases=2000, seed=0)
    parameters = StructureParameters(names, phrases, means, scales, network, TrainingMeans.zeros(3000), calibrations)
    logits = network.logits(parameters.inputs(table))    # a row for each segment, a column for each output
    log_odds = parameters.calibrate(parameters.smooth(logits, table))    # shape: segments, policies

The first layer sees a segment alone: its features, and the embeddings of the names on its path and of its phrases. Its
output is averaged over the segments under the same ancestors, of the same kind, in windows before and after, and over
the page. The second layer reads the segment together with these averages. So the network learns which surroundings
count, with a few thousand weights, and a page costs a few products of small matrices. Several outputs share the
layers: log odds under each content policy, and logits of ROLES.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...features.matrix import feature_matrix, floats, segment_groups
from ...features.phrase_vocabulary import PhraseIndex
from ...features.schema import GROUP_KINDS, NUMBERS, WEIGHT
from ...features.segment_table import SegmentTable
from . import outputs
from .embeddings import StepEmbeddings, fill_phrases, phrase_vectors
from .inference import (
    AVERAGES,
    HIDDEN,
    LEAST_WEIGHT,
    MAX_DEVIATION,
    NAME,
    POOL_WINDOWS,
    POOLS,
    SHARED,
    WORD,
    array_shapes,
)

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

# The groups that the network averages over (see `schema.GROUP_KINDS`), in its order.
POOLED_GROUPS = POOLS[:-1]


@dataclass
class Pools:
    """Weighted averages over the groups and windows of segments, and their backward pass.

    *weights*: of segments. *groups*: for each of POOLS the group of each segment, and the inverse of the sum of weights
    of each group. *windows*: for each window the first index and the one after the last, and the inverse of the sum.
    """

    weights: Floats
    groups: list[tuple[Ints, Floats]]
    windows: list[tuple[Ints, Ints, Floats]]

    @classmethod
    def of(cls, weights: Floats, groups: Sequence[Ints], first: Ints, last: Ints) -> Pools:
        """The pools of segments in *groups* without gaps, whose documents go from *first* to *last*."""
        with_inverses = []
        for ids in groups:
            sums = np.bincount(ids, weights)
            with_inverses.append((ids, (1 / np.maximum(sums, LEAST_WEIGHT)).astype(np.float32)))
        at = np.arange(len(weights))
        total = np.concatenate([[0.0], np.cumsum(weights, dtype=np.float64)])
        windows = []
        for size in POOL_WINDOWS:
            for start, stop in ((np.maximum(at - size, first), at), (at + 1, np.minimum(at + size, last) + 1)):
                # the average of an empty window is 0, and so are its gradients
                inverse = np.where(stop > start, 1 / np.maximum(total[stop] - total[start], LEAST_WEIGHT), 0)
                windows.append((start, stop, inverse.astype(np.float32)))
        return cls(weights, with_inverses, windows)

    def averages(self, values: Floats) -> Floats:
        """The averages of *values* (shape: segments, columns), side by side (shape: segments, AVERAGES × columns)."""
        weighted = values * self.weights[:, None]
        parts = [(_float_sums(ids, weighted, len(inverse)) * inverse[:, None])[ids] for ids, inverse in self.groups]
        total = np.zeros((len(values) + 1, values.shape[1]))
        np.cumsum(weighted, axis=0, out=total[1:])
        parts += [(total[stop] - total[start]) * inverse[:, None] for start, stop, inverse in self.windows]
        return np.hstack(parts).astype(np.float32)

    def backward(self, gradients: Floats, columns: int) -> Floats:
        """The gradients with respect to the values, from those with respect to their averages."""
        out = np.zeros((len(gradients), columns), np.float32)
        at = 0
        for ids, inverse in self.groups:
            out += (_float_sums(ids, gradients[:, at : at + columns], len(inverse)) * inverse[:, None])[ids]
            at += columns
        for start, stop, inverse in self.windows:
            part = gradients[:, at : at + columns] * inverse[:, None]
            steps = sum_rows(start, part, len(gradients) + 1) - sum_rows(stop, part, len(gradients) + 1)
            out += np.cumsum(steps, axis=0)[:-1].astype(np.float32)
            at += columns
        weighted: Floats = out * self.weights[:, None]
        return weighted


def sum_rows(ids: Ints, values: Any, number: int) -> Doubles:
    """The sums of the rows of *values* with the same id (shape: number, columns)."""
    columns = values.shape[1]
    cells = ids[:, None] * columns + np.arange(columns)
    sums: Doubles = np.bincount(cells.ravel(), values.ravel(), number * columns).astype(np.float64, copy=False)
    return sums.reshape(number, columns)


def _float_sums(ids: Ints, values: Any, number: int) -> Floats:
    """The same sums in single precision."""
    return sum_rows(ids, values, number).astype(np.float32)


@dataclass
class Inputs:
    """The inputs of the network for segments: normalised features (*numbers*; shape: segments, columns), the summed
    embeddings of *names* and of *phrases*, and the pools."""

    numbers: Floats
    names: Floats
    phrases: Floats
    pools: Pools


@dataclass
class Activations:
    """The values on the way to the logits, which the backward pass needs: the *inputs* and the output of the *first*
    layer, what the second layer reads (*combined*: first layer and averages), the output of the *second* layer, and
    the masks of dropout."""

    inputs: Floats
    inputs_mask: Floats | None
    first: Floats
    combined: Floats
    combined_mask: Floats | None
    second: Floats


class Dropout:
    """Masks that leave out a *share* of the inputs of a layer, so that it relies on no single one."""

    def __init__(self, share: float, random: np.random.Generator) -> None:
        self._share, self._random = share, random

    def mask(self, values: Floats) -> Floats:
        """A mask for *values* that keeps their mean."""
        kept = self._random.random(values.shape, dtype=np.float32) >= self._share
        mask: Floats = kept.astype(np.float32) / np.float32(1 - self._share)
        return mask


class Network:
    """The weights by name, the forward and the backward pass."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights

    @classmethod
    def initial(cls, columns: int, names: int, phrases: int, outputs: int = 1, seed: int = 0) -> Network:
        """A network of these shapes with random weights, and biases of 0."""
        random = np.random.default_rng(seed)
        weights = {}
        for name, shape in array_shapes(columns, names, phrases, outputs).items():
            if name.endswith("_bias"):
                weights[name] = np.zeros(shape, np.float32)
            else:
                size = 0.1 if name in ("names", "words") else float(np.sqrt(2 / shape[0]))
                weights[name] = (random.standard_normal(shape) * size).astype(np.float32)
        weights["last"] *= np.float32(0.5)
        return cls(weights)

    def logits(self, inputs: Inputs) -> Floats:
        """The outputs for each segment (shape: segments, outputs): the first result of `forward`."""
        return self.forward(inputs)[0]

    def forward(self, inputs: Inputs, dropout: Dropout | None = None) -> tuple[Floats, Activations]:
        """The logits, and the activations for the backward pass."""
        weights = self.weights
        entered: Floats = np.hstack([inputs.numbers, inputs.names, inputs.phrases])
        entered_mask = dropout.mask(entered) if dropout else None
        if entered_mask is not None:
            entered = entered * entered_mask
        first: Floats = entered @ weights["first"] + weights["first_bias"]
        np.maximum(first, 0, out=first)
        combined: Floats = np.hstack([first, inputs.pools.averages(first @ weights["shared"])])
        combined_mask = dropout.mask(combined) if dropout else None
        if combined_mask is not None:
            combined = combined * combined_mask
        second: Floats = combined @ weights["second"] + weights["second_bias"]
        np.maximum(second, 0, out=second)
        logits: Floats = second @ weights["last"] + weights["last_bias"]
        return logits, Activations(entered, entered_mask, first, combined, combined_mask, second)

    def backward(self, inputs: Inputs, activations: Activations, errors: Floats) -> tuple[dict[str, Floats], Floats]:
        """The gradients of the loss with respect to each weight, and with respect to the summed embeddings in *inputs*
        (names and phrases side by side). *errors*: the gradients with respect to the logits, of their shape."""
        weights = self.weights
        out = {"last": activations.second.T @ errors, "last_bias": errors.sum(0)}
        second = (errors @ weights["last"].T) * (activations.second > 0)
        out["second"], out["second_bias"] = activations.combined.T @ second, second.sum(0)
        combined = second @ weights["second"].T
        if activations.combined_mask is not None:
            combined *= activations.combined_mask
        shared = inputs.pools.backward(combined[:, HIDDEN:], SHARED)
        out["shared"] = activations.first.T @ shared
        first = (combined[:, :HIDDEN] + shared @ weights["shared"].T) * (activations.first > 0)
        out["first"], out["first_bias"] = activations.inputs.T @ first, first.sum(0)
        entered = first @ weights["first"].T
        if activations.inputs_mask is not None:
            entered *= activations.inputs_mask
        return out, entered[:, inputs.numbers.shape[1] :]

    def logit_gradients(self, activations: Activations) -> tuple[Floats, Floats]:
        """The gradients of each segment's first output with respect to its own inputs, and with respect to the averages
        that the second layer reads."""
        second = (activations.second > 0) * self.weights["last"][:, 0]
        combined = second @ self.weights["second"].T
        own: Floats = (combined[:, :HIDDEN] * (activations.first > 0)) @ self.weights["first"].T
        averages: Floats = combined[:, HIDDEN:]
        return own, averages


# ---- parameters -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingMeans:
    """Means over the segments of training: of the *names* on a segment's path, of the *averages* that the second layer
    reads, and of the *gradients* of the logit with respect to the embeddings of names and phrases."""

    names: Floats
    averages: Floats
    gradients: Floats

    # their names in a file, in this order
    ARRAYS: ClassVar = ("typical.names", "typical.around", "typical.slopes")

    @classmethod
    def zeros(cls, names: int) -> TrainingMeans:
        """Zeros, until the means are known."""
        sizes = (names, SHARED * AVERAGES, NAME + 2 * WORD)
        return cls(*(np.zeros(size, np.float32) for size in sizes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return dict(zip(self.ARRAYS, (self.names, self.averages, self.gradients)))


@dataclass(frozen=True)
class StructureParameters:
    """The vocabularies of *names* (on paths and of heads) and *phrases*, with their indices; the *means* and *scales*
    of features (1 / standard deviation); the *network*.

    *training_means*: for attribution. *calibrations*: by the name of the content policy, factor and shift of its log
    odds, in the order of the outputs; the first policy is the one that scores and attributions are of. *surroundings*:
    whether the network was trained with its averages.
    """

    names: Mapping[str, int]
    phrases: Mapping[str, int]
    means: Floats
    scales: Floats
    network: Network
    training_means: TrainingMeans
    calibrations: Mapping[str, tuple[float, float]]
    surroundings: bool = True

    @property
    def calibration(self) -> tuple[float, float]:
        """Factor and shift of the first policy."""
        return next(iter(self.calibrations.values()))

    def inputs(self, table: SegmentTable) -> Inputs:
        """The inputs of the network for segments."""
        numbers = feature_matrix(table)
        columns = numbers.T  # a view, contiguous in memory
        columns -= self.means[:, None]
        columns *= self.scales[:, None]
        np.clip(columns, -MAX_DEVIATION, MAX_DEVIATION, out=columns)
        return Inputs(numbers, self.name_embeddings(table), self._phrase_embeddings(table), pools(table))

    def name_embeddings(self, table: SegmentTable) -> Floats:
        """For each segment the summed vectors of the names on its path, those further up counting less, and of the head
        of its page."""
        embeddings = StepEmbeddings(self.names, _flat(self.network.weights["names"]), NAME)
        of_nodes = np.asarray(embeddings.of_nodes(table.places.elements)).reshape(-1, NAME)
        nodes = np.array(table.places.nodes, np.int64)[np.asarray(table.places.place)]
        out: Floats = (of_nodes[nodes] + np.asarray(embeddings.of_head(table.head))).astype(np.float32)
        return out

    def _phrase_embeddings(self, table: SegmentTable) -> Floats:
        """For each segment the summed vectors of its phrases and of its heading's, side by side."""
        out = np.zeros(2 * WORD * len(table), np.float32)
        if self.phrases:
            words = _flat(self.network.weights["words"])
            vectors = phrase_vectors(table, PhraseIndex(self.phrases), words, WORD)
            fill_phrases(out, 2 * WORD, 0, vectors, WORD, table, 0)
        return out.reshape(-1, 2 * WORD)

    def smooth(self, logits: Floats, table: SegmentTable) -> Floats:
        """The logits of the policies (shape: segments, policies), smoothed over `outputs.SMOOTHED_GROUP`; not smoothed
        without surroundings. *logits*: of all outputs, or of the first ones."""
        of_policies = logits[:, : len(self.calibrations)]
        if not self.surroundings:
            return of_policies
        groups, chars = outputs.smoothed_groups(table), outputs.segment_chars(table)
        return smooth_logits(of_policies, np.asarray(groups), np.asarray(chars))

    def calibrate(self, logits: Floats) -> Floats:
        """Calibrated natural log odds under each policy, from smoothed logits."""
        odds = outputs.calibrated(_flat(logits), list(self.calibrations.values()))
        return floats(odds, logits.shape[1])


def _flat(values: Floats) -> Any:
    """A flat copy without numpy (floats)."""
    return array("f", np.asarray(values, np.float32).tobytes())


def smooth_logits(logits: Floats, groups: NDArray[Any], chars: Floats) -> Floats:
    """The logits (shape: segments, policies), moved towards the mean of their group, in which segments weigh by their
    characters."""
    columns = logits.shape[1]
    flat = _flat(logits)
    smoothed = outputs.smooth_logits(flat, columns, columns, groups.astype(np.int32), chars)
    return floats(smoothed, columns)


def pools(table: SegmentTable) -> Pools:
    """The pools of the segments of a table."""
    size = len(table)
    groups = pooled_groups(table)
    return Pools.of(segment_weights(table), groups, np.zeros(size, np.int64), np.full(size, size - 1))


def pooled_groups(table: SegmentTable) -> list[NDArray[np.int64]]:
    """For each of POOLS the group of each segment, from 0."""
    groups, starts = segment_groups(table), table.places.starts
    kinds = [GROUP_KINDS.index(name) for name in POOLED_GROUPS]
    return [*(groups[:, kind] - starts[kind] for kind in kinds), np.zeros(len(table), np.int64)]


def segment_weights(table: SegmentTable) -> Floats:
    """The weight of each segment in averages: about the logarithm of its length."""
    out: Floats = floats(table.numbers, NUMBERS)[:, WEIGHT].copy()
    return out
