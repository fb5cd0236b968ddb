"""Cleaning, types and rules of segments, compiled where there is a core (see `page.compiled_core`), else in Python.

    mark_boilerplate([{"text": "Home | About | Contact"}])    # as rules.mark_boilerplate

The Python functions are the reference. They are also used for segments that the core cannot read, such as those of
another program with fields of other types.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..page import compiled_core
from ..record import Block, Segment
from ..text import sentence_ends
from . import cleaning, landmarks, rules, segment_types


def clean_blocks(blocks: list[Block]) -> bool:
    """As `cleaning.clean_blocks`."""
    core = _core()
    done: bool | None = core.clean(blocks) if core else None
    return cleaning.clean_blocks(blocks) if done is None else done


def assign_types(segments: list[Segment]) -> list[Segment]:
    """As `segment_types.assign_types`."""
    core = _core()
    if core is None or core.assign_types(segments) is None:
        return segment_types.assign_types(segments)
    return segments


def mark_boilerplate(segments: list[Segment]) -> list[Segment]:
    """As `rules.mark_boilerplate`."""
    core = _core()
    is_named = core.mark(segments, {}) if core else None
    if is_named is None:
        return rules.mark_boilerplate(segments)
    if is_named and (unnamed := landmarks.landmarks_without_wrappers(segments)):
        for segment in segments:
            segment.pop("rule", None)
        core.mark(segments, unnamed)
    core.mark_islands(segments)
    return segments


@cache
def _core() -> Any:
    """The compiled core, or None (see `compiled_core.chosen`)."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.segmentation._core", _set_up))


def _set_up(core: Any) -> None:
    """Gives the core the tables and thresholds of the Python modules."""
    core.setup(
        (cleaning.clean_block, segment_types.ITEM_START.match, rules.rule_of_text, landmarks.landmark_of_path),
        landmarks.LANDMARK_TAGS,
        landmarks.WIDGET_TAGS,
        landmarks.WIDGET_WORDS,
        (sentence_ends.CLAUSE_ENDS, sentence_ends.FULL_STOPS, sentence_ends.CLOSING),
        (
            segment_types.MAX_BOLD_HEADING,
            segment_types.MAX_HEADING,
            segment_types.MAX_ITEM,
            segment_types.MIN_RUN,
            rules.MIN_BARS,
            rules.MAX_FIELD_CHARS,
            rules.MIN_MENU,
            rules.MAX_ISLAND_CHARS,
        ),
        rules.MIN_LINK_DENSITY,
    )
