"""Deciding by the neighbours: jusText's context-sensitive pass, over its classes or any scorer's odds.

    decide = by_neighbours()
    decide([{"text": "…", "class": "good"}, {"text": "…", "class": "short"}, {"text": "…", "class": "good"}])
    # [True, True, True]

Pomikálek (2011), section 3.2.3. In time linear in the page, however long a run of undecided segments is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from ..errors import RecordError
from ..record import EMBEDDED, Record
from ..scoring.justext.rules import CLASSES, is_heading
from .policies import DecisionPolicy

# Bits from the threshold from which a score is sure: its segment good or bad, whatever its neighbours. Of 1, 5, 10, 20
# and 40, the best for the model en on the CleanEval and WCXB development sets.
SURE = 5.0
MAX_HEADING_DISTANCE = 200  # characters; jusText's

_DECIDED = frozenset(("bad", "good"))


def by_neighbours(
    max_heading_distance: int = MAX_HEADING_DISTANCE,
    no_headings: bool = False,
    published: bool = False,
    rules: bool = True,
    sure: float | None = None,
    threshold: float = 0.0,
    per_char: bool = False,
) -> DecisionPolicy:
    """Keeps what `revised` makes good of the segments' `class`. With *rules*, those that nc-segment marked are bad.

    A segment without a class, and with *sure* every one, has that of its score (see `of_score`). Raises RecordError for
    classes that jusText does not have.
    """
    bits = SURE if sure is None else sure

    def class_of(segment: Record) -> str:
        if rules and "rule" in segment:
            return "bad"
        if sure is None and "class" in segment:
            found: str = segment["class"]
            return found
        score = segment["score"] / max(len(segment["text"]), 1) if per_char else segment["score"]
        return of_score(score, threshold, bits)

    def decide(segments: list[Record], page: Record | None = None, /) -> list[bool]:
        shown = [segment for segment in segments if segment.get("rule") != EMBEDDED] if rules else segments
        if len(shown) < len(segments):
            kept = iter(decide(shown))
            return [segment.get("rule") != EMBEDDED and next(kept) for segment in segments]
        classes = list(map(class_of, segments))
        for at, found in enumerate(classes):
            if found not in CLASSES:  # a tuple: what cannot be hashed may be asked for
                wanted = f"{', '.join(CLASSES[:-1])} or {CLASSES[-1]}"
                raise RecordError(f"segments[{at}].class: {wanted} is wanted, not {str(found)[:40]!r}")
        headings = [False] * len(classes) if no_headings else list(map(is_heading, segments))
        lengths = [len(segment["text"]) for segment in segments]
        return revised(classes, lengths, headings, max_heading_distance, published)

    return decide


def of_score(score: float, threshold: float, sure: float) -> str:
    """The class that a score stands for: `good` or `bad` where it is at least so *sure* (bits from the *threshold*),
    else `neargood` above the threshold and `short`, which says nothing, below."""
    if abs(score - threshold) >= sure:
        return "good" if score > threshold else "bad"
    return "neargood" if score > threshold else "short"


def revised(
    classes: Sequence[str],
    lengths: Sequence[int],
    headings: Sequence[bool],
    max_heading_distance: int = MAX_HEADING_DISTANCE,
    published: bool = False,
) -> list[bool]:
    """Whether each segment is good in the end, from the classes, lengths (characters) and which are headings.

    Headings that are not bad become good before good segments that are no further than *max_heading_distance*. As
    *published*, and in the Java edition, short ones are neargood before the neighbours are looked at, too; the Python
    package 3.0.2 means to do that, but looks for classes that it has not yet set.
    """
    offsets = list(accumulate(lengths, initial=0))
    if published:
        near = _leading(
            classes, [found == "good" for found in classes], "short", headings, offsets, max_heading_distance
        )
        given, classes = classes, list(classes)
        for at in near:
            classes[at] = "neargood"
    else:
        given = classes
    good = _between(classes)
    for at in _leading(given, good, "", headings, offsets, max_heading_distance):
        good[at] = True
    return good


def _between(classes: Sequence[str]) -> list[bool]:
    """Whether each segment is good by its class or, in runs of the undecided, by the classes around the run.

    Between two alike, the run is as they are. Between good and bad, it is good from the good one to the neargood
    segment that is the nearest to the bad one. The edges of the page are bad.
    """
    good = [found == "good" for found in classes]
    start = 0  # of the run
    before = False
    for at, found in enumerate([*classes, "bad"]):
        if found not in _DECIDED:
            continue
        after = found == "good"
        if start < at:
            first, last = start, at  # of what is good
            if before != after or not before:
                near = [place for place in range(start, at) if classes[place] == "neargood"]
                if before == after or not near:
                    last = start
                elif before:
                    last = near[-1] + 1
                else:
                    first = near[0]
            good[first:last] = [True] * (last - first)
        start, before = at + 1, after
    return good


def _leading(
    classes: Sequence[str],
    good: Sequence[bool],
    wanted: str,
    headings: Sequence[bool],
    offsets: Sequence[int],
    max_distance: int,
) -> list[int]:
    """The headings, not good so far, of the class *wanted* (or any but bad), before a good segment so near.

    *offsets* say how many characters stand before each segment.
    """
    out = []
    there = -1  # the next good segment
    for at in range(len(classes) - 1, -1, -1):
        if good[at]:
            there = at
        elif headings[at] and there >= 0:
            of_class = classes[at] == wanted if wanted else classes[at] != "bad"
            if of_class and offsets[there] - offsets[at + 1] <= max_distance:
                out.append(at)
    return out
