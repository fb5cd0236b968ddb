"""Decision policies: which segments of a scored document are text (nc-select --decide).

    decide = policy(PolicyOptions(method="expected"))
    decide([{"text": "Some words.", "type": "p", "score": 2.0}, {"text": "Home", "type": "l", "score": -3.0}])
    # [True, False]

Where the document has a `page`, scores are calibrated and marked segments have been scored with the others (see
`decision`). Without it, segments that nc-segment marked are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ..record import EMBEDDED, Record
from . import roles, viterbi
from .article_end import without_tail
from .article_sections import with_sections
from .cards import fit_cards
from .comments import without_comments
from .contents import without_contents
from .copies import without_copies, without_echoes, without_repeated_runs
from .decision import DecisionPolicy, Segments, Step
from .expected_f import (
    OPERATING_POINTS,
    SMALL_PAGE_WORDS,
    best_expected_f,
    clipped_score,
    probabilities,
    probability_threshold,
    score_threshold,
)
from .further_reading import without_references
from .headings import fit_headings
from .hidden_body import keep_hidden_body
from .ingredients import keep_ingredients
from .main_container import fit_main_container
from .never_text import without_boilerplate, without_furniture
from .options import DEFAULTS, PolicyOptions
from .page_types import may_be_article
from .posts import keep_posts
from .scored_table import ScoredTable, table_of
from .stock_lines import without_stock_lines
from .whole_elements import fit_elements, fit_pairs, keep_declared

# Two equal texts of at least this many words are a repetition, such as a copy for mobile devices or for browsers
# without scripts. Of 4, 6 and 10, the only number that does not lower F on CleanEval and DAnIEL. With the factor 1 it
# adds 0.2 points of F on WCXB, with 1.25 none, but no text is selected twice.
MIN_REPEATED_WORDS = 10
# A page has no text if its best expected F is lower, where the document has no `page`. From 0 to 0.2 the value makes no
# difference to F on the pages that `OPERATING_POINTS` was chosen on.
MIN_PAGE_F = 0.2
# Bits. The odds of a page compare it with a page whose text was removed, assuming that both are equally frequent. Of
# -12 to 0, F is best from -9 to -6 on WCXB (1,497 pages from sites not in training) and CleanEval; below -7 few pages
# are lost.
MAX_EMPTY_ODDS = -7.0
# Bits. A segment with a higher score shows that its page has text.
TEXT_SCORE = -1.5
# The same for pages of fewer words than SMALL_PAGE_WORDS, which have little other evidence. No page without text in
# WCXB that is dropped is so small.
SMALL_PAGE_TEXT_SCORE = -3.5


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
        has_roles = roles.has_roles(table)
        if has_roles:
            kept = roles.decide_by_role(table, kept, content)
            yield "role", kept
        if fitted is not None:
            if self.options.rules:
                kept = without_boilerplate(table, kept)
                yield "boilerplate", kept
            if content.policy != "all":
                kept = without_tail(scored, kept, fitted)
                yield "tail", kept
            kept = keep_declared(scored, kept)
            yield "declared", kept
            kept = fit_main_container(scored, kept, fitted)
            yield "container", kept
            if "text" in content.roles:
                kept = keep_hidden_body(table, kept, fitted)
                yield "declared", kept
            kept = fit_elements(scored, kept)
            yield "element", kept
            if "comment" not in content.roles:
                kept = without_comments(scored, kept, fitted)
                yield "comment", kept
            kept = without_repeated_runs(scored, kept)
            yield "copy", kept
            kept = fit_headings(scored, kept)
            yield "heading", kept
            kept = without_contents(scored, kept)
            yield "contents", kept
            if self.options.rules:
                kept = without_stock_lines(table, without_furniture(table, kept), fitted)
                yield "boilerplate", kept
            if "related" not in content.roles:
                kept = without_references(table, kept, fitted)
                yield "reference", kept
            kept = fit_cards(scored, kept, fitted)
            yield "card", kept
            kept = fit_pairs(scored, kept)
            yield "pair", kept
            kept = keep_ingredients(table, kept)
            yield "ingredient", kept
            if has_roles:
                kept = roles.decide_by_role(table, kept, content)
                yield "role", kept
            kept = keep_posts(table, kept, content, fitted)
            yield "post", kept
            yield "copy", without_echoes(table, kept)


def policy(options: PolicyOptions = DEFAULTS) -> PagePolicy:
    """The policy that *options* describe."""
    return PagePolicy(options)


def policy_of_scores(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """The policy that *options* describe, by scores alone."""
    if options.method == "justext":
        from .justext_context import neighbour_policy  # start-up: few runs decide as jusText does

        return neighbour_policy(options)
    if options.threshold is not None or options.per_char or options.method == "threshold":
        return threshold_policy(options)
    if options.method == "expected":
        return expected_f_policy(options)
    if options.method == "viterbi":
        return viterbi_policy(options)
    return auto_policy(options)


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
        if options.per_char:
            scores = [score / max(len(text), 1) for score, text in zip(scores, table.text)]
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


def auto_policy(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """The default: `expected_f_policy` for calibrated scores, with pages without text dropped; else `threshold_policy`.

    With the method `page`, pages without text are also dropped where scores are not calibrated, and where they are
    small.
    """
    drop_empty = options.method == "page"
    small_page_score = TEXT_SCORE if drop_empty else SMALL_PAGE_TEXT_SCORE
    calibrated = page_policy(expected_f_policy(options), options.rules, small_page_score)
    other = threshold_policy(options)
    if drop_empty:
        other = page_policy(other, options.rules)

    def decide(segments: Segments, page: Record | None = None, /) -> list[bool]:
        return other(segments) if page is None else calibrated(segments, page)

    return decide


def page_policy(otherwise: DecisionPolicy, rules: bool = True, small_page_score: float = TEXT_SCORE) -> DecisionPolicy:
    """Keeps nothing of a page without text; decides by *otherwise* on other pages.

    A page has no text if its odds are below MAX_EMPTY_ODDS and no segment scores above TEXT_SCORE (*small_page_score*
    on a small page); or, where the document has no `page`, if its best expected F is below MIN_PAGE_F.
    """

    def decide(segments: Segments, page: Record | None = None, /) -> list[bool]:
        table = table_of(segments)
        if page is None:
            empty = best_expected_f(probabilities(table, rules), table.words()) < MIN_PAGE_F
        elif page["odds"] < MAX_EMPTY_ODDS:
            least = TEXT_SCORE if sum(table.words()) >= SMALL_PAGE_WORDS else small_page_score
            empty = not any(score > least for score in table.score)
        else:
            empty = False
        return [False] * len(table) if empty else otherwise(table, page)

    return decide
