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
from functools import lru_cache

from ..dataset.gold import Gold
from ..text.scripts import UNSPACED, UNSPACED_LANGUAGES

Counts = tuple[int, int, int]
# What an alignment is made of: "equal", "delete" (wrongly kept) or "insert" (missed), and the words.
Diff = list[tuple[str, list[str]]]

# The normalisation of cleaneval.py 1.0 (Evert 2008). It reads bytes: no white space but ASCII's, and its -a removes
# every character outside ASCII.
_URL = re.compile(r"^\s*URL.*$", re.M | re.A)
MARKER = re.compile(r"(<[phl]>)", re.I)
_CONTROL = re.compile("[\x00-\x1f]+")
_SPACE = re.compile(r"\s+", re.A)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
# Scripts without spaces: a word is a character (Chinese, Japanese; Thai, Lao, Burmese, Khmer).
_SPACELESS = re.compile(f"([{UNSPACED}])")
_WORD = re.compile(r"\w+")


# ---- words --------------------------------------------------------------------------------------------------


def normalised(text: str, unlabelled: bool = False, ascii: bool = False, spaceless: bool = False) -> list[str]:
    """The words that cleaneval.py compares: segment markers are words, the line with the URL is none.

    As there, an empty word stands before and behind white space at the ends, and counts. Of scripts without spaces
    the words are characters, if *spaceless*, which cleaneval.py does not know.
    """
    text = _CONTROL.sub(" ", _URL.sub("", text))
    text = _SPACE.sub(" ", MARKER.sub("\n<p> " if unlabelled else r"\n\g<1> ", text))
    if spaceless:
        text = spaced(text)
    return _SPACE.split(_NOT_ASCII.sub("", text) if ascii else text)


def unmarked(text: str, ascii: bool = False, spaceless: bool = False) -> list[str]:
    """The words of *text* without segment markers; of scripts without spaces the characters, if *spaceless*."""
    text = MARKER.sub(" ", _CONTROL.sub(" ", _URL.sub("", text)))
    if spaceless:
        text = spaced(text)
    return (_ascii(text) if ascii else text).split()


def bag(text: str, ascii: bool = False, spaceless: bool = False) -> list[str]:
    """The words of the WCXB measure: runs of letters, digits and `_`, in lower case."""
    if spaceless:
        text = spaced(text)
    return _WORD.findall((_ascii(text) if ascii else text).lower())


def spaced(text: str) -> str:
    """*text* with spaces around each character of a script without spaces: there each is a word."""
    return text if text.isascii() else _SPACELESS.sub(r" \1 ", text)


def _ascii(text: str) -> str:
    """The text without characters outside ASCII; a space for white space, also where it is none of ASCII's."""
    return _NOT_ASCII.sub("", " ".join(text.split()))


def is_spaceless(gold: Gold) -> bool:
    """Whether words are characters: the page's `lang` says so, or most letters of the gold text are such."""
    if re.split("[-_]", gold.lang)[0].lower() in UNSPACED_LANGUAGES:
        return True
    found = len(_SPACELESS.findall(gold.marked))
    return bool(found) and 2 * found > sum(map(str.isalpha, gold.marked))


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


def scores(found: Counts, nothing: float = 1.0) -> tuple[float, float, float]:
    """Precision, recall and F in [0, 1]; *nothing* is what they are of nothing against nothing."""
    matched, wrong, missed = found
    if not matched:
        return (0.0,) * 3 if wrong or missed else (nothing,) * 3
    precision, recall = matched / (matched + wrong), matched / (matched + missed)
    return precision, recall, 2 * precision * recall / (precision + recall)


# ---- the measures -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measure:
    """A measure: what it is, its source, what it needs of the gold, and the function that takes it.

    `of(text, gold, ascii)` gives Counts, or (precision, recall, F), or a value in [0, 1]; None where it does not
    apply to the page. With *ascii* characters outside ASCII are left out (cleaneval.py -a). *nothing* is what
    precision, recall and F are of a page where neither text nor gold has any of what is counted.
    """

    what: str
    source: str
    of: Callable[[str, Gold, bool], tuple[float, ...] | float | None]
    kind: str  # counts, scores or value
    normalisation: str
    library: str = ""
    nothing: float = 1.0


