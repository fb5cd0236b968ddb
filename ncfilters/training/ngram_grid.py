"""N-gram models for many n and q at once: cross-entropy and segment scores, cross-validated.

    grid = NgramGrid(pages, Alphabet("ascii"), ns=[1, 2, 3], folds=FoldOptions(10))
    grid.entropies(qs=[0.3, 0.5])[3, 0.5]        # bits per character (Evert 2008, figure 2)

The n-grams of every length are numbered once; the counts of a fold are subtracted from the counts of all. Both sums of
equation 1 grow by one term and a factor q with each length, so all n cost little more than the longest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import PAGE_WEIGHT, SEGMENT_WEIGHT, LabelledPage, folds
from ..scoring.char_ngram.model import CharNgramParameters
from ..scoring.char_ngram.ngrams import Alphabet
from .base import StepsDone
from .cross_validation import TEN_FOLDS, FoldOptions

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Counts = list[tuple[Doubles, Doubles]]
Point = tuple[int, float]


class NgramGrid:
    """The n-grams of all usable pages, fold by fold. *pages* are in the order of the scores.

    Raises ValueError if there are fewer domains than folds, n is out of range, or a fold has no segments.
    """

    def __init__(
        self,
        pages: Sequence[LabelledPage],
        alphabet: Alphabet,
        ns: Sequence[int],
        options: FoldOptions = TEN_FOLDS,
        progress: StepsDone = lambda folds_done: None,
    ) -> None:
        for n in ns:
            CharNgramParameters(n, 0.5, alphabet)
        self.ns, self._alphabet, self._progress = sorted(set(ns)), alphabet, progress
        parts = folds([page for page in pages if page.is_usable], options.number, options.seed)
        self.pages = [page for part in parts for page in part]
        self._read(parts)
        self._number()

    def _read(self, parts: Sequence[Sequence[LabelledPage]]) -> None:
        """Concatenates the segments of all folds, with an edge around each."""
        texts: list[str] = []
        weights: list[tuple[float, float]] = []
        firsts = []
        for part in parts:
            firsts.append(len(texts))
            for page in part:
                texts += page.texts
                weights += _weights(page)
        self._folds = list(zip(firsts, [*firsts[1:], len(texts)]))  # segments, from and to
        if any(start == end for start, end in self._folds):
            raise ValueError(f"{len(parts)} folds, and some have no segments: use fewer folds, or more pages")
        width = max(*self.ns, 2) - 1
        edge = "\0" * width
        self._codes = self._alphabet.codes(edge + "".join([text + edge for text in texts]))
        self._sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1  # with the edge that ends a text
        self._width = width
        self._starts = width + np.cumsum(self._sizes + width - 1) - (self._sizes + width - 1)
        self._weights = np.array(weights).T

    def _number(self) -> None:
        """Numbers, for each length, the n-gram that ends at each place; single characters have their codes."""
        self._ngrams: list[NDArray[Any]] = [self._codes]
        size = self._alphabet.size
        for order in range(2, self.ns[-1] + 1):
            keys = self._ngrams[-1].astype(np.int64)
            # only edges come before
            keys[order - 1 :] += np.multiply(self._codes[: 1 - order], size, dtype=np.int64)
            different, numbers = np.unique(keys, return_inverse=True)
            self._ngrams.append(numbers.astype(np.int32))
            size = len(different)

    def _spread(self, weights: Doubles, start: int, end: int) -> Doubles:
        """The weights of segments, repeated for each of their characters and the first character of the edge after
        it; the rest of the edge has weight 0."""
        sizes, rest = self._sizes[start:end], self._width - 1
        both = np.stack([weights[start:end], np.zeros(end - start)], axis=1).ravel()
        spread: Doubles = np.repeat(both, np.stack([sizes, np.full(end - start, rest)], axis=1).ravel())
        return spread

    def _counted(self, start: int, end: int, weights: Doubles) -> Iterator[tuple[Doubles, Doubles]]:
        """For each length the counts of n-grams in some segments, and of their histories."""
        spread = self._spread(weights, start, end)
        first = int(self._starts[start])
        last = first + len(spread)
        yield _sums(self._ngrams[0][first:last], spread), np.zeros(0)
        for ngrams, histories in zip(self._ngrams[1:], self._ngrams):
            yield _sums(ngrams[first:last], spread), _sums(histories[first - 1 : last - 1], spread)

    def _probabilities(self, fold: int, whole: Counts, weights: Doubles) -> list[Floats]:
        """For each length, the probability of the fold's characters from the counts of the other folds."""
        start, end = self._folds[fold]
        first = int(self._starts[start])
        last = int(self._starts[end - 1] + self._sizes[end - 1])
        out: list[Floats] = []
        for order, (all_counts, own) in enumerate(zip(whole, self._counted(start, end, weights))):
            at = self._ngrams[order][first:last]
            # exactly 0 for n-grams of this fold alone: both sums were added in the same order
            counts = all_counts[0][at] - own[0][at]
            if order:
                at = self._ngrams[order - 1][first - 1 : last - 1]
                totals = all_counts[1][at] - own[1][at]
                ratio = np.divide(counts, totals, out=np.zeros(len(counts)), where=totals > 0)
            else:
                ratio = (counts + 1) / (all_counts[0].sum() - own[0].sum() + self._alphabet.size)
            out.append(ratio.astype(np.float32))
        return out

    def _bits(self, qs: Sequence[float], kinds: Sequence[Doubles] | Doubles) -> Iterator[tuple[Point, slice, Doubles]]:
        """For each n and q, and the segments of a fold at a time, the bits of each segment: the sum over its characters
        of log2 of their probability by a model of the other folds; with two *kinds* of weights, the log2 odds."""
        whole = [list(self._counted(0, len(self._sizes), weights)) for weights in kinds]
        for fold, (start, end) in enumerate(self._folds):
            self._progress(fold)
            by_kind = [self._probabilities(fold, counts, weights) for counts, weights in zip(whole, kinds)]
            at = self._starts[start:end] - self._starts[start]
            spans = np.stack([at, at + self._sizes[start:end]], axis=1).ravel()[:-1]
            for q in qs:
                sums: list[Floats] = [np.zeros(1, np.float32)] * len(by_kind)
                for order, probabilities in enumerate(zip(*by_kind), 1):
                    sums = [p + q * s for p, s in zip(probabilities, sums)]
                    if order in self.ns:
                        bits = np.log2(sums[0] if len(sums) == 1 else sums[0] / sums[1])
                        yield (order, q), slice(start, end), np.add.reduceat(bits, spans, dtype=np.float64)[::2]
        self._progress(len(self._folds))

    def entropies(self, qs: Sequence[float]) -> dict[Point, float]:
        """The cross-entropy (bits per character) of all text of each fold by one model of all text of the others."""
        characters = int(self._sizes.sum())
        # equation 1 is divided by the sum of its weights
        out = {(n, q): -float(np.log2((1 - q) / (1 - q**n))) for n in self.ns for q in qs}
        for point, _, bits in self._bits(qs, [np.ones(len(self._sizes))]):
            out[point] -= float(bits.sum()) / characters
        return out

    def scores(self, qs: Sequence[float]) -> dict[Point, Doubles]:
        """The log2 odds of every segment by models of the other folds, for each n and q (shape: segments).

        Raises ValueError if some fold has all clean or all dirty segments.
        """
        for kind, weights in zip(("clean", "dirty"), self._weights):
            for fold, (start, end) in enumerate(self._folds, 1):
                if not weights[:start].any() and not weights[end:].any():
                    raise ValueError(f"no training data: no {kind} segment outside fold {fold}")
        out = {(n, q): np.zeros(len(self._sizes)) for n in self.ns for q in qs}
        for point, some, bits in self._bits(qs, self._weights):
            out[point][some] = bits
        return out


def _weights(page: LabelledPage) -> list[tuple[float, float]]:
    """The weights of the characters of each segment in the clean and the dirty model, as in `labelled_pages`."""
    labels = page.labels()
    size = {label: sum(len(t) + 1 for t, its in zip(page.texts, labels) if its is label) for label in (True, False)}
    out = []
    for text, label in zip(page.texts, labels):
        weight = 0.0 if label is None else size[label] ** PAGE_WEIGHT * (len(text) + 1) ** SEGMENT_WEIGHT
        out.append((weight if label else 0.0, weight if label is False else 0.0))
    return out


def _sums(numbers: NDArray[Any], weights: Doubles) -> Doubles:
    sums: Doubles = np.bincount(numbers, weights).astype(np.float64, copy=False)
    return sums
