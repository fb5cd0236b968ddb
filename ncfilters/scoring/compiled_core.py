"""The compiled core of models, where there is one.

core = scoring_core()    # None without it
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from ..features.categories import CATEGORIES
from ..page import compiled_core
from ..record import Record

if TYPE_CHECKING:  # the modules of segmentation, which nc-score does without
    ShownSegments = Any

# Title, description and names of a page (see `features.document.Head`).
Head = tuple[str, str, tuple[str, ...]]
# What gives it, of the JSON of the fields `head` and `url`.
HeadReader = Callable[[bytes | None, bytes | None], Head]
# A record on a line of JSON with all that is written; and the JSON of its `lang` and `lang_probability`.
ScoredLine = tuple[bytes, bytes | None, bytes | None]


# A capsule of the core, with the scores of the segments of a page.
ShownScores = Any


class LineScoringModel(Protocol):
    """A model of the core that scores lines, and segments in a capsule."""

    def score_line(self, line: bytes, head_of: HeadReader, models: bytes) -> ScoredLine | None:
        """The line with scores, and with *models*, the JSON of `models`; None for what is left to Python."""

    def score_segments(self, segments: ShownSegments, head: Head) -> tuple[ShownScores, Record | None] | None:
        """The scores of segments, and the classification of the page; None for what is left to Python."""


@cache
def scoring_core() -> Any:
    """The compiled core with the categories of segments, or None (see `compiled_core.chosen`)."""
    categories = tuple(CATEGORIES.values())
    load = compiled_core.load
    return compiled_core.chosen(lambda: load("ncfilters.scoring._core", lambda core: core.set_categories(categories)))
