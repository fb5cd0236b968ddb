"""Learning curves of n-gram models."""

from __future__ import annotations

import numpy as np
import pytest
from invented import MIXED, labelled, page

from ncfilters.dataset.labelled_pages import LabelledPages
from ncfilters.training.cross_validation import FoldOptions, score_pages
from ncfilters.training.learning_curve import CurveOptions, CurveResult, learning_curve
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram
from ncfilters.training.operating_point import AlignedWords

PAGES = labelled(MIXED).pages


def test_sizes_end_with_all_pages_outside_a_fold() -> None:
    result = learning_curve(PAGES, CurveOptions(folds=FoldOptions(3), sizes=(2, 900), subsets=4))
    assert result.sizes == [2, 12]
    assert [[len(values) for values in of] for of in result.values.values()] == [[4, 4]] * 3
    assert list(result.values) == ["precision", "recall", "F"]


def test_the_seed_draws_the_subsets() -> None:
    first, again, other = (
        learning_curve(PAGES, CurveOptions(folds=FoldOptions(3, seed), sizes=(2,), subsets=3)) for seed in (0, 0, 1)
    )
    assert first == again != other


def test_all_pages_are_tested_once_on_test_pages() -> None:
    tests = labelled([page(n) for n in range(40, 45)]).pages
    result = learning_curve(PAGES, CurveOptions(sizes=(3,), subsets=4), tests)
    assert (result.sizes, [len(values) for values in result.values["F"]]) == ([3, 18], [4, 1])
    scored = score_pages(train_ngram(LabelledPages(PAGES), NgramOptions()), tests)
    kept = AlignedWords(tests).measure(np.array([score for some in scored for score in some.scores]))
    assert result.values["F"][1] == pytest.approx([100 * kept.f])


def test_progress_counts_models() -> None:
    reported: list[object] = []

    def progress(total: int, unit: str):  # type: ignore[no-untyped-def]
        reported.append((total, unit))
        return reported.append

    learning_curve(PAGES, CurveOptions(folds=FoldOptions(3), sizes=(2,), subsets=1), progress=progress)
    assert reported == [(2, "models"), 0, 1, 2]


def test_the_table_has_means_and_percentiles() -> None:
    table = CurveResult([5], {"F": [[50.0, 60.0, 70.0]]}).table()
    assert table.rows == [["5", "60.00 (51.00-69.00)"]]
