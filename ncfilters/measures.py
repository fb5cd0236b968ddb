"""How near a text is to its gold text, page by page: the measures of the papers.

    MEASURES["words"].of("A title and some text", gold, False)    # (matched, wrong, missed) words

A measure gives counts (matched, wrongly kept, missed), from which precision, recall and F follow, or one value in
[0, 1].
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from .gold import Gold

Counts = tuple[int, int, int]
# What an alignment is made of: "equal", "delete" (wrongly kept) or "insert" (missed), and the words.
Diff = list[tuple[str, list[str]]]

# The normalisation of cleaneval.py 1.0 (Evert 2008). Its -a removed bytes: every character outside ASCII, in UTF-8.
_URL = re.compile(r"^\s*URL.*$", re.M)
MARKER = re.compile(r"(<[phl]>)", re.I)
_CONTROL = re.compile("[\x00-\x1f]+")
_SPACE = re.compile(r"\s+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
# Scripts without spaces: a word is a character (Chinese, Japanese; Thai, Lao, Burmese, Khmer).
_SPACELESS = re.compile("([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])")
_SPACELESS_LANGUAGES = frozenset("zh ja th lo my km yue wuu".split())
_WORD = re.compile(r"\w+")


# ---- words --------------------------------------------------------------------------------------------------


def normalised(text: str, unlabelled: bool = False, ascii: bool = False) -> list[str]:
    """The words that cleaneval.py compares: segment markers are words, the line with the URL is none.

    As there, an empty word stands before and behind white space at the ends, and counts.
    """
    text = _CONTROL.sub(" ", _URL.sub("", text))
    text = _SPACE.sub(" ", MARKER.sub("\n<p> " if unlabelled else r"\n\g<1> ", text))
    return _SPACE.split(_NOT_ASCII.sub("", text) if ascii else text)


def unmarked(text: str, ascii: bool = False, spaceless: bool = False) -> list[str]:
    """The words of *text* without segment markers; of scripts without spaces the characters, if *spaceless*."""
    text = MARKER.sub(" ", _CONTROL.sub(" ", _URL.sub("", text)))
    if ascii:
        text = _NOT_ASCII.sub("", text)
    return (_SPACELESS.sub(r" \1 ", text) if spaceless else text).split()


def bag(text: str, spaceless: bool = False) -> list[str]:
    """The words of the WCXB measure: runs of letters, digits and `_`, in lower case."""
    return _WORD.findall((_SPACELESS.sub(r" \1 ", text) if spaceless else text).lower())


def is_spaceless(gold: Gold) -> bool:
    """Whether words are characters: by the page's `lang`, or else if most letters of the gold text are such."""
    if gold.lang:
        return gold.lang.partition("-")[0].lower() in _SPACELESS_LANGUAGES
    letters = sum(map(str.isalpha, gold.plain))
    return 2 * len(_SPACELESS.findall(gold.plain)) > letters


def aligned(text: Sequence[str], gold: Sequence[str]) -> Diff:
    """difflib's alignment of two lists of words, as cleaneval.py has it: a replacement is wrong words, then missed."""
    diff: Diff = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, text, gold).get_opcodes():
        if tag == "equal":
            diff.append((tag, list(text[i1:i2])))
        else:
            if i2 > i1:
                diff.append(("delete", list(text[i1:i2])))
            if j2 > j1:
                diff.append(("insert", list(gold[j1:j2])))
    return diff


def counts(diff: Diff, of: Callable[[str], object] | None = None) -> Counts:
    """Matched, wrong and missed words of an alignment, or those for which *of* is true."""
    sums = Counter[str]()
    for tag, words in diff:
        sums[tag] += len(words) if of is None else sum(1 for word in words if of(word))
    return sums["equal"], sums["delete"], sums["insert"]


def scores(found: Counts) -> tuple[float, float, float]:
    """Precision, recall and F in [0, 1]; of nothing against nothing 1."""
    matched, wrong, missed = found
    if not matched:
        return (0.0,) * 3 if wrong or missed else (1.0,) * 3
    precision, recall = matched / (matched + wrong), matched / (matched + missed)
    return precision, recall, 2 * precision * recall / (precision + recall)


# ---- the measures -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measure:
    """A measure: what it is, its source, what it needs of the gold, and the function that takes it.

    `of(text, gold, ascii)` gives Counts, or (precision, recall, F), or a value in [0, 1]; None where it does not
    apply to the page. With *ascii* characters outside ASCII are left out (cleaneval.py -a).
    """

    what: str
    source: str
    of: Callable[[str, Gold, bool], tuple[float, ...] | float | None]
    kind: str  # counts, scores or value
    normalisation: str
    library: str = ""


