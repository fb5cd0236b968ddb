"""Which segments are text: what nc-select --decide does, apart from jusText's neighbours.

    decide = by_expected()
    decide([{"text": "Some words.", "type": "p", "score": 2.0}, {"text": "Home", "type": "l", "score": -3.0}])
    # [True, False]

A decider takes a document's scored segments and its `page`, which nc-score writes with structure models and means two
things: scores are calibrated, and what nc-segment marked has been weighed. Without it, marked segments are dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import compress
from math import inf, isnan, log2
from operator import mul
from typing import NamedTuple, Protocol

from ..errors import RecordError
from ..record import EMBEDDED, NAMES, Record
from . import viterbi

Segment = Record

WAYS = ("auto", "threshold", "expected", "viterbi", "page", "justext")


class DecisionPolicy(Protocol):
    """Says of each segment whether it is kept."""

    def __call__(self, segments: list[Segment], page: Record | None = None, /) -> list[bool]: ...


class Favour(NamedTuple):
    """An operating point."""

    factor: float  # on the boundary of the best expected F, of pages with one main text
    several: float  # of others
    unknown: float  # and of pages of unknown type
    bits: float  # on a threshold of calibrated scores
    raw: float  # and of others


# In theory the factor for the best F is 1. Errors of a page are of a kind, and pages are weighed alike: for pages with
# one main text a little more is better, for others less. On WCXB (1,497 pages of sites that the model had not seen), F
# differs by 0.3 from 1 to 1.35 and from 0.6 to 0.9. Models without words do not know types, and have often not seen the
# like of a page: on DAnIEL, 1.7 is worse by 0.1 than 1.65 if others of its pages were in training, and better by 0.4 if
# none was; on WCXB each 0.1 more costs a point. `raw` is from 298 pages and the models ncleaner-en and
# ncleaner-nonlexical.
FAVOURS = {
    "precision": Favour(1.5, 1.2, 1.75, 1.0, 5.0),
    "balance": Favour(1.05, 0.75, 1.65, 0.0, 0.0),
    "recall": Favour(0.8, 0.62, 1.4, -1.0, -5.0),
}
BALANCE = FAVOURS["balance"]
# Types of pages (see `whole`) that seldom have one main text and much beside it.
SEVERAL = ("collection", "listing", "service")

# Texts of so many words that a page has twice are copies: for mobiles, or without scripts. Of 4, 6 and 10, the number
# that does no harm on CleanEval and DAnIEL; with the factor 1, it brings 0.2 points of F on WCXB, with 1.25 none, but
# no text comes twice.
REPEATED = 10
# The expected F below which a page has no text, where its odds are not known; and the least that a boundary is for, so
# that of a page without text not the best is kept. From 0 to 0.2 it makes no difference to F on the pages above.
LEAST_F = 0.2
# Bits; odds of a page say how it compares with one whose text was taken away, as if there were as many of these. Of -12
# to 0, F is the best from -9 to -6 on WCXB (1,497 pages of sites not trained on) and CleanEval; below -7 few are lost.
NO_TEXT = -7.0
# Bits above which a segment alone speaks for a page. TINY is for pages of fewer words than SMALL: there is little else
# to go by, and few like them were in training. Of the pages without text in WCXB that are dropped none is so small.
UNLIKELY, TINY, SMALL = -1.5, -3.5, 20
# More than any odds; what is beyond makes no difference to a probability.
_MOST = 1000.0

# Scripts that put no spaces between words: Thai, Lao, Myanmar, Khmer; kana and Han.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_UNSPACED_WORD = 2  # characters
# In a path, what names one element alone.
_ID = re.compile(r"#[^./]*")


def page_of(document: Record) -> Record | None:
    """The document's `page`; None where it has none. Raises RecordError for what is no such object."""
    page = document.get("page")
    if page is None:
        return None
    if type(page) is not dict:
        raise RecordError(f"page: an object is wanted, not {_name(page)}")
    if "odds" not in page:
        raise RecordError("page.odds: missing")
    if type(page["odds"]) not in (int, float):
        raise RecordError(f"page.odds: a number is wanted, not {_name(page['odds'])}")
    types = page.get("types", {})
    if type(types) is not dict or not all(type(share) in (int, float) and 0 <= share <= 1 for share in types.values()):
        raise RecordError("page.types: an object of numbers from 0 to 1 is wanted")
    return page


