"""The network's forward pass for scoring: what `Network.forward` gives, with a third of the work and little memory.

    judged(model, segments).logits    # of each segment

What the segments of a path or of a kind have in common is made, normalised and multiplied once for all of them.
Numbers come in parts, each of which goes into the first layer and is forgotten; layers and windows take some segments
after the other. So memory for a page of any length is little more than what `batch` reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...features import matrix
from .embeddings import worded
from .network import CLIP, HIDDEN, NAME, POOLS, WINDOWS, WORD
from .page_classifier import READ

if TYPE_CHECKING:
    from .model import StructureModel

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

# Segments that a layer takes at once: what is made of them stays in the cache.
BLOCK = 1 << 11


@dataclass
class Judged:
    """Of each segment the numbers of its `characters` as the network reads them (segments, READ), what the first layer
    makes of it (`hidden`), and its logit."""

    characters: Floats
    hidden: Floats
    logits: Floats


def judged(model: StructureModel, segments: matrix.Segments) -> Judged:
    """What a model's network says of segments."""
    characters, hidden = first(model, segments)
    return Judged(characters, hidden, second(model, hidden, Kin.of(segments)))


def first(model: StructureModel, segments: matrix.Segments) -> tuple[Floats, Floats]:
    """The characters' numbers, and the first layer.

    Numbers are not normalised, but their bounds and weights are: (x - mean) scale w = x (scale w) - mean scale w.
    """
    means, scales, weights = model.means, model.scales, model.network.weights["first"]
    names = len(means)
    words, above = names + NAME, names + NAME + WORD
    scaled = scales[:, None] * weights[:names]
    reach = np.divide(CLIP, scales, out=np.full_like(scales, np.inf), where=scales > 0)
    low, high = (means - reach)[:, None], (means + reach)[:, None]
    out = np.empty((len(segments), HIDDEN), np.float32)
    out[:] = model.network.weights["first_bias"] - means @ scaled
    characters = np.empty((0, READ), np.float32)
    tree = segments.tree
    document = tree.document[tree.places]
    for part in matrix.parts(segments):
        least, most, weight = low[part.columns], high[part.columns], scaled[part.columns]
        for some in _blocks(part.values.shape[1]):
            values = part.values[:, some]
            np.clip(values, least, most, out=values)
            if part.rows is None:
                out[some] += values.T @ weight
        if part.rows is not None:
            shared = part.values.T @ weight
            if part.name == "places":
                named = model.steps.named(tree)[tree.places] + model.steps.of_heads(segments.heads)[document]
                shared += named @ weights[names:words]
            _spread(shared, part.rows, out)
        if part.name == "own":
            characters = ((part.values[:READ] - means[:READ, None]) * scales[:READ, None]).T
        del part, values  # before the next is made
    if model.phrases:
        vectors, own, heading = worded(segments, model.words, model.network.weights["words"])
        _spread(vectors @ weights[words:above], own, out)
        _spread(vectors @ weights[above:], heading, out)
    np.maximum(out, 0, out=out)
    return characters, out


def second(model: StructureModel, hidden: Floats, kin: Kin) -> Floats:
    """The logits, from the first layer."""
    weights = model.network.weights
    of_groups, total = kin.averages(weights["shared"].T @ hidden.T)
    windows = HIDDEN + len(of_groups)
    of_places = of_groups.T @ weights["second"][HIDDEN:windows] + weights["second_bias"]
    logits = np.empty(len(hidden), np.float32)
    for some in _blocks(len(hidden)):
        seen = hidden[some] @ weights["second"][:HIDDEN]
        seen += of_places.take(kin.place[some], axis=0)
        seen += kin.around(total, some).T @ weights["second"][windows:]
        np.maximum(seen, 0, out=seen)
        logits[some] = (seen @ weights["last"])[:, 0]
    logits += weights["last_bias"]
    return logits


def _spread(shared: Floats, rows: Ints, out: Floats) -> None:
    """Adds to each row of *out* the row of *shared* that *rows* says."""
    for some in _blocks(len(out)):
        out[some] += shared.take(rows[some], axis=0)


def _blocks(rows: int) -> Iterator[slice]:
    """All rows, BLOCK at a time."""
    for start in range(0, rows, BLOCK):
        yield slice(start, min(start + BLOCK, rows))


@dataclass
class Kin:
    """How segments are related, as `network.Pools` has it, for all with the same path at once: the *weights* of
    segments, the *first* and *last* of their documents, the *place* of each; and of each of POOLS and place the group
    (*groups*), those of all numbered through, up to *count*."""

    weights: Floats
    first: Ints
    last: Ints
    place: Ints
    groups: Ints
    count: int

    @classmethod
    def of(cls, segments: matrix.Segments) -> Kin:
        """How segments are related."""
        tree = segments.tree
        numbered, count = segments.numbered
        kinds = list(segments.grouping)
        groups = np.empty((len(POOLS), len(tree.places)), np.int64)
        groups[:-1] = numbered[[kinds.index(name) for name in POOLS[:-1]]]
        groups[-1] = tree.document[tree.places] + count
        count += len(segments.documents)
        return cls(segments.weights, segments.first, segments.last, tree.place, groups, count)

    def averages(self, values: Floats) -> tuple[Floats, Doubles]:
        """The averages of *values* (columns, segments) in the groups of each place, one below the other; and what
        `around` takes."""
        kinds, places = self.groups.shape
        groups = self.groups.ravel()
        total = np.zeros((len(values) + 1, values.shape[1] + 1))
        np.multiply(values, self.weights, out=total[:-1, 1:])
        total[-1, 1:] = self.weights
        sums = np.empty((len(total), self.count))
        for row, own in zip(sums, total[:, 1:]):
            row[:] = np.bincount(groups, np.tile(np.bincount(self.place, own, places), kinds), self.count)
        means = (sums[:-1] / np.maximum(sums[-1], 1e-6)).astype(np.float32)
        found = means.take(groups, axis=1).reshape(len(values), kinds, places).swapaxes(0, 1)
        return found.reshape(kinds * len(values), places), np.cumsum(total, axis=1, out=total)

    def around(self, total: Doubles, some: slice) -> Floats:
        """The averages in the windows around *some* segments, one below the other."""
        at = np.arange(some.start, some.stop)
        first, last = self.first[some], self.last[some]
        here, above = total[:, some], total[:, some.start + 1 : some.stop + 1]
        out = np.empty((2 * len(WINDOWS), len(total) - 1, len(at)), np.float32)
        for number, radius in enumerate(WINDOWS):
            before = here - total.take(np.maximum(at - radius, first), axis=1)
            after = total.take(np.minimum(at + radius, last) + 1, axis=1) - above
            for place, sums in ((2 * number, before), (2 * number + 1, after)):
                out[place] = sums[:-1] / np.maximum(sums[-1], 1e-6)
        return out.reshape(2 * len(WINDOWS) * (len(total) - 1), len(at))
