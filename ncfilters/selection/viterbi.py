"""The best sequence of text and boilerplate over a page, from the log odds of its segments and their adjacency.

    best_sequence([2.0, -0.5, 2.0], ["path", "path"])    # [True, True, True]

A chain of two states that begins and ends in boilerplate and has a cost for each change of state, decoded by the
Viterbi algorithm (StupidOS, Evert 2007, outlook). The time is linear in the page.
"""

from __future__ import annotations

from collections.abc import Sequence

# Relation of two adjacent segments, the first that applies → cost in bits of a change from text to boilerplate, and
# from boilerplate to text. Fitted as a conditional random field to 974 pages (WCXB, CleanEval and DAnIEL development
# sets), with the odds of structure models that were not trained on the pages' sites as fixed features: the cost is the
# log odds that two gold labels agree beyond what the odds explain, and at least 0. Two halves of the sites differ by up
# to 1.5 bits.
CHANGE_COSTS: dict[str, tuple[float, float]] = {
    "origin": (1.7, 0.0),  # visible and embedded content, or embedded content of different kinds
    "heading": (2.9, 0.4),  # a heading, then another segment
    "path": (2.3, 2.7),
    "parent": (1.8, 1.0),
    "grandparent": (1.5, 0.7),
    "section": (1.6, 0.3),  # less in common
    "plain": (2.0, 0.7),  # segments without paths
}
# Factor on the costs, of 0.1, 0.2, 0.25, 0.35, 0.5 and 1. At 1, the best sequence loses 0.3 to 3.3 points of F: the
# odds of a structure model already depend on the neighbours, and its errors are correlated.
COST_FACTOR = 0.25


def best_sequence(odds: Sequence[float], relations: Sequence[str], factor: float = COST_FACTOR) -> list[bool]:
    """Whether each segment is text in the best sequence.

    *odds* are in bits, -inf for what cannot be text; *relations* has the relation of each segment to the next, one
    fewer than *odds*. With a *factor* of 0, segments with odds above 0 are text.
    """
    costs = {name: (factor * leave, factor * enter) for name, (leave, enter) in CHANGE_COSTS.items()}
    edge_leave, edge_enter = costs["section"]
    choices: list[tuple[bool, bool]] = []  # whether the segment before is text, if this one is text, or boilerplate
    # bits of the best sequence so far that ends in text, relative to the best that ends in boilerplate
    text = odds[0] - edge_enter if odds else 0.0
    for own, name in zip(odds[1:], relations):
        leave, enter = costs[name]
        choices.append((text >= -enter, text > leave))
        text = own + max(text, -enter) - max(text - leave, 0.0)
    is_text = text > edge_leave
    out = [is_text]
    for if_text, if_boilerplate in reversed(choices):
        is_text = if_text if is_text else if_boilerplate
        out.append(is_text)
    return out[::-1] if odds else []
