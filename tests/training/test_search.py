"""Grid search over n and q."""

from __future__ import annotations

import pytest
from invented import MIXED, labelled

from ncfilters.training.cross_validation import FoldOptions
from ncfilters.training.ngram_grid import NgramGrid
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
