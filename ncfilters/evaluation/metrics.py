"""The metrics of the literature: how similar an extracted text is to the gold text of its page.

    METRICS["words"].compute("A title and some text", gold, False)    # (matched, wrong, missed) words

A metric gives counts (matched, wrong, missed), from which precision, recall and F follow, or one value in [0, 1].
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from ..dataset.gold import Gold
from ..text.scripts import UNSPACED, UNSPACED_LANGUAGES

# Matched, wrong (in the text alone) and missed (in the gold text alone).
Counts = tuple[int, int, int]
# Runs of words that are "equal", "delete" (wrong) or "insert" (missed), in order.
Alignment = list[tuple[str, list[str]]]

# The segment markers of CleanEval.
MARKER = re.compile(r"(<[phl]>)", re.I)

# The normalisation of cleaneval.py 1.0 (Evert 2008). It reads bytes: the only white space is ASCII's, and its option -a
# removes every character outside ASCII.
_URL_LINE = re.compile(r"^\s{0,99}URL.*$", re.M | re.A)
_CONTROL = re.compile("[\x00-\x1f]+")
_SPACE = re.compile(r"\s+", re.A)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_UNSPACED_CHARACTER = re.compile(f"([{UNSPACED}])")
_WORD = re.compile(r"\w+")

# Words of both texts that are aligned at once. The longest of the development sets have 95,000.
MAX_WORDS = 100_000
# Words of both texts of a piece, about, and words of a phrase.
PIECE_WORDS, PHRASE_WORDS = 10_000, 5

Places = list[tuple[int, int]]


@dataclass(frozen=True)
class WordOptions:
    """The definition of a word."""

    ascii: bool = False  # remove characters outside ASCII (cleaneval.py -a)
    by_character: bool = False  # each character of scripts without spaces (Chinese, Thai, Khmer, …) is a word
    unlabelled: bool = False  # all segment markers are `<p>` (cleaneval.py -u)


DEFAULTS = WordOptions()


def precision_recall_f(counts: Counts, empty_score: float = 1.0) -> tuple[float, float, float]:
    """Precision, recall and F in [0, 1]; *empty_score* where all counts are 0."""
    matched, wrong, missed = counts
    if not matched:
        return (0.0,) * 3 if wrong or missed else (empty_score,) * 3
    precision, recall = matched / (matched + wrong), matched / (matched + missed)
    return precision, recall, 2 * precision * recall / (precision + recall)


# ---- words --------------------------------------------------------------------------------------------------


def cleaneval_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words that cleaneval.py compares: segment markers are words, the line with the URL is removed.

    As in cleaneval.py, white space at the start or end adds an empty word.
    """
    text = _CONTROL.sub(" ", _URL_LINE.sub("", text))
    text = _SPACE.sub(" ", MARKER.sub("\n<p> " if options.unlabelled else r"\n\g<1> ", text))
    if options.by_character:
        text = _UNSPACED_CHARACTER.sub(r" \1 ", text)
    return _SPACE.split(_NOT_ASCII.sub("", text) if options.ascii else text)


def unmarked_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words of *text* between white space, without segment markers and the line with the URL."""
    return _as_read(MARKER.sub(" ", _CONTROL.sub(" ", _URL_LINE.sub("", text))), options).split()


def lowercase_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words of the WCXB metric: runs of letters, digits and `_` in lower case."""
    return _WORD.findall(_as_read(text, options).lower())


def _as_read(text: str, options: WordOptions) -> str:
    """*text* with spaces around characters that are words, and in ASCII if that is asked for."""
    if options.by_character:
        text = _UNSPACED_CHARACTER.sub(r" \1 ", text)
    # white space outside ASCII separates words, too
    return _NOT_ASCII.sub("", " ".join(text.split())) if options.ascii else text


def word_options(gold: Gold, ascii: bool) -> WordOptions:
    """What a word of the page is. Words are characters by its `lang`, or if most letters of the gold text have a script
    without spaces."""
    if re.split("[-_]", gold.lang)[0].lower() in UNSPACED_LANGUAGES:
        return WordOptions(ascii, by_character=True)
    unspaced = len(_UNSPACED_CHARACTER.findall(gold.marked))
    return WordOptions(ascii, bool(unspaced) and 2 * unspaced > sum(map(str.isalpha, gold.marked)))


