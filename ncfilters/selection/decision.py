"""The interface of decision policies, and the page-level evidence that they may use.

policy: DecisionPolicy = lambda segments, page=None: [segment["score"] > 0 for segment in segments]
policy(document["segments"], page_evidence(document))    # [True, False, …]
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

from ..errors import RecordError
from ..record import Record, check
from .scored_table import ScoredTable

# The segments of a page: records, or the table of them.
Segments: TypeAlias = "list[Record] | ScoredTable"
# A step of the decision: its name, by which `reasons` explains it, and the decisions after it.
Step: TypeAlias = "tuple[str, list[bool]]"


class DecisionPolicy(Protocol):
    """Decides for each scored segment of a document whether it is text.

    The second argument is the document's `page`, which nc-score writes with models of the kind structure. It implies
    that scores are calibrated log odds, and that the model already takes into account which segments nc-segment marks.
    """

    def __call__(self, segments: Segments, page: Record | None = None, /) -> list[bool]: ...


def page_evidence(document: Record) -> Record | None:
    """The document's `page`; None if it has none. Raises RecordError if its type or its fields are wrong."""
    page: Record | None = document.get("page")
    if page is None:
        return None
    check({"page": page})
    if "odds" not in page:
        raise RecordError("page.odds: missing")
    return page


def without_rows(kept: list[bool], rows: list[int]) -> list[bool]:
    """*kept*, but False for these rows."""
    out = list(kept)
    for row in rows:
        out[row] = False
    return out
