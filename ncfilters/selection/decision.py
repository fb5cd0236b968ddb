"""The decision: which segments of a scored page are its text. STEPS is the whole of it, in order.

    decide = policy(PolicyOptions(favour="recall"))
    decide([{"text": "Some words.", "type": "p", "score": 2.0}, {"text": "Home", "type": "l", "score": -8.0}])
    # [True, False]

A step is a function that changes `kept`, a byte for each row of the page. Scores decide first. The structure of the
page counts where the document has a `page`, whose scores are calibrated, except by threshold or as jusText decides.
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from typing import NamedTuple, Protocol, TypeAlias

from ..errors import RecordError
from ..record import ELEMENT_RULE, Record, check
from .by_score import decide_by_score
from .copies import drop_copies, drop_echoes
from .options import DEFAULTS, PolicyOptions
from .posts import keep_posts, post_words
from .roles import check_roles, decide_roles, has_roles, keep_sections, role_words, with_policy_scores
from .scored_page import ScoredPage, page_of
from .surroundings import boilerplate_words, drop_boilerplate, drop_comments, drop_notices, drop_tail, rows_kept
from .title import keep_title, title_words
from .whole_parts import block_words, decide_blocks, decide_headings, keep_declared, keep_embedded, keep_ingredients

# The segments of a page: records, or their table.
Segments: TypeAlias = "list[Record] | ScoredPage"

# A step that drops more than this share of the kept words is wrong if their mean score is above SURE bits, or MARGIN
# above that of what it leaves. The share alone says nothing: in 84 cases on 4,420 pages a step drops a fifth or more,
# up to 95 % below articles with many comments, and in most it is right.
MAX_SHARE, SURE, MARGIN = 0.2, 2.5, 0.5


class DecisionPolicy(Protocol):
    """Decides for each scored segment of a document whether it is text.

    The second argument is the document's `page`, which nc-score writes with models of the kind structure. It implies
    that scores are calibrated log odds, and that the model already takes into account which segments nc-segment marks.
    """

    def __call__(self, segments: Segments, page: Record | None = None, /) -> list[bool]: ...


def _always(options: PolicyOptions) -> bool:
    return True


def _never(options: PolicyOptions) -> bool:
    return False


class Step(NamedTuple):
    """A step: what it changes, why it keeps or drops a row, in the words of nc-select --all, and when it is on."""

    name: str
    change: Callable[[ScoredPage, bytearray, PolicyOptions], None]
    kept: str = ""
    dropped: str = ""
    words: Callable[[ScoredPage, int, bool, PolicyOptions], str] | None = None  # in place of both
    is_on: Callable[[PolicyOptions], bool] = _always
    is_asked: Callable[[PolicyOptions], bool] = _never  # the user asks for what it drops, so that it may drop all

    def reason(self, page: ScoredPage, row: int, keep: bool, options: PolicyOptions) -> str:
        """Why the step keeps or drops a row."""
        if self.words is not None:
            return self.words(page, row, keep, options)
        return self.kept if keep else self.dropped


def _obey_rules(page: ScoredPage, kept: bytearray, options: PolicyOptions) -> None:
    """Keeps and drops what the user's rules for elements ask for, which nc-segment has marked segments with."""
    for row, rule in enumerate(page.column(ELEMENT_RULE, "")):
        if rule:
            kept[row] = 1 if str(rule).startswith("keep ") else 0 if str(rule).startswith("drop ") else kept[row]


def _rule_words(page: ScoredPage, row: int, keep: bool, options: PolicyOptions) -> str:
    return f"rule '{page.segments[row].get(ELEMENT_RULE)}'"


def _has_expected_f(options: PolicyOptions) -> bool:
    return options.method in ("auto", "expected")


def _has_rules(options: PolicyOptions) -> bool:
    return options.rules


def _is_article(options: PolicyOptions) -> bool:
    return options.content.policy == "article"


def _is_not_all(options: PolicyOptions) -> bool:
    return options.content.policy != "all"


def _needs_roles(options: PolicyOptions) -> bool:
    return options.content.needs_roles


def _has_no_comments(options: PolicyOptions) -> bool:
    return "comment" not in options.content.roles


def _has_no_references(options: PolicyOptions) -> bool:
    return options.rules and "related" not in options.content.roles


def _leaves_out_posts(options: PolicyOptions) -> bool:
    return options.content.policy == "article" or bool(options.content.excluded)


