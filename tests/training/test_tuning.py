"""Grids over n and q, learning curves, and what nc-train --tune makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from invented import MIXED, labelled, page

from ncfilters.dataset import labelled_pages
from ncfilters.dataset.labelled_pages import LabelledPages
from ncfilters.training.cross_validation import FoldOptions, score_pages
from ncfilters.training.ngram_grid import NgramGrid
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram
from ncfilters.training.tuning import (
    AlignedWords,
    CurveOptions,
    CurveResult,
    ParameterGrid,
    TuneOptions,
    alphabet_of,
    learning_curve,
    tune,
)

PAGES = labelled(MIXED).pages
THREE = FoldOptions(3)


def recorder(reported: list[object]) -> Any:
    def progress(total: int, unit: str) -> Any:
        reported.append((total, unit))
        return reported.append

    return progress


# ---- the grid -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["entropy", "f"])
def test_tables_have_the_values_of_the_grid(measure: str) -> None:
    given = {"ns": [2, 3], "qs": [0.3, 0.8], "foldings": ["ascii", "frequent"]}
    options = TuneOptions(measure, NgramOptions(characters=30), THREE, **given)
    found = list(tune(PAGES, options))
    assert [name for _, _, name in found] == [f"{measure}-ascii", f"{measure}-frequent"]
    for (table, *_), folding in zip(found, options.foldings):
        alphabet = alphabet_of(folding, PAGES, 30)
        assert folding == "ascii" or len(alphabet.characters) == 30
        grid = NgramGrid(PAGES, alphabet, [2, 3], THREE)
        values = grid.entropies([0.3, 0.8])
        if measure == "f":
            aligned = AlignedWords(grid.pages)
            values = {point: 100 * aligned.measure(scores).f for point, scores in grid.scores([0.3, 0.8]).items()}
            assert 60 < max(values.values()) < 100
        assert table == ParameterGrid(measure, folding, values).table()


def test_searches_and_curves_report_their_progress() -> None:
    reported: list[object] = []
    options = TuneOptions("entropy", folds=FoldOptions(2), ns=[1], qs=[0.5], foldings=["ascii", "ascii"])
    assert len(list(tune(PAGES, options, recorder(reported)))) == 1
    assert reported == [(2, "folds"), 0, 1, 2]
    reported: list[object] = []
    learning_curve(PAGES, CurveOptions(folds=THREE, sizes=(2,), subsets=1), progress=recorder(reported))
    assert reported == [(2, "models"), 0, 1, 2]


def test_tables_of_grids_and_of_curves() -> None:
    values = {(2, 0.5): 2.0, (1, 0.5): 1.0, (1, 0.2): 1.0, (3, 0.2): 2.0}
    assert ParameterGrid("entropy", "ascii", values).best == (1, 0.2)
    assert ParameterGrid("f", "ascii", values).best == (2, 0.5)
    table = ParameterGrid("f", "ascii", {(1, 0.2): 50.0, (1, 0.5): 60.0, (2, 0.2): 70.0, (2, 0.5): 80.0}).table()
    assert table.title == "ascii: F of words, pooled over held-out pages, per cent; best n = 2, q = 0.5: 80.00"
    assert table.header == ["folding", "n", "q=0.2", "q=0.5"]
    assert table.rows == [["ascii", "1", "50.00", "60.00"], ["ascii", "2", "70.00", "80.00"]]
    table = CurveResult([5], {"F": [[50.0, 60.0, 70.0]]}).table()
    assert table.rows == [["5", "60.00 (51.00-69.00)"]]


@pytest.mark.parametrize(
    ("parameters", "why"),
    [({"ns": [3, 9]}, "n is 9; it must be 1 to 8"), ({"qs": [0.5, 1.0]}, "q is 1.0; it must be between 0 and 1")],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        TuneOptions("entropy", **parameters)


# ---- the learning curve ---------------------------------------------------------------------------------------


def test_curves_end_with_all_pages_and_depend_on_the_seed() -> None:
    # sizes end with all pages outside a fold
    result = learning_curve(PAGES, CurveOptions(folds=THREE, sizes=(2, 900), subsets=4))
    assert result.sizes == [2, 12]
    assert [[len(values) for values in of] for of in result.values.values()] == [[4, 4]] * 3
    assert list(result.values) == ["precision", "recall", "F"]
    assert len(set(result.values["F"][0])) > 1  # subsets are random
    precision, recall, f = (of[0][0] / 100 for of in result.values.values())
    assert f == pytest.approx(2 * precision * recall / (precision + recall))
    # the seed draws the subsets
    first, again, other = (
        learning_curve(PAGES, CurveOptions(folds=FoldOptions(3, seed), sizes=(2,), subsets=3)) for seed in (0, 0, 1)
    )
    assert first == again != other


def test_the_last_subset_has_all_pages_of_other_sites() -> None:
    found = learning_curve(PAGES, CurveOptions(folds=THREE, sizes=(1,), subsets=3)).values
    for place, test in enumerate(labelled_pages.folds(PAGES, 3)):
        # in the last subset only the order of the pages is random
        rest = [some for some in PAGES if some not in test]
        scored = score_pages(train_ngram(LabelledPages(rest), NgramOptions()), test)
        expected = AlignedWords(test).measure(np.array([score for some in scored for score in some.scores]))
        assert [of[1][place] for of in found.values()] == pytest.approx([100 * value for value in expected], abs=0.2)


def test_all_pages_are_tested_once_on_test_pages() -> None:
    tests = labelled([page(n) for n in range(40, 45)]).pages
    result = learning_curve(PAGES, CurveOptions(sizes=(3,), subsets=4), tests)
    assert (result.sizes, [len(values) for values in result.values["F"]]) == ([3, 18], [4, 1])
    scored = score_pages(train_ngram(LabelledPages(PAGES), NgramOptions()), tests)
    kept = AlignedWords(tests).measure(np.array([score for some in scored for score in some.scores]))
    assert result.values["F"][1] == pytest.approx([100 * kept.f])
