"""Parameters of the n-gram models tried all at once: cross-entropy and segment scores over n and q, cross-validated.

    grid = Grid(pages, Folding("ascii"), ns=[1, 2, 3], folds=10)
    grid.entropies(qs=[0.3, 0.5])[3, 0.5]        # bits per character (Evert 2008, figure 2)

The n-grams of every length are numbered once; those of a fold are then taken off the counts of all. As both sums of
equation 1 grow by one term and a factor q with each length, all n cost little more than the longest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .folding import Folding
from .material import PAGE_WEIGHT, SEGMENT_WEIGHT, Page, folds
from .ngram import Ngram

Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]
Point = tuple[int, float]


class Grid:
    """Pages as n-grams. Raises ValueError where folds cannot be made, n is out of range, or a class is empty."""

    def __init__(
        self,
        pages: Sequence[Page],
        folding: Folding,
        ns: Sequence[int],
        number: int = 10,
        seed: int = 0,
        progress: Callable[[int], None] = lambda fold: None,
    ) -> None:
        for n in ns:
            Ngram.check(n, 0.5, folding)
        self.ns, self._folding, self._progress = sorted(ns), folding, progress
        self.pages = [page for part in folds([p for p in pages if p.is_usable], number, seed) for page in part]
        fold_of = {id(page): place for place, part in enumerate(folds(self.pages, number, seed)) for page in part}
        self._folds = number
        self._read(fold_of)
        self._number()

    def _read(self, fold_of: dict[int, int]) -> None:
        """Lays all segments end to end, an edge between them; what each character belongs to."""
        texts: list[str] = []
        fold: list[int] = []
        weights: list[tuple[float, float]] = []  # of a segment's characters in the clean and the dirty model
        for page in self.pages:
            labels = page.labels()
            size = {
                label: sum(len(t) + 1 for t, its in zip(page.texts, labels) if its is label) for label in (True, False)
            }
            for text, label in zip(page.texts, labels):
                weight = 0.0 if label is None else size[label] ** PAGE_WEIGHT * (len(text) + 1) ** SEGMENT_WEIGHT
                texts.append(text)
                fold.append(fold_of[id(page)])
                weights.append((weight if label else 0.0, weight if label is False else 0.0))
        self._edge = max(max(self.ns) - 1, 1)
        edge = "\0" * self._edge
        self._codes = self._folding.codes(edge + "".join([text + edge for text in texts]))[self._edge :]
        lengths = np.array([len(text) for text in texts]) + self._edge
        # within a text, and the edge that ends it, characters are predicted
        place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        predicted = place <= np.repeat(lengths - self._edge, lengths)
        self._at = np.flatnonzero(predicted)  # where in codes
        spans = lengths - self._edge + 1
        self._starts = np.cumsum(spans) - spans  # of each segment, in predicted characters
        self._fold = np.repeat(np.array(fold, np.int8), spans)
        self._weights = np.repeat(np.array(weights, np.float32), spans, axis=0)
        self.segment_fold = np.array(fold)

    def _number(self) -> None:
        """Numbers the n-grams of each length that end in a predicted character, and for each of them its history."""
        size = self._folding.size
        codes = np.concatenate([np.zeros(self._edge, self._codes.dtype), self._codes]).astype(np.int64)
        at = self._at + self._edge
        keys = np.zeros(len(at), np.int64)
        self._of: list[NDArray[np.int32]] = []
        self._history: list[NDArray[np.int32]] = []
        for order in range(1, max(self.ns) + 1):
            keys += codes[at - order + 1] * size ** (order - 1)
            there, of = np.unique(keys, return_inverse=True)
            histories, history = np.unique(there // size, return_inverse=True)
            self._of.append(of.astype(np.int32))
            self._history.append(history.astype(np.int32))

    def _probabilities(self, fold: int, weights: Doubles | None) -> Iterator[Doubles]:
        """For each history length, the probability of the fold's characters from the counts of the other folds."""
        ours = self._fold == fold
        others = ~ours
        for order, (of, history) in enumerate(zip(self._of, self._history), 1):
            counts = np.bincount(of[others], None if weights is None else weights[others], len(history))
            if order == 1:
                yield ((counts + 1) / (counts.sum() + self._folding.size))[of[ours]]
            else:
                totals = np.bincount(history, counts)[history]
                ratio = np.divide(counts, totals, out=np.zeros(len(counts)), where=totals > 0)
                yield ratio[of[ours]]

    def entropies(self, qs: Sequence[float]) -> dict[Point, float]:
        """Bits per character of each fold's text, clean and dirty, under one model of that of the others."""
        sums = dict.fromkeys(((n, q) for n in self.ns for q in qs), 0.0)
        for fold in range(self._folds):
            self._progress(fold)
            state = dict.fromkeys(qs, np.zeros(()))
            for order, probability in enumerate(self._probabilities(fold, None), 1):
                for q in qs:
                    state[q] = probability + q * state[q]
                    if order in self.ns:
                        sums[order, q] -= float(np.log2(state[q] * (1 - q) / (1 - q**order)).sum())
        self._progress(self._folds)
        return {point: total / len(self._at) for point, total in sums.items()}

    def scores(self, qs: Sequence[float]) -> dict[Point, Doubles]:
        """The log2 odds of every segment, by models of the other folds, for each n and q (shape: segments).

        Raises ValueError where the other folds of some have no clean or no dirty text.
        """
        out = {(n, q): np.zeros(len(self._starts)) for n in self.ns for q in qs}
        clean, dirty = (self._weights[:, which].astype(np.float64) for which in (0, 1))
        for fold in range(self._folds):
            self._progress(fold)
            others = self._fold != fold
            for kind, weights in (("clean", clean), ("dirty", dirty)):
                if not weights[others].any():
                    raise ValueError(f"nothing to learn from: no {kind} segment outside fold {fold + 1}")
            segments = np.flatnonzero(self.segment_fold == fold)
            first = np.flatnonzero(self._fold == fold)[0]
            starts = self._starts[segments] - first  # the pages of a fold lie together
            state: dict[float, tuple[Any, Any]] = dict.fromkeys(qs, (0.0, 0.0))
            both = zip(self._probabilities(fold, clean), self._probabilities(fold, dirty))
            for order, probabilities in enumerate(both, 1):
                for q in qs:
                    state[q] = tuple(p + q * s for p, s in zip(probabilities, state[q]))
                    if order in self.ns:
                        odds = np.log2(state[q][0] / state[q][1])
                        out[order, q][segments] = np.add.reduceat(odds, starts)
        self._progress(self._folds)
        return out