# ---- alignments ---------------------------------------------------------------------------------------------


def align(text: Sequence[str], gold: Sequence[str]) -> Alignment:
    """difflib's alignment of two lists of words, as in cleaneval.py: a replacement is wrong words, then missed ones.
    Long texts are aligned in pieces."""
    alignment: Alignment = []
    for here, there in pieces(text, gold):
        some, others = text[here], gold[there]
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, some, others).get_opcodes():
            if tag == "equal":
                alignment.append((tag, list(some[i1:i2])))
                continue
            if i2 > i1:
                alignment.append(("delete", list(some[i1:i2])))
            if j2 > j1:
                alignment.append(("insert", list(others[j1:j2])))
    return alignment


def count_aligned(alignment: Alignment, counted: Callable[[str], object] | None = None) -> Counts:
    """The matched, wrong and missed words of an alignment, or those for which *counted* is true."""
    sums = Counter[str]()
    for tag, words in alignment:
        sums[tag] += len(words) if counted is None else sum(1 for word in words if counted(word))
    return sums["equal"], sums["delete"], sums["insert"]


def word_alignment(text: str, gold: Gold, ascii: bool) -> Alignment:
    """The alignment of words, without markers."""
    options = word_options(gold, ascii)
    return align(unmarked_words(text, options), unmarked_words(gold.marked, options))


@lru_cache(maxsize=1)  # two metrics in a row count in the same alignment of a page
def cleaneval_alignment(text: str, gold: str, options: WordOptions) -> Alignment:
    """cleaneval.py's alignment with a gold text with markers, which are words."""
    return align(cleaneval_words(text, options), cleaneval_words(gold, options))


def display_alignment(text: str, gold: Gold, ascii: bool) -> Alignment:
    """The alignment for people to read: with segment markers if the gold text has them."""
    if not gold.has_markers:
        return word_alignment(text, gold, ascii)
    return cleaneval_alignment(text, gold.marked, word_options(gold, ascii))


# ---- the metrics --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Metric:
    """A metric, its source, and the function that computes it.

    `compute(text, gold, ascii)` returns Counts, or a value in [0, 1]; None if the metric does not apply to the
    page. With *ascii*, characters outside ASCII are ignored (cleaneval.py -a).
    """

    source: str
    compute: Callable[[str, Gold, bool], Counts | float | None]
    kind: str  # counts or value
    normalisation: str
    library: str = ""
    empty_score: float = 1.0  # precision, recall and F of a page with nothing to count in text and gold text


def aligned_words(text: str, gold: Gold, ascii: bool) -> Counts:
    """Words matched, wrong and missed in difflib's alignment, without markers."""
    return count_aligned(word_alignment(text, gold, ascii))


def _in_markup(
    counted: Callable[[str], object] | None = None, unlabelled: bool = False
) -> Callable[[str, Gold, bool], Counts | None]:
    """cleaneval.py's count of words, which include segment markers, or of those that are *counted*. With
    *unlabelled*, the labels of markers are ignored."""

    def compute(text: str, gold: Gold, ascii: bool) -> Counts | None:
        if not gold.has_markers:
            return None
        options = replace(word_options(gold, ascii), unlabelled=unlabelled)
        return count_aligned(cleaneval_alignment(text, gold.marked, options), counted)

    return compute


def levenshtein_similarity(text: str, gold: Gold, ascii: bool) -> float:
    """1 - Levenshtein distance over words / words of the longer text."""
    from rapidfuzz.distance import Levenshtein  # optional: only this metric needs it

    options = word_options(gold, ascii)
    return Levenshtein.normalized_similarity(*(unmarked_words(side, options) for side in (text, gold.marked)))


def bag_overlap(text: str, gold: Gold, ascii: bool) -> Counts:
    """The bags (multisets) of words: words in both, in the text alone, in the gold text alone."""
    options = word_options(gold, ascii)
    ours, theirs = (Counter(lowercase_words(side, options)) for side in (MARKER.sub(" ", text), gold.plain))
    both = (ours & theirs).total()
    return both, ours.total() - both, theirs.total() - both


