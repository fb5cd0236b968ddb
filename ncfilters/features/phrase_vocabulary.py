"""The words a model with words reads: of each segment the whole text if it is short, and how it begins.

    phrases(batch)                         # [("=read more", "read", "more"), …]
    own, at, headings, at_headings = Phrases({"=read more": 0, "read": 1}).indices(batch)
    own[at[3] : at[4]]                     # those of the segment 3

Part of `features`. Letters are small, digits are 0, and ASCII punctuation is left out. What stands in the heading above
a segment is looked up once, as the heading's own.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..text.char_stats import SEPARATOR, join_texts, prefixes
from ..text.word_lookup import WordIndex, word_spans
from .segment_table import Segments

# Characters: a longer text is not taken whole, and its words are looked for in so many.
MAX_PHRASE = 40
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# What a whole text begins with.
WHOLE = "="
_DIGITS, _SPACES, _DROPPED = b"0123456789", b"/|_&+=<>\\~\t\n\r\f\v\x1c\x1d\x1e\x1f", b'!"#$%()*,.:;?@[]^`{}'
_FOLD = bytes.maketrans(_CAPITALS + _DIGITS + _SPACES, _CAPITALS.lower() + b"0" * len(_DIGITS) + b" " * len(_SPACES))

Indices = NDArray[np.int32]
Offsets = NDArray[np.int64]


def _folded(texts: list[str]) -> bytes:
    """The beginnings of the texts, folded, with SEPARATOR behind each."""
    return join_texts(prefixes(texts, MAX_PHRASE)).translate(_FOLD, _DROPPED)


def phrases(segments: Segments) -> list[tuple[str, ...]]:
    """For each segment the whole text, after WHOLE, if it is shorter than MAX_PHRASE, and its first two words."""
    out: list[tuple[str, ...]] = []
    lines = _folded(segments.texts).decode("utf-8", "surrogatepass").split(SEPARATOR)
    for text, line in zip(segments.texts, lines):
        words = line.split(None, 2)[:2]
        out.append((*([WHOLE + line.strip()] if words and len(text) < MAX_PHRASE else []), *words))
    return out


class Phrases:
    """A vocabulary of phrases, looked up in all texts at once; its numbers are those that the phrases have in it."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._wholes = WordIndex({phrase[1:]: number for phrase, number in vocabulary.items() if phrase[:1] == WHOLE})
        self._words = WordIndex({phrase: number for phrase, number in vocabulary.items() if phrase[:1] != WHOLE})

    def indices(self, segments: Segments) -> tuple[Indices, Offsets, Indices, Offsets]:
        """The numbers of the phrases of each segment, and of those of the heading above it.

        Both as indices (int32) and offsets (int64; shape: segments + 1): those of segment i are
        indices[offsets[i] : offsets[i + 1]]. Without a heading above there are none.
        """
        found, own, above = self.looked_up(segments)
        known = found >= 0
        offsets = np.concatenate([[0], np.cumsum(known.sum(axis=1)), [0]])
        offsets[-1] = offsets[-2]  # the last row is that of no text
        numbers = found[known]
        return *_gathered(numbers, offsets, own), *_gathered(numbers, offsets, above)

    def looked_up(self, segments: Segments) -> tuple[Indices, Offsets, Offsets]:
        """The numbers of the phrases of each text: whole, first word, second word, -1 for what the vocabulary does not
        have (shape: texts, 3); and of each segment the row of its own text and of the heading above it, the row below
        the last for none."""
        once = np.flatnonzero(segments.same == segments.index)  # what repeats is looked up once
        table = self._table(_folded([segments.texts[at] for at in once.tolist()]), len(once))
        table[segments.chars[once] >= MAX_PHRASE, 0] = -1
        row = np.empty(len(segments) + 1, np.int64)
        row[once] = np.arange(len(once))
        row[-1] = len(once)
        own = row[segments.same]
        row[:-1] = own
        return table, own, row[segments.heading]

    def _table(self, folded: bytes, lines: int) -> Indices:
        """The numbers of the phrases of each line."""
        data = np.frombuffer(folded, np.uint8)
        starts, ends, upto = word_spans(data, ord(SEPARATOR))
        first = np.concatenate([upto[:1] * 0, upto[:-1]])
        table = np.full((lines, 3), -1, np.int32)
        one, two = np.flatnonzero(upto > first), np.flatnonzero(upto > first + 1)
        table[one, 0] = self._wholes.find(data, starts[first[one]], ends[upto[one] - 1])
        table[one, 1] = self._words.find(data, starts[first[one]], ends[first[one]])
        table[two, 2] = self._words.find(data, starts[first[two] + 1], ends[first[two] + 1])
        return table


def _gathered(numbers: Indices, offsets: Offsets, rows: Offsets) -> tuple[Indices, Offsets]:
    """The rows of a table (CSR) in another order."""
    count = offsets[rows + 1] - offsets[rows]
    ends = np.concatenate([[0], np.cumsum(count)])
    places = np.arange(ends[-1]) + np.repeat(offsets[rows] - ends[:-1], count)
    return numbers[places], ends
