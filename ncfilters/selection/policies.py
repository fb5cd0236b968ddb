"""Decision policies: which segments of a scored document are text (nc-select --decide).

    decide = policy(PolicyOptions(method="expected"))
    decide([{"text": "Some words.", "type": "p", "score": 2.0}, {"text": "Home", "type": "l", "score": -3.0}])
    # [True, False]

Where the document has a `page`, scores are calibrated and marked segments have been scored with the others (see
`decision`). Without it, segments that nc-segment marked are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import inf
from typing import NamedTuple

from ..record import EMBEDDED, Record
from . import roles, viterbi
from .article_end import without_tail
from .article_sections import with_sections
from .comments import without_comments
from .copies import without_copies, without_echoes
from .decision import DecisionPolicy, Segments, Step
from .expected_f import OPERATING_POINTS, clipped_score, probabilities, probability_threshold, score_threshold
from .headings import fit_headings
from .ingredients import keep_ingredients
from .never_text import without_boilerplate
from .notices import without_notices
from .options import DEFAULTS, PolicyOptions
from .page_types import may_be_article
from .posts import keep_posts
from .scored_table import ScoredTable, table_of
from .whole_elements import fit_elements, keep_declared

# Two equal texts of at least this many words are a repetition, such as a copy for mobile devices or for browsers
# without scripts. Of 4, 6 and 10, the only number that does not lower F on CleanEval and DAnIEL. With the factor 1 it
# adds 0.2 points of F on WCXB, with 1.25 none, but no text is selected twice.
MIN_REPEATED_WORDS = 10
# A step that drops more than this share of the kept words is wrong if their mean score is above SURE bits, or MARGIN
# above that of what it leaves. The share alone says nothing: in 84 cases on 4,420 pages a step drops a fifth or more,
# up to 95 % below articles with many comments, and in most it is right.
MAX_SHARE, SURE, MARGIN = 0.2, 2.5, 0.5


class Correction(NamedTuple):
    """A step after that by score: its name, by which `reasons` explains it, and what it makes of the decisions."""

    name: str
    change: Callable[[list[bool]], list[bool]]
    is_asked: bool = False  # the user asks for what it drops, so that it may drop all


class PagePolicy:
    """The policy that *options* describe: decisions by score, corrected by roles and by the structure of the page.

    Roles count where segments have them; they must if the options name some. The structure counts where scores are
    calibrated, except by threshold or as jusText decides.
    """

    def __init__(self, options: PolicyOptions) -> None:
        self.options, self._by_score = options, policy_of_scores(options)

    def __call__(self, segments: Segments, page: Record | None = None, /) -> list[bool]:
        table = table_of(segments)
        if page is None or "segment" not in table.names:
            return self._decisions(table, page)
        from ..segmentation import sentences  # start-up: most streams have no sentences

        # a structure model scores segments, and each sentence has the decision of its own
        whole = table_of(sentences.join_sentences(table.segments))
        return sentences.for_sentences(self._decisions(whole, page), sentences.sentence_counts(table.segments))

    def _decisions(self, table: ScoredTable, page: Record | None) -> list[bool]:
        *_, (_, kept) = self.steps(table, page)
        return kept

    def steps(self, table: ScoredTable, page: Record | None) -> Iterator[Step]:
        """The steps of the decision in order, for segments without sentences: each has a list of its own."""
        content = self.options.content
        roles.check_roles(table, content.needs_roles)
        scored = roles.with_policy_scores(table, content.policy)
        kept = self._by_score(scored, page)
        yield "score", kept
        fitted = None if self.options.is_literal else page
        if content.policy == "article" and fitted is not None and may_be_article(fitted):
            kept = with_sections(table, kept, self._by_score(table, page))
            yield "section", kept
        for name, change, is_asked in self._corrections(table, scored, fitted):
            before, kept = kept, change(kept)
            if not is_asked and takes_page(scored, before, kept):
                kept = [was or keep for was, keep in zip(before, kept)]
            yield name, kept

    def _corrections(self, table: ScoredTable, scored: ScoredTable, page: Record | None) -> Iterator[Correction]:
        """The steps after that by score: what stands around the text, then elements as a whole when their lines are
        decided, headings when their text is, and repetitions when all that may be kept is known."""
        content = self.options.content
        by_role = Correction("role", lambda kept: roles.decide_by_role(table, kept, content), content.needs_roles)
        if roles.has_roles(table):  # first, for headings go with their text
            yield by_role
        if page is not None:
            if self.options.rules:
                yield Correction("boilerplate", lambda kept: without_boilerplate(table, kept))
            if content.policy != "all":
                yield Correction("tail", lambda kept: without_tail(scored, kept, page))
            yield Correction("declared", lambda kept: keep_declared(scored, kept))
            threshold = cache(lambda: least_score(self.options, scored, page))
            yield Correction("element", lambda kept: fit_elements(scored, kept, threshold))
            if "comment" not in content.roles:
                yield Correction("comment", lambda kept: without_comments(scored, kept, page))
            yield Correction("heading", lambda kept: fit_headings(scored, kept))
            if self.options.rules and "related" not in content.roles:
                yield Correction("notice", lambda kept: without_notices(table, kept, page))
            yield Correction("ingredient", lambda kept: keep_ingredients(table, kept))
        if content.needs_roles:
            yield by_role
        if page is not None:
            is_asked = content.policy == "article" or bool(content.excluded)
            yield Correction("post", lambda kept: keep_posts(table, kept, content, page), is_asked)
            yield Correction("copy", lambda kept: without_echoes(table, kept))


def takes_page(table: ScoredTable, before: list[bool], after: list[bool]) -> bool:
    """Whether a step drops what the model is surer of than of what stays. A text that is kept elsewhere is not lost."""
    dropped = [row for row, (was, keep) in enumerate(zip(before, after)) if was and not keep]
    if not dropped:
        return False
    sizes = table.words()
    rest = [row for row, keep in enumerate(after) if keep]
    least = MAX_SHARE * sum([sizes[row] for row in dropped + rest])
    if sum([sizes[row] for row in dropped]) <= least:
        return False
    texts = {table.text[row] for row in rest}
    lost = [row for row in dropped if table.text[row] not in texts]
    if sum([sizes[row] for row in lost]) <= least:
        return False
    return table.mean_score(lost) > min(SURE, table.mean_score(rest) + MARGIN)


def policy(options: PolicyOptions = DEFAULTS) -> PagePolicy:
    """The policy that *options* describe."""
    return PagePolicy(options)


def policy_of_scores(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """The policy that *options* describe, by scores alone."""
    if options.method == "justext":
        from .justext_context import neighbour_policy  # start-up: few runs decide as jusText does

        return neighbour_policy(options)
    if options.threshold is not None or options.method == "threshold":
        return threshold_policy(options)
    if options.method == "expected":
        return expected_f_policy(options)
    if options.method == "viterbi":
        return viterbi_policy(options)
    calibrated, other = expected_f_policy(options), threshold_policy(options)
    return lambda segments, page=None, /: other(segments) if page is None else calibrated(segments, page)


def least_score(options: PolicyOptions, table: ScoredTable, page: Record | None) -> float:
    """The score above which a segment is kept by itself, whatever its neighbours are: in bits, or in bits per
    character. jusText has no such score."""
    point = OPERATING_POINTS[options.favour]
    if options.method == "expected" or page is not None and not options.is_literal:
        return score_threshold(table, point, page, options.rules and page is None)
    return (options.threshold or 0.0) + (point.uncalibrated_bits if page is None else point.calibrated_bits)


def threshold_policy(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """Keeps segments with a score above the threshold (bits per segment, or per character); by default 0.

    With `rules`, and without a page, drops those that nc-segment marked as trivial boilerplate.
    """

    def decide(segments: Segments, page: Record | None = None, /) -> list[bool]:
        table, drop_marked = table_of(segments), options.rules and page is None
        least, scores = least_score(options, table, page), table.score
        return [score > least and not (drop_marked and rule is not None) for score, rule in zip(scores, table.rule)]

    return decide


def expected_f_policy(options: PolicyOptions = DEFAULTS, min_repeated: int = MIN_REPEATED_WORDS) -> DecisionPolicy:
    """Keeps the segments that give the best expected F of words.

    Where scores are calibrated, keeps of equal texts of at least *min_repeated* words the first and those with the same
    path; 0 keeps all of them.
    """
    point = OPERATING_POINTS[options.favour]

    def decide(segments: Segments, page: Record | None = None, /) -> list[bool]:
        table = table_of(segments)
        chances = probabilities(table, options.rules and page is None)
        least = probability_threshold(chances, table.words(), point, page)
        kept = [chance > least for chance in chances]
        return without_copies(table, kept, min_repeated) if page is not None and min_repeated else kept

    return decide


def viterbi_policy(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """Keeps the text of the best sequence over the page (see `viterbi`).

    Calibrated scores are taken relative to the threshold of the best expected F. Without a page, embedded segments are
    no neighbours of others.
    """
    point = OPERATING_POINTS[options.favour]

    def decide(segments: Segments, page: Record | None = None, /) -> list[bool]:
        table, drop_marked = table_of(segments), options.rules and page is None
        if drop_marked and len(table.visible) < len(table):
            kept = iter(decide(table.seen()))
            return [rule != EMBEDDED and next(kept) for rule in table.rule]
        threshold = point.uncalibrated_bits
        if page is not None:
            threshold = score_threshold(table, point, page, drop_marked)
        odds = [
            -inf if drop_marked and rule is not None else clipped_score(score) - threshold
            for score, rule in zip(table.score, table.rule)
        ]
        return viterbi.best_sequence(odds, list(map(viterbi.relation, table.segments, table.segments[1:])))

    return decide
