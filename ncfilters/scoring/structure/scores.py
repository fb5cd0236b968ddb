"""Scores and roles of segments, from the outputs of the network.

logits = smooth_logits(inference.logits, outputs, policies, segment_groups(table), segment_chars(table))
odds = calibrated(logits, [(1.0, 0.0)])    # natural log odds under each policy
bits(odds, 0, 1)                           # of each segment under the first policy
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import log
from typing import Any

from ...features.schema import KINDS, NUMBERS, SIG
from ...features.segment_table import SegmentTable
from ...native.sums import exp, rounded, zero_doubles, zero_floats, zero_ints
from ...text.char_classes import CHARS

# Segments with the same path apart from ids share their class more often than the network predicts. So their logits are
# moved towards their mean, by this share; beforehand all are cut at MAX_LOGIT. It raises F on WCXB by 0.2 points.
SMOOTHED_GROUP, SMOOTHING, MAX_LOGIT = "sig", 0.75, 8.0
_SMOOTHING, _MAX_LOGIT, _LN2 = SMOOTHING, MAX_LOGIT, log(2)


def smoothed_groups(table: SegmentTable) -> Any:
    """The group of SMOOTHED_GROUP of each segment (ints)."""
    groups, place = table.places.groups, table.places.place
    made = zero_ints(table.size)
    out = made
    for at in range(table.size):
        out[at] = groups[place[at] * KINDS + SIG]
    return made


def segment_chars(table: SegmentTable) -> Any:
    """The characters of each segment (floats)."""
    made = zero_floats(table.size)
    out = made
    for at in range(table.size):
        out[at] = table.numbers[at * NUMBERS + CHARS]
    return made


def smooth_logits(logits: Any, outputs: int, policies: int, groups: Any, chars: Any) -> Any:
    """The first outputs, as many as there are *policies*, of each segment's *logits* (floats, rows of *outputs*), moved
    towards the mean of its group (*groups*: numbers from 0), in which segments weigh by their characters."""
    size = len(groups)
    count = 0
    for at in range(size):
        count = groups[at] + 1 if groups[at] >= count else count
    width = policies + 1
    sums = zero_doubles(width * count)
    made = zero_floats(policies * size)
    out = made
    for at in range(size):
        weight, to = chars[at] + 1.0, groups[at] * width
        for policy in range(policies):
            logit = logits[at * outputs + policy]
            logit = -_MAX_LOGIT if logit < -_MAX_LOGIT else _MAX_LOGIT if logit > _MAX_LOGIT else logit
            out[at * policies + policy] = logit
            sums[to + policy] += weight * logit
        sums[to + policies] += weight
    for at in range(size):
        to = groups[at] * width
        for policy in range(policies):
            logit = out[at * policies + policy]
            mean = sums[to + policy] / sums[to + policies]
            out[at * policies + policy] = (1 - _SMOOTHING) * logit + _SMOOTHING * mean
    return made


def first_outputs(logits: Any, outputs: int, count: int) -> Any:
    """The first outputs of each segment (floats)."""
    size = len(logits) // outputs
    made = zero_floats(count * size)
    out = made
    for at in range(size):
        for place in range(count):
            out[at * count + place] = logits[at * outputs + place]
    return made


def calibrated(logits: Any, calibrations: Sequence[tuple[float, float]]) -> Any:
    """Calibrated natural log odds under each policy (floats, rows), from logits: a factor, then a shift for each."""
    policies = len(calibrations)
    factors = array("f", [factor for factor, _ in calibrations])
    shifts = array("f", [shift for _, shift in calibrations])
    made = zero_floats(len(logits))
    out = made
    for at in range(len(logits)):
        out[at] = logits[at] * factors[at % policies]
        out[at] += shifts[at % policies]
    return made


def bits(odds: Any, first: int, step: int) -> list[float]:
    """The values of *odds* from *first* on with this *step*, as bits with two decimals."""
    values = zero_doubles(len(odds))
    for at in range(first, len(odds), step):
        values[at] = odds[at] / _LN2
    return rounded(values, first, step, 100.0)


def roles(logits: Any, outputs: int, first: int, names: Sequence[str]) -> tuple[list[str], list[float]]:
    """The most probable role of each segment and its probability, with three decimals; *logits* (floats, rows of
    *outputs*) have those of roles from a column on."""
    size = len(logits) // outputs
    out: list[str] = []
    probabilities = zero_doubles(size)
    for at in range(size):
        start, end = at * outputs + first, (at + 1) * outputs
        best = start
        for place in range(start, end):
            if logits[place] > logits[best]:
                best = place
        highest, total = logits[best], 0.0
        for place in range(start, end):
            total += exp(logits[place] - highest)
        out.append(names[best - start])
        probabilities[at] = 1 / total
    return out, rounded(probabilities, 0, 1, 1000.0)
