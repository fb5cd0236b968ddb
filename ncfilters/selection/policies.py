"""Decision policies: which segments of a scored document are text (nc-select --decide).

    decide = policy(PolicyOptions(method="expected"))
    decide([{"text": "Some words.", "type": "p", "score": 2.0}, {"text": "Home", "type": "l", "score": -3.0}])
    # [True, False]

Where the document has a `page`, scores are calibrated and marked segments have been scored with the others (see
`decision`). Without it, segments that nc-segment marked are dropped.
"""

from __future__ import annotations

from collections import Counter
from itertools import compress
from math import inf

from ..record import EMBEDDED, Record
from ..text.lazy_pattern import lazy_pattern
from . import roles, structure, viterbi
from .container_details import keep_in_container
from .decision import DecisionPolicy
from .expected_f import (
    OPERATING_POINTS,
    SMALL_PAGE_WORDS,
    best_expected_f,
    clipped_score,
    probabilities,
    probability_threshold,
    score_threshold,
    word_counts,
)
from .justext_context import neighbour_policy
from .main_container import fit_main_container
from .options import DEFAULTS, PolicyOptions
from .whole_elements import keep_headings, keep_whole

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

# The part of a path that identifies a single element.
_ID = lazy_pattern(r"#[^./]*")


class PagePolicy:
    """The policy that *options* describe: decisions by score, corrected by roles and by the structure of the page.

    Roles count where segments have them; they must if the options name some. The structure counts where scores are
    calibrated, except by threshold or as jusText decides.
    """

    def __init__(self, options: PolicyOptions) -> None:
        self.options, self._by_score = options, policy_of_scores(options)

    def __call__(self, segments: list[Record], page: Record | None = None, /) -> list[bool]:
        content = self.options.content
        roles.check_roles(segments, content.needs_roles)
        scored = roles.with_policy_scores(segments, content.policy)
        kept = self._by_score(scored, page)
        by_role = roles.decisions_by_role(segments, content) if roles.has_roles(segments) else None
        if by_role is not None:
            kept = [decision if role is None else role for decision, role in zip(kept, by_role)]
        if page is not None and not self.options.is_literal:
            kept = structure.fit_structure(scored, fit_main_container(scored, kept, page))
            kept = keep_headings(scored, kept, keep_whole(scored, keep_in_container(scored, kept)))
            if by_role is not None:
                kept = [decision and role is not False for decision, role in zip(kept, by_role)]
        return kept


def policy(options: PolicyOptions = DEFAULTS) -> PagePolicy:
    """The policy that *options* describe."""
    return PagePolicy(options)


