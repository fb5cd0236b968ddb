"""The network's forward pass for scoring: as `Network.forward`, with a third of the work and little memory.

    infer(parameters, table).logits    # of each segment

Features that the segments of a path or of a kind share are computed, normalised and multiplied once for all of them.
Features come in parts: each part goes into the first layer and is dropped. Layers and windows take a block of segments
at a time. So the memory for a page of any length is little more than its segment table.

Products are sums in double precision. Their order, which depends on the size of a batch, on BLAS and on the processor,
is far below what is written. So scores of a page are the same in every batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...features.matrix import feature_parts
from ...features.segment_table import SegmentTable
from .embeddings import phrase_vectors
from .network import HIDDEN, MAX_DEVIATION, NAME, POOL_WINDOWS, POOLS, SHARED, WORD
from .page_classifier import CHARACTER_FEATURES
from .parameters import StructureParameters

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

# Segments that a layer takes at once, so that temporary arrays stay in the cache.
BLOCK_SEGMENTS = 1 << 11
# Rows of the second layer that read windows.
WINDOW_COLUMNS = 2 * len(POOL_WINDOWS) * SHARED


@dataclass
class Inference:
    """For each segment its normalised character features (shape: segments, CHARACTER_FEATURES), the output of the first
    layer (*hidden*), and its outputs (*logits*; shape: segments, outputs)."""

    characters: Floats
    hidden: Floats
    logits: Floats


def infer(parameters: StructureParameters, table: SegmentTable) -> Inference:
    """The outputs of the network for segments."""
    characters, hidden = _first_layer(parameters, table)
    return Inference(characters, hidden, _second_layer(parameters, hidden, PlacePools.of(table)))


def _first_layer(parameters: StructureParameters, table: SegmentTable) -> tuple[Floats, Floats]:
    """The character features, and the output of the first layer.

    Instead of features, their bounds and weights are normalised: (x - mean) scale w = x (scale w) - mean scale w.
    """
    means, scales, weights = parameters.means, parameters.scales, parameters.network.doubles["first"]
    names = len(means)
    own_phrases, heading_phrases = names + NAME, names + NAME + WORD
    scaled = scales[:, None] * weights[:names]
    reach = np.divide(MAX_DEVIATION, scales, out=np.full_like(scales, np.inf), where=scales > 0)
    low, high = (means - reach)[:, None], (means + reach)[:, None]
    out = np.empty((len(table), HIDDEN))
    out[:] = parameters.network.doubles["first_bias"] - means @ scaled
    characters = np.empty((0, CHARACTER_FEATURES), np.float32)
    for part in feature_parts(table):
        least, most, weight = low[part.columns], high[part.columns], scaled[part.columns]
        shared = np.empty((part.values.shape[1] if part.rows is not None else 0, HIDDEN))
        for block in _blocks(part.values.shape[1]):
            values = part.values[:, block]
            np.clip(values, least, most, out=values)
            if part.rows is None:
                out[block] += values.T @ weight
            else:
                shared[block] = values.T @ weight
        if part.rows is not None:
            if part.name == "places":
                shared += _place_embeddings(parameters, table) @ weights[names:own_phrases]
            _add_rows(shared, part.rows, out)
        if part.name == "own":
            first = slice(CHARACTER_FEATURES)
            characters = ((part.values[first] - means[first, None]) * scales[first, None]).T
        del part, values  # before the next part is computed
    if parameters.phrases:
        words = parameters.network.weights["words"]
        vectors, own, heading = phrase_vectors(table, parameters.phrase_index, words)
        _add_rows(vectors @ weights[own_phrases:heading_phrases], own, out)
        _add_rows(vectors @ weights[heading_phrases:], heading, out)
    np.maximum(out, 0, out=out)
    return characters, out.astype(np.float32)


def _place_embeddings(parameters: StructureParameters, table: SegmentTable) -> Doubles:
    """For each place the summed vectors of the names on its path and of the head of its page."""
    tree, embeddings = table.tree, parameters.step_embeddings
    return embeddings.of_nodes(tree)[tree.places] + embeddings.of_heads(table.heads)[tree.document[tree.places]]


def _second_layer(parameters: StructureParameters, hidden: Floats, pools: PlacePools) -> Floats:
    """The outputs, from the output of the first layer."""
    weights = parameters.network.doubles
    of_places, total = pools.averages(weights["shared"].T @ hidden.T, weights["second"][HIDDEN:-WINDOW_COLUMNS])
    of_places += weights["second_bias"]
    logits = np.empty((len(hidden), weights["last"].shape[1]), np.float32)
    for block in _blocks(len(hidden)):
        second = hidden[block] @ weights["second"][:HIDDEN]
        second += of_places.take(pools.place[block], axis=0)
        second += pools.window_averages(total, block).T @ weights["second"][-WINDOW_COLUMNS:]
        np.maximum(second, 0, out=second)
        logits[block] = second @ weights["last"] + weights["last_bias"]
    return logits


def _add_rows(shared: Doubles, rows: Ints, out: Doubles) -> None:
    """Adds to each row of *out* the row of *shared* with the number in *rows*."""
    for block in _blocks(len(out)):
        out[block] += shared.take(rows[block], axis=0)


def _blocks(rows: int) -> Iterator[slice]:
    """All rows, BLOCK_SEGMENTS at a time."""
    for start in range(0, rows, BLOCK_SEGMENTS):
        yield slice(start, min(start + BLOCK_SEGMENTS, rows))


@dataclass
class PlacePools:
    """The pools of `network.Pools`, computed once for all segments of a path.

    For each segment: *weights*, *first* and *last* index of its document, *place*. *groups*: for each of POOLS and each
    place its group, numbered through all kinds of groups up to *count*.
    """

    weights: Floats
    first: Ints
    last: Ints
    place: Ints
    groups: Ints
    count: int

    @classmethod
    def of(cls, table: SegmentTable) -> PlacePools:
        """The pools of a table."""
        tree = table.tree
        numbered, count = table.numbered_groups
        kinds = list(table.place_groups)
        groups = np.empty((len(POOLS), len(tree.places)), np.int64)
        groups[:-1] = numbered[[kinds.index(name) for name in POOLS[:-1]]]
        groups[-1] = tree.document[tree.places] + count
        count += len(table.sizes)
        return cls(table.weights, table.first, table.last, tree.place, groups, count)

    def averages(self, values: Doubles, weights: Doubles) -> tuple[Doubles, Doubles]:
        """The averages of *values* (shape: columns, segments) over the groups of each place, times *weights* (shape:
        POOLS × columns, outputs; the product: places, outputs); and cumulative sums for `window_averages`."""
        kinds, places = self.groups.shape
        groups = self.groups.ravel()
        total = np.zeros((len(values) + 1, values.shape[1] + 1))
        np.multiply(values, self.weights, out=total[:-1, 1:])
        total[-1, 1:] = self.weights
        sums = np.empty((len(total), self.count))
        for row, own in zip(sums, total[:, 1:]):
            row[:] = np.bincount(groups, np.tile(np.bincount(self.place, own, places), kinds), self.count)
        means = (sums[:-1] / np.maximum(sums[-1], 1e-6)).T
        out = np.zeros((places, weights.shape[1]))
        for of_places, weight in zip(self.groups, np.split(weights, kinds)):
            out += means.take(of_places, axis=0) @ weight
        return out, np.cumsum(total, axis=1, out=total)

    def window_averages(self, total: Doubles, block: slice) -> Doubles:
        """The averages over the windows around a block of segments (shape: windows × columns, segments)."""
        at = np.arange(block.start, block.stop)
        first, last = self.first[block], self.last[block]
        here, above = total[:, block], total[:, block.start + 1 : block.stop + 1]
        out = np.empty((2 * len(POOL_WINDOWS), len(total) - 1, len(at)))
        for number, size in enumerate(POOL_WINDOWS):
            before = here - total.take(np.maximum(at - size, first), axis=1)
            after = total.take(np.minimum(at + size, last) + 1, axis=1) - above
            for place, sums in ((2 * number, before), (2 * number + 1, after)):
                out[place] = sums[:-1] / np.maximum(sums[-1], 1e-6)
        return out.reshape(2 * len(POOL_WINDOWS) * (len(total) - 1), len(at))
