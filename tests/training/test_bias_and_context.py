"""The fit of the bias and the context of n-gram models."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from ncfilters.dataset.gold import Gold
from ncfilters.dataset.labelled_pages import LabelledPage
from ncfilters.scoring.char_ngram.neighbour_smoothing import max_marginals
from ncfilters.training import bias_and_context
from ncfilters.training.bias_and_context import fit_bias_and_context


def page(site: str, scores: Sequence[float], clean: str, marked: Sequence[bool] = ()) -> LabelledPage:
    """A page whose texts say what their scores are; + for a clean segment of ten words, - for a dirty one."""
    found = [10 * (sign == "+") for sign in clean]
    marks = list(marked) or [False] * len(scores)
    texts = [str(score) for score in scores]
    types = ["p"] * len(texts)
    return LabelledPage("", site, texts, types, marks, [10] * len(texts), found, Gold("text"), sum(found))


def score_held_out(pages: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
    return [[float(text) for text in page.texts] for page in held_out]


def word_f(page: LabelledPage, bias: float, price: float) -> float:
    scores = max_marginals([float(text) - bias for text in page.texts], page.marked, price)
    kept = [score > 0 and not mark for score, mark in zip(scores, page.marked)]
    words = sum(n for n, keep in zip(page.words, kept) if keep)
    return 2 * sum(n for n, keep in zip(page.matched, kept) if keep) / max(words + page.gold_words, 1)


def test_the_grid_has_the_f_of_the_decisions() -> None:
    rnd = random.Random(1)
    for _ in range(10):
        n = rnd.randint(1, 9)
        some = page(
            "a",
            [rnd.randint(-300, 600) / 10 + 0.01 for _ in range(n)],
            "".join(rnd.choices("+-", k=n)),
            rnd.choices([False, False, True], k=n),
        )
        grid = bias_and_context.word_f_grid(some, score_held_out([], [some])[0])
        expected = [
            [word_f(some, bias, price) for price in bias_and_context.CONTEXTS] for bias in bias_and_context.BIASES
        ]
        np.testing.assert_allclose(grid, expected)


def test_boilerplate_with_high_scores_is_given_a_bias() -> None:
    pages = [page(str(at), [12, 40, 12, 40, 12, 40, 12], "-+-+-+-") for at in range(6)]
    bias, price = fit_bias_and_context(pages, score_held_out)
    assert all(word_f(some, bias, price) == 1 for some in pages)
    assert bias > 0


def test_short_segments_within_text_are_given_a_context() -> None:
    pages = [page(str(at), [2, -30, 2, -30, 40, -2, 40, -2, 40, -30, 2], "----+++++--") for at in range(6)]
    bias, price = fit_bias_and_context(pages, score_held_out)
    assert price > 0
    assert all(word_f(some, bias, price) == 1 for some in pages)


def test_pages_are_scored_by_models_of_other_sites() -> None:
    pages = [page(site, [1], "+") for site in "aaabbbcddefg"]
    seen = []

    def scored(rest: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
        assert not {p.domain for p in rest} & {p.domain for p in held_out}
        assert len(rest) + len(held_out) == len(pages)
        seen.extend(held_out)
        return score_held_out(rest, held_out)

    fit_bias_and_context(pages, scored)
    assert len(seen) == len(pages)


def test_pages_of_one_site_have_no_fit() -> None:
    assert fit_bias_and_context([page("a", [1], "+")] * 3, score_held_out) == (0, 0)
