"""Decisions by role: which segments the content policy and the user ask for, whatever their scores.

    decisions_by_role([{"role": "comment", "role_probability": 0.6}, {"role": "text", "role_probability": 0.9}],
                      ContentOptions(excluded=frozenset(["comment"])))    # [False, None]

None leaves the decision to the score under the content policy (see `roles.score_field`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import RecordError
from ..record import NAMES, Record
from ..roles import DEFAULT_POLICY, ROLES, score_field
from .options import ContentOptions

# A segment of one of these roles is dropped if the role is outside the content policy and at least so probable. On
# held-out pages this neither raises nor lowers F: the score under the policy knows. At 0.9, posts of forums are lost
# (0.05 points on WCXB). Dates and boilerplate are decided by the score alone, because the gold text of Dragnet and
# L3S-GN1 has some dates, and that of WCXB links in listings: at 0.9, they cost 0.2 and 0.05 points.
OUTSIDE_ROLES = frozenset(("byline", "caption", "comment", "related"))
OUTSIDE_PROBABILITY = 0.95
# CleanEval's gold text has lists of links: without this exception, ce-F is 0.08 points lower there.
SCORED_ROLES = {"all": frozenset(("related",))}

_NEEDED = (
    "missing: --policy, --with and --without need the roles of segments, which nc-score writes with structure models"
)


def has_roles(segments: Sequence[Record]) -> bool:
    """Whether the segments have roles, which `check_roles` has accepted."""
    return bool(segments) and segments[0].get("role") is not None


def check_roles(segments: Sequence[Record], required: bool) -> None:
    """Raises RecordError for a `role` or a `role_probability` of a wrong value, and for a segment without them if
    another has them, or if they are *required*."""
    roles = [segment.get("role") for segment in segments]
    if not required and roles.count(None) == len(roles):
        return
    if all(map(ROLES.__contains__, roles)) and _are_shares([segment.get("role_probability") for segment in segments]):
        return
    for index, segment in enumerate(segments):
        role = segment.get("role")
        if role is None:
            raise RecordError(f"segments[{index}].role: {_NEEDED if required else 'missing'}")
        if role not in ROLES:
            raise RecordError(f"segments[{index}].role: expected one of {', '.join(ROLES)}, got {str(role)[:40]!r}")
        if "role_probability" not in segment:
            raise RecordError(f"segments[{index}].role_probability: missing")
        if not _are_shares([segment["role_probability"]]):
            raise RecordError(f"segments[{index}].role_probability: expected a number from 0 to 1")


def decisions_by_role(segments: Sequence[Record], options: ContentOptions) -> list[bool | None]:
    """For each segment True if its role is in `included`, False if it is in `excluded` or certainly outside the content
    policy, else None."""
    always = dict.fromkeys(options.included, True) | dict.fromkeys(options.excluded, False)
    always.pop("title", None)  # a page has one, however many segments look like it (see `title`)
    outside = outside_roles(options)
    decisions: list[bool | None] = []
    for segment in segments:
        role = segment["role"]
        if role in always:
            decisions.append(always[role])
        else:
            is_dropped = role in outside and segment["role_probability"] >= OUTSIDE_PROBABILITY
            decisions.append(False if is_dropped else None)
    return decisions


def outside_roles(options: ContentOptions) -> frozenset[str]:
    """The roles of which a segment is dropped if its role is certain."""
    return OUTSIDE_ROLES - options.roles - SCORED_ROLES.get(options.policy, frozenset())


def with_policy_scores(segments: list[Record], policy: str) -> list[Record]:
    """The segments with their scores under the content policy; those without one keep their `score`. Raises RecordError
    if one is not a number."""
    if policy == DEFAULT_POLICY:
        return segments
    field = score_field(policy)
    out = []
    for index, segment in enumerate(segments):
        score = segment.get(field)
        if score is None:
            out.append(segment)
        elif type(score) in (int, float):
            out.append({**segment, "score": score})
        else:
            kind = NAMES.get(type(score), type(score).__name__)
            raise RecordError(f"segments[{index}].{field}: expected a number, got {kind}")
    return out


def _are_shares(values: list[Any]) -> bool:
    """Whether all are numbers from 0 to 1."""
    try:
        return not values or min(values) >= 0 and max(values) <= 1 and sum(values) <= len(values)  # NaN is not
    except TypeError:
        return False
