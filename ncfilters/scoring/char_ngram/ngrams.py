"""N-grams of characters: the symbols that characters are folded to, counts in clean text and in boilerplate, and the
log2 odds that are estimated from the counts (Evert 2008, section 3 and equation 1).

    alphabet = Alphabet("ascii")
    counts = CharNgramCounts.of_texts(3, alphabet, clean=[("Some clean text.", 1.0)], dirty=[("Home", 1.0)])
    OddsTable(counts, n=3, q=0.5, size=alphabet.size).look_up(alphabet.codes("\0\0text"), out)

A text is preceded by n - 1 edges and followed by one, so that its beginning and its end are predicted too. An n-gram is
a number, its key: its symbols are the digits in a number system whose base is the size of the alphabet.

Equation 1 interpolates the probability of a character geometrically over all lengths of its history. Both of its sums,
for clean text and for boilerplate, grow by the same terms where an n-gram was not seen. So the odds of an unseen n-gram
are those of its longest seen ending, and one table of odds serves both models.
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

FOLDINGS = ("ascii", "nonlexical", "frequent")
# The symbol of characters beyond ASCII that have none of their own.
OTHER = "~"
_PRINTABLE_ASCII = [chr(code) for code in range(0x20, 0x7F)]
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split()
_UNKNOWN = 0xFFFF
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))

# Characters of text that are counted at a time.
BATCH_CHARS = 1 << 20
# Entries of the dense table: 4 MB of odds, about the size of a second-level cache.
DENSE_CELLS = 1 << 20


class Alphabet:
    """The *symbols* that characters are folded to, by their numbers; the first, 0, is the edge of a segment.

    The folding `ascii` keeps printable ASCII and folds other characters to `~`. `nonlexical` also folds letters to `a`
    and digits to `0` (Evert 2008, section 3). `frequent` has a symbol for each of *characters*, and one for all others
    of each Unicode category. Raises ValueError for another folding.
    """

    def __init__(self, folding: str, characters: str = "") -> None:
        if folding not in FOLDINGS:
            raise ValueError(f"unknown folding '{folding}': one of {', '.join(FOLDINGS)}")
        self.folding, self.characters = folding, characters
        if folding == "frequent":
            symbols = [*characters, *_CATEGORIES]
        elif folding == "nonlexical":
            symbols = [c for c in _PRINTABLE_ASCII if not c.isalnum() or c in "a0"]
        else:
            symbols = _PRINTABLE_ASCII
        self.symbols = ["", *symbols]
        self.size = len(self.symbols)
        self._numbers = {symbol: number for number, symbol in enumerate(symbols, 1)}
        of_ascii = [0, *(self._number(chr(code)) for code in range(1, 128))]
        self._table = np.full(0x110000, _UNKNOWN, np.uint16)
        self._table[:128] = of_ascii
        # In UTF-8 a character has one byte that is no continuation byte: for the folding ascii that byte suffices.
        others = [self._numbers.get(OTHER, 0)] * 128
        self._bytes = bytes([*of_ascii, *others]) if self.size <= 256 else None

    def codes(self, text: str) -> NDArray[Any]:
        """The numbers of the symbols of a text (shape: characters). NUL is the edge of a segment."""
        if self._bytes and text.isascii():
            return np.frombuffer(text.encode().translate(self._bytes), np.uint8)
        if self._bytes and self.folding == "ascii":
            data = text.encode("utf-8", "surrogatepass")
            return np.frombuffer(data.translate(self._bytes, _CONTINUATION_BYTES), np.uint8)
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        codes = self._table.take(code_points)
        if codes.max(initial=0) == _UNKNOWN:
            new = np.unique(code_points[codes == _UNKNOWN])
            self._table[new] = [self._number(chr(code)) for code in new]
            codes = self._table.take(code_points)
        return codes

    def _number(self, character: str) -> int:
        """The number of the symbol of a character."""
        is_ascii = character < "\x80"
        if character.isspace() and (is_ascii or self.folding != "ascii"):
            character = " "
        if self.folding == "frequent":
            return self._numbers.get(character) or self._numbers[unicodedata.category(character)]
        if self.folding == "nonlexical":
            if character.isalpha():
                character = "a"
            elif character.isdigit():
                character = "0"
        return self._numbers.get(character) or self._numbers[" " if is_ascii else OTHER]

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {"folding": self.folding, **({"characters": self.characters} if self.characters else {})}


# ---- counts -------------------------------------------------------------------------------------------------


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


def count_ngrams(n: int, alphabet: Alphabet, texts: Iterable[tuple[str, float]]) -> tuple[Ints, Floats]:
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
        if pending and (is_end or pending_chars > BATCH_CHARS):
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


# ---- odds ---------------------------------------------------------------------------------------------------


class OddsTable:
    """The odds of all n-grams of up to *n* symbols: those of the lengths that fit into DENSE_CELLS entries in one
    dense array; of longer ones those seen, in the order of their keys."""

    def __init__(self, counts: CharNgramCounts, n: int, q: float, size: int) -> None:
        self._n, self._size = n, size
        dense = 1
        while dense < n and size ** (dense + 1) <= DENSE_CELLS:
            dense += 1
        self._dense_order = dense
        classes = counts.clean, counts.dirty
        sums = [
            _dense_sums(sum_at(counts.keys % size**dense, own, size**dense).reshape((size,) * dense), q)
            for own in classes
        ]
        self._dense = _log_odds(*sums).ravel()
        self._longer: list[tuple[int, Ints, Floats]] = []
        sums = [own.ravel() for own in sums]
        shorter = np.arange(size**dense)
        for order in range(dense + 1, n + 1):
            keys, where = np.unique(counts.keys % size**order, return_inverse=True)
            ending = np.searchsorted(shorter, keys % size ** (order - 1))
            histories, history = np.unique(keys // size, return_inverse=True)
            for which, own in enumerate(classes):
                count = sum_at(where, own, len(keys))
                total = sum_at(history, count, len(histories))[history]
                sums[which] = _conditional(count, total) + q * sums[which][ending]
            if len(keys):
                self._longer.append((order, keys, _log_odds(*sums)))
            shorter = keys
        self._longer.reverse()

    def look_up(self, codes: NDArray[Any], out: Floats) -> None:
        """Writes to *out* the odds (bits) of each n-gram that ends in codes[n - 1:]."""
        n, size = self._n, self._size
        keys = ngram_keys(codes, n, self._dense_order, size)
        self._dense.take(keys, out=out, mode="wrap")  # "raise" would buffer the output
        missing: Ints | None = None
        for order, seen, odds in self._longer:
            keys = ngram_keys(codes, n, order, size)
            if missing is not None:
                keys = keys[missing]
            values, found = _find(keys, seen, odds)
            if missing is None:
                np.copyto(out, values, where=found)
                missing = np.flatnonzero(~found)
            else:
                out[missing[found]] = values[found]
                missing = missing[~found]
            if not len(missing):
                return

    def odds_of(self, keys: Ints) -> Floats:
        """The odds (bits) of n-grams of the full length that were seen, given their keys (of the same shape)."""
        return _find(keys, *self._longer[0][1:])[0] if self._longer else self._dense[keys]


def _find(keys: Ints, seen: Ints, odds: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The odds of *keys*, and which of them were seen (both of their shape). Others have any odds."""
    at = np.minimum(seen.searchsorted(keys), len(seen) - 1)
    return odds[at], seen[at] == keys


def _dense_sums(counts: Doubles, q: float) -> Doubles:
    """The sum in brackets of equation 1 for every n-gram, from the counts of the longest; add-one for unigrams."""
    sums = np.zeros(())
    for order in range(1, counts.ndim + 1):
        count = counts.sum(axis=tuple(range(counts.ndim - order)))
        if order == 1:
            sums = np.clip((count + 1) / (max(float(count.sum()), 0) + len(count)), 1 / (1e9 + len(count)), 1)
        else:
            sums = _conditional(count, count.sum(axis=-1, keepdims=True)) + q * sums
    return sums


def _conditional(count: Doubles, total: Doubles) -> Doubles:
    """Conditional probabilities, clamped to [0, 1] (StupidOS, section 3.2); 0 after an unseen history."""
    ratio = np.divide(count, total, out=np.zeros(count.shape), where=total > 0)
    return np.clip(ratio, 0, 1, out=ratio)


def _log_odds(clean: Doubles, dirty: Doubles) -> Floats:
    return np.log2(clean / dirty).astype(np.float32)