def _name(value: object) -> str:
    return NAMES.get(type(value), type(value).__name__)


def named(
    how: str = "auto",
    threshold: float | None = None,
    per_char: bool = False,
    rules: bool = True,
    favour: str = "balance",
) -> DecisionPolicy:
    """The decider that is called so in WAYS, but for `justext`. A threshold or *per_char* makes `auto` `threshold`.

    Raises ValueError for options that do not go together.
    """
    given = threshold is not None or per_char
    if given and how not in ("auto", "threshold"):
        raise ValueError(f"{'--per-char' if threshold is None else '-t'}: only with --decide threshold or justext")
    if per_char and favour != "balance":
        raise ValueError("--favour: not with --per-char")
    point = FAVOURS[favour]
    if given or how == "threshold":
        return by_threshold(threshold or 0.0, per_char, rules, point)
    if how == "expected":
        return by_expected(point, rules)
    if how == "viterbi":
        return by_sequence(point, rules)
    return by_record(point, rules, how == "page")


def by_threshold(
    threshold: float = 0.0, per_char: bool = False, rules: bool = True, favour: Favour = BALANCE
) -> DecisionPolicy:
    """Keeps segments with a score above *threshold* (bits for the segment, or for each of its characters).

    With *rules*, and without a page, not those that nc-segment marked as trivial boilerplate.
    """

    def decide(segments: list[Segment], page: Record | None = None, /) -> list[bool]:
        marks = rules and page is None
        least = threshold + (favour.raw if page is None else favour.bits)
        return [
            not (marks and "rule" in segment)
            and (segment["score"] / max(len(segment["text"]), 1) if per_char else segment["score"]) > least
            for segment in segments
        ]

    return decide


def by_expected(favour: Favour = BALANCE, rules: bool = True, repeated: int = REPEATED) -> DecisionPolicy:
    """Keeps the segments with which the F of words that is to be expected is the best. Of equal texts of at least
    *repeated* words, the first and those with the same path, where scores are calibrated; 0 keeps them all."""

    def decide(segments: list[Segment], page: Record | None = None, /) -> list[bool]:
        chances = _chances(segments, rules and page is None)
        sizes = _sizes(segments)
        boundary = _boundary(chances, sizes, favour, page)
        kept = [chance > boundary for chance in chances]
        return _once(segments, sizes, kept, repeated) if page is not None and repeated else kept

    return decide


def by_sequence(favour: Favour = BALANCE, rules: bool = True) -> DecisionPolicy:
    """Keeps what is text in the best sequence over the page (see `coherence`). Calibrated scores count from the
    boundary of the best expected F. Without a page, what the page does not show is nobody's neighbour."""

    def decide(segments: list[Segment], page: Record | None = None, /) -> list[bool]:
        marks = rules and page is None
        if marks and any(segment.get("rule") == EMBEDDED for segment in segments):
            shown = [segment for segment in segments if segment.get("rule") != EMBEDDED]
            kept = iter(decide(shown))
            return [segment.get("rule") != EMBEDDED and next(kept) for segment in segments]
        boundary = favour.raw
        if page is not None:
            chances = _chances(segments, marks)
            chance = _boundary(chances, _sizes(segments), favour, page)
            boundary = log2(chance / (1 - chance))
        odds = [-inf if marks and "rule" in s else _bounded(s["score"]) - boundary for s in segments]
        return viterbi.best(odds, list(map(viterbi.relation, segments, segments[1:])))

    return decide


def by_record(favour: Favour = BALANCE, rules: bool = True, pages: bool = False) -> DecisionPolicy:
    """`by_expected` for calibrated scores, nothing of pages without text; `by_threshold` for others: the default. With
    *pages*, nothing of pages without text for others, too, and of tiny ones."""
    calibrated = by_page(by_expected(favour, rules), rules, UNLIKELY if pages else TINY)
    other = by_threshold(0.0, False, rules, favour)
    if pages:
        other = by_page(other, rules)

    def decide(segments: list[Segment], page: Record | None = None, /) -> list[bool]:
        return other(segments) if page is None else calibrated(segments, page)

    return decide


