"""What the segments of a page say of each other, and the fit of bias and context."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.dataset.labelled_pages import LabelledPage
from ncfilters.scoring.char_ngram import neighbour_smoothing
from ncfilters.scoring.char_ngram.neighbour_smoothing import in_context


def best(scores: Sequence[float], price: float, at: int, state: bool) -> float:
    """The best labelling of the page in which segment *at* has that state, all of them tried."""
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
    assert in_context(scores, [False] * len(scores), price) == pytest.approx(expected)


def test_text_around_lifts_a_short_segment_and_boilerplate_around_sinks_it() -> None:
    assert in_context([20, -1, 20], [False] * 3, 8)[1] > 0
    assert in_context([-20, 1, -20], [False] * 3, 8)[1] < 0


def test_marked_segments_are_boilerplate_to_their_neighbours_and_keep_their_own_score() -> None:
    marked = in_context([5, 50, 5], [False, True, False], 4)
    assert marked == pytest.approx([5 - 4 - 3, 50 + 1 + 1, 5 - 3 - 4])


def test_without_context_and_without_segments() -> None:
    assert in_context([3, -1], [False, True], 0) == [3, -1]
    assert in_context([], [], 5) == []


# ---- the fit --------------------------------------------------------------------------------------------------


def page(site: str, scores: Sequence[float], clean: str, marked: Sequence[bool] = ()) -> LabelledPage:
    """A page whose texts say what their scores are; + for a clean segment of ten words, - for a dirty one."""
    found = [10 * (sign == "+") for sign in clean]
    marks = list(marked) or [False] * len(scores)
    texts = [str(score) for score in scores]
    types = ["p"] * len(texts)
    return LabelledPage("", site, texts, types, marks, [10] * len(texts), found, Gold("text"), sum(found))


def said(pages: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
    return [[float(text) for text in page.texts] for page in held_out]


def word_f(page: LabelledPage, bias: float, price: float) -> float:
    scores = in_context([float(text) - bias for text in page.texts], page.marked, price)
    kept = [score > 0 and not mark for score, mark in zip(scores, page.marked)]
    words = sum(n for n, keep in zip(page.words, kept) if keep)
    return 2 * sum(n for n, keep in zip(page.matched, kept) if keep) / max(words + page.gold_words, 1)


def test_the_grid_is_what_the_decisions_give() -> None:
    rnd = random.Random(1)
    for _ in range(10):
        n = rnd.randint(1, 9)
        some = page(
            "a",
            [rnd.randint(-300, 600) / 10 + 0.01 for _ in range(n)],
            "".join(rnd.choices("+-", k=n)),
            rnd.choices([False, False, True], k=n),
        )
        grid = neighbour_smoothing._word_f(some, said([], [some])[0])
        expected = [
            [word_f(some, bias, price) for price in neighbour_smoothing.CONTEXTS] for bias in neighbour_smoothing.BIASES
        ]
        np.testing.assert_allclose(grid, expected)


def test_a_bias_where_boilerplate_scores_too_high() -> None:
    pages = [page(str(at), [12, 40, 12, 40, 12, 40, 12], "-+-+-+-") for at in range(6)]
    bias, price = neighbour_smoothing.fit(pages, said)
    assert all(word_f(some, bias, price) == 1 for some in pages)
    assert bias > 0


def test_a_context_where_short_segments_stand_in_the_text() -> None:
    pages = [page(str(at), [2, -30, 2, -30, 40, -2, 40, -2, 40, -30, 2], "----+++++--") for at in range(6)]
    bias, price = neighbour_smoothing.fit(pages, said)
    assert price > 0
    assert all(word_f(some, bias, price) == 1 for some in pages)


def test_pages_are_scored_by_what_was_learned_from_other_sites() -> None:
    pages = [page(site, [1], "+") for site in "aaabbbcddefg"]
    seen = []

    def scored(rest: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
        assert not {p.domain for p in rest} & {p.domain for p in held_out}
        assert len(rest) + len(held_out) == len(pages)
        seen.extend(held_out)
        return said(rest, held_out)

    neighbour_smoothing.fit(pages, scored)
    assert len(seen) == len(pages)


def test_one_site_fits_nothing() -> None:
    assert neighbour_smoothing.fit([page("a", [1], "+")] * 3, said) == (0, 0)
