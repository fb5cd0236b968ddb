"""The trainer of character n-gram models: one model of clean text and one of boilerplate (Evert 2008).

model = train_ngram(pages, NgramOptions(n=3, q=0.5))
model.score_texts(["The bridge is closed."])    # log2 odds of clean against boilerplate
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import (
    PAGE_WEIGHT,
    SEGMENT_WEIGHT,
    TEN_FOLDS,
    Folds,
    LabelledPage,
    by_segment,
    gold_texts,
    label_page,
    splits,
    texts_of,
)
from ..scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from ..scoring.char_ngram.ngrams import Alphabet, CharNgramCounts
from .base import PageTrainer, StepsDone

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Counts = list[tuple[Doubles, Doubles]]
# n and q.
Point = tuple[int, float]

# The text of a model, as its header describes it.
NORMALISED = "segments of nc-segment, white space collapsed, NFC; those marked by rules left out"
# Possible causes of an empty class.
_HINTS = {
    "clean": "their gold text is empty or is not on the page",
    "dirty": "the pages must be whole, with the parts that the gold text leaves out",
}

# The grid of bias and context, in bits. Steps widen as their effect shrinks.
BIASES = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0)
CONTEXTS = (0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0)
FOLDS = 5


@dataclass(frozen=True)
class NgramOptions:
    """The parameters of an n-gram model and how they are chosen.

    The *characters* most frequent characters make the alphabet of the folding `frequent`; other foldings ignore them.
    With *differential*, segments are not labelled: dirty counts are those of the page minus those of its gold text.
    With *fit*, *bias* and *context* are fitted to held-out sites. Raises ValueError for parameters out of range.
    """

    n: int = 3
    q: float = 0.5
    folding: str = "ascii"
    characters: int = 200
    differential: bool = False
    bias: float = 0.0  # bits
    context: float = 0.0  # bits
    fit: bool = False

    def __post_init__(self) -> None:
        if self.characters < 0:
            raise ValueError(f"{self.characters} frequent characters: must not be negative")
        CharNgramParameters(self.n, self.q, Alphabet(self.folding), self.bias, self.context)


def make_trainer(options: NgramOptions, keep_records: bool = False) -> PageTrainer:
    """A trainer of n-gram models. With *keep_records*, pages keep their records."""

    def train(pages: Sequence[LabelledPage]) -> CharNgramModel:
        return train_ngram(pages, options)

    return PageTrainer(lambda record: label_page(record, keep_records), train, NORMALISED)


def train_ngram(pages: Sequence[LabelledPage], options: NgramOptions) -> CharNgramModel:
    """An n-gram model of the pages. Raises ValueError if a parameter is out of range or a class is empty."""
    clean, dirty = texts_of(pages, clean=True), texts_of(pages, clean=False)
    if options.differential:
        clean, dirty = gold_texts(pages), clean + dirty
    else:
        clean, dirty = by_segment(clean), by_segment(dirty)
    if not pages:
        raise ValueError("no training data: no page with gold text")
    for kind, texts in (("clean", clean), ("dirty", dirty)):
        if not texts:
            raise ValueError(f"no training data: no {kind} segment (pages: {len(pages)}): {_HINTS[kind]}")
    alphabet = alphabet_of(options, (text for text, _ in (*clean, *dirty)))
    # before the long count, because it checks the size of the alphabet
    parameters = CharNgramParameters(options.n, options.q, alphabet, options.bias, options.context)
    counts = CharNgramCounts.of_texts(options.n, alphabet, clean, dirty)
    model = CharNgramModel(parameters, counts.differential() if options.differential else counts)
    return model.with_bias_and_context(*fit_bias_and_context(pages, options)) if options.fit else model


def alphabet_of(options: NgramOptions, texts: Iterable[str]) -> Alphabet:
    """The alphabet of the folding; that of `frequent` has the most frequent characters of the texts."""
    if options.folding != "frequent":
        return Alphabet(options.folding)
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: options.characters]
    return Alphabet("frequent", "".join(sorted(character for character, _ in ranked)))


# ---- bias and context -------------------------------------------------------------------------------------------


def fit_bias_and_context(pages: Sequence[LabelledPage], options: NgramOptions) -> tuple[float, float]:
    """The bias and the context (bits) with the best mean F of the words kept of sites that are held out from models
    with the same options. (0, 0) where all usable pages are of one site."""
    pages = [page for page in pages if page.is_usable]
    sites = len({page.domain for page in pages})
    if sites < 2:
        return 0.0, 0.0
    grid = np.zeros((len(BIASES), len(CONTEXTS)))
    for part, others in splits(pages, min(FOLDS, sites)):
        try:
            model = train_ngram([pages[place] for place in others], replace(options, fit=False, bias=0.0, context=0.0))
        except ValueError:  # the other pages lack a class
            model = None
        for place in part:
            texts = pages[place].texts
            grid += word_f_grid(pages[place], model.score_texts(texts).tolist() if model else [0.0] * len(texts))
    # the mean of a cell and its neighbours, because the maximum of a grid of few pages is noisy
    padded = np.pad(grid, 1, mode="edge")
    smooth = sum(padded[i : i + grid.shape[0], j : j + grid.shape[1]] for i in range(3) for j in range(3))
    bias, context = np.unravel_index(int(np.argmax(smooth)), grid.shape)
    return BIASES[bias], CONTEXTS[context]


def word_f_grid(page: LabelledPage, scores: Sequence[float]) -> NDArray[Any]:
    """The F of words on a page (0 to 1) for each bias and context (shape: biases, contexts), given the scores of its
    segments (bits)."""
    biases, contexts = np.array(BIASES)[:, None], np.array(CONTEXTS)
    own = [np.where(mark, -contexts, score - biases) for score, mark in zip(scores, page.marked)]
    before = np.zeros((len(own), len(BIASES), len(CONTEXTS)))
    message = np.broadcast_to(-contexts, before.shape[1:])
    for at, score in enumerate(own):
        before[at] = message
        message = np.clip(score + message, -contexts, contexts)
    kept, matched = np.zeros(message.shape), np.zeros(message.shape)
    message = np.broadcast_to(-contexts, message.shape)
    for at in range(len(own) - 1, -1, -1):
        if not page.marked[at]:
            keep = own[at] + before[at] + message > 0
            kept += keep * page.words[at]
            matched += keep * page.matched[at]
        message = np.clip(own[at] + message, -contexts, contexts)
    f: NDArray[Any] = 2 * matched / np.maximum(kept + page.gold_words, 1)
    return f


# ---- many models at once ----------------------------------------------------------------------------------------


class NgramGrid:
    """The n-grams of all usable pages, fold by fold, to cross-validate models of many n and q: their cross-entropy and
    the scores of segments. *pages* are in the order of the scores.

        grid = NgramGrid(pages, Alphabet("ascii"), ns=[1, 2, 3])
        grid.entropies(qs=[0.3, 0.5])[3, 0.5]        # bits per character (Evert 2008, figure 2)

    The n-grams of every length are numbered once; the counts of a fold are subtracted from the counts of all. Both sums
    of equation 1 grow by one term and a factor q with each length, so all n cost little more than the longest.

    Raises ValueError if there are fewer domains than folds, n is out of range, or a fold has no segments.
    """

    def __init__(
        self,
        pages: Sequence[LabelledPage],
        alphabet: Alphabet,
        ns: Sequence[int],
        folds: Folds = TEN_FOLDS,
        progress: StepsDone = lambda folds_done: None,
    ) -> None:
        for n in ns:
            CharNgramParameters(n, 0.5, alphabet)
        self.ns, self._alphabet, self._progress = sorted(set(ns)), alphabet, progress
        usable = [page for page in pages if page.is_usable]
        parts = [[usable[place] for place in part] for part, _ in splits(usable, *folds)]
        self.pages = [page for part in parts for page in part]
        ends = np.cumsum([sum(len(page.texts) for page in part) for part in parts]).tolist()
        self._folds = list(zip([0, *ends], ends))  # segments, from and to
        if any(start == end for start, end in self._folds):
            raise ValueError(f"{len(parts)} folds, and some have no segments: use fewer folds, or more pages")
        texts = [text for page in self.pages for text in page.texts]
        self._weights = np.array([weights for page in self.pages for weights in _weights(page)]).T
        self._width = max(*self.ns, 2) - 1
        edge = "\0" * self._width  # around each segment
        self._codes = self._alphabet.codes(edge + "".join([text + edge for text in texts]))
        self._sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1  # with the edge that ends a text
        self._starts = self._width + np.cumsum(self._sizes + self._width - 1) - (self._sizes + self._width - 1)
        # for each length, the number of the n-gram that ends at each place; single characters have their codes
        self._ngrams: list[NDArray[Any]] = [self._codes]
        size = alphabet.size
        for order in range(2, self.ns[-1] + 1):
            keys = self._ngrams[-1].astype(np.int64)
            # only edges come before
            keys[order - 1 :] += np.multiply(self._codes[: 1 - order], size, dtype=np.int64)
            different, numbers = np.unique(keys, return_inverse=True)
            self._ngrams.append(numbers.astype(np.int32))
            size = len(different)

    def _counted(self, start: int, end: int, weights: Doubles) -> Iterator[tuple[Doubles, Doubles]]:
        """For each length the counts of n-grams in some segments, and of their histories.

        The weight of a segment is that of each of its characters and of the first character of the edge after it; the
        rest of the edge has weight 0.
        """
        sizes, rest = self._sizes[start:end], np.full(end - start, self._width - 1)
        both = np.stack([weights[start:end], np.zeros(end - start)], axis=1).ravel()
        spread = np.repeat(both, np.stack([sizes, rest], axis=1).ravel())
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