def words(text: str, gold: Gold, ascii: bool) -> Counts:
    """Words matched, wrong and missed in difflib's alignment, markers left out."""
    return counts(words_aligned(text, gold, ascii))


def words_aligned(text: str, gold: Gold, ascii: bool) -> Diff:
    """The alignment that `words` counts."""
    spaceless = is_spaceless(gold)
    return aligned(*(unmarked(some, ascii, spaceless) for some in (text, gold.marked)))


def cleaneval(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's words: segment markers count as such."""
    return counts(cleaneval_aligned(text, gold, ascii)) if gold.has_markers else None


def cleaneval_aligned(text: str, gold: Gold, ascii: bool, unlabelled: bool = False) -> Diff:
    """cleaneval.py's alignment (with *unlabelled*, of its option -u)."""
    return aligned(*(normalised(some, unlabelled, ascii) for some in (text, gold.marked)))


def segments(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's labelled segment markers."""
    return counts(cleaneval_aligned(text, gold, ascii), MARKER.match) if gold.has_markers else None


def unlabelled(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's segment markers with -u: whatever their letter."""
    return counts(cleaneval_aligned(text, gold, ascii, True), MARKER.match) if gold.has_markers else None


def similarity(text: str, gold: Gold, ascii: bool) -> float:
    """1 - Levenshtein distance over words / words of the longer text."""
    from rapidfuzz.distance import Levenshtein

    spaceless = is_spaceless(gold)
    return Levenshtein.normalized_similarity(*(unmarked(some, ascii, spaceless) for some in (text, gold.marked)))


def bags(text: str, gold: Gold, ascii: bool) -> Counts:
    """Words in both bags, in the text's alone, in the gold's alone."""
    spaceless = is_spaceless(gold)
    ours, theirs = (Counter(bag(some, spaceless)) for some in (MARKER.sub(" ", text), gold.plain))
    both = (ours & theirs).total()
    return both, ours.total() - both, theirs.total() - both


def rouge(text: str, gold: Gold, ascii: bool) -> tuple[float, float, float]:
    """ROUGE-LSum: union of longest common subsequences, sentence by sentence."""
    from .rouge import rouge_lsum, sentences

    spaceless = is_spaceless(gold)
    ours, theirs = (
        [unmarked(sentence, ascii, spaceless) for sentence in sentences(some)]
        for some in (MARKER.sub("\n", text), gold.plain)
    )
    return rouge_lsum(ours, theirs)


def required(text: str, gold: Gold, ascii: bool) -> float | None:
    """The share of the snippets that must appear and do."""
    return _snippets(text, gold.required)


def forbidden(text: str, gold: Gold, ascii: bool) -> float | None:
    """The share of the snippets that must not appear and do."""
    return _snippets(text, gold.forbidden)


def _snippets(text: str, snippets: Sequence[str]) -> float | None:
    if not snippets:
        return None
    low = " ".join(MARKER.sub(" ", text).split()).lower()
    return sum(" ".join(snippet.split()).lower() in low for snippet in snippets) / len(snippets)


_NCLEANER = "Evert 2008, section 4"
_CLEANEVAL = "Evert 2008, cleaneval.py 1.0"
MEASURES: dict[str, Measure] = {
    "words": Measure("words aligned", _NCLEANER, words, "counts", "cleaneval, no markers", "difflib"),
    "cleaneval": Measure("words aligned, markers as words", _CLEANEVAL, cleaneval, "counts", "cleaneval", "difflib"),
    "segments": Measure(
        "segment markers, labelled", f"{_CLEANEVAL}; table 4", segments, "counts", "cleaneval", "difflib"
    ),
    "unlabelled": Measure(
        "segment markers, unlabelled", f"{_CLEANEVAL} -u", unlabelled, "counts", "cleaneval -u", "difflib"
    ),
    "similarity": Measure(
        "Levenshtein similarity of words", "CleanEval 2007", similarity, "value", "cleaneval, no markers", "rapidfuzz"
    ),
    "bag": Measure("bags of words", "Foley 2026, WCXB", bags, "counts", r"\w+, lower case"),
    "rouge": Measure("ROUGE-LSum", "Lin 2004; Bevendorff and others 2023", rouge, "scores", "white space, sentences"),
    "required": Measure("required snippets found", "Foley 2026, WCXB", required, "value", "lower case, white space"),
    "forbidden": Measure(
        "forbidden snippets let through", "Foley 2026, WCXB", forbidden, "value", "lower case, white space"
    ),
}
