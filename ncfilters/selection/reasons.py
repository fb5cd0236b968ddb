"""Why segments are kept or dropped, in words, and the option that would keep a dropped one: for nc-select --all and the
inspector.

    reasons_of(page, decision, policy(), decide)
    # [{"reason": "0.8 bits above the threshold"}, {"reason": "list dropped as a whole", "option": "--favour recall"}]

A reason is that of the last step which changed the decision. An option is named only after a trial: the page is decided
again with it, so this takes several times as long as the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ..errors import RecordError
from ..record import Record
from ..roles import ROLES
from .by_score import least_score
from .decision import Decision, PagePolicy
from .expected_f import clipped_score
from .options import ContentOptions
from .roles import left_out, with_policy_scores
from .scored_page import ScoredPage, page_of

# Bits. Thresholds are computed from probabilities, and round otherwise than scores.
_ROUNDING = 1e-6
# Options that may keep segments of any role, the narrowest first.
_OF_ANY_ROLE = ("--favour recall", "--policy all", "--no-rules")
# What ends the reason of a segment that is kept by its score alone, or by its class.
_ABOVE, _GOOD = "above the threshold", "class good"


def reasons_of(
    page: ScoredPage, decision: Decision, policy: PagePolicy, decide: Callable[[PagePolicy], Decision]
) -> list[Record]:
    """For each segment its `reason`, and perhaps an `option` of nc-select. *decide*: decides the page by another
    policy."""
    words = _score_words(page, decision, policy)
    page.read_elements()
    for row, step in enumerate(decision.last):
        if step is not None:
            words[row] = step.reason(page, row, decision.kept[row] > 0, policy.options)
    out: list[Record] = [{"reason": reason} for reason in words]
    dropped = [row for row, keep in enumerate(decision.kept) if not keep]
    is_reference = [step is not None and step.name == "notice" for step in decision.last]
    roles_of = {row: "related" if is_reference[row] else page.role[row] for row in dropped}
    trials = _trials(policy, {*roles_of.values()}, decide) if dropped else {}
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


def _score_words(page: ScoredPage, decision: Decision, policy: PagePolicy) -> list[str]:
    """The reasons of what is decided by score. Of sentences, each has that of its segment."""
    if not page.evidence or "segment" not in page.names:
        return _words(page, decision.kept, policy)
    from ..segmentation import sentences  # start-up: most streams have no sentences

    whole = page_of(sentences.join_sentences(page.segments))
    whole.evidence = page.evidence
    return sentences.for_sentences(
        _words(whole, policy.decide(whole).kept, policy), sentences.sentence_counts(page.segments)
    )


def _words(page: ScoredPage, kept: bytearray, policy: PagePolicy) -> list[str]:
    options = policy.options
    drops_marked = options.rules and not page.evidence
    if options.method == "justext":
        return [_class_words(segment, keep > 0, drops_marked) for segment, keep in zip(page.segments, kept)]
    scored = with_policy_scores(page, options.content.policy)
    least, out = least_score(options, scored), []
    for row, score in enumerate(map(clipped_score, scored.score)):
        bits, rule = f"{abs(score - least):.1f} bits", page.rule[row]
        is_above = score > least + _ROUNDING
        if drops_marked and rule is not None:
            out.append(f"rule {rule}")
        elif kept[row]:
            out.append(f"{bits} {_ABOVE}" if is_above else "beside text")
        elif is_above:
            out.append("beside boilerplate")
        else:
            reasons = (
                f"{bits} below the threshold",
                left_out(page.role[row], options.content),
                rule and f"rule {rule}",
            )
            out.append(", ".join(filter(None, reasons)))
    return out


def _class_words(segment: Record, keep: bool, drops_marked: bool) -> str:
    """The reasons of what jusText decides."""
    if drops_marked and "rule" in segment:
        return f"rule {segment['rule']}"
    own = segment.get("class")
    if own is None:
        return "its score and its neighbours"
    return f"class {own}" if own == ("good" if keep else "bad") else f"class {own}, and its neighbours"


def _with(role: str | None, content: ContentOptions) -> str:
    """The option that keeps a role besides those that are kept."""
    return f"--with {','.join(sorted({str(role), *content.included}))}"


def _trials(
    policy: PagePolicy, found: set[str | None], decide: Callable[[PagePolicy], Decision]
) -> dict[str, bytearray]:
    """Options of nc-select that may keep segments of the roles *found*, and what is decided with each of them."""
    out = {}
    for option, other in _others(policy, found):
        with suppress(RecordError):  # of models that know no roles
            out[option] = decide(other).kept
    return out


def _others(policy: PagePolicy, found: set[str | None]) -> Iterator[tuple[str, PagePolicy]]:
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
