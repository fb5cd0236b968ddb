"""What a structure model's network reads of names on paths and of words: learned vectors, summed up.

    steps = Steps({"nav": 0, "menu": 1}, network.weights["names"])
    steps.named(segments.tree)    # of each node of the tree, the elements above it counting less
    worded(segments, {"=read more": 0}, network.weights["words"])

A crawl has the same steps of paths, such as `div#main.post`, again and again: the vectors of many are remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from .ancestry import Ints, Tree
from .batch import Segments
from .characters import spacing
from .head import Head
from .network import totals
from .phrases import looked_up

Floats = NDArray[np.float32]

# What an element further up a path counts for, of what the one below it does.
DECAY = np.float32(0.8)
WORTH_OF_WORDS = np.float32(0.5)
# Steps of paths, as far as their names go, whose vectors are remembered.
STEPS = 1 << 15
# ASCII: small letters for letters, a space for what is none and stands between the names of a step.
_SPACED = spacing(lambda c: c.isalpha() or c == "\n")
# A word that no step has, between them, and its number.
_BREAK, _END = "\0", -2


class Steps:
    """The steps of paths, by the *names* in them and the *vectors* of these."""

    def __init__(self, names: Mapping[str, int], vectors: Floats) -> None:
        self._names = {**names, _BREAK: _END}
        self._names_vectors = vectors
        self._known: dict[str, int] = {}
        self._vectors = np.zeros((STEPS, vectors.shape[1]), np.float32)

    def named(self, tree: Tree) -> Floats:
        """Of each node the vectors of the names on its path, those further up counting less (shape: nodes, columns)."""
        rows = self._rows(tree.steps)  # may renew the vectors
        own: Floats = self._vectors[rows[tree.step]]
        # a root, which is its own parent, has no names; what is above comes in by doubling, as in `ancestry`
        above, decay = tree.parent, DECAY
        while True:
            own += decay * own[above]
            higher = above[above]
            if np.array_equal(higher, above):
                return own
            above, decay = higher, decay * decay

    def of_heads(self, heads: Sequence[Head]) -> Floats:
        """Of each page the vectors of the names that its head has (shape: pages, columns)."""
        out = np.zeros((len(heads), self._names_vectors.shape[1]), np.float32)
        for row, head in zip(out, heads):
            if places := [self._names[name] for name in head.names if name in self._names]:
                row += self._names_vectors[places].sum(axis=0)
        return out

    def _rows(self, steps: Sequence[str]) -> Ints:
        """Where the vectors of steps are remembered: of their names, which many steps share."""
        lines = spaced(steps)
        known = self._known
        if new := [line for line in dict.fromkeys(lines) if line not in known]:
            if len(known) + len(new) > len(self._vectors):
                known.clear()
                new = list(dict.fromkeys(lines))
                self._vectors = np.zeros((max(STEPS, 2 * len(new)), self._vectors.shape[1]), np.float32)
            start = len(known)
            self._vectors[start : start + len(new)] = self._summed(new)
            known.update(zip(new, range(start, start + len(new))))
        return np.fromiter(map(known.__getitem__, lines), np.int64, len(steps))

    def _summed(self, lines: Sequence[str]) -> Floats:
        """The vectors of lines of names."""
        words = f" {_BREAK} ".join(lines).split()
        places = np.fromiter(map(self._names.get, words, repeat(-1)), np.int64, len(words))
        named = places >= 0
        line = np.cumsum(places == _END)[named]
        return totals(line, self._names_vectors[places[named]], len(lines)).astype(np.float32)


def step_names(steps: Sequence[str]) -> list[list[str]]:
    """The names in steps of paths such as `div#main-col.post_body2`: the element's, and the words of its id and classes
    (div, main, col, post, body), in small letters. Numbers name nothing."""
    return [line.split() for line in spaced(steps)] if steps else []


def spaced(steps: Sequence[str]) -> list[str]:
    """The names of each step with spaces between them; of no step one without names."""
    text = "\n".join(steps)
    if text.count("\n") >= len(steps):  # somebody has line breaks in names
        text = "\n".join([step.replace("\n", " ") for step in steps])
    out = text.encode("utf-8", "surrogatepass").translate(_SPACED).decode("utf-8", "surrogatepass")
    return [line if line.isascii() else line.lower() for line in out.split("\n")]


def worded(segments: Segments, vocabulary: Mapping[str, int], vectors: Floats) -> tuple[Floats, Ints, Ints]:
    """The vectors of the first words of texts, a row of zeros below them; of each segment the row of its own text, and
    that of the heading above it."""
    found, own, above = looked_up(segments, vocabulary)
    padded = np.concatenate([vectors * WORTH_OF_WORDS, np.zeros((1, vectors.shape[1]), np.float32)])
    out = np.zeros((len(found) + 1, vectors.shape[1]), np.float32)
    for places in found.T:
        out[:-1] += padded.take(places, axis=0, mode="wrap")  # -1 is the last row
    return out, own, above
