"""The network's forward pass for scoring: what `Network.forward` gives, with a third of the work and little memory.

    judged(model, segments, scores).logits    # of each segment

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

from . import features
from .naming import worded
from .network import CLIP, HIDDEN, NAME, POOLS, WINDOWS, WORD, totals
from .whole import READ

if TYPE_CHECKING:
    from .structure import Structure

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


def judged(model: Structure, segments: features.Segments, scores: Floats) -> Judged:
    """What a model's network says of segments, *scores* being those of the n-gram models (segments, models)."""
    characters, hidden = first(model, segments, scores)
    return Judged(characters, hidden, second(model, hidden, Kin.of(segments)))


def first(model: Structure, segments: features.Segments, scores: Floats) -> tuple[Floats, Floats]:
    """The characters' numbers, and the first layer.

    Numbers are not normalised, but their bounds and weights are: (x - mean) scale w = x (scale w) - mean scale w.
    """
    means, scales, weights = model.means, model.scales, model.network.weights["first"]
    names = len(means)
    words, above = names + NAME, names + NAME + WORD
    scaled = scales[:, None] * weights[:names]
    reach = CLIP / np.maximum(scales, np.finfo(np.float32).tiny)
    low, high = (means - reach)[:, None], (means + reach)[:, None]
    out = np.empty((len(segments), HIDDEN), np.float32)
    out[:] = model.network.weights["first_bias"] - means @ scaled
    characters = np.empty((0, READ), np.float32)
    for part in features.parts(segments, scores):
        for some in _blocks(part.values.shape[1]):
            values = part.values[:, some]
            np.clip(values, low[part.columns], high[part.columns], out=values)
            if part.rows is None:
                out[some] += values.T @ scaled[part.columns]
        if part.rows is not None:
            _spread(part.values.T @ scaled[part.columns], part.rows, out)
        if part.name == "own":
            characters = ((part.values[:READ] - means[:READ, None]) * scales[:READ, None]).T
        del part, values  # before the next is made
    tree = segments.tree
    _spread(model.steps.named(tree)[tree.places] @ weights[names:words], tree.place, out)
    if model.phrases:
        vectors, own, heading = worded(segments, model.phrases, model.network.weights["words"])
        _spread(vectors @ weights[words:above], own, out)
        _spread(vectors @ weights[above:], heading, out)
    np.maximum(out, 0, out=out)
    return characters, out


def second(model: Structure, hidden: Floats, kin: Kin) -> Floats:
    """The logits, from the first layer."""
    weights = model.network.weights
    of_groups, total = kin.averages(hidden @ weights["shared"])
    windows = HIDDEN + of_groups.shape[1]
    of_places = of_groups @ weights["second"][HIDDEN:windows] + weights["second_bias"]
    logits = np.empty(len(hidden), np.float32)
    for some in _blocks(len(hidden)):
        seen = hidden[some] @ weights["second"][:HIDDEN]
        seen += of_places.take(kin.place[some], axis=0)
        seen += kin.around(total, some) @ weights["second"][windows:]
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
    def of(cls, segments: features.Segments) -> Kin:
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
        """The averages of *values* (segments, columns) in the groups of each place, side by side; and what `around`
        takes."""
        columns = values.shape[1]
        weighed = np.empty((len(values) + 1, columns + 1))
        weighed[0] = 0
        np.multiply(values, self.weights[:, None], out=weighed[1:, :-1])
        weighed[1:, -1] = self.weights
        kinds, places = self.groups.shape
        of_places = totals(self.place, weighed[1:], places)
        sums = totals(self.groups.ravel(), np.tile(of_places, (kinds, 1)), self.count)
        means = (sums[:, :-1] / np.maximum(sums[:, -1:], 1e-6)).astype(np.float32)
        found = means[self.groups].transpose(1, 0, 2).reshape(places, kinds * columns)
        return found, np.cumsum(weighed, axis=0, out=weighed)

    def around(self, total: Doubles, some: slice) -> Floats:
        """The averages in the windows around *some* segments, side by side."""
        at = np.arange(some.start, some.stop)
        first, last = self.first[some], self.last[some]
        columns = total.shape[1] - 1
        out = np.empty((len(at), 2 * len(WINDOWS), columns), np.float32)
        here, above = total[some], total[some.start + 1 : some.stop + 1]
        for number, radius in enumerate(WINDOWS):
            before = here - total.take(np.maximum(at - radius, first), axis=0)
            after = total.take(np.minimum(at + radius, last) + 1, axis=0) - above
            for place, sums in ((2 * number, before), (2 * number + 1, after)):
                np.divide(sums[:, :-1], np.maximum(sums[:, -1:], 1e-6), out=out[:, place], casting="same_kind")
        return out.reshape(len(at), -1)
