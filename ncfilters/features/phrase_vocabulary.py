"""Phrases that a model with words reads of each segment: the whole text if it is short, and the first two words.

    segment_phrases(table)                     # [("=read more", "read", "more"), …]
    index = PhraseIndex({"=read more": 0, "read": 1})
    own, starts, heading, heading_starts = index.indices(table)
    own[starts[3] : starts[4]]                 # the phrases of segment 3

Texts are folded: letters are lower case, digits are 0, ASCII punctuation is left out. The phrases of a heading are
looked up once, and serve all segments below it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..text.char_stats import SEPARATOR, join_texts, prefixes
from ..text.word_lookup import WordIndex, word_spans
from .segment_table import SegmentTable

# A longer text is no phrase as a whole, and its words are taken from its first characters.
MAX_PHRASE_CHARS = 40
# The first character of a phrase that is a whole text.
WHOLE = "="
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS, _SPACES, _DROPPED = b"0123456789", b"/|_&+=<>\\~\t\n\r\f\v\x1c\x1d\x1e\x1f", b'!"#$%()*,.:;?@[]^`{}'
_FOLD = bytes.maketrans(_CAPITALS + _DIGITS + _SPACES, _CAPITALS.lower() + b"0" * len(_DIGITS) + b" " * len(_SPACES))

Indices = NDArray[np.int32]
Offsets = NDArray[np.int64]


def segment_phrases(table: SegmentTable) -> list[tuple[str, ...]]:
    """For each segment the whole text, after WHOLE, if it is shorter than MAX_PHRASE_CHARS, and its first two words."""
    out: list[tuple[str, ...]] = []
    lines = _folded(table.texts).decode("utf-8", "surrogatepass").split(SEPARATOR)
    for text, line in zip(table.texts, lines):
        words = line.split(None, 2)[:2]
        out.append((*([WHOLE + line.strip()] if words and len(text) < MAX_PHRASE_CHARS else []), *words))
    return out


class PhraseIndex:
    """A vocabulary of phrases that is looked up in all texts at once; it maps each phrase to a number."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._wholes = WordIndex({phrase[1:]: number for phrase, number in vocabulary.items() if phrase[:1] == WHOLE})
        self._words = WordIndex({phrase: number for phrase, number in vocabulary.items() if phrase[:1] != WHOLE})

    def indices(self, table: SegmentTable) -> tuple[Indices, Offsets, Indices, Offsets]:
        """The numbers of the phrases of each segment, then those of the heading above it.

        Both as indices (int32) and offsets (int64; shape: segments + 1): the phrases of segment i are
        indices[offsets[i] : offsets[i + 1]]. A segment without a heading above it has none of these.
        """
        phrases, own, heading = self.lookup(table)
        known = phrases >= 0
        offsets = np.concatenate([[0], np.cumsum(known.sum(axis=1)), [0]])
        offsets[-1] = offsets[-2]  # the last row stands for no text
        numbers = phrases[known]
        return *_take_rows(numbers, offsets, own), *_take_rows(numbers, offsets, heading)

    def lookup(self, table: SegmentTable) -> tuple[Indices, Offsets, Offsets]:
        """The numbers of the phrases of each different text: the whole, first word and second word, -1 if the
        vocabulary lacks it (shape: texts, 3); and for each segment the row of its own text and of the heading above it.
        The row after the last stands for no heading."""
        once = np.flatnonzero(table.same == table.index)  # repeated texts are looked up once
        phrases = self._find(_folded([table.texts[at] for at in once.tolist()]), len(once))
        phrases[table.chars[once] >= MAX_PHRASE_CHARS, 0] = -1
        row = np.empty(len(table) + 1, np.int64)
        row[once] = np.arange(len(once))
        row[-1] = len(once)
        own = row[table.same]
        row[:-1] = own
        return phrases, own, row[table.heading]

    def _find(self, folded: bytes, lines: int) -> Indices:
        """The numbers of the phrases of each line (shape: lines, 3)."""
        data = np.frombuffer(folded, np.uint8)
        starts, ends, upto = word_spans(data, ord(SEPARATOR))
        first = np.concatenate([upto[:1] * 0, upto[:-1]])
        phrases = np.full((lines, 3), -1, np.int32)
        one, two = np.flatnonzero(upto > first), np.flatnonzero(upto > first + 1)
        phrases[one, 0] = self._wholes.find(data, starts[first[one]], ends[upto[one] - 1])
        phrases[one, 1] = self._words.find(data, starts[first[one]], ends[first[one]])
        phrases[two, 2] = self._words.find(data, starts[first[two] + 1], ends[first[two] + 1])
        return phrases


def _folded(texts: list[str]) -> bytes:
    """The beginnings of the texts, folded, with SEPARATOR after each."""
    return join_texts(prefixes(texts, MAX_PHRASE_CHARS)).translate(_FOLD, _DROPPED)


def _take_rows(numbers: Indices, offsets: Offsets, rows: Offsets) -> tuple[Indices, Offsets]:
    """The rows of a table in compressed sparse rows, in another order."""
    counts = offsets[rows + 1] - offsets[rows]
    ends = np.concatenate([[0], np.cumsum(counts)])
    places = np.arange(ends[-1]) + np.repeat(offsets[rows] - ends[:-1], counts)
    return numbers[places], ends
