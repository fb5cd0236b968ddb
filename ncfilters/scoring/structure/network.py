"""A small network over a page's segments: what each is like, what its neighbours and relatives are like, then its odds.

    network = Network.initial(columns=200, tokens=3000, phrases=2000, seed=0)
    network.logits(inputs)            # natural log odds, one for each segment

Two layers. The first sees a segment alone: its numbers (see `features`), the names on its path and its first words,
each name and word a learned vector. What it makes of a segment is then averaged over the segments under the same
ancestors, of the same kind, before and after it, and over the page; the second layer sees a segment beside these
averages. So it learns by itself what of the surroundings counts, with a few thousand weights, and a page costs a few
multiplications of small matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]

# Over which segments averages are taken: groups (see `features`), and so many segments before and after.
POOLS = ("up1", "up2", "up3", "up4", "sig", "sig2", "document")
WINDOWS = (3, 10)
# Widths: first layer, what is averaged of it, second layer, and the vectors of names and words.
HIDDEN, SHARED, SECOND, NAME, WORD = 32, 8, 32, 4, 4
# Numbers are taken as standard deviations from the mean, and no further than this.
CLIP = 4.0


@dataclass
class Pools:
    """Weighted averages over the groups and windows of some documents' segments, and how they come back."""

    weights: Floats
    groups: list[tuple[Ints, Floats]]
    windows: list[tuple[Ints, Ints, Floats]]

    @classmethod
    def of(cls, weights: Floats, groups: Sequence[Ints], first: Ints, last: Ints) -> Pools:
        """Of segments with *weights*, in dense *groups*, whose documents go from *first* to *last*."""
        made = []
        for ids in groups:
            sums = np.bincount(ids, weights)
            made.append((ids, (1 / np.maximum(sums, 1e-6)).astype(np.float32)))
        at = np.arange(len(weights))
        total = np.concatenate([[0.0], np.cumsum(weights, dtype=np.float64)])
        windows = []
        for radius in WINDOWS:
            for start, stop in ((np.maximum(at - radius, first), at), (at + 1, np.minimum(at + radius, last) + 1)):
                # of an empty window the average is nothing, and no slope comes back from it
                inverse = np.where(stop > start, 1 / np.maximum(total[stop] - total[start], 1e-6), 0)
                windows.append((start, stop, inverse.astype(np.float32)))
        return cls(weights, made, windows)

    def averages(self, values: Floats) -> Floats:
        """The averages of *values* (segments, columns), side by side."""
        weighed = values * self.weights[:, None]
        parts = [(_sums(ids, weighed, len(inverse)) * inverse[:, None])[ids] for ids, inverse in self.groups]
        total = np.zeros((len(values) + 1, values.shape[1]))
        np.cumsum(weighed, axis=0, out=total[1:])
        parts += [(total[stop] - total[start]) * inverse[:, None] for start, stop, inverse in self.windows]
        return np.hstack(parts).astype(np.float32)

    def back(self, slopes: Floats, columns: int) -> Floats:
        """The slopes of what was averaged from those of the averages."""
        out = np.zeros((len(slopes), columns), np.float32)
        at = 0
        for ids, inverse in self.groups:
            out += (_sums(ids, slopes[:, at : at + columns], len(inverse)) * inverse[:, None])[ids]
            at += columns
        for start, stop, inverse in self.windows:
            part = slopes[:, at : at + columns] * inverse[:, None]
            steps = totals(start, part, len(slopes) + 1) - totals(stop, part, len(slopes) + 1)
            out += np.cumsum(steps, axis=0)[:-1].astype(np.float32)
            at += columns
        back: Floats = out * self.weights[:, None]
        return back


def totals(ids: Ints, values: Any, number: int) -> Doubles:
    """The sums of rows of *values* by *ids* (shape: number, columns)."""
    columns = values.shape[1]
    cells = ids[:, None] * columns + np.arange(columns)
    sums: Doubles = np.bincount(cells.ravel(), values.ravel(), number * columns).astype(np.float64, copy=False)
    return sums.reshape(number, columns)


def _sums(ids: Ints, values: Any, number: int) -> Floats:
    """The same, no more exactly than they are needed."""
    return totals(ids, values, number).astype(np.float32)


@dataclass
class Inputs:
    """What the network reads of some documents' segments: *numbers* (segments, columns), the vectors of *names* and
    of *words* summed up, and how segments are related."""

    numbers: Floats
    names: Floats
    words: Floats
    pools: Pools


