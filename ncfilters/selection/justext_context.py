"""jusText's context-sensitive pass: the final class of a segment depends on the classes around it.

    page = page_of([{"text": "…", "class": name} for name in ("good", "short", "good")])
    decide_by_neighbours(page, PolicyOptions("justext"))    # [True, True, True]

Pomikálek (2011), section 3.2.3. Works on the classes of jusText's rules, or on classes made from the log odds of any
model. The time is linear in the page, however long a run of undecided segments is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from ..errors import RecordError
from ..scoring.justext.rules import CLASSES, is_heading
from .expected_f import OPERATING_POINTS, score_threshold
from .options import CALIBRATED_DECIDED_BITS, DECIDED_BITS, NeighbourOptions, PolicyOptions
from .scored_page import ScoredPage

DEFAULTS = NeighbourOptions()
_DECIDED = frozenset(("bad", "good"))


def decide_by_neighbours(page: ScoredPage, options: PolicyOptions) -> list[bool]:
    """The segments that are good by `good_in_context`. With `rules`, segments that nc-segment marked are bad.

    The class of a segment without `class` is that of its score relative to the threshold (see `score_class`). Where the
    page has evidence and no classes, scores are calibrated: without a threshold they are relative to that of the best
    expected F, and marked segments have been scored with the others. Raises RecordError for classes that jusText does
    not have.
    """
    is_calibrated = bool(page.evidence) and "class" not in page.names
    threshold, bits = options.threshold or 0.0, CALIBRATED_DECIDED_BITS if is_calibrated else DECIDED_BITS
    if is_calibrated and options.threshold is None:
        threshold = score_threshold(page, OPERATING_POINTS[options.favour])
    drop_marked = options.rules and not is_calibrated
    classes: list[str] = []
    for row, segment in enumerate(page.segments):
        name = segment["class"] if "class" in segment else score_class(page.score[row], threshold, bits)
        if drop_marked and page.rule[row] is not None:
            name = "bad"
        if name not in CLASSES:  # a tuple: the value may be unhashable
            accepted = f"{', '.join(CLASSES[:-1])} or {CLASSES[-1]}"
            raise RecordError(f"segments[{row}].class: expected {accepted}, got {str(name)[:40]!r}")
        classes.append(name)
    neighbours = options.neighbours
    headings = [False] * len(classes) if neighbours.no_headings else list(map(is_heading, page.segments))
    return good_in_context(classes, list(map(len, page.text)), headings, neighbours)


def score_class(score: float, threshold: float, decided_bits: float) -> str:
    """The class that a score stands for: `good` or `bad` if it is at least *decided_bits* from the *threshold*; else
    `neargood` above the threshold, and `short`, which is neutral, below."""
    if abs(score - threshold) >= decided_bits:
        return "good" if score > threshold else "bad"
    return "neargood" if score > threshold else "short"


def good_in_context(
    classes: Sequence[str], lengths: Sequence[int], headings: Sequence[bool], options: NeighbourOptions = DEFAULTS
) -> list[bool]:
    """Whether each segment is finally good, given the context-free classes, the lengths in characters, and which
    segments are headings.

    Headings that are not bad become good before a good segment within `max_heading_distance`. As published, and in the
    Java edition, short headings also become neargood before the neighbours are considered. The Python package 3.0.2
    intends this but tests for classes that it has not yet set.
    """
    offsets = list(accumulate(lengths, initial=0))
    distance = options.max_heading_distance
    revised = list(classes)
    if options.published:
        good = [name == "good" for name in classes]
        for index in _headings_of_text(good, _candidates(classes, headings, short_only=True), offsets, distance):
            revised[index] = "neargood"
    good = _good_by_neighbours(revised)
    for index in _headings_of_text(good, _candidates(classes, headings), offsets, distance):
        good[index] = True
    return good


def _candidates(classes: Sequence[str], headings: Sequence[bool], short_only: bool = False) -> list[bool]:
    """Which segments are headings that may become good: the short ones, or all but the bad ones."""
    return [heading and (name == "short" if short_only else name != "bad") for name, heading in zip(classes, headings)]


def _good_by_neighbours(classes: Sequence[str]) -> list[bool]:
    """Whether each segment is good by its class or, in runs of undecided segments, by the classes around the run.

    Between two equal classes, the run takes that class. Between good and bad, it is good from the good end to the
    neargood segment nearest to the bad end. The edges of the page are bad.
    """
    good = [name == "good" for name in classes]
    start = 0  # of the run
    before = False
    for index, name in enumerate([*classes, "bad"]):
        if name not in _DECIDED:
            continue
        after = name == "good"
        if start < index:
            first, last = start, index  # the good part of the run
            if before != after or not before:
                near = [place for place in range(start, index) if classes[place] == "neargood"]
                if before == after or not near:
                    last = start
                elif before:
                    last = near[-1] + 1
                else:
                    first = near[0]
            good[first:last] = [True] * (last - first)
        start, before = index + 1, after
    return good


def _headings_of_text(
    good: Sequence[bool], candidates: Sequence[bool], offsets: Sequence[int], max_distance: int
) -> list[int]:
    """The *candidates* that are not yet good and stand at most *max_distance* characters before a good segment.

    *offsets* has the number of characters before each segment.
    """
    out = []
    next_good = -1
    for index in range(len(good) - 1, -1, -1):
        if good[index]:
            next_good = index
        elif candidates[index] and next_good >= 0 and offsets[next_good] - offsets[index + 1] <= max_distance:
            out.append(index)
    return out
