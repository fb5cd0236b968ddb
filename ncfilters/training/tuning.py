"""The parameters of n-gram models by cross-validation, a threshold for them, and their learning curve.

    for found in tune(pages, TuneOptions("entropy")):
        print(found.table.title)        # ascii: cross-entropy of held-out text, …; best n = 3, q = 0.5: 2.871

With separate test pages, the models of a learning curve are tested on these; otherwise each subset is tested on a fold
with other domains (NCleaner, figure 4).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage, LabelledPages, fold_places
from ..evaluation import plots
from ..evaluation.tables import Table
from ..scoring.base import NamedModel
from ..scoring.char_ngram.ngrams import Alphabet
from .base import ProgressReport, no_progress
from .cross_validation import FoldOptions, cross_validate, score_pages
from .ngram_grid import NgramGrid, Point
from .ngram_trainer import NgramOptions, frequent_characters, train_ngram

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Doubles = NDArray[np.float64]

# The grid of NCleaner, figure 2, with more values of q.
NS, QS = tuple(range(1, 9)), tuple(tenth / 10 for tenth in range(1, 10))
# Numbers of training pages of a learning curve, the random subsets of each, and the middle 90 per cent of these.
SIZES = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 5000, 10000)
SUBSETS = 10
PERCENTILES = (5, 95)
# The precisions of the table.
PRECISIONS = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)


@dataclass(frozen=True)
class TuneOptions:
    """What to find: `entropy` or `f` over a grid; or `threshold` or `curve` for *one* choice of parameters. Thresholds
    may be those of a *model*. Raises ValueError for parameters out of range."""

    what: str
    one: NgramOptions = NgramOptions()
    folds: FoldOptions = FoldOptions()
    model: NamedModel | None = None
    ns: Sequence[int] = NS
    qs: Sequence[float] = QS
    foldings: Sequence[str] = ("ascii", "nonlexical")

    def __post_init__(self) -> None:
        for n, q, folding in product(self.ns, self.qs, self.foldings):
            replace(self.one, n=n, q=q, folding=folding)


class Finding(NamedTuple):
    """A table, and what draws its figure, if it has one, and the name of the figure's file."""

    table: Table
    figure: Callable[[], Figure] | None = None
    name: str = ""


def tune(
    pages: Sequence[LabelledPage], options: TuneOptions, progress: ProgressReport = no_progress
) -> Iterator[Finding]:
    """What is found. Raises ValueError if there are fewer domains than folds, or no training data."""
    about = f"{options.folds.number} folds, {len(pages)} pages"
    if options.what == "threshold":
        points = operating_points(pages, options.one, options.folds, options.model, progress)
        yield Finding(points_table(points, f"{options.model.name}, {len(pages)} pages" if options.model else about))
    elif options.what == "curve":
        curve = learning_curve(pages, CurveOptions(options.one, options.folds), progress=progress)
        yield Finding(curve.table(), lambda: plots.learning_curve(curve.sizes, curve.values, about), "learning-curve")
    else:
        for folding in dict.fromkeys(options.foldings):
            grid = ParameterGrid(options.what, folding, _grid_values(pages, folding, options, progress))
            yield Finding(grid.table(), partial(grid.figure, about), f"{options.what}-{folding}")


# ---- the grid -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ParameterGrid:
    """The cross-entropy (bits per character) or F (per cent) of a folding for each n and q; *measure* is `entropy` or
    `f`."""

    measure: str
    folding: str
    values: dict[Point, float]

    @property
    def best(self) -> Point:
        """The n and q with the lowest cross-entropy or the highest F; of equal values the smallest n and q."""
        if self.measure == "entropy":
            return min(self.values, key=lambda point: (self.values[point], point))
        return max(self.values, key=lambda point: (self.values[point], -point[0], -point[1]))

    def table(self) -> Table:
        """A row for each n, a column for each q."""
        if self.measure == "entropy":
            title, unit = f"{self.folding}: cross-entropy of held-out text, bits per character", ".3f"
        else:
            title, unit = f"{self.folding}: F of words, pooled over held-out pages, per cent", ".2f"
        ns, qs = (sorted(set(axis)) for axis in zip(*self.values))
        n, q = self.best
        return Table(
            f"{title}; best n = {n}, q = {q:g}: {self.values[self.best]:{unit}}",
            ["folding", "n", *(f"q={q:g}" for q in qs)],
            [[self.folding, str(n), *(format(self.values[n, q], unit) for q in qs)] for n in ns],
        )

    def figure(self, pages: str) -> Figure:
        """A line for each n over q; *pages* says what was read."""
        ns, qs = (sorted(set(axis)) for axis in zip(*self.values))
        lines = {n: [self.values[n, q] for q in qs] for n in ns}
        return plots.tuning(qs, lines, f"{self.folding} folding, {pages}", self.measure)


