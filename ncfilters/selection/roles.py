"""Decisions by role: which segments the content policy and the user ask for, whatever their scores.

    decisions_by_role([{"role": "comment", "role_probability": 0.6}, {"role": "text", "role_probability": 0.9}],
                      ContentOptions(excluded=frozenset(["comment"])))    # [False, None]

None leaves the decision to the score under the content policy (see `policy_scores`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import RecordError
from ..record import NAMES, Record
from ..roles import DEFAULT_POLICY, ROLES
from .options import ContentOptions

# A segment is dropped if its role is outside the content policy and at least so probable.
OUTSIDE_PROBABILITY = 0.9

_ABSENT = (
    "missing: --policy, --with and --without need the roles of segments, which nc-score writes with structure models"
)


def has_roles(segments: Sequence[Record]) -> bool:
    """Whether the segments have roles. A model writes them on all or on none."""
    return bool(segments) and "role" in segments[0]


def check_roles(segments: Sequence[Record], required: bool) -> None:
    """Raises RecordError for a `role` or a `role_probability` of a wrong value; if *required*, also for a segment
    without them."""
    for index, segment in enumerate(segments):
        if "role" not in segment:
            if required:
                raise RecordError(f"segments[{index}].role: {_ABSENT}")
            continue
        if segment["role"] not in ROLES:
            raise RecordError(f"segments[{index}].role: expected one of {', '.join(ROLES)}, got {segment['role']!r}")
        if "role_probability" not in segment:
            raise RecordError(f"segments[{index}].role_probability: missing")
        if not 0 <= segment["role_probability"] <= 1:
            raise RecordError(f"segments[{index}].role_probability: expected a number from 0 to 1")


def decisions_by_role(segments: Sequence[Record], options: ContentOptions) -> list[bool | None]:
    """For each segment True if its role is in `included`, False if it is in `excluded` or certainly outside the content
    policy, else None."""
    always: dict[str, bool] = dict.fromkeys(options.included, True) | dict.fromkeys(options.excluded, False)
    inside = options.roles
    return [
        always.get(role, None if role in inside or segment["role_probability"] < OUTSIDE_PROBABILITY else False)
        for segment in segments
        for role in [segment["role"]]
    ]


def with_policy_scores(segments: list[Record], policy: str) -> list[Record]:
    """The segments with their scores under the content policy; those without one keep their `score`. Raises RecordError
    if one is not a number."""
    if policy == DEFAULT_POLICY:
        return segments
    out = []
    for index, segment in enumerate(segments):
        score = segment.get("policy_scores", {}).get(policy)
        if score is None:
            out.append(segment)
        elif type(score) in (int, float):
            out.append({**segment, "score": score})
        else:
            kind = NAMES.get(type(score), type(score).__name__)
            raise RecordError(f"segments[{index}].policy_scores.{policy}: expected a number, got {kind}")
    return out
