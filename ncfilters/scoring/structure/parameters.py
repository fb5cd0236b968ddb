"""The parameters of a structure model that score segments, and their application to a table of segments.

parameters = StructureParameters(names, phrases, means, scales, network)
logits = parameters.network.logits(parameters.inputs(table))
log_odds = parameters.calibrate(parameters.smooth(logits, table))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.matrix import feature_matrix
from ...features.phrase_vocabulary import PhraseIndex
from ...features.segment_table import SegmentTable
from ...roles import DEFAULT_POLICY, ROLES
from .embeddings import StepEmbeddings, phrase_vectors
from .network import AVERAGES, MAX_DEVIATION, NAME, POOLS, SHARED, WORD, Inputs, Network, Pools

Floats = NDArray[np.float32]

# The groups that the network averages over (see `categories.GROUP_KINDS`), in its order.
POOLED_GROUPS = POOLS[:-1]
# Segments with the same path apart from ids share their class more often than the network predicts. So their logits are
# moved towards their mean, by this share; beforehand all are cut at MAX_LOGIT. It raises F on WCXB by 0.2 points.
SMOOTHED_GROUP, SMOOTHING, MAX_LOGIT = "sig", 0.75, 8.0


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
        for name, array in expected.items():
            if arrays[name].shape != array.shape or not np.isfinite(arrays[name]).all():
                raise ValueError(f"{name}: expected {len(array)} finite numbers")
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
    def step_embeddings(self) -> StepEmbeddings:
        """The embeddings of names."""
        return StepEmbeddings(self.names, self.network.weights["names"])

    @cached_property
    def phrase_index(self) -> PhraseIndex:
        """The vocabulary of phrases."""
        return PhraseIndex(self.phrases)

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
        of_nodes, of_heads = self.step_embeddings.of_nodes(table.tree), self.step_embeddings.of_heads(table.heads)
        return (of_nodes[table.node] + of_heads[table.document]).astype(np.float32)

    def _phrase_embeddings(self, table: SegmentTable) -> Floats:
        """For each segment the summed vectors of its phrases and of its heading's, side by side."""
        if not self.phrases:
            return np.zeros((len(table), 2 * WORD), np.float32)
        vectors, own, heading = phrase_vectors(table, self.phrase_index, self.network.weights["words"])
        return np.hstack([vectors[own], vectors[heading]])

    def smooth(self, logits: Floats, table: SegmentTable) -> Floats:
        """The logits of the policies (shape: segments, policies), smoothed over SMOOTHED_GROUP; not smoothed without
        surroundings. *logits*: of all outputs, or of the first ones."""
        of_policies = logits[:, : len(self.outputs.calibrations)]
        if not self.surroundings:
            return of_policies
        return smooth_logits(of_policies, table.place_groups[SMOOTHED_GROUP][table.tree.place], table.chars)

    def calibrate(self, logits: Floats) -> Floats:
        """Calibrated natural log odds under each policy, from smoothed logits."""
        scaling = np.array(list(self.outputs.calibrations.values()), np.float32)
        odds: Floats = logits * scaling[:, 0] + scaling[:, 1]
        return odds


def smooth_logits(logits: Floats, groups: NDArray[np.int64], chars: Floats) -> Floats:
    """The logits (shape: segments, policies), moved towards the mean of their group, in which segments weigh by their
    characters."""
    bounded = np.clip(logits, -MAX_LOGIT, MAX_LOGIT)
    weights = chars.astype(np.float64) + 1
    sums = np.stack([np.bincount(groups, weights * column) for column in bounded.T], axis=1)
    means = sums / np.bincount(groups, weights)[:, None]
    out: Floats = ((1 - SMOOTHING) * bounded + SMOOTHING * means[groups]).astype(np.float32)
    return out


def pools(table: SegmentTable) -> Pools:
    """The pools of the segments of a table."""
    groups = [table.groups[name] for name in POOLED_GROUPS]
    return Pools.of(table.weights, [*groups, table.document], table.first, table.last)
