"""Decisions by role: which segments the content policy and the user ask for, whatever their scores.

    table = table_of([{"text": "Me too.", "role": "comment", "role_probability": 0.6},
                      {"text": "It rained.", "role": "text", "role_probability": 0.9}])
    decide_by_role(table, [True, True], ContentOptions(excluded=frozenset(["comment"])))    # [False, True]

Other segments are decided by the score under the content policy (see `roles.score_field`).
"""

from __future__ import annotations

from typing import Any

from ..errors import RecordError
from ..record import NAMES
from ..roles import DEFAULT_POLICY, ROLES, score_field
from .options import ContentOptions
from .scored_table import ScoredTable

# A segment of one of these roles is dropped if the role is outside the content policy and at least so probable. On
# held-out pages this neither raises nor lowers F: the score under the policy knows. At 0.9, posts of forums are lost
# (0.05 points on WCXB). Dates and boilerplate are decided by the score alone, because the gold text of Dragnet and
# L3S-GN1 has some dates, and that of WCXB links in listings: at 0.9, they cost 0.2 and 0.05 points.
OUTSIDE_ROLES = frozenset(("byline", "caption", "comment", "related"))
OUTSIDE_PROBABILITY = 0.95
# CleanEval's gold text has lists of links: without this exception, ce-F is 0.08 points lower there.
SCORED_ROLES = {"all": frozenset(("related",))}

_ROLES, _SCORES = frozenset(ROLES), frozenset((int, float, type(None)))
_NEEDED = (
    "missing: --policy, --with and --without need the roles of segments, which nc-score writes with structure models"
)


def has_roles(table: ScoredTable) -> bool:
    """Whether the segments have roles, which `check_roles` has accepted."""
    return bool(table.role) and table.role[0] is not None


def check_roles(table: ScoredTable, required: bool) -> None:
    """Raises RecordError for a `role` or a `role_probability` of a wrong value, and for a segment without them if
    another has them, or if they are *required*."""
    if not required and ("role" not in table.names or table.role.count(None) == len(table)):
        return
    if _are_known(table) and _are_shares(table.role_probability):
        return
    for row, (role, probability) in enumerate(zip(table.role, table.role_probability)):
        if role is None:
            raise RecordError(f"segments[{row}].role: {_NEEDED if required else 'missing'}")
        if role not in ROLES:
            raise RecordError(f"segments[{row}].role: expected one of {', '.join(ROLES)}, got {str(role)[:40]!r}")
        if "role_probability" not in table.segments[row]:
            raise RecordError(f"segments[{row}].role_probability: missing")
        if not _are_shares([probability]):
            raise RecordError(f"segments[{row}].role_probability: expected a number from 0 to 1")


def decide_by_role(table: ScoredTable, kept: list[bool], options: ContentOptions) -> list[bool]:
    """*kept*, but True for segments whose role is in `included`, and False for those whose role is in `excluded` or
    certainly outside the content policy."""
    always = dict.fromkeys(options.included, True) | dict.fromkeys(options.excluded, False)
    always.pop("title", None)  # a page has one, however many segments look like it (see `title`)
    outside = outside_roles(options)
    out = list(kept)
    for role, rows in table.rows_of_roles().items():
        if role in always:
            for row in rows:
                out[row] = always[role]
        elif role in outside:
            for row in rows:
                out[row] = out[row] and table.role_probability[row] < OUTSIDE_PROBABILITY
    return out


def outside_roles(options: ContentOptions) -> frozenset[str]:
    """The roles of which a segment is dropped if its role is certain."""
    return OUTSIDE_ROLES - options.roles - SCORED_ROLES.get(options.policy, frozenset())


def with_policy_scores(table: ScoredTable, policy: str) -> ScoredTable:
    """The segments with their scores under the content policy; those without one keep their `score`. Raises RecordError
    if one is not a number."""
    if policy == DEFAULT_POLICY:
        return table
    field = score_field(policy)
    scores = table.column(field, None)
    if not _SCORES.issuperset(map(type, scores)):
        row, wrong = next((row, score) for row, score in enumerate(scores) if type(score) not in _SCORES)
        kind = NAMES.get(type(wrong), type(wrong).__name__)
        raise RecordError(f"segments[{row}].{field}: expected a number, got {kind}")
    return table.with_scores([own if score is None else score for own, score in zip(table.score, scores)])


def _are_known(table: ScoredTable) -> bool:
    """Whether all segments have a role that there is."""
    try:
        return _ROLES.issuperset(table.rows_of_roles())
    except TypeError:
        return False


def _are_shares(values: list[Any]) -> bool:
    """Whether all are numbers from 0 to 1."""
    try:
        return not values or min(values) >= 0 and max(values) <= 1 and sum(values) <= len(values)  # NaN is not
    except TypeError:
        return False
