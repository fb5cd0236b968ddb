"""The threshold for a target precision: precision against recall of the words that are kept.

    result = operating_points(pages, ThresholdOptions(target_precision=0.95))
    result.chosen.threshold        # bits, for nc-select -t

The scores come from cross-validation, or from a model that was not trained on the pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage
from ..evaluation.report.tables import Table
from ..scoring.base import Model
from .base import ProgressReport, no_progress
from .cross_validation import FoldOptions, ScoredPage, cross_validate, score_pages
from .ngram_trainer import NgramOptions, train_ngram

Doubles = NDArray[np.float64]

# The precisions of the table, unless one is given.
PRECISIONS = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
# Points of a precision-recall curve in a figure.
PLOTTED_POINTS = 40


@dataclass(frozen=True)
class ThresholdOptions:
    """The model whose threshold is chosen, and the precision (0 to 1) to reach: None for each of PRECISIONS."""

    model: NgramOptions = NgramOptions()
    folds: FoldOptions = FoldOptions()
    target_precision: float | None = None


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


@dataclass(frozen=True)
class ThresholdPoint:
    """A threshold (bits), the scores of the words it keeps, and its *target*: a precision, "best F", or None for the
    threshold 0."""

    target: float | str | None
    threshold: float
    kept: WordScores

    def as_json(self) -> dict[str, Any]:
        """The point as an object; precision, recall and F from 0 to 1."""
        kept = dict(zip(("precision", "recall", "F"), self.kept))
        return {"target": self.target, "threshold": self.threshold, **kept}


@dataclass(frozen=True)
class ThresholdResult:
    """The points of the table, the whole curve, and the point that is chosen: that of the target precision, or the
    threshold 0."""

    table: Table
    points: list[ThresholdPoint]
    curve: PrecisionRecallCurve
    chosen: ThresholdPoint

    def plotted(self) -> tuple[list[float], list[float], list[float]]:
        """Recalls, precisions (per cent) and thresholds of about PLOTTED_POINTS points of the curve, at even distances
        in recall, and of the chosen point."""
        thresholds, precisions, recalls = self.curve
        even = np.linspace(recalls[0], recalls[-1], PLOTTED_POINTS)
        places = np.unique(np.searchsorted(-recalls, -even).clip(0, len(recalls) - 1))
        return (
            [*(100 * recalls[places]).tolist(), 100 * self.chosen.kept.recall],
            [*(100 * precisions[places]).tolist(), 100 * self.chosen.kept.precision],
            [*thresholds[places].round(1).tolist(), self.chosen.threshold],
        )


def operating_points(
    pages: Sequence[LabelledPage],
    options: ThresholdOptions,
    model: tuple[str, Model] | None = None,
    progress: ProgressReport = no_progress,
) -> ThresholdResult:
    """The thresholds with which n-gram models reach precisions, by cross-validation; or a *model*, given with its name,
    that has not been trained on the pages. Raises ValueError if the target precision is not reached."""
    scored = list(_scored(pages, options, model, progress))
    scores = np.array([score for page in scored for score in page.scores], float)
    words = AlignedWords([page.page for page in scored], [page.page_evidence is not None for page in scored])
    curve = words.curve(scores)
    target = options.target_precision
    reached = points_at(words, scores, PRECISIONS if target is None else [target])
    if target is not None and not reached:
        raise ValueError(f"a precision of {target:g} is not reached: the highest is {curve.precisions.max():.4f}")
    points = [ThresholdPoint(None, 0.0, words.measure(scores))]
    if target is None:
        f = curve.precisions * curve.recalls / np.maximum(curve.precisions + curve.recalls, 1e-9)
        threshold = float(curve.thresholds[np.argmax(f)])
        points.append(ThresholdPoint("best F", threshold, words.measure(scores, threshold)))
    points += reached
    how = model[0] if model else f"{options.folds.number} folds"
    chosen = points[0 if target is None else 1]
    return ThresholdResult(_table(points, f"{how}, {len(pages)} pages"), points, curve, chosen)


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


def _scored(
    pages: Sequence[LabelledPage], options: ThresholdOptions, model: tuple[str, Model] | None, progress: ProgressReport
) -> Iterator[ScoredPage]:
    if model:
        yield from score_pages(model[1], pages)
        return
    done = progress(options.folds.number, "folds")
    yield from cross_validate(pages, lambda some: train_ngram(some, options.model), options.folds, done)


def _table(points: Sequence[ThresholdPoint], pages: str) -> Table:
    return Table(
        f"nc-select -t: precision against recall ({pages}, words pooled, per cent)",
        ["precision wanted", "threshold (bits)", "precision", "recall", "F"],
        [
            [
                "" if point.target is None else f"{point.target}",
                f"{point.threshold:.2f}",
                *(f"{100 * value:.2f}" for value in point.kept),
            ]
            for point in points
        ],
    )