def _snippet_share(text: str, snippets: Sequence[str], ascii: bool) -> float | None:
    """The share of the snippets that are in the text."""
    if not snippets:
        return None
    options = WordOptions(ascii)
    lowered, *expected = (
        " ".join(_as_read(one, options).split()).lower() for one in (MARKER.sub(" ", text), *snippets)
    )
    return sum(snippet in lowered for snippet in expected) / len(expected)


_NCLEANER, _CLEANEVAL, _WCXB = "Evert 2008, section 4", "Evert 2008, cleaneval.py 1.0", "Foley 2026, WCXB"
_WORDS, _SNIPPETS = "cleaneval, no markers", "lower case, white space"
METRICS: dict[str, Metric] = {
    "words": Metric(_NCLEANER, aligned_words, "counts", _WORDS, "difflib"),
    "cleaneval": Metric(_CLEANEVAL, _in_markup(), "counts", "cleaneval", "difflib", 0),
    "segments": Metric(f"{_CLEANEVAL}; table 4", _in_markup(MARKER.match), "counts", "cleaneval", "difflib", 0),
    "unlabelled": Metric(
        f"{_CLEANEVAL} -u", _in_markup(MARKER.match, unlabelled=True), "counts", "cleaneval -u", "difflib", 0
    ),
    "similarity": Metric("CleanEval 2007", levenshtein_similarity, "value", _WORDS, "rapidfuzz"),
    "bag": Metric(_WCXB, bag_overlap, "counts", r"\w+, lower case"),
    "required": Metric(_WCXB, lambda text, gold, ascii: _snippet_share(text, gold.required, ascii), "value", _SNIPPETS),
    "forbidden": Metric(
        _WCXB, lambda text, gold, ascii: _snippet_share(text, gold.forbidden, ascii), "value", _SNIPPETS
    ),
}


# ---- long texts ---------------------------------------------------------------------------------------------


def pieces(text: Sequence[str], gold: Sequence[str]) -> list[tuple[slice, slice]]:
    """The pieces of two texts, in order. They cover both."""
    if len(text) + len(gold) <= MAX_WORDS:
        return [(slice(0, len(text)), slice(0, len(gold)))]
    cuts: Places = [(0, 0)]
    before = (0, 0)
    for place in [*_anchors(text, gold), (len(text), len(gold))]:
        if _distance(cuts[-1], place) > PIECE_WORDS and before != cuts[-1]:
            cuts.append(before)
        before = place
        cuts += _between(cuts[-1], place)
    cuts.append((len(text), len(gold)))
    return [(slice(i, k), slice(j, m)) for (i, j), (k, m) in zip(cuts, cuts[1:])]


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return other[0] - one[0] + other[1] - one[1]


def _between(start: tuple[int, int], end: tuple[int, int]) -> Places:
    """Places in proportion, where there is no phrase for long."""
    number = _distance(start, end) // (2 * PIECE_WORDS)
    return [
        (start[0] + (end[0] - start[0]) * part // (number + 1), start[1] + (end[1] - start[1]) * part // (number + 1))
        for part in range(1, number + 1)
    ]


def _anchors(text: Sequence[str], gold: Sequence[str]) -> Places:
    """Where phrases are that occur once in each text: the longest series of them that ascends in both."""
    in_gold = _single_phrases(gold)
    common = [(at, in_gold.get(phrase, -1)) for phrase, at in _single_phrases(text).items() if at >= 0]
    common = sorted((at, place) for at, place in common if place >= 0)
    ends: list[int] = []  # the smallest last place of a series of each length
    numbers: list[int] = []  # of the common phrases that these are
    previous: list[int] = []
    for number, (_, place) in enumerate(common):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        numbers[length : length + 1] = [number]
        previous.append(numbers[length - 1] if length else -1)
    out: Places = []
    at = numbers[-1] if numbers else -1
    while at >= 0:
        out.append(common[at])
        at = previous[at]
    return out[::-1]


def _single_phrases(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Phrases and their places; -1 for one that is there more than once."""
    out: dict[tuple[str, ...], int] = {}
    for at, phrase in enumerate(zip(*(words[start:] for start in range(PHRASE_WORDS)))):
        out[phrase] = -1 if phrase in out else at
    return out
