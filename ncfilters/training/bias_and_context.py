"""The bias and the context of an n-gram model, fitted to held-out sites by grid search.

    bias, context = fit_bias_and_context(pages, score_held_out)

The search maximises the mean F of words; see `neighbour_smoothing` for the meaning of both parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage, folds

# The grid, in bits. Steps widen as their effect shrinks.
BIASES = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0)
CONTEXTS = (0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0)
FOLDS = 5


def fit_bias_and_context(
    pages: Sequence[LabelledPage],
    score_held_out: Callable[[list[LabelledPage], list[LabelledPage]], list[Sequence[float]]],
) -> tuple[float, float]:
    """The bias and the context (bits) with the best mean F of the words kept, cross-validated by site.

    *score_held_out* trains a model on its first pages and returns the scores of the segments of its second. (0, 0)
    where all pages are of one site.
    """
    sites = len({page.domain for page in pages})
    if sites < 2:
        return 0.0, 0.0
    parts = folds(pages, min(FOLDS, sites))
    grid = np.zeros((len(BIASES), len(CONTEXTS)))
    for held_out in parts:
        rest = [page for part in parts if part is not held_out for page in part]
        for page, scores in zip(held_out, score_held_out(rest, held_out)):
            grid += word_f_grid(page, scores)
    # the mean of a cell and its neighbours, because the maximum of a grid of few pages is noisy
    padded = np.pad(grid, 1, mode="edge")
    smooth = sum(padded[i : i + grid.shape[0], j : j + grid.shape[1]] for i in range(3) for j in range(3))
    bias, context = np.unravel_index(int(np.argmax(smooth)), grid.shape)
    return BIASES[bias], CONTEXTS[context]


def word_f_grid(page: LabelledPage, scores: Sequence[float]) -> NDArray[Any]:
    """The F of words on a page (0 to 1) for each bias and context (shape: biases, contexts), given the scores of its
    segments (bits)."""
    biases, contexts = np.array(BIASES)[:, None], np.array(CONTEXTS)
    own = [np.where(mark, -contexts, score - biases) for score, mark in zip(scores, page.marked)]
    before = np.zeros((len(own), len(BIASES), len(CONTEXTS)))
    message = np.broadcast_to(-contexts, before.shape[1:])
    for at, score in enumerate(own):
        before[at] = message
        message = np.clip(score + message, -contexts, contexts)
    kept, matched = np.zeros(message.shape), np.zeros(message.shape)
    message = np.broadcast_to(-contexts, message.shape)
    for at in range(len(own) - 1, -1, -1):
        if not page.marked[at]:
            keep = own[at] + before[at] + message > 0
            kept += keep * page.words[at]
            matched += keep * page.matched[at]
        message = np.clip(own[at] + message, -contexts, contexts)
    f: NDArray[Any] = 2 * matched / np.maximum(kept + page.gold_words, 1)
    return f
