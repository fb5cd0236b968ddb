"""Parameters of the n-gram models tried all at once: cross-entropy and segment scores over n and q, cross-validated.

    grid = Grid(pages, Folding("ascii"), ns=[1, 2, 3], number=10)
    grid.entropies(qs=[0.3, 0.5])[3, 0.5]        # bits per character (Evert 2008, figure 2)

The n-grams of every length are numbered once; those of a fold are then taken off the counts of all. As both sums of
equation 1 grow by one term and a factor q with each length, all n cost little more than the longest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import PAGE_WEIGHT, SEGMENT_WEIGHT, LabelledPage, folds
from ..scoring.char_ngram.alphabet import Alphabet
from ..scoring.char_ngram.model import NgramParameters

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Counts = list[tuple[Doubles, Doubles]]
Point = tuple[int, float]

# Characters that are judged at a time, so that temporary arrays stay in the cache.
CHUNK = 1 << 15


class Grid:
    """Pages as n-grams. Raises ValueError where folds cannot be made, n is out of range, or nothing is to be read."""

    def __init__(
        self,
        pages: Sequence[LabelledPage],
        folding: Alphabet,
        ns: Sequence[int],
        number: int = 10,
        seed: int = 0,
        progress: Callable[[int], None] = lambda fold: None,
    ) -> None:
        for n in ns:
            NgramParameters(n, 0.5, folding)
        self.ns, self._folding, self._progress = sorted(set(ns)), folding, progress
        parts = folds([page for page in pages if page.is_usable], number, seed)
        self.pages = [page for part in parts for page in part]
        self._read(parts)
        self._number()

    def _read(self, parts: Sequence[Sequence[LabelledPage]]) -> None:
        """Lays the segments of all folds end to end, an edge around each."""
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
            raise ValueError(f"{len(parts)} folds, and some have no segments: fewer folds (--cv), or more pages")
        width = max(*self.ns, 2) - 1
        edge = "\0" * width
        self._codes = self._folding.codes(edge + "".join([text + edge for text in texts]))
        self._sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1  # with the edge that ends a text
        self._width = width
        self._starts = width + np.cumsum(self._sizes + width - 1) - (self._sizes + width - 1)
        self._weights = np.array(weights).T

    def _number(self) -> None:
        """Numbers the n-grams of each length that end at each place, those of one character by their cells."""
        self._of: list[NDArray[Any]] = [self._codes]
        there = self._folding.size
        for order in range(2, self.ns[-1] + 1):
            keys = self._of[-1].astype(np.int64)
            # before that are edges alone
            keys[order - 1 :] += np.multiply(self._codes[: 1 - order], there, dtype=np.int64)
            of, there = _numbered(keys)
            self._of.append(of)

    def _spread(self, weights: Doubles, start: int, end: int) -> Doubles:
        """The weights of segments as those of their characters and of the edges behind them, of which the first counts
        as a character."""
        sizes, rest = self._sizes[start:end], self._width - 1
        both = np.stack([weights[start:end], np.zeros(end - start)], axis=1).ravel()
        spread: Doubles = np.repeat(both, np.stack([sizes, np.full(end - start, rest)], axis=1).ravel())
        return spread

    def _counted(self, start: int, end: int, weights: Doubles) -> Iterator[tuple[Doubles, Doubles]]:
        """For each length the counts of n-grams in some segments, and of histories one shorter."""
        spread = self._spread(weights, start, end)
        first = int(self._starts[start])
        last = first + len(spread)
        yield _sums(self._of[0][first:last], spread), np.zeros(0)
        for of, history in zip(self._of[1:], self._of):
            yield _sums(of[first:last], spread), _sums(history[first - 1 : last - 1], spread)

    def _probabilities(self, fold: int, whole: Counts, weights: Doubles) -> list[Floats]:
        """For each length, the probability of the fold's characters from the counts of the other folds."""
        start, end = self._folds[fold]
        first = int(self._starts[start])
        last = int(self._starts[end - 1] + self._sizes[end - 1])
        out: list[Floats] = []
        for order, (all_counts, ours) in enumerate(zip(whole, self._counted(start, end, weights))):
            at = self._of[order][first:last]
            # what the others have not is 0 without a rest: it was added up in the same order
            counts = all_counts[0][at] - ours[0][at]
            if order:
                at = self._of[order - 1][first - 1 : last - 1]
                totals = all_counts[1][at] - ours[1][at]
                ratio = np.divide(counts, totals, out=np.zeros(len(counts)), where=totals > 0)
            else:
                ratio = (counts + 1) / (all_counts[0].sum() - ours[0].sum() + self._folding.size)
            out.append(ratio.astype(np.float32))
        return out

    def _judged(
        self, qs: Sequence[float], kinds: Sequence[Doubles] | Doubles
    ) -> Iterator[tuple[Point, slice, Doubles]]:
        """For each n and q, and some segments at a time, the bits of each: the sum of log2 of its characters'
        probabilities by a model of the other folds; of two *kinds* of weights, the log2 odds."""
        whole = [list(self._counted(0, len(self._sizes), weights)) for weights in kinds]
        for fold, (start, end) in enumerate(self._folds):
            self._progress(fold)
            found = [self._probabilities(fold, counts, weights) for counts, weights in zip(whole, kinds)]
            first = int(self._starts[start])
            for some in _runs(self._starts[start:end], start):
                at = self._starts[some] - first
                last = int(at[-1] + self._sizes[some][-1])
                spans = np.stack([at, at + self._sizes[some]], axis=1).ravel()[:-1] - at[0]
                parts = [[probability[at[0] : last] for probability in orders] for orders in found]
                for q in qs:
                    sums: list[Floats] = [np.zeros(1, np.float32)] * len(parts)
                    for order, probabilities in enumerate(zip(*parts), 1):
                        sums = [p + q * s for p, s in zip(probabilities, sums)]
                        if order in self.ns:
                            bits = np.log2(sums[0] if len(sums) == 1 else sums[0] / sums[1])
                            yield (order, q), some, np.add.reduceat(bits, spans, dtype=np.float64)[::2]
        self._progress(len(self._folds))

    def entropies(self, qs: Sequence[float]) -> dict[Point, float]:
        """Bits per character of each fold's text, clean and dirty, under one model of that of the others."""
        characters = int(self._sizes.sum())
        # equation 1 is divided by the sum of its weights
        out = {(n, q): -float(np.log2((1 - q) / (1 - q**n))) for n in self.ns for q in qs}
        for point, _, bits in self._judged(qs, [np.ones(len(self._sizes))]):
            out[point] -= float(bits.sum()) / characters
        return out

    def scores(self, qs: Sequence[float]) -> dict[Point, Doubles]:
        """The log2 odds of every segment, by models of the other folds, for each n and q (shape: segments).

        Raises ValueError where the other folds of some have no clean or no dirty text.
        """
        for kind, weights in zip(("clean", "dirty"), self._weights):
            for fold, (start, end) in enumerate(self._folds, 1):
                if not weights[:start].any() and not weights[end:].any():
                    raise ValueError(f"nothing to learn from: no {kind} segment outside fold {fold}")
        out = {(n, q): np.zeros(len(self._sizes)) for n in self.ns for q in qs}
        for point, some, bits in self._judged(qs, self._weights):
            out[point][some] = bits
        return out


