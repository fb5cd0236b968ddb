# cython: cpow=True
"""The best expected F: the decision that maximises the expected F of words, given calibrated log odds.

    page = page_of([{"text": "Some words.", "score": 2.0}, {"text": "Home", "score": -3.0}])
    best_expected_f(probabilities(page), page.words())    # 0.848…

The expected F of a set of segments is approximated by the ratio of expectations (Lewis 1995; Ye, Chai, Lee and Chieu
2012, section 3). The best set then holds every segment that is more probable than half of the best expected F.
"""

from __future__ import annotations

from math import log2
from typing import NamedTuple

from ..record import Record
from .scored_page import ScoredPage


class OperatingPoint(NamedTuple):
    """A trade-off between precision and recall.

    The first three are factors on the probability threshold that gives the best expected F; the last two are bits that
    are added to a threshold on scores.
    """

    single_topic: float  # pages with one main text
    multi_topic: float  # pages of MULTI_TOPIC_TYPES
    uncertain: float  # pages with one main text, by a model without words; and pages without types
    calibrated_bits: float
    uncalibrated_bits: float


# In theory the factor for the best F is 1. Errors within a page are correlated and F is averaged over pages, so that
# for pages with one main text a slightly higher factor is better, and for others a lower one. On pages from sites not
# seen in training (five sets, 3,311 pages in English), F differs by 0.1 points from 1.05 to 1.4 and from 0.75 to 0.9.
# Models without words are for other languages, on whose pages they err more: of 1.2, 1.35, 1.5, 1.6 and 1.7, F of `xx`
# is best with 1.5 on DAnIEL. `uncalibrated_bits` is from 298 pages, by ncleaner-en and ncleaner-nonlexical.
OPERATING_POINTS = {
    "precision": OperatingPoint(1.65, 1.25, 1.75, 1.0, 5.0),
    "balance": OperatingPoint(1.2, 0.8, 1.5, 0.0, 0.0),
    "recall": OperatingPoint(0.9, 0.65, 1.2, -1.0, -5.0),
}
BALANCE = OPERATING_POINTS["balance"]
# Page types (see `page_classifier`) that seldom have one main text surrounded by much boilerplate.
MULTI_TOPIC_TYPES = ("collection", "listing", "service")
# Pages of fewer words are rare in training: what the factors compensate for is not known of them.
SMALL_PAGE_WORDS = 20
# The lowest expected F that a probability threshold is computed for, so that a page without text does not keep its best
# segment. From 0 to 0.2 the value makes no difference to F on the pages above.
MIN_EXPECTED_F = 0.2
# Bits. Scores are clipped here: 2 to this power is still a finite float, and larger odds do not change a probability.
MAX_SCORE = _MAX = 1000.0
# Of the odds; no constant in the formula, of which a C compiler may make another function, which rounds differently.
_BASE = 2.0


def best_expected_f(chances: list[float], sizes: list[float]) -> float:
    """The best expected F over all sets of segments, in [0, 1], from the probability of each segment to be text and its
    number of words; 0 without segments."""
    expected = [chance * size for chance, size in zip(chances, sizes)]
    expected_words = sum(expected)
    # A lower bound on the best F: segments less probable than half of it need not be sorted.
    likely = [row for row, chance in enumerate(chances) if chance > 0.5]
    half = sum([expected[row] for row in likely])
    least = half / (sum([sizes[row] for row in likely]) + expected_words) * 0.999 if likely else 0.0
    kept = correct = best = 0.0
    pairs = [(chance, sizes[row]) for row, chance in enumerate(chances) if chance > least]
    for chance, size in sorted(pairs, reverse=True):
        kept += size
        correct += chance * size
        best = max(best, 2 * correct / (kept + expected_words))
    return best


def probability_threshold(chances: list[float], sizes: list[float], point: OperatingPoint, evidence: Record) -> float:
    """The probability above which segments are kept: half of the best expected F times the factor of the *point* for
    the type of the page."""
    factor, small_page_factor = probability_factors(point, evidence)
    if factor > 1 and sum(sizes) < SMALL_PAGE_WORDS:
        factor = small_page_factor
    return factor * max(best_expected_f(chances, sizes), MIN_EXPECTED_F) / 2


def probability_factors(point: OperatingPoint, evidence: Record) -> tuple[float, float]:
    """The factor of the *point* for the type of the page; and the one that replaces a factor above 1 on pages of fewer
    than SMALL_PAGE_WORDS."""
    types = evidence.get("types") or {}
    is_sure = not evidence or types and evidence.get("words", True)
    single = point.single_topic if is_sure else point.uncertain
    share = min(sum(types.get(name, 0.0) for name in MULTI_TOPIC_TYPES), 1.0)
    return single + share * (point.multi_topic - single), point.single_topic / BALANCE.single_topic


def score_threshold(page: ScoredPage, point: OperatingPoint, drop_marked: bool = False) -> float:
    """`probability_threshold` as log2 odds: the score above which segments are kept."""
    least = probability_threshold(probabilities(page, drop_marked), page.words(), point, page.evidence)
    return log2(least / (1 - least))


def probabilities(page: ScoredPage, drop_marked: bool = False) -> list[float]:
    """The probability of each segment to be text, from its score; with *drop_marked*, 0 for those with a `rule`."""
    chances = [1 / (1 + _BASE ** -clipped_score(score)) for score in page.score]
    if drop_marked:
        return [chance if rule is None else 0.0 for chance, rule in zip(chances, page.rule)]
    return chances


def clipped_score(score: float) -> float:
    """The score, at most MAX_SCORE either way; NaN is the lowest."""
    return max(-_MAX, min(float(score), _MAX)) if score == score else -_MAX
