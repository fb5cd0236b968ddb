"""The n-gram kind of model: two character models, one of clean text and one of boilerplate (Evert 2008, section 3).

    odds = Ngram.train(3, 0.5, Folding("ascii"), clean=[("Some clean text.", 1.0)], dirty=[("Home | About", 1.0)])
    odds.score_texts(["Is this clean?"])

Probabilities are interpolated geometrically over all history lengths (equation 1); a segment's score is the log2 odds
that the clean model gives it, its end included, against the dirty one. Both sums of equation 1 grow by the same terms
where an n-gram was never seen, so the odds of an unseen n-gram are those of its longest seen ending: one table of
odds answers for both models.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import Document
from ...record import EMBEDDED
from .alphabet import Alphabet
from .neighbour_smoothing import in_context

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]

MAX_N = 8
# Cells of the dense table: 4 MB of odds, about what a second-level cache holds.
DENSE_CELLS = 1 << 20
# A bias or context beyond it makes no sense.
MAX_BITS = 1e4
# Texts, and characters of them, scored at a time, so that temporary arrays stay in the cache.
SLICE = 1 << 12
CHUNK = 1 << 15


class CharNgramModel:
    """Log2 odds of clean text against boilerplate for character n-grams.

    *keys* are the n-grams seen, ascending, each a number in base `alphabet.size`; *clean* and *dirty* their (weighted)
    counts. Counts may be negative, as differential training leaves them; the estimates are clamped to [0, 1] (StupidOS,
    section 3.2). *bias* bits are taken from each segment's odds, then *context* makes neighbours count (`in_context`):
    both are 0 in Evert's models, and else what `nc-train --fit` found.
    """

    kind = "ngram"

    def __init__(
        self,
        n: int,
        q: float,
        folding: Alphabet,
        keys: Ints,
        clean: Floats,
        dirty: Floats,
        dense_cells: int = DENSE_CELLS,
        *,
        bias: float = 0.0,
        context: float = 0.0,
    ) -> None:
        self.check(n, q, folding, bias, context)
        self.n, self.q, self.folding = n, q, folding
        self.bias, self.context = bias, context
        self.keys, self.clean, self.dirty = keys, clean, dirty
        self._edge = "\0" * max(n - 1, 1)
        self._build(dense_cells)

    @staticmethod
    def check(n: int, q: float, folding: Alphabet, bias: float = 0.0, context: float = 0.0) -> None:
        """Raises ValueError for parameters that make no model."""
        if not isinstance(n, int) or not 1 <= n <= MAX_N:
            raise ValueError(f"n is {n}: from 1 to {MAX_N}")
        if not 0 < q < 1:
            raise ValueError(f"q is {q}: between 0 and 1")
        if not abs(bias) <= MAX_BITS or not 0 <= context <= MAX_BITS:
            raise ValueError(f"bias is {bias}, context {context}: up to {MAX_BITS:g} bits, and context not below 0")
        if folding.size**n >= 1 << 63:
            raise ValueError(f"n is {n}: too long for an alphabet of {folding.size} characters")

    def _build(self, dense_cells: int) -> None:
        size = self.folding.size
        dense = 1
        while dense < self.n and size ** (dense + 1) <= dense_cells:
            dense += 1
        self._dense_order = dense
        self._dense = _odds(
            *(_dense_sums(_dense_counts(self.keys, counts, size, dense), self.q) for counts in (self.clean, self.dirty))
        ).ravel()
        # longer n-grams: hashed, for each order the odds of those seen
        self._hashed: list[tuple[int, _Hash]] = []
        if self.n == dense:
            return
        shorter = np.arange(size**dense)
        sums = [
            _dense_sums(_dense_counts(self.keys, counts, size, dense), self.q).ravel()
            for counts in (self.clean, self.dirty)
        ]
        for order in range(dense + 1, self.n + 1):
            keys, where = np.unique(self.keys % size**order, return_inverse=True)
            ending = np.searchsorted(shorter, keys % size ** (order - 1))
            histories, history = np.unique(keys // size, return_inverse=True)
            for which, counts in enumerate((self.clean, self.dirty)):
                count = _sums(where, counts, len(keys))
                total = _sums(history, count, len(histories))[history]
                sums[which] = _ratio(count, total) + self.q * sums[which][ending]
            self._hashed.append((order, _Hash(keys, _odds(*sums))))
            shorter = keys
        self._hashed.reverse()

    @classmethod
    def train(
        cls, n: int, q: float, folding: Alphabet, clean: Iterable[tuple[str, float]], dirty: Iterable[tuple[str, float]]
    ) -> CharNgramModel:
        """A model of segments of each kind, given with their weights. Raises ValueError as `check` does."""
        cls.check(n, q, folding)
        return cls(n, q, folding, *merged(count(n, folding, clean), count(n, folding, dirty)))

    def score_texts(self, texts: Sequence[str]) -> Floats:
        """The log2 odds of each text (bits; shape: texts). An empty one has the odds of the edge alone."""
        if not texts:
            return np.zeros(0, np.float32)
        if len(texts) > SLICE:
            return np.concatenate([self.score_texts(texts[at : at + SLICE]) for at in range(0, len(texts), SLICE)])
        edge = len(self._edge)
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        codes = self.folding.codes(self._edge + self._edge.join(texts) + self._edge)
        starts = np.cumsum(lengths + edge) - lengths  # where each text begins in codes
        out = np.empty(len(codes), np.float32)
        back = self.n - 1
        out[:back] = 0
        for start in range(back, len(codes), CHUNK):
            stop = min(start + CHUNK, len(codes))
            self._odds_at(codes[start - back : stop], out[start:stop])
        spans = np.empty(2 * len(texts), np.int64)
        spans[0::2] = starts
        spans[1::2] = starts + lengths + 1  # the edge that ends it is predicted too
        if spans[-1] == len(out):
            spans = spans[:-1]
        scores: Floats = np.add.reduceat(out, spans)[::2]
        return scores

    def _odds_at(self, codes: NDArray[Any], out: Floats) -> None:
        """The odds of each n-gram that ends in codes[n - 1:]."""
        size, n, dense = self.folding.size, self.n, self._dense_order
        keys = _keys(codes, n, dense, size)
        self._dense.take(keys, out=out, mode="wrap")  # "raise" would buffer the output
        if not self._hashed:
            return
        missing: Ints | None = None
        for order, table in self._hashed:
            keys = _keys(codes, n, order, size)
            if missing is not None:
                keys = keys[missing]
            values, found = table.get(keys)
            if missing is None:
                np.copyto(out, values, where=found)
                missing = np.flatnonzero(~found)
            else:
                out[missing[found]] = values[found]
                missing = missing[~found]
            if not len(missing):
                return

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """For each document, the `score` of its segments, bias and context in it."""
        scores = self.score_texts([segment["text"] for document in documents for segment in document.segments])
        rounded = np.round(scores.astype(np.float64) - self.bias, 2).tolist()
        out = []
        at = 0
        for document in documents:
            segments = document.segments
            own = rounded[at : at + len(segments)]
            if self.context:
                shown = [place for place, segment in enumerate(segments) if segment.get("rule") != EMBEDDED]
                marked = ["rule" in segments[place] for place in shown]
                for place, score in zip(shown, in_context([own[place] for place in shown], marked, self.context)):
                    own[place] = round(score, 2)
            out.append({"score": own})
            at += len(segments)
        return out

    def odds(self) -> Floats:
        """The log2 odds of each of *keys* (bits)."""
        return self._hashed[0][1].get(self.keys)[0] if self._hashed else self._dense[self.keys]

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """The n-grams that speak most for clean text and for boilerplate; see `telling`."""
        from . import inspect as ngram_inspect

        return ngram_inspect.most_informative(self, count)

    def differences(self, other: CharNgramModel, count: int) -> dict[str, Any]:
        """How another model's odds differ; see `telling`."""
        from . import inspect as ngram_inspect

        return ngram_inspect.differences(self, other, count)

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        fitted = {"bias": self.bias, "context": self.context} if self.bias or self.context else {}
        return {"n": self.n, "q": self.q, **fitted, **self.folding.header()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        return {"keys": self.keys, "clean": self.clean, "dirty": self.dirty}

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> CharNgramModel:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        folding = Alphabet(header["folding"], header.get("characters", ""))
        cls.check(header["n"], header["q"], folding)
        keys, clean, dirty = arrays["keys"], arrays["clean"], arrays["dirty"]
        if keys.dtype != np.int64:
            raise ValueError(f"n-grams of type {keys.dtype}")
        if not len(keys) == len(clean) == len(dirty):
            raise ValueError("arrays of different lengths")
        if len(keys) and not 0 <= int(keys.min()) <= int(keys.max()) < folding.size ** header["n"]:
            raise ValueError("an n-gram outside the alphabet")
        if not (keys[1:] > keys[:-1]).all():
            raise ValueError("n-grams that do not ascend")
        bias, context = float(header.get("bias", 0)), float(header.get("context", 0))
        return cls(header["n"], header["q"], folding, keys, clean, dirty, bias=bias, context=context)


class _Hash:
    """A map of numbers to odds in open addressing, looked up for whole arrays."""

    def __init__(self, keys: Ints, values: NDArray[Any]) -> None:
        bits = max(int(4 * len(keys) - 1).bit_length(), 4)
        self._shift = np.uint64(64 - bits)
        self._mask = (1 << bits) - 1
        self._keys = np.full(1 << bits, -1, np.int64)
        self._values = np.zeros(1 << bits, np.float32)
        slots = self._slots(keys)
        left = np.arange(len(keys))
        while len(left):
            free = self._keys[slots] == -1
            # the last of several keys written to one slot stays there; the others go on to the next slot
            self._keys[slots[free]] = keys[left[free]]
            settled = self._keys[slots] == keys[left]
            self._values[slots[settled]] = values[left[settled]]
            left, slots = left[~settled], (slots[~settled] + 1) & self._mask

    def _slots(self, keys: Ints) -> Ints:
        mixed = keys.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        slots: Ints = (mixed >> self._shift).astype(np.int64)
        return slots

    def get(self, keys: Ints) -> tuple[Floats, NDArray[np.bool_]]:
        """The values of *keys*, and which of them there are."""
        slots = self._slots(keys)
        there = self._keys[slots]
        values, found = self._values[slots], there == keys
        left = np.flatnonzero(~found & (there != -1))
        slots = slots[left]
        while len(left):
            slots = (slots + 1) & self._mask
            there = self._keys[slots]
            hit = there == keys[left]
            values[left[hit]] = self._values[slots[hit]]
            found[left[hit]] = True
            go_on = ~hit & (there != -1)
            left, slots = left[go_on], slots[go_on]
        return values, found


def _keys(codes: NDArray[Any], n: int, order: int, size: int) -> Ints:
    """The n-grams of length *order* that end in codes[n - 1:], as numbers."""
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


def count(n: int, folding: Alphabet, texts: Iterable[tuple[str, float]], batch: int = 1 << 20) -> tuple[Ints, Floats]:
    """The n-grams of weighted texts, the edge that ends each included: keys, ascending, and their counts."""
    keys: Ints = np.zeros(0, np.int64)
    counts: Doubles = np.zeros(0)
    pending: list[tuple[str, float]] = []
    waiting = 0
    for text, weight in chain(texts, [("", -1.0)]):
        if weight >= 0:
            pending.append((text, weight))
            waiting += len(text)
        if pending and (weight < 0 or waiting > batch):
            new_keys, new_counts = _count(n, folding, pending)
            keys, where = np.unique(np.concatenate([keys, new_keys]), return_inverse=True)
            counts = _sums(where, np.concatenate([counts, new_counts]), len(keys))
            pending, waiting = [], 0
    return keys, counts.astype(np.float32)


def _count(n: int, folding: Alphabet, texts: list[tuple[str, float]]) -> tuple[Ints, Doubles]:
    edge = "\0" * max(n - 1, 1)
    codes = folding.codes(edge + "".join([text + edge for text, _ in texts]))
    keys = _keys(codes, n, n, folding.size)[len(edge) - n + 1 :]
    lengths = np.array([len(text) for text, _ in texts])
    spans = lengths + len(edge)
    place = np.arange(len(keys)) - np.repeat(np.cumsum(spans) - spans, spans)
    predicted = place <= np.repeat(lengths, spans)
    return keys[predicted], np.repeat([weight for _, weight in texts], lengths + 1)


def merged(clean: tuple[Ints, Floats], dirty: tuple[Ints, Floats]) -> tuple[Ints, Floats, Floats]:
    """Two counts over the keys of both."""
    keys = np.union1d(clean[0], dirty[0])
    counts = []
    for some_keys, some_counts in (clean, dirty):
        both = np.zeros(len(keys), np.float32)
        both[np.searchsorted(keys, some_keys)] = some_counts
        counts.append(both)
    return keys, counts[0], counts[1]


def _dense_counts(keys: Ints, counts: Floats, size: int, order: int) -> Doubles:
    return _sums(keys % size**order, counts, size**order).reshape((size,) * order)


def _sums(where: Ints, counts: NDArray[Any], length: int) -> Doubles:
    """The counts that go to each of *length* places."""
    sums: Doubles = np.bincount(where, counts, length).astype(np.float64, copy=False)
    return sums


def _dense_sums(counts: Doubles, q: float) -> Doubles:
    """The sum in brackets of equation 1 for every n-gram, from the counts of the longest; add-one for unigrams."""
    sums = np.zeros(())
    for order in range(1, counts.ndim + 1):
        count = counts.sum(axis=tuple(range(counts.ndim - order)))
        if order == 1:
            sums = np.clip((count + 1) / (max(float(count.sum()), 0) + len(count)), 1 / (1e9 + len(count)), 1)
        else:
            sums = _ratio(count, count.sum(axis=-1, keepdims=True)) + q * sums
    return sums


def _ratio(count: Doubles, total: Doubles) -> Doubles:
    """Conditional probabilities; 0 after a history never seen."""
    ratio = np.divide(count, total, out=np.zeros(count.shape), where=total > 0)
    return np.clip(ratio, 0, 1, out=ratio)


def _odds(clean: Doubles, dirty: Doubles) -> Floats:
    return np.log2(clean / dirty).astype(np.float32)
