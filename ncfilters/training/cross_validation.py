"""Cross-validation by domain, where each page is scored by a model that has not seen its site; and what it finds of
n-gram models: their parameters, a threshold for them, and their learning curve.

    for scored in cross_validate(trainer.pages, trainer.train, Folds(10)):
        print(scored.page.key, kept_text(scored.page, scored.scores))
    for found in tune(pages, TuneOptions("entropy")):
        print(found.table.title)        # ascii: cross-entropy of held-out text, …; best n = 3, q = 0.5: 2.871
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import TEN_FOLDS, Folds, LabelledPage, splits
from ..evaluation import plots
from ..evaluation.results import Evaluation
from ..evaluation.systems import System
from ..evaluation.tables import Table
from ..features.document import ModelInput
from ..record import VERSION, Record
from ..scoring.base import Evidence, Model, NamedModel
from ..selection.forms.plain import cleaneval, plain
from .base import ProgressReport, StepsDone, no_progress
from .ngram_trainer import NgramGrid, NgramOptions, Point, alphabet_of, train_ngram

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Doubles = NDArray[np.float64]

# The grid of NCleaner, figure 2, with more values of q.
NS, QS = tuple(range(1, 9)), tuple(tenth / 10 for tenth in range(1, 10))
# Numbers of training pages of a learning curve, the random subsets of each, and the middle 90 per cent of these.
SIZES = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 5000, 10000)
SUBSETS = 10
PERCENTILES = (5, 95)
MEASURES = ("precision", "recall", "F")
# The precisions of the table.
PRECISIONS = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)


@dataclass(frozen=True)
class PageEvidence:
    """A page, its place among the pages given, and the fields that the model writes for its segments. *page_evidence*
    is the field `page` of models that classify whole pages."""

    page: LabelledPage
    place: int
    evidence: Evidence
    page_evidence: dict[str, Any] | None = None

    @property
    def scores(self) -> list[float]:
        """The score of each segment (bits)."""
        return self.evidence["score"]

    def scored_record(self) -> Record:
        """The record that the page has kept, its segments with the fields of the model."""
        assert self.page.record is not None
        segments = [dict(segment) for segment in self.page.record["segments"]]
        for field, values in self.evidence.items():
            for segment, value in zip(segments, values):
                segment[field] = value
        out = {**self.page.record, "segments": segments}
        out.setdefault("nc", VERSION)
        return out if self.page_evidence is None else {**out, "page": self.page_evidence}


def cross_validate(
    pages: Sequence[LabelledPage],
    train: Callable[[Sequence[LabelledPage]], Model],
    folds: Folds = TEN_FOLDS,
    progress: StepsDone = lambda folds_done: None,
) -> Iterator[PageEvidence]:
    """The pages of each fold in turn, scored by a model trained on the other folds.

    Raises ValueError if there are fewer domains than folds, or no training data without some fold.
    """
    for number, (part, others) in enumerate(splits(pages, *folds)):
        progress(number)
        try:
            model = train([pages[place] for place in others])
        except ValueError as error:
            raise ValueError(f"without fold {number + 1} of {folds.number}: {error}") from None
        yield from score_pages(model, [pages[place] for place in part], part)
    progress(folds.number)


def score_pages(model: Model, pages: Sequence[LabelledPage], places: Sequence[int] | None = None) -> list[PageEvidence]:
    """The pages, scored by a model; *places* are their places, if not from 0 on.

    The model reads the records of pages that have kept them, and else the texts of their segments.
    """
    if not pages:
        return []
    evidence, about = model.evidence_with_pages([_document(page) for page in pages])
    columns = zip(pages, places or range(len(pages)), evidence, about)
    return [PageEvidence(page, place, segments, whole) for page, place, segments, whole in columns]


def _document(page: LabelledPage) -> ModelInput:
    if page.record:
        return ModelInput.of_record(page.record)
    segments = zip(page.texts, page.marked)
    return ModelInput([{"text": text, "rule": "marked"} if marked else {"text": text} for text, marked in segments])


def kept_text(page: LabelledPage, scores: Sequence[float]) -> str:
    """The text of the segments with a score above 0 and without a rule; with CleanEval markers if the gold has them."""
    columns = zip(page.types, page.texts, page.marked, scores)
    kept = [{"type": kind, "text": text} for kind, text, marked, score in columns if not marked and score > 0]
    return (cleaneval if page.gold.has_markers else plain)(kept, {})


def evaluate(pages: Iterable[PageEvidence], system: System, measures: Sequence[str]) -> Evaluation:
    """The evaluation of the text kept of each page, as the output of *system*, against its gold text. A page whose gold
    has snippets alone is left out."""
    golds = {}
    for number, scored in enumerate((page for page in pages if not page.page.gold.is_partial), 1):
        key = scored.page.key if scored.page.key not in golds else f"{scored.page.key} ({number})"
        system.texts[key] = kept_text(scored.page, scored.scores)
        golds[key] = scored.page.gold
    return Evaluation([system], golds, measures)


# ---- tuning -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TuneOptions:
    """What to find: `entropy` or `f` over a grid; or `threshold` or `curve` for *one* choice of parameters. Thresholds
    may be those of a *model*. Raises ValueError for parameters out of range."""

    what: str
    one: NgramOptions = NgramOptions()
    folds: Folds = TEN_FOLDS
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
        yield Finding(threshold_table(pages, options, progress))
    elif options.what == "curve":
        curve = learning_curve(pages, options.one, options.folds, progress=progress)
        yield Finding(curve_table(curve), lambda: plots.learning_curve(*curve, about), "learning-curve")
    else:
        for folding in dict.fromkeys(options.foldings):
            yield grid_finding(options.what, folding, _grid_values(pages, folding, options, progress), about)


# ---- the grid -------------------------------------------------------------------------------------------------

_TITLES = {
    "entropy": "cross-entropy of held-out text, bits per character",
    "f": "F of words, pooled over held-out pages, per cent",
}


def grid_finding(measure: str, folding: str, values: dict[Point, float], about: str) -> Finding:
    """The cross-entropy (bits per character) or F (per cent) of a folding, a row for each n and a column for each q;
    *about* says what was read. The best n and q are the smallest of those with the best value."""
    ns, qs = (sorted(set(axis)) for axis in zip(*values))
    sign, unit = (1, ".3f") if measure == "entropy" else (-1, ".2f")
    best = min(values, key=lambda point: (sign * values[point], point))
    table = Table(
        f"{folding}: {_TITLES[measure]}; best n = {best[0]}, q = {best[1]:g}: {values[best]:{unit}}",
        ["folding", "n", *(f"q={q:g}" for q in qs)],
        [[folding, str(n), *(format(values[n, q], unit) for q in qs)] for n in ns],
    )
    lines = {n: [values[n, q] for q in qs] for n in ns}
    return Finding(
        table, lambda: plots.tuning(qs, lines, f"{folding} folding, {about}", measure), f"{measure}-{folding}"
    )


def _grid_values(
    pages: Sequence[LabelledPage], folding: str, options: TuneOptions, progress: ProgressReport
) -> dict[Point, float]:
    """The values of one folding. A separate function, because its end frees the n-grams, which are large."""
    # one alphabet for all pages: the choice of frequent characters is not cross-validated
    alphabet = alphabet_of(replace(options.one, folding=folding), (text for page in pages for text in page.texts))
    grid = NgramGrid(pages, alphabet, options.ns, options.folds, progress(options.folds.number, "folds"))
    if options.what == "entropy":
        return grid.entropies(options.qs)
    words = AlignedWords(grid.pages)
    return {point: 100 * words.measure(scores).f for point, scores in grid.scores(options.qs).items()}


# ---- the learning curve ---------------------------------------------------------------------------------------

# Numbers of training pages, and for precision, recall and F the values (per cent) of all subsets by number of pages.
Curve = tuple[list[int], dict[str, list[list[float]]]]


def learning_curve(
    pages: Sequence[LabelledPage],
    model: NgramOptions,
    folds: Folds = TEN_FOLDS,
    tests: Sequence[LabelledPage] = (),
    progress: ProgressReport = no_progress,
) -> Curve:
    """The learning curve of models of *pages*, tested on *tests* or, without these, each subset on a fold with other
    domains (NCleaner, figure 4). Raises ValueError if there are fewer domains than folds, or no training data."""
    # each part: pages to test on, and pages to draw subsets from
    parts = [(list(tests), list(pages))]
    if not tests:
        held_out = splits(pages, *folds)
        parts = [([pages[at] for at in fold], [pages[at] for at in sorted(others)]) for fold, others in held_out]
    max_size = min(len(rest) for _, rest in parts)
    sizes = [*(size for size in SIZES if size < max_size), max_size]
    values: dict[str, list[list[float]]] = {name: [] for name in MEASURES}
    draw = random.Random(folds.seed)
    done = progress(len(sizes) * SUBSETS, "models")
    for number, size in enumerate(sizes):
        found = []
        # with separate tests, there is one subset of all pages
        for subset in range(1 if size == max_size and tests else SUBSETS):
            done(number * SUBSETS + subset)
            test, rest = parts[subset % len(parts)]
            scored = score_pages(train_ngram(draw.sample(rest, min(size, len(rest))), model), test)
            found.append(AlignedWords(test).measure(_scores(scored)))
        for name, shares in zip(MEASURES, zip(*found)):
            values[name].append([100 * share for share in shares])
    done(len(sizes) * SUBSETS)
    return sizes, values


def curve_table(curve: Curve) -> Table:
    """The means of the subsets, with percentiles in brackets."""
    rows = []
    for size, *subsets in zip(curve[0], *curve[1].values()):
        cells = []
        for values in subsets:
            low, high = np.percentile(values, PERCENTILES)
            cells.append(f"{np.mean(values):.2f} ({low:.2f}-{high:.2f})")
        rows.append([str(size), *cells])
    title = "words pooled over test pages, per cent: mean of random subsets (5 % to 95 % of them)"
    return Table(title, ["training pages", *MEASURES], rows)


# ---- precision against recall of the words that are kept --------------------------------------


class WordScores(NamedTuple):
    """Precision, recall and F of words, from 0 to 1."""

    precision: float
    recall: float
    f: float


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

    def curve(self, scores: Doubles) -> tuple[Doubles, Doubles, Doubles]:
        """Thresholds in ascending order, one below each different score, and the precision and recall (0 to 1) of the
        segments that score above each.

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
        return thresholds[::-1], precision[::-1], recall[::-1]

    def thresholds(self, scores: Doubles) -> dict[str, float]:
        """The threshold 0; that with the best F; and for each of PRECISIONS that is reached, that with the highest
        recall; each by what it is for."""
        thresholds, precisions, recalls = self.curve(scores)
        f = precisions * recalls / np.maximum(precisions + recalls, 1e-9)
        out = {"": 0.0, "best F": float(thresholds[np.argmax(f)])}
        for target in PRECISIONS:
            reaching = np.flatnonzero(precisions >= target)
            if len(reaching):
                out[str(target)] = float(thresholds[reaching[np.argmax(recalls[reaching])]])
        return out


def threshold_table(
    pages: Sequence[LabelledPage], options: TuneOptions, progress: ProgressReport = no_progress
) -> Table:
    """Precision and recall of the `thresholds` of n-gram models, by cross-validation; or of a model that has not been
    trained on the pages."""
    if options.model:
        about, scored = options.model.name, score_pages(options.model.model, pages)
    else:
        about, done = f"{options.folds.number} folds", progress(options.folds.number, "folds")
        scored = list(cross_validate(pages, lambda some: train_ngram(some, options.one), options.folds, done))
    words = AlignedWords([page.page for page in scored], [page.page_evidence is not None for page in scored])
    scores, rows = _scores(scored), []
    for target, threshold in words.thresholds(scores).items():
        kept = words.measure(scores, threshold)
        rows.append([target, f"{threshold:.2f}", *(f"{100 * value:.2f}" for value in kept)])
    title = f"nc-select -t: precision against recall ({about}, {len(pages)} pages, words pooled, per cent)"
    return Table(title, ["precision wanted", "threshold (bits)", *MEASURES], rows)


def _scores(pages: Sequence[PageEvidence]) -> Doubles:
    """The scores of all segments."""
    return np.array([score for page in pages for score in page.scores], float)
