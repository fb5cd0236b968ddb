"""Cleaning, types and rules of segments, compiled where there is a core (see `page.compiled_core`), else in Python.

    mark_boilerplate([{"text": "Home | About | Contact"}])    # as rules.mark_boilerplate

The Python functions are the reference. They are also used for segments that the core cannot read, such as those of
another program with fields of other types.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ..page import compiled_core, density
from ..record import Block, Segment
from ..text import sentence_ends
from . import cleaning, landmarks, line_breaks, page_language, rules, segment_types

if TYPE_CHECKING:
    from .page_segments import PageSegments

# A capsule of the core, with the segments of a page.
ShownSegments = Any
# The thresholds of modules that the core has, too: whole numbers, and shares.
_NUMBERS = {
    segment_types: "max_bold_heading max_heading max_item min_run",
    rules: "min_bars max_field_chars max_copyright_chars min_menu max_island_chars",
    line_breaks: "max_heading_line min_text_line min_width min_prose_width max_width few_breaks",
    page_language: "sample_chars segment_chars min_bytes min_chars min_sample min_teaser",
    density: "paths",
}
_SHARES = {
    rules: "min_link_density",
    landmarks: "min_titled_share min_untitled_share",
    line_breaks: "slack most_inside min_inside min_full most_full",
    page_language: "max_link_density",
}


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


def json_of_segments(
    columns: Any, repeated: list[int], others: list[tuple[int, bytes]], with_text: bool
) -> tuple[bytes, int, int, str | None]:
    """The JSON of the segments of a page (see `page.columns`), their number, the number of their different paths or an
    upper bound of it that any page may have, and for *with_text* their likely text, or None if that is of all segments
    and some are embedded.

    *repeated* are the numbers of blocks that are left out, *others* JSON of embedded segments. There must be a core.
    """
    out: tuple[bytes, int, int, str | None] = _core().json_segments(columns, repeated, others, with_text)
    return out


def shown_segments(
    columns: Any, repeated: list[int], others: list[tuple[int, Segment]], with_text: bool
) -> tuple[ShownSegments, int, int, str | None]:
    """As `json_of_segments`, with the segments in a capsule, for the cores of scoring and of selection."""
    out: tuple[ShownSegments, int, int, str | None] = _core().shown_segments(columns, repeated, others, with_text)
    return out


def dicts_of(segments: ShownSegments) -> list[Segment]:
    """The segments in a capsule, as dicts of their own."""
    out: list[Segment] = _core().segment_dicts(segments)
    return out


def json_of_paragraphs(columns: Any, with_text: bool) -> tuple[bytes, int, int, str | None]:
    """The same of jusText's paragraphs (see `page.justext_columns`), whose types are those of
    `justext_blocks.assign_types`. Raises ValueError for names of elements beyond ASCII."""
    out: tuple[bytes, int, int, str | None] = _core().json_paragraphs(columns, with_text)
    return out


def json_of_marked_segments(
    columns: Any, repeated: list[int], others: list[tuple[int, bytes, Segment]], with_text: bool, functions: Any
) -> tuple[bytes, int, int, str | None, PageSegments]:
    """As `json_of_segments`, for columns with markup, which *functions* carry; and the segments."""
    from .page_segments import PageSegments  # start-up: only --markup needs it

    core = _core()
    json, number, paths, text, capsule = core.marked_segments(columns, repeated, others, with_text, functions)
    return json, number, paths, text, PageSegments(core, capsule, number)


def title_signs(title: str) -> tuple[tuple[int, int], ...] | None:
    """Where what is between the parts of a title (see `title_segment`) starts and ends; None if Python has to say."""
    core = _core()
    out: tuple[tuple[int, int], ...] | None = core.title_signs(title) if core else None
    return out


@cache
def _core() -> Any:
    """The compiled core, or None (see `compiled_core.chosen`)."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.segmentation._core", _set_up))


def _set_up(core: Any) -> None:
    """Gives the core the tables and thresholds of the Python modules."""
    core.setup(
        {
            "clean": cleaning.clean_block,
            "landmark_of_path": landmarks.landmark_of_path,
            "without_wrappers": landmarks.landmarks_without_wrappers,
            "without_markup": page_language.without_markup,
        },
        {
            "landmark_tags": landmarks.LANDMARK_TAGS,
            "widget_tags": landmarks.WIDGET_TAGS,
            "widget_words": landmarks.WIDGET_WORDS,
            "line_tags": line_breaks.LINE_TAGS,
            "label_tags": line_breaks.LABEL_TAGS,
        },
        {
            "clause_ends": sentence_ends.CLAUSE_ENDS,
            "full_stops": sentence_ends.FULL_STOPS,
            "closing": sentence_ends.CLOSING,
            "line_ends": line_breaks.LINE_ENDS,
        },
        {name: getattr(module, name.upper()) for module, names in _NUMBERS.items() for name in names.split()},
        {name: getattr(module, name.upper()) for module, names in _SHARES.items() for name in names.split()},
    )