class Network:
    """The weights, by name, and the forward pass."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights

    @staticmethod
    def shapes(columns: int, tokens: int, phrases: int) -> dict[str, tuple[int, ...]]:
        """The shapes of the weights for so many columns of numbers, names and words."""
        return {
            "names": (tokens, NAME),
            "words": (phrases, WORD),
            "first": (columns + NAME + 2 * WORD, HIDDEN),
            "first_bias": (HIDDEN,),
            "shared": (HIDDEN, SHARED),
            "second": (HIDDEN + SHARED * (len(POOLS) + 2 * len(WINDOWS)), SECOND),
            "second_bias": (SECOND,),
            "last": (SECOND, 1),
            "last_bias": (1,),
        }

    @classmethod
    def initial(cls, columns: int, tokens: int, phrases: int, seed: int = 0) -> Network:
        """Random weights of these shapes."""
        random = np.random.default_rng(seed)
        weights = {}
        for name, shape in cls.shapes(columns, tokens, phrases).items():
            if name.endswith("_bias"):
                weights[name] = np.zeros(shape, np.float32)
            else:
                size = 0.1 if name in ("names", "words") else float(np.sqrt(2 / shape[0]))
                weights[name] = (random.standard_normal(shape) * size).astype(np.float32)
        weights["last"] *= np.float32(0.5)
        return cls(weights)

    def logits(self, inputs: Inputs) -> Floats:
        """The natural log odds of each segment: those of `forward`."""
        return self.forward(inputs)[0]

    def forward(self, inputs: Inputs, dropout: Dropout | None = None) -> tuple[Floats, Passed]:
        """The logits, and what the backward pass needs of the way to them."""
        weights = self.weights
        entered: Floats = np.hstack([inputs.numbers, inputs.names, inputs.words])
        entered_mask = dropout.of(entered) if dropout else None
        if entered_mask is not None:
            entered = entered * entered_mask
        first: Floats = entered @ weights["first"] + weights["first_bias"]
        np.maximum(first, 0, out=first)
        seen: Floats = np.hstack([first, inputs.pools.averages(first @ weights["shared"])])
        seen_mask = dropout.of(seen) if dropout else None
        if seen_mask is not None:
            seen = seen * seen_mask
        second: Floats = seen @ weights["second"] + weights["second_bias"]
        np.maximum(second, 0, out=second)
        logits: Floats = (second @ weights["last"] + weights["last_bias"])[:, 0]
        return logits, Passed(entered, entered_mask, first, seen, seen_mask, second)

    def slopes(self, inputs: Inputs, passed: Passed, errors: Floats) -> tuple[dict[str, Floats], Floats]:
        """The slopes of the loss by each weight, from its *errors* (slopes by logits), and by what `Inputs` holds of
        names and words (side by side)."""
        weights = self.weights
        last = errors[:, None]
        out = {"last": passed.second.T @ last, "last_bias": last.sum(0)}
        second = (last @ weights["last"].T) * (passed.second > 0)
        out["second"], out["second_bias"] = passed.seen.T @ second, second.sum(0)
        seen = second @ weights["second"].T
        if passed.seen_mask is not None:
            seen *= passed.seen_mask
        shared = inputs.pools.back(seen[:, HIDDEN:], SHARED)
        out["shared"] = passed.first.T @ shared
        first = (seen[:, :HIDDEN] + shared @ weights["shared"].T) * (passed.first > 0)
        out["first"], out["first_bias"] = passed.entered.T @ first, first.sum(0)
        entered = first @ weights["first"].T
        if passed.entered_mask is not None:
            entered *= passed.entered_mask
        return out, entered[:, inputs.numbers.shape[1] :]


@dataclass
class Passed:
    """What was seen on the way to the logits."""

    entered: Floats
    entered_mask: Floats | None
    first: Floats
    seen: Floats
    seen_mask: Floats | None
    second: Floats


class Dropout:
    """Masks that leave out a *share* of what a layer sees, so that none relies on one thing."""

    def __init__(self, share: float, random: np.random.Generator) -> None:
        self._share, self._random = share, random

    def of(self, values: Floats) -> Floats:
        """A mask of the shape of *values*, which keeps their mean."""
        kept = self._random.random(values.shape, dtype=np.float32) >= self._share
        mask: Floats = kept.astype(np.float32) / np.float32(1 - self._share)
        return mask