def words(text: str, gold: Gold, ascii: bool) -> Counts:
    """Words matched, wrong and missed in difflib's alignment, markers left out."""
    return counts(words_aligned(text, gold, ascii))


def words_aligned(text: str, gold: Gold, ascii: bool) -> Diff:
    """The alignment that `words` counts."""
    spaceless = is_spaceless(gold)
    return aligned(*(unmarked(some, ascii, spaceless) for some in (text, gold.marked)))


def cleaneval(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's words: segment markers count as such."""
    return counts(_marked(text, gold, ascii)) if gold.has_markers else None


def cleaneval_aligned(text: str, gold: Gold, ascii: bool, unlabelled: bool = False) -> Diff:
    """cleaneval.py's alignment (with *unlabelled*, of its option -u), in which the words of all scripts are words."""
    return aligned(*(normalised(some, unlabelled, ascii) for some in (text, gold.marked)))


def segments(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's labelled segment markers."""
    return counts(_marked(text, gold, ascii), MARKER.match) if gold.has_markers else None


def unlabelled(text: str, gold: Gold, ascii: bool) -> Counts | None:
    """cleaneval.py's segment markers with -u: whatever their letter."""
    return counts(_marked(text, gold, ascii, True), MARKER.match) if gold.has_markers else None


def shown_aligned(text: str, gold: Gold, ascii: bool) -> Diff:
    """The alignment to look at: with segment markers if the gold has such."""
    return _marked(text, gold, ascii) if gold.has_markers else words_aligned(text, gold, ascii)


def _marked(text: str, gold: Gold, ascii: bool, unlabelled: bool = False) -> Diff:
    return _marked_aligned(text, gold.marked, unlabelled, ascii, is_spaceless(gold))


@lru_cache(maxsize=1)  # two measures, one after the other, count in the same alignment of a page
def _marked_aligned(text: str, gold: str, *how: bool) -> Diff:
    return aligned(normalised(text, *how), normalised(gold, *how))


def similarity(text: str, gold: Gold, ascii: bool) -> float:
    """1 - Levenshtein distance over words / words of the longer text."""
    from rapidfuzz.distance import Levenshtein

    spaceless = is_spaceless(gold)
    return Levenshtein.normalized_similarity(*(unmarked(some, ascii, spaceless) for some in (text, gold.marked)))


def bags(text: str, gold: Gold, ascii: bool) -> Counts:
    """Words in both bags, in the text's alone, in the gold's alone."""
    spaceless = is_spaceless(gold)
    ours, theirs = (Counter(bag(some, ascii, spaceless)) for some in (MARKER.sub(" ", text), gold.plain))
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
    return _snippets(text, gold.required, ascii)


def forbidden(text: str, gold: Gold, ascii: bool) -> float | None:
    """The share of the snippets that must not appear and do."""
    return _snippets(text, gold.forbidden, ascii)


def _snippets(text: str, snippets: Sequence[str], ascii: bool) -> float | None:
    if not snippets:
        return None
    low, *wanted = (
        " ".join((_ascii(some) if ascii else some).split()).lower() for some in (MARKER.sub(" ", text), *snippets)
    )
    return sum(snippet in low for snippet in wanted) / len(wanted)


_NCLEANER = "Evert 2008, section 4"
_CLEANEVAL = "Evert 2008, cleaneval.py 1.0"
MEASURES: dict[str, Measure] = {
    "words": Measure("words aligned", _NCLEANER, words, "counts", "cleaneval, no markers", "difflib"),
    "cleaneval": Measure(
        "words aligned, markers as words", _CLEANEVAL, cleaneval, "counts", "cleaneval", "difflib", nothing=0
    ),
    "segments": Measure(
        "segment markers, labelled", f"{_CLEANEVAL}; table 4", segments, "counts", "cleaneval", "difflib", nothing=0
    ),
    "unlabelled": Measure(
        "segment markers, unlabelled", f"{_CLEANEVAL} -u", unlabelled, "counts", "cleaneval -u", "difflib", nothing=0
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
