"""The decision on columns (see `columns`): as `policies.policy` decides on segments.

columns = columns_of(segments, decide.score_field)
decide = ColumnPolicy(PolicyOptions())
decide(columns, {"odds": 5.0})    # whether it has decided; then columns.kept() are the segments that are text
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache

from ..record import Record
from ..roles import ROLES, score_field
from . import justext_context, policies
from .columns import Columns
from .expected_f import OPERATING_POINTS, probability_factors
from .main_container import is_documentation
from .options import PolicyOptions
from .roles import outside_roles

# What a role says of a segment, in the columns of `_core.c`.
_BY_SCORE, _KEEP, _DROP, _DROP_IF_PROBABLE = range(4)
# Texts that are decoded together: memory.
_COPIES_AT_ONCE = 256


class ColumnPolicy:
    """Decides on columns as `policies.policy` does with the same options, or leaves them undecided."""

    def __init__(self, options: PolicyOptions) -> None:
        self._options, content = options, options.content
        self.content_policy, self.score_field = content.policy, score_field(content.policy)
        self._needs_roles = content.needs_roles
        always = dict.fromkeys(content.included, _KEEP) | dict.fromkeys(content.excluded, _DROP)
        always.pop("title", None)
        outside = dict.fromkeys(outside_roles(content), _DROP_IF_PROBABLE) | always
        self._role_codes = bytes([outside.get(role, _BY_SCORE) for role in ROLES])
        method = "threshold" if options.threshold is not None else options.method
        self._with_page = not options.per_char and method in ("auto", "expected", "page", "threshold")
        self._without_page = not options.per_char and method in ("auto", "threshold")
        self._by_threshold = method == "threshold"
        self._by_neighbours = options.method == "justext" and not options.per_char
        self._drops_empty = method in ("auto", "page")
        is_page = method == "page"
        self._small_page_score = policies.TEXT_SCORE if is_page else policies.SMALL_PAGE_TEXT_SCORE

    def __call__(
        self, columns: Columns, page: Record | None, keep_elements: Callable[[Columns], None] | None = None
    ) -> bool:
        """Decides; returns False, with nothing decided, where the segments are left to the Python code. *keep_elements*
        keeps and drops elements as a whole, after the structure of the page has been taken into account."""
        if self._by_neighbours:
            return self._decide_by_neighbours(columns, page)
        if not (self._without_page if page is None else self._with_page) or self._needs_roles and not columns.has_roles:
            return False
        if page is None or self._by_threshold:
            self._decide_by_threshold(columns, page)
        elif (
            self._drops_empty
            and page["odds"] < policies.MAX_EMPTY_ODDS
            and not columns.has_text(policies.TEXT_SCORE, self._small_page_score)
        ):
            columns.keep_above(float("inf"), False)  # nothing
        else:
            columns.keep_expected(*probability_factors(OPERATING_POINTS[self._options.favour], page))
            _drop_copies(columns)
        columns.decide_by_role(self._role_codes, True)
        if page is not None and not self._options.is_literal:
            columns.fit(is_documentation(page))
            if keep_elements:
                keep_elements(columns)
            columns.decide_by_role(self._role_codes, False)
        return True

    def _decide_by_neighbours(self, columns: Columns, page: Record | None) -> bool:
        if self._needs_roles and not columns.has_roles:
            return False
        options, own = self._options, self._options.neighbours
        bits = justext_context.DECIDED_BITS if own.decided_bits is None else own.decided_bits
        scale = options.threshold or 0.0, bits
        flags = own.decided_bits is None, options.rules, page is not None
        distance = min(own.max_heading_distance, sys.maxsize)
        if not columns.decide_by_neighbours(*scale, *flags, distance, own.no_headings, own.published):
            return False
        columns.decide_by_role(self._role_codes, True)
        return True

    def _decide_by_threshold(self, columns: Columns, page: Record | None) -> None:
        point = OPERATING_POINTS[self._options.favour]
        bits = point.uncalibrated_bits if page is None else point.calibrated_bits
        columns.keep_above((self._options.threshold or 0.0) + bits, self._options.rules and page is None)


def column_policy_of(policy: object) -> ColumnPolicy | None:
    """The policy on columns that decides as *policy* does, if there is one."""
    return _column_policy(policy.options) if isinstance(policy, policies.PagePolicy) else None


@lru_cache(maxsize=64)
def _column_policy(options: PolicyOptions) -> ColumnPolicy:
    return ColumnPolicy(options)


def _drop_copies(columns: Columns) -> None:
    """Drops texts that are kept before in another place."""
    if places := columns.copies(policies.MIN_REPEATED_WORDS):
        first_place: dict[str, str] = {}
        for start in range(0, len(places), _COPIES_AT_ONCE):
            some = places[start : start + _COPIES_AT_ONCE]
            for index, text, path in zip(some, columns.texts(some), columns.paths(some)):
                if not policies.is_first_copy(text, str(index) if path is None else path, first_place):
                    columns.set_kept(index, False)