def alphabet_of(folding: str, pages: Sequence[LabelledPage], characters: int) -> Alphabet:
    """The alphabet of a folding, for all pages: the choice of frequent characters is not cross-validated."""
    texts = (text for page in pages for text in page.texts)
    return Alphabet(folding, frequent_characters(texts, characters) if folding == "frequent" else "")


def _grid_values(
    pages: Sequence[LabelledPage], folding: str, options: TuneOptions, progress: ProgressReport
) -> dict[Point, float]:
    """The values of one folding. A separate function, because its end frees the n-grams, which are large."""
    done = progress(options.folds.number, "folds")
    grid = NgramGrid(pages, alphabet_of(folding, pages, options.one.characters), options.ns, options.folds, done)
    if options.what == "entropy":
        return grid.entropies(options.qs)
    words = AlignedWords(grid.pages)
    return {point: 100 * words.measure(scores).f for point, scores in grid.scores(options.qs).items()}


# ---- the learning curve ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CurveOptions:
    """The models of a learning curve: their parameters, the numbers of training pages, and the random subsets of each
    number."""

    model: NgramOptions = NgramOptions()
    folds: FoldOptions = FoldOptions()
    sizes: tuple[int, ...] = SIZES
    subsets: int = SUBSETS


@dataclass(frozen=True)
class CurveResult:
    """The numbers of training pages, and for each of precision, recall and F the values (per cent) of all subsets by
    number of pages."""

    sizes: list[int]
    values: dict[str, list[list[float]]]

    def table(self) -> Table:
        """The means of the subsets, with percentiles in brackets."""
        rows = []
        for place, size in enumerate(self.sizes):
            cells = []
            for by_size in self.values.values():
                low, high = np.percentile(by_size[place], PERCENTILES)
                cells.append(f"{np.mean(by_size[place]):.2f} ({low:.2f}-{high:.2f})")
            rows.append([str(size), *cells])
        title = "words pooled over test pages, per cent: mean of random subsets (5 % to 95 % of them)"
        return Table(title, ["training pages", *self.values], rows)


def learning_curve(
    pages: Sequence[LabelledPage],
    options: CurveOptions,
    tests: Sequence[LabelledPage] = (),
    progress: ProgressReport = no_progress,
) -> CurveResult:
    """The learning curve of models of *pages*, tested on *tests* or on held-out folds. Raises ValueError if there are
    fewer domains than folds, or no training data."""
    # each part: pages to test on, and pages to draw subsets from
    parts = [(list(tests), list(pages))] if tests else _held_out(pages, options.folds)
    max_size = min(len(rest) for _, rest in parts)
    sizes = [*(size for size in options.sizes if size < max_size), max_size]
    values: dict[str, list[list[float]]] = {name: [] for name in ("precision", "recall", "F")}
    draw = random.Random(options.folds.seed)
    done = progress(len(sizes) * options.subsets, "models")
    for number, size in enumerate(sizes):
        scores = []
        for subset in range(options.subsets):
            done(number * options.subsets + subset)
            test, rest = parts[subset % len(parts)]
            training = LabelledPages(draw.sample(rest, min(size, len(rest))))
            scores.append(_test_scores(training, test, options.model))
            if size == max_size and tests:
                break  # there is one subset of all pages
        for place, name in enumerate(values):
            values[name].append([100 * of_subset[place] for of_subset in scores])
    done(len(sizes) * options.subsets)
    return CurveResult(sizes, values)


def _held_out(
    pages: Sequence[LabelledPage], options: FoldOptions
) -> list[tuple[list[LabelledPage], list[LabelledPage]]]:
    """The pages of each fold, and all others."""
    out = []
    for fold in fold_places([page.domain for page in pages], options.number, options.seed):
        held_out = set(fold)
        out.append(([pages[at] for at in fold], [page for at, page in enumerate(pages) if at not in held_out]))
    return out


def _test_scores(training: LabelledPages, test: Sequence[LabelledPage], options: NgramOptions) -> WordScores:
    scored = score_pages(train_ngram(training, options), test)
    return AlignedWords(test).measure(np.array([score for page in scored for score in page.scores], float))


# ---- operating points: precision against recall of the words that are kept --------------------------------------


class WordScores(NamedTuple):
    """Precision, recall and F of words, from 0 to 1."""

    precision: float
    recall: float
    f: float


class PrecisionRecallCurve(NamedTuple):
    """Thresholds in ascending order, and the precision and recall (0 to 1) of the segments that score above each."""

    thresholds: Doubles
    precisions: Doubles
    recalls: Doubles


