"""The best expected F of words."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import both_forms

from ncfilters.selection.expected_f import OPERATING_POINTS, best_expected_f, score_threshold
from ncfilters.selection.scored_table import table_of


def test_best_f_is_that_of_the_best_set() -> None:
    chances, sizes = [0.9, 0.2, 0.55, 0.4, 0.05, 0.7], [3.0, 10.0, 1.0, 6.0, 40.0, 2.0]
    whole = sum(p * w for p, w in zip(chances, sizes))
    sets = [chosen for size in range(1, 7) for chosen in combinations(range(6), size)]
    of_set = {
        chosen: 2 * sum(chances[i] * sizes[i] for i in chosen) / (sum(sizes[i] for i in chosen) + whole)
        for chosen in sets
    }
    best = max(of_set, key=lambda chosen: of_set[chosen])
    assert best_expected_f(chances, sizes) == pytest.approx(of_set[best])
    assert [at for at, chance in enumerate(chances) if chance > of_set[best] / 2] == list(best)
    assert best_expected_f([], []) == 0
    assert best_expected_f([0.0, 0.0], [3, 4]) == 0


@pytest.mark.parametrize("highest", [1.0, 0.45, 1e-9])
def test_best_f_is_that_of_the_best_cut(highest: float) -> None:
    """Of the segments from the most to the least probable, every number is tried."""
    rnd = random.Random(4)
    for size in (1, 2, 5, 60):
        chances = [rnd.choice([highest, rnd.random() * highest, rnd.random() ** 5 * highest]) for _ in range(size)]
        sizes = [rnd.choice([1.0, 2.5, 40.0]) for _ in range(size)]
        whole = sum(p * w for p, w in zip(chances, sizes))
        order = sorted(zip(chances, sizes), reverse=True)
        cuts = [order[:cut] for cut in range(1, size + 1)]
        expected = max(2 * sum(p * w for p, w in cut) / (sum(w for _, w in cut) + whole) for cut in cuts)
        assert best_expected_f(chances, sizes) == pytest.approx(expected, rel=1e-12)


def test_score_threshold_is_a_probability_in_bits() -> None:
    # best expected F: 1, so that half of it is even odds
    page = table_of([{"text": "one two three " * 10, "score": 20.0}])
    assert score_threshold(page, OPERATING_POINTS["balance"], None) == pytest.approx(0.58, abs=0.01)
    assert score_threshold(page, OPERATING_POINTS["precision"], None) > 1.5
    few = table_of([{"text": "one two three", "score": 20.0}])
    assert score_threshold(few, OPERATING_POINTS["balance"], None) == pytest.approx(0, abs=0.01)
    assert score_threshold(table_of([]), OPERATING_POINTS["balance"], None) < -3


@given(st.lists(st.tuples(st.floats() | st.integers(-(2**60), 2**60), st.text(max_size=9)), max_size=20))
def test_both_forms_are_the_same(rows: list[tuple[float, str]]) -> None:
    table = table_of([{"text": text, "score": score} for score, text in rows])
    found = []
    for form in both_forms("ncfilters.selection.expected_f"):
        chances = form.probabilities(table)
        found.append((chances, form.best_expected_f(chances, table.words())))
    assert found[0] == found[-1]
