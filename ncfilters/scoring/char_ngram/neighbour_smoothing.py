"""Smoothing of the scores on a page by neighbours: adjacent segments tend to belong to the same class.

    max_marginals([8.0, -1.0, 8.0], [False, False, False], 5.0)    # [5.0, 5.0, 5.0]: three segments of text

The segments of a page are a chain of two states, clean and dirty, that begins and ends dirty, and in which a change
costs *context* bits. The smoothed score of a segment is the log2 odds of the best labelling of the page in which it is
clean against the best labelling in which it is dirty: the max-marginals of the Viterbi algorithm. StupidOS (Evert
2007) decides with the same kind of chain.
"""

from __future__ import annotations

from collections.abc import Sequence


def max_marginals(scores: Sequence[float], marked: Sequence[bool], context: float) -> list[float]:
    """The smoothed scores of a page's segments (bits): each with a message of at most *context* bits from either side.

    To their neighbours, segments *marked* by a rule and the edges of the page are dirty.
    """
    own = [-context if mark else score for score, mark in zip(scores, marked)]
    before = _messages(own, context)
    after = _messages(own[::-1], context)[::-1]
    return [score + left + right for score, left, right in zip(scores, before, after)]


def _messages(own: list[float], context: float) -> list[float]:
    """The message to each segment from all segments before it."""
    message = -context
    out = []
    for score in own:
        out.append(message)
        message = min(max(score + message, -context), context)
    return out
