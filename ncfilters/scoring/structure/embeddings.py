"""The embeddings that the network of a structure model reads: sums of vectors of names on paths and of phrases.

    index = StepEmbeddings({"nav": 0, "menu": 1}, network.weights["names"])
    index.of_nodes(table.tree)    # for each node of the tree, elements further up counting less
    phrase_vectors(table, PhraseIndex({"=read more": 0}), network.weights["words"])

Names are looked up as bytes in all steps of paths at once (see `word_lookup`); no strings are created.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...features.document import Head
from ...features.dom_tree import DomTree, Ints
from ...features.phrase_vocabulary import PhraseIndex
from ...features.segment_table import SegmentTable
from ...text.char_stats import space_table
from ...text.word_lookup import WordIndex, line_numbers, word_spans
from .network import sum_rows

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# An element counts this much of what the element below it counts.
DECAY = np.float32(0.8)
PHRASE_WEIGHT = np.float32(0.5)
# ASCII: lower-case letters for letters, a space for everything else, which separates the names of a step.
_NAMES_TABLE = space_table(lambda c: c.isalpha() or c == "\n")


class StepEmbeddings:
    """The embeddings of steps of paths: sums of the *vectors* of the *names* in them."""

    def __init__(self, names: Mapping[str, int], vectors: Floats) -> None:
        self._names, self._vectors, self._index = names, vectors, WordIndex(names)

    def of_nodes(self, tree: DomTree) -> Doubles:
        """For each node the sum over the steps of its path, those further up counting less (shape: nodes, columns)."""
        own: Doubles = self._of_steps(tree.steps)[tree.step]
        # a root, which is its own parent, has no names; ancestors are added by pointer doubling, as in `dom_tree`
        above, decay = tree.parent, np.float64(DECAY)
        while True:
            own += decay * own[above]
            higher = above[above]
            if np.array_equal(higher, above):
                return own
            above, decay = higher, decay * decay

    def of_heads(self, heads: Sequence[Head]) -> Doubles:
        """For each page the sum over the names of its head (shape: pages, columns)."""
        out = np.zeros((len(heads), self._vectors.shape[1]))
        for row, head in zip(out, heads):
            if places := [self._names[name] for name in head.names if name in self._names]:
                row += self._vectors[places].sum(axis=0, dtype=np.float64)
        return out

    def _of_steps(self, steps: Sequence[str]) -> Doubles:
        """For each step the sum over its names."""
        data = np.frombuffer(_spaced(steps) + b"\n", np.uint8)
        starts, ends, upto = word_spans(data, ord("\n"))
        places = self._index.find(data, starts, ends)
        known = places >= 0
        return sum_rows(line_numbers(upto)[known], self._vectors[places[known]], len(steps))


def step_names(steps: Sequence[str]) -> list[list[str]]:
    """The names in each step of a path: of `div#main-col.post_body2` the element and the words of its id and classes
    (div, main, col, post, body), in lower case. Numbers are not names."""
    return [line.split() for line in _spaced(steps).decode("utf-8", "surrogatepass").split("\n")] if steps else []


def _spaced(steps: Sequence[str]) -> bytes:
    """The names of each step, separated by spaces, on a line for each step."""
    text = "\n".join(steps)
    if text.count("\n") >= len(steps):  # a name has a line break
        text = "\n".join([step.replace("\n", " ") for step in steps])
    if not text.isascii():
        text = "\n".join([line if line.isascii() else line.lower() for line in text.split("\n")])
    return text.encode("utf-8", "surrogatepass").translate(_NAMES_TABLE)


def phrase_vectors(table: SegmentTable, phrases: PhraseIndex, vectors: Floats) -> tuple[Floats, Ints, Ints]:
    """The summed vectors of the phrases of each different text, with a row of zeros after the last; and for each
    segment the row of its own text and of the heading above it."""
    numbers, own, heading = phrases.lookup(table)
    padded = np.concatenate([vectors * PHRASE_WEIGHT, np.zeros((1, vectors.shape[1]), np.float32)])
    out = np.zeros((len(numbers) + 1, vectors.shape[1]), np.float32)
    for places in numbers.T:
        out[:-1] += padded.take(places, axis=0, mode="wrap")  # -1 is the last row
    return out, own, heading
