"""Counts of character n-grams in clean text and in boilerplate, of characters that are folded to the few symbols of an
alphabet (Evert 2008, section 3).

    counts = CharNgramCounts.of_texts(3, Alphabet("ascii"), clean=[("Some clean text.", 1.0)], dirty=[("Home", 1.0)])
    counts.keys, counts.clean, counts.dirty

A text is preceded by n - 1 edges and followed by one, so that its beginning and its end are predicted too. An n-gram is
a number, its key: its symbols are the digits in a number system whose base is the size of the alphabet.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]

# Characters of text that are counted at a time.
BATCH_CHARS = 1 << 20

_UNKNOWN = 0xFFFF
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))

FOLDINGS = ("ascii", "nonlexical", "frequent")
# The symbol of characters beyond ASCII that have none of their own.
OTHER = "~"

_PRINTABLE_ASCII = [chr(code) for code in range(0x20, 0x7F)]
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split()


@dataclass(frozen=True)
class CharNgramCounts:
    """The n-grams seen in training: their *keys*, ascending, and their weighted counts in each class (all of one
    shape). Counts below 0 are possible; see `differential`."""

    keys: Ints
    clean: Floats
    dirty: Floats

    @classmethod
    def of_texts(
        cls, n: int, alphabet: Alphabet, clean: Iterable[tuple[str, float]], dirty: Iterable[tuple[str, float]]
    ) -> CharNgramCounts:
        """The counts of texts of each class, given with their weights."""
        counted = [count_ngrams(n, alphabet, texts) for texts in (clean, dirty)]
        keys = np.union1d(counted[0][0], counted[1][0])
        counts = []
        for own_keys, own_counts in counted:
            aligned = np.zeros(len(keys), np.float32)
            aligned[np.searchsorted(keys, own_keys)] = own_counts
            counts.append(aligned)
        return cls(keys, counts[0], counts[1])

    def differential(self) -> CharNgramCounts:
        """The counts of *clean* text, and those of *dirty* text minus these: of whole pages minus their gold text
        (differential training; StupidOS, section 3.2). An n-gram that is rarer on the pages has a count below 0."""
        return replace(self, dirty=self.dirty - self.clean)


def count_ngrams(
    n: int, alphabet: Alphabet, texts: Iterable[tuple[str, float]], batch_chars: int = BATCH_CHARS
) -> tuple[Ints, Floats]:
    """The keys of the n-grams of weighted texts, ascending, and their counts (both of one shape)."""
    keys: Ints = np.zeros(0, np.int64)
    counts: Doubles = np.zeros(0)
    pending: list[tuple[str, float]] = []
    pending_chars = 0
    for text, weight in chain(texts, [("", -1.0)]):
        is_end = weight < 0
        if not is_end:
            pending.append((text, weight))
            pending_chars += len(text)
        if pending and (is_end or pending_chars > batch_chars):
            new_keys, new_counts = _count(n, alphabet, pending)
            keys, where = np.unique(np.concatenate([keys, new_keys]), return_inverse=True)
            counts = sum_at(where, np.concatenate([counts, new_counts]), len(keys))
            pending, pending_chars = [], 0
    return keys, counts.astype(np.float32)


def ngram_keys(codes: NDArray[Any], n: int, order: int, size: int) -> Ints:
    """The keys of the n-grams of length *order* that end in codes[n - 1:] (shape: codes - n + 1), in an alphabet of
    that *size*."""
    count = len(codes) - n + 1
    first = n - order
    narrow = size**order < 1 << 31
    keys: NDArray[Any] = codes[first : first + count].astype(np.int32 if narrow else np.int64)
    for place in range(first + 1, n):
        keys *= size
        keys += codes[place : place + count]
    if narrow:
        keys = keys.astype(np.int64)
    return keys


def sum_at(where: Ints, counts: NDArray[Any], length: int) -> Doubles:
    """The sum of the counts for each of *length* places, given the place of each count."""
    sums: Doubles = np.bincount(where, counts, length).astype(np.float64, copy=False)
    return sums


def _count(n: int, alphabet: Alphabet, texts: list[tuple[str, float]]) -> tuple[Ints, Doubles]:
    edge = "\0" * max(n - 1, 1)
    codes = alphabet.codes(edge + "".join([text + edge for text, _ in texts]))
    keys = ngram_keys(codes, n, n, alphabet.size)[len(edge) - n + 1 :]
    lengths = np.array([len(text) for text, _ in texts])
    spans = lengths + len(edge)
    place = np.arange(len(keys)) - np.repeat(np.cumsum(spans) - spans, spans)
    predicted = place <= np.repeat(lengths, spans)
    return keys[predicted], np.repeat([weight for _, weight in texts], lengths + 1)


class Alphabet:
    """The symbols 1 … size - 1 that characters are folded to. Symbol 0 is the edge of a segment.

    The folding `ascii` keeps printable ASCII and folds other characters to `~`. `nonlexical` also folds letters to `a`
    and digits to `0` (Evert 2008, section 3). `frequent` has a symbol for each of *characters*, and one for all others
    of each Unicode category. Raises ValueError for another folding.
    """

    def __init__(self, folding: str, characters: str = "") -> None:
        self._folding = Folding(folding, characters)
        self.folding, self.characters = folding, characters
        self.symbols = self._folding.symbols
        self.size = len(self.symbols)
        self._table = np.full(0x110000, _UNKNOWN, np.uint16)
        self._table[:128] = self._folding.ascii
        # In UTF-8 a character has one byte that is no continuation byte: for the folding ascii that byte suffices.
        self._bytes = bytes(self._folding.ascii) + bytes([self._folding.other] * 128) if self.size <= 256 else None

    def codes(self, text: str) -> NDArray[Any]:
        """The symbols of a text as numbers (shape: characters). NUL is the edge of a segment."""
        if self._bytes and text.isascii():
            return np.frombuffer(text.encode().translate(self._bytes), np.uint8)
        if self._bytes and self.folding == "ascii":
            data = text.encode("utf-8", "surrogatepass")
            return np.frombuffer(data.translate(self._bytes, _CONTINUATION_BYTES), np.uint8)
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        codes = self._table.take(code_points)
        if codes.max(initial=0) == _UNKNOWN:
            new = np.unique(code_points[codes == _UNKNOWN])
            self._table[new] = [self._folding.number(chr(code)) for code in new]
            codes = self._table.take(code_points)
        return codes

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {"folding": self.folding, **({"characters": self.characters} if self.characters else {})}


class Folding:
    """The *symbols* that characters are folded to, as `Alphabet` describes. The first is the edge of a segment. Raises
    ValueError for another folding."""

    def __init__(self, name: str, characters: str = "") -> None:
        if name not in FOLDINGS:
            raise ValueError(f"unknown folding '{name}': one of {', '.join(FOLDINGS)}")
        self.name = name
        if name == "frequent":
            symbols = [*characters, *_CATEGORIES]
        elif name == "nonlexical":
            symbols = [c for c in _PRINTABLE_ASCII if not c.isalnum() or c in "a0"]
        else:
            symbols = _PRINTABLE_ASCII
        self.symbols = ["", *symbols]
        self._numbers = {symbol: number for number, symbol in enumerate(symbols, 1)}
        # the numbers of the characters of ASCII; NUL is the edge of a segment
        self.ascii = [0, *(self.number(chr(code)) for code in range(1, 128))]

    @property
    def other(self) -> int:
        """The number of OTHER, 0 where there is no such symbol."""
        return self._numbers.get(OTHER, 0)

    def number(self, character: str) -> int:
        """The number of the symbol of a character."""
        is_ascii = character < "\x80"
        if character.isspace() and (is_ascii or self.name != "ascii"):
            character = " "
        if self.name == "frequent":
            return self._numbers.get(character) or self._numbers[unicodedata.category(character)]
        if self.name == "nonlexical":
            if character.isalpha():
                character = "a"
            elif character.isdigit():
                character = "0"
        return self._numbers.get(character) or self._numbers[" " if is_ascii else OTHER]