_COPY, _DECLARED = "copy of a text that is kept", "declared as content by the page"
# First what single segments say, roles before their headings; then what stands around the text; blocks as a whole when
# their lines are decided, and headings when their text is; what is named, before any of it may be dropped as a copy;
# roles again, for a block may have brought them back. Echoes last, when all that may be kept is known.
STEPS = (
    Step("copy", drop_copies, dropped=_COPY, is_on=_has_expected_f),
    Step("section", keep_sections, kept="section of the article", is_on=_is_article),
    Step("role", decide_roles, words=role_words, is_asked=_needs_roles),
    Step("boilerplate", drop_boilerplate, words=boilerplate_words, is_on=_has_rules),
    Step("tail", drop_tail, dropped="after the end of the article", is_on=_is_not_all),
    Step("declared", keep_declared, kept=_DECLARED),
    Step("embedded", keep_embedded, kept=_DECLARED),
    Step("block", decide_blocks, words=block_words),
    Step("comment", drop_comments, dropped="comment below the article", is_on=_has_no_comments),
    Step("heading", decide_headings, "heading of text that is kept", "heading without text that is kept"),
    Step("notice", drop_notices, dropped="refers to other pages, or to the site", is_on=_has_no_references),
    Step("ingredient", keep_ingredients, "ingredient of a recipe", _COPY),
    Step("role", decide_roles, words=role_words, is_on=_needs_roles, is_asked=_needs_roles),
    Step("post", keep_posts, words=post_words, is_asked=_leaves_out_posts),
    Step("echo", drop_echoes, dropped=_COPY),
)
# What the title and the user's rules say counts on any page.
LAST_STEPS = (
    Step("title", keep_title, words=title_words, is_asked=_always),
    Step("rule", _obey_rules, words=_rule_words, is_asked=_always),
)


class Decision(NamedTuple):
    """What is kept, and for each row the step that decided it last; None for its score."""

    kept: bytearray
    last: list[Step | None]


class PagePolicy:
    """The policy that *options* describe: decisions by score, corrected by STEPS.

    Roles count where segments have them; they must if the options name some.
    """

    def __init__(self, options: PolicyOptions) -> None:
        self.options = options

    def __call__(self, segments: Segments, page: Record | None = None, /) -> list[bool]:
        own = page_of(segments)
        own.evidence = page or {}
        return list(map(bool, self.decide(own).kept))

    def decide(self, page: ScoredPage) -> Decision:
        """The decision, with the reasons for it. Of sentences, each has that of its segment."""
        if not page.evidence or "segment" not in page.names:
            return self._decide(page)
        from ..segmentation import sentences  # start-up: most streams have no sentences

        # a structure model scores segments
        whole = page_of(sentences.join_sentences(page.segments))
        whole.evidence = page.evidence
        counts = sentences.sentence_counts(page.segments)
        kept, last = (sentences.for_sentences(list(own), counts) for own in self._decide(whole))
        return Decision(bytearray(kept), last)

    def _decide(self, page: ScoredPage) -> Decision:
        last: list[Step | None] = [None] * len(page)
        kept = bytearray(len(page))
        for step, before, kept in self.steps(page):
            for row in differences(before, kept):
                last[row] = step
        return Decision(kept, last)

    def steps(self, page: ScoredPage) -> Iterator[tuple[Step | None, bytes, bytearray]]:
        """The steps that change something, in order, with the decisions before and after, for segments without
        sentences; scores first, as None."""
        content = self.options.content
        check_roles(page, content.needs_roles)
        scored = with_policy_scores(page, content.policy)
        kept = bytearray(decide_by_score(scored, self.options))
        yield None, bytes(kept), kept
        if page.evidence and not self.options.is_literal:
            yield from run_steps(STEPS, scored, kept, self.options)
        elif has_roles(page):
            yield from run_steps([step for step in STEPS if step.name == "role"], scored, kept, self.options)


def run_steps(
    steps: Iterable[Step], page: ScoredPage, kept: bytearray, options: PolicyOptions
) -> Iterator[tuple[Step, bytes, bytearray]]:
    """Changes *kept* by steps, of which none takes away the page (see `takes_page`): yields each that changes
    something, with the decisions before it and after."""
    page.read_elements()
    for step in steps:
        if step.is_on(options):
            before = bytes(kept)
            step.change(page, kept, options)
            if kept != before:
                if not step.is_asked(options) and takes_page(page, before, kept):
                    for row in compress(range(len(kept)), before):
                        kept[row] = 1
                yield step, before, kept


def differences(before: bytes, after: bytearray) -> list[int]:
    """The rows that are decided otherwise."""
    return [row for row, (one, other) in enumerate(zip(before, after)) if one != other]


def takes_page(page: ScoredPage, before: bytes, after: bytearray) -> bool:
    """Whether a step drops what the model is surer of than of what stays. A text that is kept elsewhere is not lost."""
    dropped = [row for row in differences(before, after) if before[row]]
    if not dropped:
        return False
    rest = rows_kept(after)
    least = MAX_SHARE * page.size(dropped + rest)
    if page.size(dropped) <= least:
        return False
    texts = {page.same[row] for row in rest}
    lost = [row for row in dropped if page.same[row] not in texts]
    return page.size(lost) > least and page.mean_score(lost) > min(SURE, page.mean_score(rest) + MARGIN)


def policy(options: PolicyOptions = DEFAULTS) -> PagePolicy:
    """The policy that *options* describe."""
    return PagePolicy(options)


def page_evidence(document: Record) -> Record | None:
    """The document's `page`; None if it has none. Raises RecordError if its type or its fields are wrong."""
    page: Record | None = document.get("page")
    if page is None:
        return None
    check({"page": page})
    if "odds" not in page:
        raise RecordError("page.odds: missing")
    return page
