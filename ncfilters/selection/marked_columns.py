"""Columns of segments with markup (see `columns`): what the elements of the markup say is decided in Python.

columns = columns_of(segments, "score")    # columns.has_markup
ColumnPolicy(options)(columns, page, elements_of(segments, "main"))    # as PagePolicy(options)(segments, page)
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, count

from ..record import Record
from . import roles
from .columns import Columns
from .container_details import keep_in_container
from .whole_elements import keep_headings, keep_whole


def elements_of(segments: list[Record], policy: str) -> Callable[[Columns], None]:
    """What corrects the decisions of the columns of *segments* by their elements, by scores under the content
    *policy*."""

    def keep_elements(columns: Columns) -> None:
        scored = roles.with_policy_scores(segments, policy)
        before, sizes = decisions_of(columns), columns.words()
        whole = keep_whole(scored, keep_in_container(scored, before, sizes), sizes)
        after = keep_headings(scored, before, whole)
        for index in compress(count(), [old != new for old, new in zip(before, after)]):
            columns.set_kept(index, after[index])

    return keep_elements


def decisions_of(columns: Columns) -> list[bool]:
    """Whether each segment is kept."""
    out = [False] * len(columns)
    for index in columns.kept():
        out[index] = True
    return out
