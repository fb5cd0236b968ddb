"""Why segments are kept or dropped, in words, and the option that would keep a dropped one: for nc-select --all and the
inspector.

    reasons_of(table, {"page": {"odds": 5.0}}, policy(), steps, decide)
    # [{"reason": "0.8 bits above the threshold"}, {"reason": "list dropped as a whole", "option": "--favour recall"}]

A reason is that of the last step which changed the decision. An option is named only after a trial: the page is decided
again with it, so this takes several times as long as the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from ..errors import RecordError
from ..record import BYLINE, COMMENT, ELEMENT_RULE, FURNITURE, Record
from ..roles import ROLES
from . import roles
from .decision import Step, page_evidence
from .elements import kind_of
from .expected_f import clipped_score
from .never_text import reason_of
from .options import ContentOptions
from .policies import PagePolicy, least_score
from .scored_table import ScoredTable, table_of

# Bits. Thresholds are computed from probabilities, and round otherwise than scores.
_ROUNDING = 1e-6
# Options that may keep segments of any role, the narrowest first.
_OF_ANY_ROLE = ("--favour recall", "--policy all", "--no-rules")
# What a step that keeps a segment says.
_KEPT = {
    "section": "section of the article",
    "declared": "declared as content by the page",
    "ingredient": "ingredient of a recipe",
    "heading": "heading of text that is kept",
    "post": "text of a post",
    "title": "title of the page",
}
# Parts of posts that are dropped.
_PARTS = {BYLINE: "byline of a post", COMMENT: "comment on a post", FURNITURE: "menu, signature or counts of a post"}

# What ends the reason of a segment that is kept by its score alone, or by its class.
_ABOVE, _GOOD = "above the threshold", "class good"
_COPY, _REFERENCE = "copy of a text that is kept", "refers to other pages, or to the site"

Decide = Callable[[PagePolicy], "tuple[list[Step], int | None]"]


def reasons_of(
    table: ScoredTable, document: Record, policy: PagePolicy, steps: Sequence[Step], decide: Decide
) -> list[Record]:
    """For each segment its `reason`, and perhaps an `option` of nc-select. *steps*: what was decided by the policy, and
    after it; *decide*: decides the page by another policy in the same way."""
    words, kept = _policy_words(table, page_evidence(document), policy), steps[-1][1]
    _explain(words, steps, table, policy)
    out: list[Record] = [{"reason": reason} for reason in words]
    dropped = [row for row, keep in enumerate(kept) if not keep]
    roles_of = {row: "related" if words[row] == _REFERENCE else table.role[row] for row in dropped}
    trials = _trials(policy, {*roles_of.values()}, page_evidence(document), decide) if dropped else {}
    for row in dropped:
        for option in (_with(roles_of[row], policy.options.content), *_OF_ANY_ROLE):
            if option in trials and trials[option][row]:
                out[row]["option"] = option
                break
    return out


def remark(segment: Record) -> str:
    """What a listing says of a segment besides its score: its reason, if it is not kept by that alone, and the
    option that would keep it."""
    reason = str(segment.get("reason", ""))
    if segment["keep"]:
        return "" if reason.endswith((_ABOVE, _GOOD)) else reason
    return f"{reason}; {segment['option']} keeps it" if "option" in segment else reason


def _policy_words(table: ScoredTable, page: Record | None, policy: PagePolicy) -> list[str]:
    """The reasons of what the policy decides."""
    if page is None or "segment" not in table.names:
        return _words(table, page, policy)
    from ..segmentation import sentences  # start-up: most streams have no sentences

    whole = table_of(sentences.join_sentences(table.segments))
    return sentences.for_sentences(_words(whole, page, policy), sentences.sentence_counts(table.segments))


def _words(table: ScoredTable, page: Record | None, policy: PagePolicy) -> list[str]:
    steps = list(policy.steps(table, page))
    words = _score_words(table, page, policy, steps[0][1])
    _explain(words, steps, table, policy)
    return words


def _explain(words: list[str], steps: Sequence[Step], table: ScoredTable, policy: PagePolicy) -> None:
    """Replaces the reasons of what the steps after the first change."""
    for (_, before), (name, after) in pairwise(steps):
        for row, (old, new) in enumerate(zip(before, after)):
            if old != new:
                words[row] = _step_words(name, new, table, row, policy)


def _score_words(table: ScoredTable, page: Record | None, policy: PagePolicy, kept: list[bool]) -> list[str]:
    """The reasons of what is decided by score."""
    options = policy.options
    drops_marked = options.rules and page is None
    if options.method == "justext":
        return [_class_words(segment, keep, drops_marked) for segment, keep in zip(table.segments, kept)]
    scored = roles.with_policy_scores(table, options.content.policy)
    least, distance = least_score(options, scored, page), "{:.1f} bits"
    scores = [clipped_score(score) for score in scored.score]
    above = [score > least + _ROUNDING for score in scores]
    other = "page without text"  # why a score above the threshold does not count
    if True in kept:
        other = "beside boilerplate" if options.method == "viterbi" else _COPY
    out = []
    for row, score in enumerate(scores):
        bits, rule = distance.format(abs(score - least)), table.rule[row]
        if drops_marked and rule is not None:
            out.append(f"rule {rule}")
        elif kept[row]:
            out.append(f"{bits} {_ABOVE}" if above[row] else "beside text")
        elif above[row]:
            out.append(other)
        else:
            role = _left_out(table.role[row], options.content)
            reasons = [f"{bits} below the threshold", role, rule and f"rule {rule}"]
            out.append(", ".join(filter(None, reasons)))
    return out


def _left_out(role: str | None, content: ContentOptions) -> str:
    """That a role is no content; empty if it is, and for boilerplate."""
    if role in content.excluded:
        return f"--without {role}"
    return "" if role in (None, "boilerplate", *content.roles) else f"--policy {content.policy} leaves out {role}"


def _class_words(segment: Record, keep: bool, drops_marked: bool) -> str:
    """The reasons of what jusText decides."""
    if drops_marked and "rule" in segment:
        return f"rule {segment['rule']}"
    own = segment.get("class")
    if own is None:
        return "its score and its neighbours"
    return f"class {own}" if own == ("good" if keep else "bad") else f"class {own}, and its neighbours"


def _step_words(name: str, keep: bool, table: ScoredTable, row: int, policy: PagePolicy) -> str:
    """The reason of what a step has changed."""
    segment, content = table.segments[row], policy.options.content
    role = str(table.role[row])
    if name == "role":
        return f"--with {role}" if keep else _left_out(role, content)
    if name == "element":
        kind = kind_of(table.path[row])[0] or "list"  # a heading between items
        return f"{kind} {'kept' if keep else 'dropped'} as a whole"
    if name == "rule":
        return f"rule '{segment.get(ELEMENT_RULE)}'"
    if keep:
        return _KEPT[name]
    if name == "boilerplate":
        return reason_of(table, row)
    if name == "tail":
        return "after the end of the article"
    if name == "comment":
        return "comment below the article"
    if name == "notice":
        return _REFERENCE
    if name == "heading":
        return "heading without text that is kept"
    if name == "title":
        return _left_out("title", content) or "repeats the title"
    if name in ("copy", "ingredient"):
        return _COPY
    if "post" not in segment:
        return "repeats a post, or stands between posts"
    return _PARTS.get(str(segment.get("part")), f"--policy {content.policy} leaves out such posts")


def _with(role: str | None, content: ContentOptions) -> str:
    """The option that keeps a role besides those that are kept."""
    return f"--with {','.join(sorted({str(role), *content.included}))}"


def _trials(policy: PagePolicy, found: set[str | None], page: Record | None, decide: Decide) -> dict[str, list[bool]]:
    """Options of nc-select that may keep segments of the roles *found*, and what is decided with each of them."""
    out = {}
    for option, other in _others(policy, found, page):
        with suppress(RecordError):  # of models that know no roles
            out[option] = decide(other)[0][-1][1]
    return out


def _others(policy: PagePolicy, found: set[str | None], page: Record | None) -> Iterator[tuple[str, PagePolicy]]:
    """Options, and the policy that each of them gives."""
    options = policy.options
    content = options.content

    def with_(**changes: Any) -> PagePolicy:
        return PagePolicy(options._replace(**changes))

    if options.favour != "recall" and options.method != "justext":
        yield _OF_ANY_ROLE[0], with_(favour="recall")
    if content.policy != "all":
        yield _OF_ANY_ROLE[1], with_(content=content._replace(policy="all"))
    if options.rules:
        yield _OF_ANY_ROLE[2], with_(rules=False)
    for role in ROLES:
        if role in found and role != "boilerplate" and role not in content.roles and role not in content.excluded:
            yield _with(role, content), with_(content=content._replace(included=content.included | {role}))
