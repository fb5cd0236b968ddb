"""Thresholds and the precisions that they reach: precision against recall of the words that are kept.

    operating_points(pages, NgramOptions(), FoldOptions(10)).table()        # of bits, for nc-select -t

The scores come from cross-validation, or from a model that was not trained on the pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage
from ..evaluation.report.tables import Table
from ..scoring.base import NamedModel
from .base import ProgressReport, no_progress
from .cross_validation import FoldOptions, cross_validate, score_pages
from .ngram_trainer import NgramOptions, train_ngram

Doubles = NDArray[np.float64]

# The precisions of the table.
PRECISIONS = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
# Points of a precision-recall curve in a figure.
PLOTTED_POINTS = 40


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


@dataclass(frozen=True)
class OperatingPoints:
    """The points of the table, of which the first is the threshold 0, the whole curve, and what was read."""

    points: list[ThresholdPoint]
    curve: PrecisionRecallCurve
    about: str = ""

    def table(self) -> Table:
        """A row for each point."""
        rows = []
        for target, threshold, kept in self.points:
            cells = (f"{100 * value:.2f}" for value in kept)
            rows.append(["" if target is None else f"{target}", f"{threshold:.2f}", *cells])
        title = f"nc-select -t: precision against recall ({self.about}, words pooled, per cent)"
        return Table(title, ["precision wanted", "threshold (bits)", "precision", "recall", "F"], rows)

    def plotted(self) -> tuple[list[float], list[float], list[float]]:
        """Recalls, precisions (per cent) and thresholds of about PLOTTED_POINTS points of the curve, at even distances
        in recall, and of the threshold 0."""
        thresholds, precisions, recalls = self.curve
        even = np.linspace(recalls[0], recalls[-1], PLOTTED_POINTS)
        places = np.unique(np.searchsorted(-recalls, -even).clip(0, len(recalls) - 1))
        _, zero, kept = self.points[0]
        return (
            [*(100 * recalls[places]).tolist(), 100 * kept.recall],
            [*(100 * precisions[places]).tolist(), 100 * kept.precision],
            [*thresholds[places].round(1).tolist(), zero],
        )


def operating_points(
    pages: Sequence[LabelledPage],
    options: NgramOptions,
    folds: FoldOptions,
    model: NamedModel | None = None,
    progress: ProgressReport = no_progress,
) -> OperatingPoints:
    """The thresholds with which n-gram models have the best F and reach PRECISIONS, by cross-validation; or a *model*
    that has not been trained on the pages."""
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
    points = [
        ThresholdPoint(None, 0.0, words.measure(scores)),
        ThresholdPoint("best F", best, words.measure(scores, best)),
        *points_at(words, scores, PRECISIONS),
    ]
    how = model.name if model else f"{folds.number} folds"
    return OperatingPoints(points, curve, f"{how}, {len(pages)} pages")


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