def policy_of_scores(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """The policy that *options* describe, by scores alone."""
    if options.method == "justext":
        return neighbour_policy(options)
    if options.threshold is not None or options.per_char or options.method == "threshold":
        return threshold_policy(options)
    if options.method == "expected":
        return expected_f_policy(options)
    if options.method == "viterbi":
        return viterbi_policy(options)
    return auto_policy(options)


def threshold_policy(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """Keeps segments with a score above the threshold (bits per segment, or per character); by default 0.

    With `rules`, and without a page, drops those that nc-segment marked as trivial boilerplate.
    """
    point = OPERATING_POINTS[options.favour]
    threshold, per_char = options.threshold or 0.0, options.per_char

    def decide(segments: list[Record], page: Record | None = None, /) -> list[bool]:
        drop_marked = options.rules and page is None
        least = threshold + (point.uncalibrated_bits if page is None else point.calibrated_bits)
        return [
            not (drop_marked and "rule" in segment)
            and (segment["score"] / max(len(segment["text"]), 1) if per_char else segment["score"]) > least
            for segment in segments
        ]

    return decide


def expected_f_policy(options: PolicyOptions = DEFAULTS, min_repeated: int = MIN_REPEATED_WORDS) -> DecisionPolicy:
    """Keeps the segments that give the best expected F of words.

    Where scores are calibrated, keeps of equal texts of at least *min_repeated* words the first and those with the same
    path; 0 keeps all of them.
    """
    point = OPERATING_POINTS[options.favour]

    def decide(segments: list[Record], page: Record | None = None, /) -> list[bool]:
        chances = probabilities(segments, options.rules and page is None)
        sizes = word_counts(segments)
        least = probability_threshold(chances, sizes, point, page)
        kept = [chance > least for chance in chances]
        return _without_copies(segments, sizes, kept, min_repeated) if page is not None and min_repeated else kept

    return decide


def viterbi_policy(options: PolicyOptions = DEFAULTS) -> DecisionPolicy:
    """Keeps the text of the best sequence over the page (see `viterbi`).

    Calibrated scores are taken relative to the threshold of the best expected F. Without a page, embedded segments are
    no neighbours of others.
    """
    point = OPERATING_POINTS[options.favour]

    def decide(segments: list[Record], page: Record | None = None, /) -> list[bool]:
        drop_marked = options.rules and page is None
        if drop_marked and any(segment.get("rule") == EMBEDDED for segment in segments):
            visible = [segment for segment in segments if segment.get("rule") != EMBEDDED]
            kept = iter(decide(visible))
            return [segment.get("rule") != EMBEDDED and next(kept) for segment in segments]
        threshold = point.uncalibrated_bits
        if page is not None:
            threshold = score_threshold(segments, point, page, drop_marked)
        odds = [
            -inf if drop_marked and "rule" in segment else clipped_score(segment["score"]) - threshold
            for segment in segments
        ]
        return viterbi.best_sequence(odds, list(map(viterbi.relation, segments, segments[1:])))

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

    def decide(segments: list[Record], page: Record | None = None, /) -> list[bool]:
        return other(segments) if page is None else calibrated(segments, page)

    return decide


def page_policy(otherwise: DecisionPolicy, rules: bool = True, small_page_score: float = TEXT_SCORE) -> DecisionPolicy:
    """Keeps nothing of a page without text; decides by *otherwise* on other pages.

    A page has no text if its odds are below MAX_EMPTY_ODDS and no segment scores above TEXT_SCORE (*small_page_score*
    on a small page); or, where the document has no `page`, if its best expected F is below MIN_PAGE_F.
    """

    def decide(segments: list[Record], page: Record | None = None, /) -> list[bool]:
        if page is None:
            empty = best_expected_f(probabilities(segments, rules), word_counts(segments)) < MIN_PAGE_F
        elif page["odds"] < MAX_EMPTY_ODDS:
            least = TEXT_SCORE if sum(word_counts(segments)) >= SMALL_PAGE_WORDS else small_page_score
            empty = not any(segment["score"] > least for segment in segments)
        else:
            empty = False
        return [False] * len(segments) if empty else otherwise(segments, page)

    return decide


def _without_copies(segments: list[Record], sizes: list[float], kept: list[bool], min_repeated: int) -> list[bool]:
    """*kept*, but False for texts of at least *min_repeated* words that are kept before in another place. Repetitions
    in the same place, such as terms or table headers, are intended."""
    # Equal texts have equal numbers of words, so only those are compared.
    candidates = {size for size, count in Counter(compress(sizes, kept)).items() if count > 1 and size >= min_repeated}
    first_place: dict[str, str] = {}
    out = list(kept)
    for index, segment in enumerate(segments if candidates else ()):
        if kept[index] and sizes[index] in candidates:
            out[index] = is_first_copy(segment["text"], segment.get("path", str(index)), first_place)
    return out


def is_first_copy(text: str, path: str, first_place: dict[str, str]) -> bool:
    """Whether the text of a segment has not been in another place before, by *first_place*, which it is added to."""
    text = " ".join(text.split()).casefold()
    place = _ID.sub("", path)
    return first_place.setdefault(text, place) == place