class AlignedWords:
    """The words of pages, aligned with the gold text (see `labelling`), to measure which of them a threshold keeps.

    Words of all pages are counted together. Scores are those of all segments, in the order of *pages*. Segments with a
    rule are never kept, except on *calibrated* pages, whose scores take rules into account (as nc-select decides).
    """

    def __init__(self, pages: Sequence[LabelledPage], calibrated: Sequence[bool] | None = None) -> None:
        self._words = np.array([count for page in pages for count in page.words])
        self._matched = np.array([count for page in pages for count in page.matched])
        marks_count = [True] * len(pages) if calibrated is None else [not known for known in calibrated]
        marked = [mark and count for page, count in zip(pages, marks_count) for mark in page.marked]
        self._undecided = ~np.array(marked, bool)
        self._gold = sum(page.gold_words for page in pages)

    def measure(self, scores: Doubles, threshold: float = 0.0) -> WordScores:
        """Precision, recall and F of the segments that are kept by a threshold."""
        kept = self._undecided & (scores > threshold)
        words, matched = int(self._words[kept].sum()), int(self._matched[kept].sum())
        precision, recall = matched / max(words, 1), matched / max(self._gold, 1)
        return WordScores(precision, recall, 2 * precision * recall / (precision + recall) if matched else 0.0)

    def curve(self, scores: Doubles) -> PrecisionRecallCurve:
        """Precision and recall at every threshold: one below each different score.

        Thresholds have two decimals where these are enough to separate the scores. Raises ValueError if no segment
        without a rule has words.
        """
        order = np.argsort(scores[self._undecided], kind="stable")[::-1]
        ranked = scores[self._undecided][order]
        words, matched = (np.cumsum(counts[self._undecided][order]) for counts in (self._words, self._matched))
        if not len(words) or not words[-1]:
            raise ValueError("nothing to decide: no segment without a rule has words")
        last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)  # of those with equal scores
        last = last[words[last] > 0]
        below = np.append(ranked[1:], ranked[-1] - 1)[last]
        thresholds = np.maximum(np.floor(50 * (ranked[last] + below)) / 100, below)
        precision, recall = matched[last] / words[last], matched[last] / max(self._gold, 1)
        return PrecisionRecallCurve(thresholds[::-1], precision[::-1], recall[::-1])


class ThresholdPoint(NamedTuple):
    """A threshold (bits), the scores of the words it keeps, and its *target*: a precision, "best F", or None for the
    threshold 0."""

    target: float | str | None
    threshold: float
    kept: WordScores


def operating_points(
    pages: Sequence[LabelledPage],
    options: NgramOptions,
    folds: FoldOptions,
    model: NamedModel | None = None,
    progress: ProgressReport = no_progress,
) -> list[ThresholdPoint]:
    """The threshold 0, and those with which n-gram models have the best F and reach PRECISIONS, by cross-validation; or
    a *model* that has not been trained on the pages."""
    if model:
        scored = score_pages(model.model, pages)
    else:
        done = progress(folds.number, "folds")
        scored = list(cross_validate(pages, lambda some: train_ngram(some, options), folds, done))
    scores = np.array([score for page in scored for score in page.scores], float)
    words = AlignedWords([page.page for page in scored], [page.page_evidence is not None for page in scored])
    curve = words.curve(scores)
    f = curve.precisions * curve.recalls / np.maximum(curve.precisions + curve.recalls, 1e-9)
    best = float(curve.thresholds[np.argmax(f)])
    return [
        ThresholdPoint(None, 0.0, words.measure(scores)),
        ThresholdPoint("best F", best, words.measure(scores, best)),
        *points_at(words, scores, PRECISIONS),
    ]


def points_table(points: Sequence[ThresholdPoint], about: str) -> Table:
    """A row for each point; *about* says what was read."""
    rows = []
    for target, threshold, kept in points:
        cells = (f"{100 * value:.2f}" for value in kept)
        rows.append(["" if target is None else f"{target}", f"{threshold:.2f}", *cells])
    title = f"nc-select -t: precision against recall ({about}, words pooled, per cent)"
    return Table(title, ["precision wanted", "threshold (bits)", "precision", "recall", "F"], rows)


def points_at(words: AlignedWords, scores: Doubles, precisions: Sequence[float]) -> list[ThresholdPoint]:
    """For each of the precisions that is reached, the threshold with the highest recall."""
    curve = words.curve(scores)
    out = []
    for target in precisions:
        reaching = np.flatnonzero(curve.precisions >= target)
        if len(reaching):
            threshold = float(curve.thresholds[reaching[np.argmax(curve.recalls[reaching])]])
            out.append(ThresholdPoint(target, threshold, words.measure(scores, threshold)))
    return out
