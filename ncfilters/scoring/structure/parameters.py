"""The parameters of a structure model that score segments, as arrays of numpy, for training and attribution.

parameters = StructureParameters(names, phrases, means, scales, network)
logits = parameters.network.logits(parameters.inputs(table))
log_odds = parameters.calibrate(parameters.smooth(logits, table))    # shape: segments, policies
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.matrix import feature_matrix, floats, segment_groups
from ...features.phrase_vocabulary import PhraseIndex
from ...features.schema import GROUP_KINDS, NUMBERS, WEIGHT
from ...features.segment_table import SegmentTable
from ...roles import DEFAULT_POLICY, ROLES
from . import scores
from .embeddings import StepEmbeddings, fill_phrases, phrase_vectors
from .layers import AVERAGES, MAX_DEVIATION, NAME, POOLS, SHARED, WORD, Layers
from .network import Inputs, Network, Pools

Floats = NDArray[np.float32]

# The groups that the network averages over (see `categories.GROUP_KINDS`), in its order.
POOLED_GROUPS = POOLS[:-1]


@dataclass(frozen=True)
class Outputs:
    """The columns of the network's output: log odds under each content policy, then the logits of ROLES if there are
    *roles*. *calibrations*: by the name of the policy, factor and shift of its log odds. The first policy is the one
    that scores and attributions are of."""

    calibrations: Mapping[str, tuple[float, float]] = field(default_factory=lambda: {DEFAULT_POLICY: (1.0, 0.0)})
    roles: bool = False

    def __len__(self) -> int:
        return len(self.calibrations) + (len(ROLES) if self.roles else 0)

    @property
    def calibration(self) -> tuple[float, float]:
        """Factor and shift of the first policy."""
        return next(iter(self.calibrations.values()))


@dataclass(frozen=True)
class TrainingMeans:
    """Means over the segments of training: of the *names* on a segment's path, of the *averages* that the second layer
    reads, and of the *gradients* of the logit with respect to the embeddings of names and phrases."""

    names: Floats
    averages: Floats
    gradients: Floats

    @classmethod
    def zeros(cls, names: int) -> TrainingMeans:
        """Zeros, for models without these means."""
        sizes = (names, SHARED * AVERAGES, NAME + 2 * WORD)
        return cls(*(np.zeros(size, np.float32) for size in sizes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"typical.names": self.names, "typical.around": self.averages, "typical.slopes": self.gradients}

    @classmethod
    def from_parts(cls, arrays: Mapping[str, NDArray[Any]], names: int) -> TrainingMeans:
        """The means in a file's arrays. Raises KeyError, or ValueError for arrays of other shapes."""
        expected = cls.zeros(names).arrays()
        for name, zeros in expected.items():
            if arrays[name].shape != zeros.shape or not np.isfinite(arrays[name]).all():
                raise ValueError(f"{name}: expected {len(zeros)} finite numbers")
        return cls(*(arrays[name].astype(np.float32) for name in expected))


@dataclass(frozen=True)
class StructureParameters:
    """The vocabularies of *names* (on paths and of heads) and *phrases*, with their indices; the *means* and *scales*
    of features (1 / standard deviation); the *network*; and what its *outputs* are.

    *surroundings*: whether the network was trained with its averages. *training_means*: for attribution.
    """

    names: Mapping[str, int]
    phrases: Mapping[str, int]
    means: Floats
    scales: Floats
    network: Network
    outputs: Outputs = Outputs()
    surroundings: bool = True
    training_means: TrainingMeans | None = None

    @cached_property
    def layers(self) -> Layers:
        """The weights as scoring reads them."""
        arrays = {name: _flat(weights) for name, weights in self.network.weights.items()}
        arrays |= {"means": _flat(self.means), "scales": _flat(self.scales)}
        return Layers(self.names, self.phrases, len(self.outputs), arrays)

    @property
    def means_or_zeros(self) -> TrainingMeans:
        """The means in training, zeros if they are not known."""
        return self.training_means or TrainingMeans.zeros(len(self.names))

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
        """The logits of the policies (shape: segments, policies), smoothed over `scores.SMOOTHED_GROUP`; not smoothed
        without surroundings. *logits*: of all outputs, or of the first ones."""
        of_policies = logits[:, : len(self.outputs.calibrations)]
        if not self.surroundings:
            return of_policies
        groups, chars = scores.smoothed_groups(table), scores.segment_chars(table)
        return smooth_logits(of_policies, np.asarray(groups), np.asarray(chars))

    def calibrate(self, logits: Floats) -> Floats:
        """Calibrated natural log odds under each policy, from smoothed logits."""
        odds = scores.calibrated(_flat(logits), list(self.outputs.calibrations.values()))
        return floats(odds, logits.shape[1])


def _flat(values: Floats) -> Any:
    """A flat copy without numpy (floats)."""
    return array("f", np.asarray(values, np.float32).tobytes())


def smooth_logits(logits: Floats, groups: NDArray[Any], chars: Floats) -> Floats:
    """The logits (shape: segments, policies), moved towards the mean of their group, in which segments weigh by their
    characters."""
    columns = logits.shape[1]
    flat = _flat(logits)
    smoothed = scores.smooth_logits(flat, columns, columns, groups.astype(np.int32), chars)
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