def _weights(page: LabelledPage) -> list[tuple[float, float]]:
    """Of each segment the weights of its characters in the clean and the dirty model, as `material` weighs them."""
    labels = page.labels()
    size = {label: sum(len(t) + 1 for t, its in zip(page.texts, labels) if its is label) for label in (True, False)}
    out = []
    for text, label in zip(page.texts, labels):
        weight = 0.0 if label is None else size[label] ** PAGE_WEIGHT * (len(text) + 1) ** SEGMENT_WEIGHT
        out.append((weight if label else 0.0, weight if label is False else 0.0))
    return out


def _sums(of: NDArray[Any], weights: Doubles) -> Doubles:
    sums: Doubles = np.bincount(of, weights).astype(np.float64, copy=False)
    return sums


def _numbered(keys: Ints) -> tuple[NDArray[Any], int]:
    """A number from 0 on for each of *keys*, the same for the same, and how many there are. *keys* are overwritten."""
    shift = len(keys).bit_length()
    if int(keys.max()) >> (63 - shift):
        there, of = np.unique(keys, return_inverse=True)
        return of.astype(np.int32), len(there)
    # keys and places in one number: sorting numbers is many times as fast as sorting places by their keys
    keys <<= shift
    keys += np.arange(len(keys))
    keys.sort()
    number = np.zeros(len(keys), np.int32)
    differ = keys[1:] ^ keys[:-1]
    differ >>= shift
    np.cumsum(differ != 0, out=number[1:])
    del differ
    keys &= (1 << shift) - 1
    of = np.empty(len(keys), np.int32)
    of[keys] = number
    return of, int(number[-1]) + 1


def _runs(starts: Ints, first: int) -> Iterator[slice]:
    """Segments, the first of which is number *first*, in runs of about CHUNK characters."""
    cuts = np.unique(np.searchsorted(starts, np.arange(starts[0], starts[-1] + 1, CHUNK)))
    for start, end in zip(cuts, [*cuts[1:], len(starts)]):
        yield slice(first + int(start), first + int(end))


class Task:
    """What deciding by scores does to pages: precision, recall and F of words aligned with the gold (see `align`).

    The words are those of the segments that are kept; pooled over all pages. *pages* in the order of the scores.
    """

    def __init__(self, pages: Sequence[LabelledPage]) -> None:
        self._words = np.array([count for page in pages for count in page.words])
        self._matched = np.array([count for page in pages for count in page.matched])
        self._open = ~np.array([marked for page in pages for marked in page.marked], bool)
        self._gold = sum(page.gold_words for page in pages)

    def at(self, scores: Doubles, threshold: float = 0.0) -> tuple[float, float, float]:
        """Precision, recall and F (in [0, 1]) of what scores above a threshold."""
        kept = self._open & (scores > threshold)
        return _scores(int(self._words[kept].sum()), int(self._matched[kept].sum()), self._gold)

    def curve(self, scores: Doubles) -> tuple[Doubles, Doubles, Doubles]:
        """Thresholds, ascending, one below each score there is, and precision and recall of what scores above.

        Thresholds have two decimals where that is enough to tell the scores apart. Raises ValueError where there is
        nothing to decide about.
        """
        order = np.argsort(scores[self._open], kind="stable")[::-1]
        ranked = scores[self._open][order]
        words, matched = (np.cumsum(counts[self._open][order]) for counts in (self._words, self._matched))
        if not len(words) or not words[-1]:
            raise ValueError("nothing to decide about: no segment with words that no rule marks")
        last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)  # of those that score the same
        last = last[words[last] > 0]
        below = np.append(ranked[1:], ranked[-1] - 1)[last]
        thresholds = np.maximum(np.floor(50 * (ranked[last] + below)) / 100, below)
        precision, recall = matched[last] / words[last], matched[last] / max(self._gold, 1)
        return thresholds[::-1], precision[::-1], recall[::-1]


def _scores(words: int, matched: int, gold: int) -> tuple[float, float, float]:
    precision, recall = matched / max(words, 1), matched / max(gold, 1)
    return precision, recall, 2 * precision * recall / (precision + recall) if matched else 0.0
