"""The metrics of the literature: how similar an extracted text is to the gold text of its page.

    METRICS["words"].compute("A title and some text", gold, False)    # (matched, wrong, missed) words

A metric gives counts (matched, wrong, missed), from which precision, recall and F follow, or one value in [0, 1].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from ..dataset.gold import Gold
from .long_texts import pieces
from .tokenization import (
    MARKER,
    WordOptions,
    ascii_only,
    cleaneval_words,
    counts_by_character,
    lowercase_words,
    unmarked_words,
)

# Matched, wrong (in the text alone) and missed (in the gold text alone).
Counts = tuple[int, int, int]
# Runs of words that are "equal", "delete" (wrong) or "insert" (missed), in order.
Alignment = list[tuple[str, list[str]]]


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