def by_page(otherwise: DecisionPolicy, rules: bool = True, tiny: float = UNLIKELY) -> DecisionPolicy:
    """Keeps nothing of a page that has no text: its odds are below NO_TEXT and all of its segments UNLIKELY, or below
    *tiny* if it is small; or, where there are no odds, the best expected F is below LEAST_F. As *otherwise* of the
    others."""

    def decide(segments: list[Segment], page: Record | None = None, /) -> list[bool]:
        if page is None:
            empty = best_f(_chances(segments, rules), _sizes(segments)) < LEAST_F
        elif page["odds"] < NO_TEXT:
            least = UNLIKELY if sum(_sizes(segments)) >= SMALL else tiny
            empty = not any(segment["score"] > least for segment in segments)
        else:
            empty = False
        return [False] * len(segments) if empty else otherwise(segments, page)

    return decide


def best_f(chances: Sequence[float], sizes: Sequence[float]) -> float:
    """The best expected F of words, from segments' probabilities of being text and their words; 0 of nothing.

    The best set holds the most probable segments, of all such sets it is looked for (Lewis 1995; Ye, Chai, Lee and
    Chieu 2012), and the expected F of one is taken for the F of what is expected. What is more probable than half of
    the best F is in the set.
    """
    whole = sum(map(mul, chances, sizes))
    # more F than this there is, so that what is less probable than half of it need not be sorted
    likely = [(chance, size) for chance, size in zip(chances, sizes) if chance > 0.5]
    least = sum(chance * size for chance, size in likely) / (sum(size for _, size in likely) + whole) if likely else 0.0
    kept = found = best = 0.0
    for chance, size in sorted([pair for pair in zip(chances, sizes) if pair[0] > least * 0.999], reverse=True):
        kept += size
        found += chance * size
        best = max(best, 2 * found / (kept + whole))
    return best


def _boundary(chances: Sequence[float], sizes: Sequence[float], favour: Favour, page: Record | None) -> float:
    """The probability above which segments are kept."""
    if page is not None and not page.get("types"):
        factor = favour.unknown
    else:
        several = sum(page["types"].get(name, 0.0) for name in SEVERAL) if page is not None else 0.0
        factor = favour.factor + several * (favour.several - favour.factor)
    return factor * max(best_f(chances, sizes), LEAST_F) / 2


def words(text: str) -> float:
    """How many words there are: what stands between spaces, and two characters of scripts that have none; at least 1
    of any text."""
    count: float = len(text.split())
    if not text.isascii():
        count += len(_UNSPACED.findall(text)) / _UNSPACED_WORD
    return max(count, 1.0)


def _sizes(segments: list[Segment]) -> list[float]:
    """The words of each text."""
    return [
        len(text.split()) or 1.0 if text.isascii() else words(text)
        for text in [segment["text"] for segment in segments]
    ]


def _chances(segments: list[Segment], marks: bool) -> list[float]:
    """The probability of each segment to be text, from its score; with *marks*, 0 of those that have one."""
    try:
        chances = [1 / (1 + 2.0 ** -segment["score"]) for segment in segments]
        odd = isnan(sum(chances))
    except OverflowError:
        odd = True
    if odd:
        chances = [1 / (1 + 2.0 ** -_bounded(segment["score"])) for segment in segments]
    if marks:
        return [0.0 if "rule" in segment else chance for segment, chance in zip(segments, chances)]
    return chances


def _bounded(score: float) -> float:
    """The score within what floats can be the odds of; what is not a number is the least."""
    return max(-_MOST, min(float(score), _MOST)) if score == score else -_MOST


def _once(segments: list[Segment], sizes: list[float], kept: list[bool], repeated: int) -> list[bool]:
    """*kept* without the texts of so many words that have been kept elsewhere before: for mobiles, say. What a page
    repeats in one place, such as terms or the heads of tables, it means to."""
    # texts that are the same have as many words
    several = {size for size, count in Counter(compress(sizes, kept)).items() if count > 1 and size >= repeated}
    seen: dict[str, str] = {}
    out = list(kept)
    for at, segment in enumerate(segments if several else ()):
        if kept[at] and sizes[at] in several:
            text = " ".join(segment["text"].split()).casefold()
            where = _ID.sub("", segment.get("path", str(at)))
            out[at] = seen.setdefault(text, where) == where
    return out
