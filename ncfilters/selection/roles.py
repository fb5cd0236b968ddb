"""Decisions by role: which segments the content policy and the user ask for, whatever their scores.

    page = page_of([{"text": "Me too.", "role": "comment", "role_probability": 0.6},
                    {"text": "It rained.", "role": "text", "role_probability": 0.9}])
    kept = bytearray([1, 1])
    decide_roles(page, kept, PolicyOptions(content=ContentOptions(excluded=frozenset(["comment"]))))
    kept    # bytearray([0, 1])

Other segments are decided by the score under the content policy (see `roles.score_field`).
"""

from __future__ import annotations

from typing import Any

from ..errors import RecordError
from ..page.element_table import LOWEST_LEVEL
from ..record import NAMES
from ..roles import DEFAULT_POLICY, ROLES, score_field
from .by_score import decide_by_score
from .options import ContentOptions, PolicyOptions
from .scored_page import ScoredPage

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


def has_roles(page: ScoredPage) -> bool:
    """Whether the segments have roles, which `check_roles` has accepted."""
    return bool(page.role) and page.role[0] is not None


def check_roles(page: ScoredPage, required: bool) -> None:
    """Raises RecordError for a `role` or a `role_probability` of a wrong value, and for a segment without them if
    another has them, or if they are *required*."""
    if not required and ("role" not in page.names or page.role.count(None) == len(page)):
        return
    if _are_known(page) and _are_shares(page.role_probability):
        return
    for row, (role, probability) in enumerate(zip(page.role, page.role_probability)):
        if role is None:
            raise RecordError(f"segments[{row}].role: {_NEEDED if required else 'missing'}")
        if role not in ROLES:
            raise RecordError(f"segments[{row}].role: expected one of {', '.join(ROLES)}, got {str(role)[:40]!r}")
        if "role_probability" not in page.segments[row]:
            raise RecordError(f"segments[{row}].role_probability: missing")
        if not _are_shares([probability]):
            raise RecordError(f"segments[{row}].role_probability: expected a number from 0 to 1")


def decide_roles(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps the roles of `included`, drops those of `excluded`, and what is certainly outside of the content policy."""
    content = options.content
    if not has_roles(page):
        return
    always = dict.fromkeys(content.included, True) | dict.fromkeys(content.excluded, False)
    always.pop("title", None)  # a page has one, however many segments look like it (see `title`)
    outside = outside_roles(content)
    for row, role in enumerate(page.role):
        if role in always:
            kept[row] = always[role]
        elif role in outside and page.role_probability[row] >= OUTSIDE_PROBABILITY:
            kept[row] = 0


def outside_roles(options: ContentOptions) -> frozenset[str]:
    """The roles of which a segment is dropped if its role is certain."""
    return OUTSIDE_ROLES - options.roles - SCORED_ROLES.get(options.policy, frozenset())


# The element of an article is the innermost one with this share of what is kept, but neither `body` nor a child of it.
# Words of the heading of a section: that of a comment is the name of its author.
ELEMENT_SHARE, MIN_DEPTH, MIN_HEADING = 0.9, 3, 4
_SECTION_ROLES = frozenset(("text", "comment"))


def keep_sections(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps the sections of an article, such as the entries of a live blog or the slides of a show, if their text and
    their headings are kept under the policy `main`. They look like comments, one like the other, but have headings of
    their own, and stand in the element of the article. Marked segments stay as they are."""
    if not page.is_article() or not any(kept):
        return
    by_main = decide_by_score(page.main, options)
    article = page.container([row for row in page.visible if kept[row]], ELEMENT_SHARE)
    if page.elements.depth[article] < MIN_DEPTH:
        return
    is_inside, is_section = page.elements.subtree(article), False
    for row in page.visible:
        element = page.element[row]
        is_text = by_main[row] and page.rule[row] is None
        if not is_inside[element]:
            is_section = False
        elif page.elements.level[element] < LOWEST_LEVEL:
            is_section = is_text and page.words()[row] >= MIN_HEADING
            kept[row] = kept[row] or is_section
        elif is_section and is_text and page.role[row] in _SECTION_ROLES:
            kept[row] = 1


def with_policy_scores(page: ScoredPage, policy: str) -> ScoredPage:
    """The segments with their scores under the content policy; those without one keep their `score`. Raises RecordError
    if one is not a number."""
    if policy == DEFAULT_POLICY:
        return page
    field = score_field(policy)
    scores = page.column(field, None)
    if not _SCORES.issuperset(map(type, scores)):
        row, wrong = next((row, score) for row, score in enumerate(scores) if type(score) not in _SCORES)
        kind = NAMES.get(type(wrong), type(wrong).__name__)
        raise RecordError(f"segments[{row}].{field}: expected a number, got {kind}")
    return page.with_scores([own if score is None else score for own, score in zip(page.score, scores)])


def _are_known(page: ScoredPage) -> bool:
    """Whether all segments have a role that there is."""
    try:
        return _ROLES.issuperset(page.role)
    except TypeError:
        return False


def _are_shares(values: list[Any]) -> bool:
    """Whether all are numbers from 0 to 1."""
    try:
        return not values or min(values) >= 0 and max(values) <= 1 and sum(values) <= len(values)  # NaN is not
    except TypeError:
        return False


def role_words(page: ScoredPage, row: int, keep: bool, options: PolicyOptions) -> str:
    """Why `decide_roles` keeps or drops a row."""
    return f"--with {page.role[row]}" if keep else left_out(page.role[row], options.content)


def left_out(role: str | None, content: ContentOptions) -> str:
    """That a role is no content; empty if it is, and for boilerplate."""
    if role in content.excluded:
        return f"--without {role}"
    return "" if role in (None, "boilerplate", *content.roles) else f"--policy {content.policy} leaves out {role}"
