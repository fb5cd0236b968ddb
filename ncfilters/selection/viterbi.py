"""The best sequence of text and boilerplate over a page: the odds of its segments, and what stands beside what.

    best([2.0, -0.5, 2.0], ["path", "path"])    # [True, True, True]

A chain of two states that begins and ends in boilerplate and pays for each change, decided by the Viterbi algorithm
(StupidOS, Evert 2007, outlook). Linear in the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..record import Record

# Of neighbouring segments, the first that holds → bits that a change costs, from text to boilerplate and from
# boilerplate to text. Fitted as a conditional random field on 974 pages (WCXB, CleanEval and DAnIEL development sets;
# the odds those of structure models that had not seen the pages' sites), with the odds as they are: the log odds of
# gold labels that agree, beyond what the odds explain; no cost is below 0. Two halves by site differ by up to 1.5 bits.
WEIGHTS: dict[str, tuple[float, float]] = {
    "origin": (1.7, 0.0),  # one of the visible page, one of JSON-LD, <noscript>, …, or both of different ones
    "heading": (2.9, 0.4),  # a heading, then none
    "path": (2.3, 2.7),
    "parent": (1.8, 1.0),
    "grandparent": (1.5, 0.7),
    "section": (1.6, 0.3),  # less in common
    "plain": (2.0, 0.7),  # without paths
}
# How much of the weights counts. In the whole of it, the best sequence loses 0.3 to 3.3 points of F: odds of structure
# know their neighbours already, and errors in them agree, too. Of 0.1, 0.2, 0.25, 0.35, 0.5 and 1.
SHARE = 0.25


def relation(before: Record, after: Record) -> str:
    """The name in WEIGHTS of what two neighbouring segments are to each other."""
    if _document(before) != _document(after):
        return "origin"
    if before["type"] == "h" != after["type"]:
        return "heading"
    if "path" not in before or "path" not in after:
        return "plain"
    one, other = before["path"], after["path"]
    for name in ("path", "parent", "grandparent"):
        if one == other:
            return name
        one, other = one.rpartition("/")[0], other.rpartition("/")[0]
    return "section"


def _document(segment: Record) -> str:
    origin: str = segment.get("origin", "")
    return origin.partition(":")[0]  # all of JSON-LD is one


def best(odds: Sequence[float], relations: Sequence[str], share: float = SHARE) -> list[bool]:
    """Whether each segment is text in the best sequence, from the odds (bits, -inf for what is none) and the relation
    of each segment but the last to the next. With a *share* of 0, what has odds above 0 is."""
    costs = {name: (share * leave, share * enter) for name, (leave, enter) in WEIGHTS.items()}
    edge_leave, edge_enter = costs["section"]
    choices: list[tuple[bool, bool]] = []  # whether before text there is text, and before boilerplate
    # bits of the best sequence so far that ends in text, above those of the best that ends in boilerplate
    text = odds[0] - edge_enter if odds else 0.0
    for own, name in zip(odds[1:], relations):
        leave, enter = costs[name]
        choices.append((text >= -enter, text > leave))
        text = own + max(text, -enter) - max(text - leave, 0.0)
    is_text = text > edge_leave
    out = [is_text]
    for of_text, of_boilerplate in reversed(choices):
        is_text = of_text if is_text else of_boilerplate
        out.append(is_text)
    return out[::-1] if odds else []
