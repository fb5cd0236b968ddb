"""The type of a segment (`p` paragraph, `h` heading, `l` list item), from its element, then from its text.

assign_types([{"text": "1. Open it.", "path": "body/p"}])[0]["type"]    # 'l'
"""

from __future__ import annotations

from ..page import dom_path
from ..record import Segment
from ..text.lazy_pattern import lazy_pattern
from ..text.sentence_ends import CLAUSE_ENDS, ends_with

# The start of a list item: a bullet, or a number or letter as in enumerations.
ITEM_START = lazy_pattern(
    r"(?:[•‣◦▪▸►·●○■□*+»–—-]|--|\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])\)|(?:\d{1,2}|[ivx]{1,5}|[IVX]{2,5}|[a-h])\.)"
    r"\s+(?=\S)"
)
# In the CleanEval development set, bold text of fewer characters than the first is a heading in 130 of 160 cases. Other
# text of fewer characters than the second that does not end like a clause is a heading in 320 of 430 cases, unless it
# is in a list without markers: a run of at least MIN_RUN such segments, each of fewer characters than the third.
MAX_BOLD_HEADING, MAX_HEADING, MAX_ITEM, MIN_RUN = 90, 30, 60, 3


def assign_types(segments: list[Segment]) -> list[Segment]:
    """Sets the `type` of each of *segments* that has none yet, and returns them."""
    run: list[Segment] = []  # short segments of one element that do not end like a clause
    for segment in segments:
        text, path = segment["text"], segment.get("path", "")
        if "type" in segment:  # from a marker in plain text
            kind = segment["type"]
        elif "/h" in path and dom_path.HEADING.search(path) or segment.get("bold") and len(text) < MAX_BOLD_HEADING:
            kind = "h"
        elif "marker" in segment or segment.get("tag") == "tr" or ITEM_START.match(text):
            kind = "l"
        else:
            kind = "p"
            if (
                len(text) < MAX_ITEM
                and not ends_with(text, CLAUSE_ENDS)
                and "pre" not in segment
                and not dom_path.ITEM.search(path)  # the first block of an item has its marker
            ):
                if run and run[-1].get("path", "") != path:
                    _end_run(run)
                run.append(segment)
                segment["type"] = "p"
                continue
        segment["type"] = kind
        if run:
            _end_run(run)
    _end_run(run)
    return segments


def _end_run(run: list[Segment]) -> None:
    """Sets the types of a run, and empties the list."""
    for segment in run:
        if len(run) >= MIN_RUN:
            segment["type"] = "l"
        elif len(segment["text"]) < MAX_HEADING:
            segment["type"] = "h"
    run.clear()
