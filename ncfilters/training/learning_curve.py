"""The learning curve: precision, recall and F of n-gram models over the number of training pages.

    result = learning_curve(pages, CurveOptions(sizes=(10, 20, 50)))
    result.values["F"]        # for each size, the F (per cent) of the model of each random subset

With separate test pages, the models are tested on these; otherwise each subset is tested on a fold with other domains
(NCleaner, figure 4).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dataset.labelled_pages import LabelledPage, LabelledPages, fold_places
from ..evaluation.report.tables import Table
from .base import ProgressReport, no_progress
from .cross_validation import FoldOptions, score_pages
from .ngram_trainer import NgramOptions, train_ngram
from .operating_point import AlignedWords, WordScores

# Numbers of training pages, unless others are given.
SIZES = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 5000, 10000)
# The middle 90 per cent of the subsets.
PERCENTILES = (5, 95)


@dataclass(frozen=True)
class CurveOptions:
    """The models of a learning curve: their parameters, the numbers of training pages, and the random subsets of each
    number."""

    model: NgramOptions = NgramOptions()
    folds: FoldOptions = FoldOptions()
    sizes: tuple[int, ...] = SIZES
    subsets: int = 10


@dataclass(frozen=True)
class CurveResult:
    """The numbers of training pages, and for each of precision, recall and F the values (per cent) of all subsets by
    number of pages."""

    sizes: list[int]
    values: dict[str, list[list[float]]]

    def as_json(self) -> dict[str, Any]:
        """The curve as an object."""
        return {"sizes": self.sizes, **self.values}

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
