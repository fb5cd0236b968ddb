"""The embeddings that the network of a structure model reads: sums of vectors of names on paths and of phrases.

index = StepEmbeddings({"nav": 0, "menu": 1}, vectors, 4)
index.of_nodes(table.places.elements)    # for each node of the tree, elements further up counting less
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from ...features.document import Head
from ...features.phrase_vocabulary import PhraseIndex
from ...features.segment_table import SegmentTable
from ...native.sums import zero_doubles, zero_floats
from ...page.element_table import ElementTable
from ...text.char_classes import space_table

# An element counts this much of what the element below it counts; in single precision.
DECAY: float = array("f", [0.8])[0]
PHRASE_WEIGHT = 0.5
_DECAY, _PHRASE_WEIGHT = DECAY, PHRASE_WEIGHT
# ASCII: lower-case letters for letters, a space for everything else, which separates the names of a step.
_NAMES_TABLE = space_table("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class StepEmbeddings:
    """The embeddings of steps of paths: sums of the *vectors* (floats, in rows of this *width*) of the *names* in
    them."""

    def __init__(self, names: Mapping[str, int], vectors: Any, width: int) -> None:
        self._names = {name.encode("utf-8", "surrogatepass"): number for name, number in names.items()}
        self._vectors: Any = vectors
        self._width = width

    def of_nodes(self, elements: ElementTable) -> Any:
        """For each node the sum over the steps of its path, those further up counting less (doubles, rows)."""
        width, steps, step, parent = self._width, elements.names, elements.name, elements.parent
        of_steps = zero_doubles(width * len(steps))
        for number in range(len(steps)):
            self._add_names(of_steps, number * width, _names(steps[number]))
        made = zero_doubles(width * len(parent))
        own, out = of_steps, made
        for node in range(1, len(parent)):  # parents come before their children
            to, above, start = node * width, parent[node] * width, step[node] * width
            for column in range(width):
                out[to + column] = own[start + column] + _DECAY * out[above + column]
        return made

    def of_head(self, head: Head) -> Any:
        """The sum over the names of a page's head (doubles)."""
        out = zero_doubles(self._width)
        self._add_names(out, 0, [name.encode("utf-8", "surrogatepass") for name in head.names])
        return out

    def _add_names(self, out: Any, to: int, names: list[bytes]) -> None:
        """Adds the vectors of names to a row."""
        for name in names:
            number = self._names.get(name)
            if number is not None:
                start = number * self._width
                for column in range(self._width):
                    out[to + column] += self._vectors[start + column]


def _names(step: str) -> list[bytes]:
    """The names in a step."""
    line = step.encode("ascii") if step.isascii() else step.lower().encode("utf-8", "surrogatepass")
    return line.translate(_NAMES_TABLE).split()


def step_names(steps: Sequence[str]) -> list[list[str]]:
    """The names in each step of a path: of `div#main-col.post_body2` the element and the words of its id and classes
    (div, main, col, post, body), in lower case. Numbers are not names."""
    return [[name.decode("utf-8", "surrogatepass") for name in _names(step)] for step in steps]


def phrase_vectors(table: SegmentTable, phrases: PhraseIndex, vectors: Any, width: int) -> Any:
    """For each segment the summed *vectors* (floats, in rows of this *width*) of its phrases (floats, rows)."""
    made = zero_floats(width * table.size)
    out = made
    for at in range(table.size):
        to, same = at * width, table.same[at]
        if same < at:
            for column in range(width):
                out[to + column] = out[same * width + column]
            continue
        for number in phrases.numbers(table.texts[at]):
            if number >= 0:
                for column in range(width):
                    out[to + column] += vectors[number * width + column] * _PHRASE_WEIGHT
    return made


def fill_phrases(out: Any, width: int, column: int, vectors: Any, size: int, table: SegmentTable, start: int) -> None:
    """Writes to rows of *out* (of this *width*, of the segments from *start* on), from a column on, the vectors of the
    phrases of each segment and of its heading (see `phrase_vectors`; of this *size*)."""
    for at in range(start, start + len(out) // width):
        to, above = (at - start) * width + column, table.heading[at]
        for place in range(size):
            out[to + place] = vectors[at * size + place]
            if above >= 0:
                out[to + size + place] = vectors[above * size + place]
