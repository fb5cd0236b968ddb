"""The words a model with words reads: of each segment the whole text if it is short, and how it begins.

    phrases(batch)                         # [("=read more", "read", "more"), …]
    own, at, headings, at_headings = indices(batch, {"=read more": 0, "read": 1})
    own[at[3] : at[4]]                     # those of the segment 3

Part of `features`. Letters are small, digits are 0, and ASCII punctuation is left out. What stands in the heading above
a segment is looked up once, as the heading's own.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .batch import Segments
from .characters import SEPARATOR, joined

# Characters: a longer text is not taken whole, and its words are looked for in so many.
MAX_PHRASE = 40
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# What a whole text begins with.
WHOLE = "="
_DIGITS, _SPACES, _DROPPED = b"0123456789", b"/|_&+=<>\\~\t\n\r\f\v", b'!"#$%()*,.:;?@[]^`{}'
_FOLD = bytes.maketrans(_CAPITALS + _DIGITS + _SPACES, _CAPITALS.lower() + b"0" * len(_DIGITS) + b" " * len(_SPACES))

Indices = NDArray[np.int32]
Offsets = NDArray[np.int64]


def _lines(texts: list[str]) -> list[str]:
    """The beginnings of the texts, folded."""
    data = joined([text[:MAX_PHRASE] for text in texts]).encode("utf-8", "surrogatepass")
    folded = data.translate(_FOLD, _DROPPED).decode("utf-8", "surrogatepass")
    return [line if line.isascii() else line.lower() for line in folded.split(SEPARATOR)[:-1]]


def phrases(segments: Segments) -> list[tuple[str, ...]]:
    """For each segment the whole text, after WHOLE, if it is shorter than MAX_PHRASE, and its first two words."""
    out: list[tuple[str, ...]] = []
    for text, line in zip(segments.texts, _lines(segments.texts)):
        words = line.split(None, 2)[:2]
        out.append((*([WHOLE + line.strip()] if words and len(text) < MAX_PHRASE else []), *words))
    return out


def indices(segments: Segments, vocabulary: Mapping[str, int]) -> tuple[Indices, Offsets, Indices, Offsets]:
    """The numbers the vocabulary has for the phrases of each segment, and for those of the heading above it.

    Both as indices (int32) and offsets (int64; shape: segments + 1): those of segment i are
    indices[offsets[i] : offsets[i + 1]]. Without a heading above there are none.
    """
    found, own, above = looked_up(segments, vocabulary)
    known = found >= 0
    offsets = np.concatenate([[0], np.cumsum(known.sum(axis=1)), [0]])
    offsets[-1] = offsets[-2]  # the last row is that of no text
    numbers = found[known]
    return *_gathered(numbers, offsets, own), *_gathered(numbers, offsets, above)


def looked_up(segments: Segments, vocabulary: Mapping[str, int]) -> tuple[Indices, Offsets, Offsets]:
    """The numbers the vocabulary has for the phrases of each text: whole, first word, second word, -1 for what it does
    not have (shape: texts, 3); and of each segment the row of its own text and of the heading above it, the row below
    the last for none."""
    once = np.flatnonzero(segments.same == segments.index)  # what repeats is looked up once
    texts = segments.texts
    found: list[int] = []
    get, add = vocabulary.get, found.append
    for line in _lines([texts[at] for at in once.tolist()]):
        add(get(WHOLE + line.strip(), -1))
        words = line.split(None, 2)
        add(get(words[0], -1) if words else -1)
        add(get(words[1], -1) if len(words) > 1 else -1)
    table = np.array(found, np.int32).reshape(-1, 3)
    table[segments.chars[once] >= MAX_PHRASE, 0] = -1
    row = np.empty(len(segments) + 1, np.int64)
    row[once] = np.arange(len(once))
    row[-1] = len(once)
    own = row[segments.same]
    row[:-1] = own
    return table, own, row[segments.heading]


def _gathered(numbers: Indices, offsets: Offsets, rows: Offsets) -> tuple[Indices, Offsets]:
    """The rows of a table (CSR) in another order."""
    count = offsets[rows + 1] - offsets[rows]
    ends = np.concatenate([[0], np.cumsum(count)])
    places = np.arange(ends[-1]) + np.repeat(offsets[rows] - ends[:-1], count)
    return numbers[places], ends
