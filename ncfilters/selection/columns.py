"""The segments of a page as columns in C, where there is a compiled core (see `page.compiled_core`).

    columns = columns_of([{"text": "Some text.", "type": "p", "score": 2.0}], "score")    # None without a core
    columns.keep_above(0.0, False)
    columns.kept()    # [0]

Columns are made of segments with fields of the usual types. For others, the functions return None, and the Python
modules decide, which are the reference. What elements of the markup say is always decided in Python (see
`marked_columns`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ..page import compiled_core
from ..record import Record
from ..roles import ROLES
from ..scoring import quality
from ..scoring.compiled_core import ShownScores
from ..text import scripts
from . import expected_f, main_container, roles, structure

if TYPE_CHECKING:  # the modules of segmentation, which nc-select does without
    from ..segmentation.compiled import ShownSegments

# Columns of the compiled core, whose methods `_core.c` describes.
Columns = Any


@cache
def selection_core() -> Any:
    """The compiled core, or None (see `compiled_core.chosen`)."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.selection._core", _set_up))


def columns_of(segments: object, score_field: str) -> Columns | None:
    """The columns of the segments of a record; the decision reads *score_field* where a segment has it."""
    core = selection_core()
    return core.table(segments, score_field) if core else None


def read_line(line: bytes, score_field: str) -> tuple[Record, Columns] | None:
    """The record on a line of JSON without its `segments`, and their columns. Segments with markup stay, without the
    scores that *score_field* does not name, and with packed cells (see `packed_cells`). None also for one that failed,
    or that has bytes."""
    core = selection_core()
    if core is None or (found := core.read(line, score_field)) is None:
        return None
    import orjson  # start-up: --help reads no records

    rest, columns = found
    try:
        document: Record = orjson.loads(rest)
        if columns.has_markup:
            document["segments"] = columns.marked_segments(score_field)
    except ValueError:  # also of orjson
        return None
    return document, columns


def columns_of_shown(segments: ShownSegments, scores: ShownScores, score_field: str) -> Columns | None:
    """The columns of segments and of their scores, in capsules of the other cores."""
    core = selection_core()
    return core.table_of(segments, scores, score_field) if core else None


def segments_at(columns: Columns, indices: list[int]) -> list[Record]:
    """The segments at these places, with all their fields; `cells` of a line are packed (see `packed_cells`). Raises
    ValueError for segments of a line with unusual numbers."""
    segments: list[Record] = columns.segments(indices)
    return segments


def _set_up(core: Any) -> None:
    """Gives the core the tables and thresholds of the Python modules."""
    core.setup(
        ROLES,
        main_container.OTHER_ROLES,
        scripts.UNSPACED_ALL,
        hash("columns"),  # other in each process: names cannot be made to collide
        (
            scripts.CHARS_PER_WORD_ROUNDED,
            expected_f.MIN_EXPECTED_F,
            expected_f.SMALL_PAGE_WORDS,
            structure.EMPTY_HEADING_SCORE,
            structure.HEADING_SCORE,
            structure.HEADED_TEXT_SCORE,
            structure.MIN_ROWS,
            structure.ROW_SHARE,
            structure.PAGE_SHARE,
            structure.TABLE_SHARE,
            structure.DEFINITION_SHARE,
            structure.LIST_AGREEMENT,
            main_container.MIN_WORDS,
            main_container.MAX_WORDS,
            main_container.KEPT_SHARE,
            main_container.OWN_SHARE,
            main_container.CONTAINER_SCORE,
            roles.OUTSIDE_PROBABILITY,
            quality.SHORT_SEGMENT,
            quality.LONG_SEGMENT,
            quality.BRIEF_TEXT,
            structure.HEADING_WRAPPERS,
            structure.LOWEST_LEVEL,
        ),
    )
