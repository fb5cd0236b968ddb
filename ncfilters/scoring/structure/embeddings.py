"""What a structure model's network reads of names on paths and of words: learned vectors, summed up.

    steps = Steps({"nav": 0, "menu": 1}, network.weights["names"])
    steps.named(segments.tree)    # of each node of the tree, the elements above it counting less
    worded(segments, Phrases({"=read more": 0}), network.weights["words"])

Names are looked up as bytes, those of all steps at once (see `lexicon`): no string is made of any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...features.document import Head
from ...features.dom_tree import Ints, Tree
from ...features.phrase_vocabulary import Phrases
from ...features.segment_table import Segments
from ...text.char_stats import space_table
from ...text.word_lookup import WordIndex, line_numbers, word_spans
from .network import totals

Floats = NDArray[np.float32]

# What an element further up a path counts for, of what the one below it does.
DECAY = np.float32(0.8)
WORTH_OF_WORDS = np.float32(0.5)
# ASCII: small letters for letters, a space for what is none and stands between the names of a step.
_SPACED = space_table(lambda c: c.isalpha() or c == "\n")


class Steps:
    """The steps of paths, by the *names* in them and the *vectors* of these."""

    def __init__(self, names: Mapping[str, int], vectors: Floats) -> None:
        self._names, self._vectors, self._lexicon = names, vectors, WordIndex(names)

    def named(self, tree: Tree) -> Floats:
        """Of each node the vectors of the names on its path, those further up counting less (shape: nodes, columns)."""
        own: Floats = self._summed(tree.steps)[tree.step]
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
        out = np.zeros((len(heads), self._vectors.shape[1]), np.float32)
        for row, head in zip(out, heads):
            if places := [self._names[name] for name in head.names if name in self._names]:
                row += self._vectors[places].sum(axis=0)
        return out

    def _summed(self, steps: Sequence[str]) -> Floats:
        """The vectors of the names in each step."""
        data = np.frombuffer(_spaced(steps) + b"\n", np.uint8)
        starts, ends, upto = word_spans(data, ord("\n"))
        places = self._lexicon.find(data, starts, ends)
        known = places >= 0
        return totals(line_numbers(upto)[known], self._vectors[places[known]], len(steps)).astype(np.float32)


def step_names(steps: Sequence[str]) -> list[list[str]]:
    """The names in steps of paths such as `div#main-col.post_body2`: the element's, and the words of its id and classes
    (div, main, col, post, body), in small letters. Numbers name nothing."""
    return [line.split() for line in _spaced(steps).decode("utf-8", "surrogatepass").split("\n")] if steps else []


def _spaced(steps: Sequence[str]) -> bytes:
    """The names of each step with spaces between them, a line for each."""
    text = "\n".join(steps)
    if text.count("\n") >= len(steps):  # somebody has line breaks in names
        text = "\n".join([step.replace("\n", " ") for step in steps])
    if not text.isascii():
        text = "\n".join([line if line.isascii() else line.lower() for line in text.split("\n")])
    return text.encode("utf-8", "surrogatepass").translate(_SPACED)


def worded(segments: Segments, phrases: Phrases, vectors: Floats) -> tuple[Floats, Ints, Ints]:
    """The vectors of the first words of texts, a row of zeros below them; of each segment the row of its own text, and
    that of the heading above it."""
    found, own, above = phrases.looked_up(segments)
    padded = np.concatenate([vectors * WORTH_OF_WORDS, np.zeros((1, vectors.shape[1]), np.float32)])
    out = np.zeros((len(found) + 1, vectors.shape[1]), np.float32)
    for places in found.T:
        out[:-1] += padded.take(places, axis=0, mode="wrap")  # -1 is the last row
    return out, own, above
