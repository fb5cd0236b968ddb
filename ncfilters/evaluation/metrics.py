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
class Metric:
    """A metric, its source, and the function that computes it.

    `compute(text, gold, ascii)` returns Counts, or a value in [0, 1]; None if the metric does not apply to the
    page. With *ascii*, characters outside ASCII are ignored (cleaneval.py -a).
    """

    description: str
    source: str
    compute: Callable[[str, Gold, bool], Counts | float | None]
    kind: str  # counts or value
    normalisation: str
    library: str = ""
    empty_score: float = 1.0  # precision, recall and F of a page with nothing to count in text and gold text


def align(text: Sequence[str], gold: Sequence[str]) -> Alignment:
    """difflib's alignment of two lists of words, as in cleaneval.py: a replacement is wrong words, then missed ones.
    Long texts are aligned in pieces (see `long_texts`)."""
    return [run for here, there in pieces(text, gold) for run in _align_at_once(text[here], gold[there])]


def _align_at_once(text: Sequence[str], gold: Sequence[str]) -> Alignment:
    alignment: Alignment = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, text, gold).get_opcodes():
        if tag == "equal":
            alignment.append((tag, list(text[i1:i2])))
        else:
            if i2 > i1:
                alignment.append(("delete", list(text[i1:i2])))
            if j2 > j1:
                alignment.append(("insert", list(gold[j1:j2])))
    return alignment


def count_aligned(alignment: Alignment, counted: Callable[[str], object] | None = None) -> Counts:
    """The matched, wrong and missed words of an alignment, or those for which *counted* is true."""
    sums = Counter[str]()
    for tag, words in alignment:
        sums[tag] += len(words) if counted is None else sum(1 for word in words if counted(word))
    return sums["equal"], sums["delete"], sums["insert"]


def precision_recall_f(counts: Counts, empty_score: float = 1.0) -> tuple[float, float, float]:
    """Precision, recall and F in [0, 1]; *empty_score* where all counts are 0."""
    matched, wrong, missed = counts
    if not matched:
        return (0.0,) * 3 if wrong or missed else (empty_score,) * 3
    precision, recall = matched / (matched + wrong), matched / (matched + missed)
    return precision, recall, 2 * precision * recall / (precision + recall)


# ---- alignments ---------------------------------------------------------------------------------------------


def word_alignment(text: str, gold: Gold, ascii: bool) -> Alignment:
    """The alignment of words, without markers."""
    options = _word_options(gold, ascii)
    return align(*(unmarked_words(side, options) for side in (text, gold.marked)))


def cleaneval_alignment(text: str, gold: Gold, options: WordOptions) -> Alignment:
    """cleaneval.py's alignment, in which markers are words."""
    return align(*(cleaneval_words(side, options) for side in (text, gold.marked)))


def display_alignment(text: str, gold: Gold, ascii: bool) -> Alignment:
    """The alignment for people to read: with segment markers if the gold text has them."""
    options = _word_options(gold, ascii)
    return _marked_alignment(text, gold.marked, options) if gold.has_markers else word_alignment(text, gold, ascii)


@lru_cache(maxsize=1)  # two metrics in a row count in the same alignment of a page
def _marked_alignment(text: str, gold: str, options: WordOptions) -> Alignment:
    return align(cleaneval_words(text, options), cleaneval_words(gold, options))


def _word_options(gold: Gold, ascii: bool) -> WordOptions:
    return WordOptions(ascii, counts_by_character(gold))


# ---- the metrics --------------------------------------------------------------------------------------------


def aligned_words(text: str, gold: Gold, ascii: bool) -> Counts:
    """Words matched, wrong and missed in difflib's alignment, without markers."""
    return count_aligned(word_alignment(text, gold, ascii))


