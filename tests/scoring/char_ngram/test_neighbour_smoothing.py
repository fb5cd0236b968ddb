"""Max-marginals of the chain of segments against all labellings."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from ncfilters.scoring.char_ngram.neighbour_smoothing import max_marginals


def best(scores: Sequence[float], price: float, at: int, state: bool) -> float:
    """The score of the best labelling in which segment *at* has that state, by exhaustive search."""
    found = []
    for labels in itertools.product([False, True], repeat=len(scores)):
        if labels[at] is state:
            changes = sum(one is not other for one, other in itertools.pairwise((False, *labels, False)))
            found.append(sum(s for s, label in zip(scores, labels) if label) - price * changes)
    return max(found)


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_those_of_the_best_labellings(seed: int) -> None:
    rnd = random.Random(seed)
    scores = [rnd.uniform(-10, 10) for _ in range(rnd.randint(1, 8))]
    price = rnd.uniform(0, 12)
    expected = [best(scores, price, at, True) - best(scores, price, at, False) for at in range(len(scores))]
    assert max_marginals(scores, [False] * len(scores), price) == pytest.approx(expected)


def test_neighbours_raise_and_lower_a_short_segment() -> None:
    assert max_marginals([20, -1, 20], [False] * 3, 8)[1] > 0
    assert max_marginals([-20, 1, -20], [False] * 3, 8)[1] < 0


def test_marked_segments_are_dirty_to_their_neighbours_only() -> None:
    marked = max_marginals([5, 50, 5], [False, True, False], 4)
    assert marked == pytest.approx([5 - 4 - 3, 50 + 1 + 1, 5 - 3 - 4])


def test_without_context_scores_stay_as_they_are() -> None:
    assert max_marginals([3, -1], [False, True], 0) == [3, -1]
    assert max_marginals([], [], 5) == []
