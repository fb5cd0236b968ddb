"""Decisions by the scores of segments alone (nc-select --decide).

    page = page_of([{"text": "Some words.", "type": "p", "score": 2.0}, {"text": "Home", "type": "l", "score": -3.0}])
    decide_by_score(page, PolicyOptions(method="expected"))    # [True, False]

Where the page has evidence, scores are calibrated and marked segments have been scored with the others (see
`decision`). Without it, segments that nc-segment marked are dropped, and embedded ones are no neighbours of others.
"""

from __future__ import annotations

from math import inf

from ..record import EMBEDDED
from . import viterbi
from .expected_f import OPERATING_POINTS, clipped_score, probabilities, probability_threshold, score_threshold
from .options import PolicyOptions
from .scored_page import ScoredPage


def decide_by_score(page: ScoredPage, options: PolicyOptions) -> list[bool]:
    """Whether each segment is text by its score, or by jusText's classes."""
    has_neighbours = options.method in ("justext", "viterbi")
    if has_neighbours and options.rules and not page.evidence and len(page.visible) < len(page):
        kept = iter(decide_by_score(page.seen(), options))
        return [rule != EMBEDDED and next(kept) for rule in page.rule]
    if options.method == "justext":
        from .justext_context import decide_by_neighbours  # start-up: few runs decide as jusText does

        return decide_by_neighbours(page, options)
    if options.method == "viterbi":
        return _best_sequence(page, options)
    drop_marked = options.rules and not page.evidence
    if options.method == "expected" or page.evidence and not options.is_literal:
        chances = probabilities(page, drop_marked)
        least = probability_threshold(chances, page.words(), OPERATING_POINTS[options.favour], page.evidence)
        return [chance > least for chance in chances]
    least = least_score(options, page)
    return [score > least and not (drop_marked and rule is not None) for score, rule in zip(page.score, page.rule)]


def least_score(options: PolicyOptions, page: ScoredPage) -> float:
    """The score in bits above which a segment is kept by itself, whatever its neighbours are: that of the best expected
    F where scores are calibrated, else the threshold. jusText has no such score."""
    point = OPERATING_POINTS[options.favour]
    if options.method == "expected" or page.evidence and not options.is_literal:
        return score_threshold(page, point, options.rules and not page.evidence)
    return (options.threshold or 0.0) + (point.calibrated_bits if page.evidence else point.uncalibrated_bits)


def _best_sequence(page: ScoredPage, options: PolicyOptions) -> list[bool]:
    """The text of the best sequence over the page (see `viterbi`). Calibrated scores are taken relative to the
    threshold of the best expected F."""
    point, drop_marked = OPERATING_POINTS[options.favour], options.rules and not page.evidence
    threshold = score_threshold(page, point) if page.evidence else point.uncalibrated_bits
    odds = [
        -inf if drop_marked and rule is not None else clipped_score(score) - threshold
        for score, rule in zip(page.score, page.rule)
    ]
    return viterbi.best_sequence(odds, relations(page))


def relations(page: ScoredPage) -> list[str]:
    """The names in CHANGE_COSTS of the relations between adjacent segments."""
    page.place_elements()
    parent, element, origins = page.elements.parent, page.element, page.column("origin", "")
    out = []
    for row in range(len(page) - 1):
        one, other = element[row], element[row + 1]
        origin, other_origin = (str(own).partition(":")[0] for own in origins[row : row + 2])  # all of JSON-LD is one
        if origin != other_origin:
            out.append("origin")
        elif page.type[row] == "h" != page.type[row + 1]:
            out.append("heading")
        elif not one or not other:
            out.append("plain")
        elif one == other:
            out.append("path")
        elif parent[one] == parent[other]:
            out.append("parent")
        else:
            out.append("grandparent" if parent[parent[one]] == parent[parent[other]] else "section")
    return out