def aligned_cleaneval_words(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's words, which include segment markers."""
    options = _word_options(gold, ascii)
    return count_aligned(_marked_alignment(text, gold.marked, options)) if gold.has_markers else None


def labelled_markers(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's labelled segment markers."""
    options = _word_options(gold, ascii)
    return count_aligned(_marked_alignment(text, gold.marked, options), MARKER.match) if gold.has_markers else None


def unlabelled_markers(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's segment markers with -u, which ignores their labels."""
    options = replace(_word_options(gold, ascii), unlabelled=True)
    return count_aligned(_marked_alignment(text, gold.marked, options), MARKER.match) if gold.has_markers else None


def levenshtein_similarity(text: str, gold: Gold, ascii: bool) -> float:
    """1 - Levenshtein distance over words / words of the longer text."""
    from rapidfuzz.distance import Levenshtein  # optional: only this metric needs it

    options = _word_options(gold, ascii)
    return Levenshtein.normalized_similarity(*(unmarked_words(side, options) for side in (text, gold.marked)))


def bag_overlap(text: str, gold: Gold, ascii: bool) -> Counts:
    """The bags (multisets) of words: words in both, in the text alone, in the gold text alone."""
    options = _word_options(gold, ascii)
    ours, theirs = (Counter(lowercase_words(side, options)) for side in (MARKER.sub(" ", text), gold.plain))
    both = (ours & theirs).total()
    return both, ours.total() - both, theirs.total() - both


def required_share(text: str, gold: Gold, ascii: bool) -> float | None:
    """The share of the required snippets that are in the text."""
    return _snippet_share(text, gold.required, ascii)


def forbidden_share(text: str, gold: Gold, ascii: bool) -> float | None:
    """The share of the forbidden snippets that are in the text."""
    return _snippet_share(text, gold.forbidden, ascii)


def _snippet_share(text: str, snippets: Sequence[str], ascii: bool) -> float | None:
    if not snippets:
        return None
    lowered, *expected = (
        " ".join((ascii_only(one) if ascii else one).split()).lower() for one in (MARKER.sub(" ", text), *snippets)
    )
    return sum(snippet in lowered for snippet in expected) / len(expected)


_NCLEANER = "Evert 2008, section 4"
_CLEANEVAL = "Evert 2008, cleaneval.py 1.0"
METRICS: dict[str, Metric] = {
    "words": Metric("words aligned", _NCLEANER, aligned_words, "counts", "cleaneval, no markers", "difflib"),
    "cleaneval": Metric(
        "words aligned, markers as words",
        _CLEANEVAL,
        aligned_cleaneval_words,
        "counts",
        "cleaneval",
        "difflib",
        empty_score=0,
    ),
    "segments": Metric(
        "segment markers, labelled",
        f"{_CLEANEVAL}; table 4",
        labelled_markers,
        "counts",
        "cleaneval",
        "difflib",
        empty_score=0,
    ),
    "unlabelled": Metric(
        "segment markers, unlabelled",
        f"{_CLEANEVAL} -u",
        unlabelled_markers,
        "counts",
        "cleaneval -u",
        "difflib",
        empty_score=0,
    ),
    "similarity": Metric(
        "Levenshtein similarity of words",
        "CleanEval 2007",
        levenshtein_similarity,
        "value",
        "cleaneval, no markers",
        "rapidfuzz",
    ),
    "bag": Metric("bags of words", "Foley 2026, WCXB", bag_overlap, "counts", r"\w+, lower case"),
    "required": Metric(
        "required snippets found", "Foley 2026, WCXB", required_share, "value", "lower case, white space"
    ),
    "forbidden": Metric(
        "forbidden snippets let through", "Foley 2026, WCXB", forbidden_share, "value", "lower case, white space"
    ),
}


@dataclass(frozen=True)
class WordOptions:
    """The definition of a word."""

    ascii: bool = False  # remove characters outside ASCII (cleaneval.py -a)
    by_character: bool = False  # each character of scripts without spaces (Chinese, Thai, Khmer, …) is a word
    unlabelled: bool = False  # all segment markers are `<p>` (cleaneval.py -u)


DEFAULTS = WordOptions()


def cleaneval_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words that cleaneval.py compares: segment markers are words, the line with the URL is removed.

    As in cleaneval.py, white space at the start or end adds an empty word.
    """
    text = _CONTROL.sub(" ", _URL_LINE.sub("", text))
    text = _SPACE.sub(" ", MARKER.sub("\n<p> " if options.unlabelled else r"\n\g<1> ", text))
    if options.by_character:
        text = separate_characters(text)
    return _SPACE.split(_NOT_ASCII.sub("", text) if options.ascii else text)


def unmarked_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words of *text* between white space, without segment markers and the line with the URL."""
    text = MARKER.sub(" ", _CONTROL.sub(" ", _URL_LINE.sub("", text)))
    if options.by_character:
        text = separate_characters(text)
    return (ascii_only(text) if options.ascii else text).split()


def lowercase_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words of the WCXB metric: runs of letters, digits and `_` in lower case."""
    if options.by_character:
        text = separate_characters(text)
    return _WORD.findall((ascii_only(text) if options.ascii else text).lower())


def separate_characters(text: str) -> str:
    """*text* with a space on both sides of each character of a script without spaces."""
    return text if text.isascii() else _UNSPACED_CHARACTER.sub(r" \1 ", text)


def ascii_only(text: str) -> str:
    """The ASCII characters of *text*, with a space for each run of white space in Unicode."""
    return _NOT_ASCII.sub("", " ".join(text.split()))


def counts_by_character(gold: Gold) -> bool:
    """Whether words are characters: by the page's `lang`, or because most letters of the gold text have such a
    script."""
    if re.split("[-_]", gold.lang)[0].lower() in UNSPACED_LANGUAGES:
        return True
    unspaced = len(_UNSPACED_CHARACTER.findall(gold.marked))
    return bool(unspaced) and 2 * unspaced > sum(map(str.isalpha, gold.marked))


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
    common = [(at, in_gold[phrase]) for phrase, at in _single_phrases(text).items() if at >= 0]
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


class _Phrases(dict[tuple[str, ...], int]):
    """Phrases and their places; -1 for one that is not there, or more than once."""

    def __missing__(self, phrase: tuple[str, ...]) -> int:
        return -1


def _single_phrases(words: Sequence[str]) -> _Phrases:
    out = _Phrases()
    for at, phrase in enumerate(zip(*(words[start:] for start in range(PHRASE_WORDS)))):
        out[phrase] = -1 if phrase in out else at
    return out
