"""Grid search over n and q, and learning curves."""

from __future__ import annotations

import numpy as np
import pytest
from invented import MIXED, labelled, page

from ncfilters.dataset.labelled_pages import LabelledPages
from ncfilters.training.cross_validation import FoldOptions, score_pages
from ncfilters.training.learning_curve import CurveOptions, CurveResult, learning_curve
from ncfilters.training.ngram_grid import NgramGrid
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram
from ncfilters.training.operating_point import AlignedWords
from ncfilters.training.search import GridOptions, GridResult, alphabet_of, search_grid

PAGES = labelled(MIXED).pages


@pytest.mark.parametrize("measure", ["entropy", "f"])
def test_values_are_those_of_the_grid(measure: str) -> None:
    options = GridOptions(measure, [2, 3], [0.3, 0.8], ["ascii", "frequent"], 30, FoldOptions(3))
    for result, folding in zip(search_grid(PAGES, options), options.foldings):
        grid = NgramGrid(PAGES, alphabet_of(folding, PAGES, 30), [2, 3], FoldOptions(3))
        values = grid.entropies([0.3, 0.8])
        if measure == "f":
            aligned = AlignedWords(grid.pages)
            values = {point: 100 * aligned.measure(scores).f for point, scores in grid.scores([0.3, 0.8]).items()}
        assert (result.folding, result.values) == (folding, values)


def test_progress_is_reported_for_each_folding() -> None:
    reported: list[int | tuple[int, str]] = []

    def progress(total: int, unit: str):  # type: ignore[no-untyped-def]
        reported.append((total, unit))
        return reported.append

    list(search_grid(PAGES, GridOptions("entropy", [2], [0.5], ["ascii"], folds=FoldOptions(2)), progress))
    assert reported == [(2, "folds"), 0, 1, 2]


def test_a_folding_given_twice_is_searched_once() -> None:
    options = GridOptions("entropy", [1], [0.5], ["ascii", "ascii"], folds=FoldOptions(2))
    assert len(list(search_grid(PAGES, options))) == 1


def test_the_best_is_low_entropy_or_high_f_and_the_smallest_n() -> None:
    values = {(2, 0.5): 2.0, (1, 0.5): 1.0, (1, 0.2): 1.0, (3, 0.2): 2.0}
    assert GridResult("entropy", "ascii", values).best == (1, 0.2)
    assert GridResult("f", "ascii", values).best == (2, 0.5)


def test_the_table_has_a_row_for_n_and_a_column_for_q() -> None:
    result = GridResult("f", "ascii", {(1, 0.2): 50.0, (1, 0.5): 60.0, (2, 0.2): 70.0, (2, 0.5): 80.0})
    table = result.table()
    assert table.title == "ascii: F of words, pooled over held-out pages, per cent; best n = 2, q = 0.5: 80.00"
    assert table.header == ["folding", "n", "q=0.2", "q=0.5"]
    assert table.rows == [["ascii", "1", "50.00", "60.00"], ["ascii", "2", "70.00", "80.00"]]
    assert result.as_json()["best"] == {"n": 2, "q": 0.5}


def test_subsets_end_with_all_pages_and_depend_on_the_seed() -> None:
    result = learning_curve(PAGES, CurveOptions(folds=FoldOptions(3), sizes=(2, 900), subsets=4))
    assert result.sizes == [2, 12]
    assert [[len(values) for values in of] for of in result.values.values()] == [[4, 4]] * 3
    assert list(result.values) == ["precision", "recall", "F"]
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
