"""What a page's segments say of each other: text stands beside text, boilerplate beside boilerplate.

    in_context([8.0, -1.0, 8.0], [False, False, False], 5.0)    # [5.0, 5.0, 5.0]: all text, after and before a change

A chain of two states, clean and dirty, that begins and ends dirty and pays *context* bits for each change. A segment's
score is then the log2 odds of the best labelling of the page in which it is clean against the best in which it is dirty
(max-marginals of the Viterbi algorithm; StupidOS, Evert 2007, decides by the same kind of chain).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...dataset.labelled_pages import LabelledPage

# What `fit` tries, in bits. Steps widen as their effect does.
BIASES = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0)
CONTEXTS = (0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0)
FOLDS = 5


def in_context(scores: Sequence[float], marked: Sequence[bool], context: float) -> list[float]:
    """The scores (bits) of one page's segments with what their neighbours say of each, at most *context* bits from
    either side. Those *marked* by a rule are boilerplate to their neighbours, and so is the edge of the page."""
    own = [-context if mark else score for score, mark in zip(scores, marked)]
    before = _messages(own, context)
    after = _messages(own[::-1], context)[::-1]
    return [score + left + right for score, left, right in zip(scores, before, after)]


def _messages(own: list[float], context: float) -> list[float]:
    """What all segments before each one say of it."""
    message = -context
    out = []
    for score in own:
        out.append(message)
        message = min(max(score + message, -context), context)
    return out


def fit(
    pages: Sequence[LabelledPage], scored: Callable[[list[LabelledPage], list[LabelledPage]], list[Sequence[float]]]
) -> tuple[float, float]:
    """The bias and the context (bits) with which the mean F of the words kept is best in a cross-validation by site.

    *scored* trains on its first pages and scores the segments of its second. (0, 0) where all pages are of one site.
    """
    import numpy as np

    from ...dataset.labelled_pages import folds  # here: scoring needs nothing of what training reads

    sites = len({page.domain for page in pages})
    if sites < 2:
        return 0.0, 0.0
    parts = folds(pages, min(FOLDS, sites))
    grid = np.zeros((len(BIASES), len(CONTEXTS)))
    for held_out in parts:
        rest = [page for part in parts if part is not held_out for page in part]
        for page, scores in zip(held_out, scored(rest, held_out)):
            grid += _word_f(page, scores)
    # the mean of a cell and those around it: the best of a few pages' grid is a peak of noise
    padded = np.pad(grid, 1, mode="edge")
    smooth = sum(padded[i : i + grid.shape[0], j : j + grid.shape[1]] for i in range(3) for j in range(3))
    bias, context = np.unravel_index(int(np.argmax(smooth)), grid.shape)
    return BIASES[bias], CONTEXTS[context]


def _word_f(page: LabelledPage, scores: Sequence[float]) -> NDArray[Any]:
    """The F of words on a page at each bias and context."""
    import numpy as np

    biases, contexts = np.array(BIASES)[:, None], np.array(CONTEXTS)
    own = [np.where(mark, -contexts, score - biases) for score, mark in zip(scores, page.marked)]
    before = np.zeros((len(own), len(BIASES), len(CONTEXTS)))
    message = np.broadcast_to(-contexts, before.shape[1:])
    for at, score in enumerate(own):
        before[at] = message
        message = np.clip(score + message, -contexts, contexts)
    kept, found = np.zeros(message.shape), np.zeros(message.shape)
    message = np.broadcast_to(-contexts, message.shape)
    for at in range(len(own) - 1, -1, -1):
        if not page.marked[at]:
            keep = own[at] + before[at] + message > 0
            kept += keep * page.words[at]
            found += keep * page.matched[at]
        message = np.clip(own[at] + message, -contexts, contexts)
    f: NDArray[Any] = 2 * found / np.maximum(kept + page.gold_words, 1)
    return f