class Task:
    """What deciding by scores does to pages: precision, recall and F of words aligned with the gold (see `align`).

    The words are those of the segments that are kept; pooled over all pages. *pages* in the order of the scores.
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        self._words = np.array([count for page in pages for count in page.words])
        self._matched = np.array([count for page in pages for count in page.matched])
        self._open = ~np.array([marked for page in pages for marked in page.marked], bool)
        self._gold = sum(page.gold_words for page in pages)

    def at(self, scores: Doubles, threshold: float = 0.0) -> tuple[float, float, float]:
        """Precision, recall and F (in [0, 1]) of what scores above a threshold."""
        kept = self._open & (scores > threshold)
        return _scores(int(self._words[kept].sum()), int(self._matched[kept].sum()), self._gold)

    def curve(self, scores: Doubles) -> tuple[Doubles, Doubles, Doubles]:
        """Thresholds, ascending, one below each score there is, and precision and recall of what scores above."""
        order = np.argsort(scores[self._open], kind="stable")[::-1]
        ranked = scores[self._open][order]
        words, matched = (np.cumsum(counts[self._open][order]) for counts in (self._words, self._matched))
        last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)  # of those that score the same
        last = last[words[last] > 0]
        below = np.append(ranked[1:], ranked[-1] - 1)[last]
        thresholds = np.maximum((ranked[last] + below) / 2, below)
        precision, recall = matched[last] / words[last], matched[last] / max(self._gold, 1)
        return thresholds[::-1], precision[::-1], recall[::-1]


def _scores(words: int, matched: int, gold: int) -> tuple[float, float, float]:
    precision, recall = matched / max(words, 1), matched / max(gold, 1)
    return precision, recall, 2 * precision * recall / (precision + recall) if matched else 0.0
