"""The rules by which others filter documents of web corpora: C4, Gopher and FineWeb, with the thresholds of the papers.

    broken(Measures("Rain.", "en"), chosen("gopher.words"), "en")    # [{"rule": "gopher.words", "value": 1}]

Sources: C4: Raffel et al. 2020, "Exploring the limits of transfer learning", JMLR 21, section 2.2. Gopher: Rae et al.
2021, "Scaling language models", arXiv 2112.11446, appendix A.1.1 and table A1. FineWeb: Penedo et al. 2024, "The
FineWeb datasets", arXiv 2406.17557, section 3.6. Where they do not say enough, the definitions are those of datatrove,
which made FineWeb. Words are the `tokens` with a letter or digit; n-grams are of all tokens; lines of white space are
none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from ..record import Record
from ..segmentation.sentences import sentence_spans
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import UNSPACED_LANGUAGES
from ..text.tokenizers import MIXERS
from ..text.words import tokens
from .documents import language_of, text_of
from .ngram_duplicates import ngrams

# Gopher: two of these must be in a document of English.
STOP_WORDS = frozenset(("the", "be", "to", "of", "and", "that", "have", "with"))
# Marks before list items: the paper has "a bullet point"; datatrove has the first two.
BULLETS = ("•", "-")
# FineWeb: a short line has fewer characters.
SHORT_LINE = 30

# Characters of a document that are read, and tokens for n-grams. What is longer breaks Gopher's rules of lengths: it
# has more than 100,000 words, or words of more than 10 characters.
MAX_CHARS, MAX_TOKENS = 4_000_000, 200_000
# Marks of omission.
ELLIPSES = ("...", "…")
# C4 (Raffel et al. 2020, section 2.2, and tensorflow_datasets/text/c4_utils.py): words of a line, characters of a word,
# phrases of policies.
C4_LINE_WORDS, C4_WORD_CHARS = 5, 1_000
C4_POLICIES = ("terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies")
# Sentences are counted up to this number, for speed: the rule asks for 3.
ENOUGH_SENTENCES = 10
# Full stops and the like of all scripts; C4 has quotation marks, too.
_SENTENCE_END = regex.compile(r"\p{Sentence_Terminal}")
_PARAGRAPH_END = lazy_pattern(r"\n{2,}")
_CITATION = lazy_pattern(r"\[\d*]|\[edit]|\[citation needed]")
_QUOTES = ('"', "'", "”", "’", "»", "」")

# A factor of splitmix64, with which numbers of tokens become hashes.
_MIX = np.uint64(MIXERS[0])

# The field with the rules that a document breaks.
FIELD = "filter"


# ---- measures: each computed once, and only when a rule asks for it ----


class Measures:
    """A text in a language (ISO 639-1), with what several rules measure. Shares are from 0 to 1, and 0 of nothing."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self._language = text[:MAX_CHARS], language

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of the text."""
        return tokens(self.text)

    @cached_property
    def words(self) -> list[str]:
        """The tokens with a letter or digit."""
        return [token for token in self.tokens if token[0].isalnum() or any(map(str.isalnum, token))]

    @cached_property
    def lines(self) -> list[str]:
        """The lines with other characters than white space, without the white space around them."""
        return [stripped for line in self.text.splitlines() if (stripped := line.strip())]

    @cached_property
    def paragraphs(self) -> list[str]:
        """What is between empty lines."""
        return _PARAGRAPH_END.split(self.text.strip())

    def share_of(self, chars: float) -> float:
        """A number of characters as a share of the text."""
        return share(chars, len(self.text))

    def share_of_lines(self, is_counted: Callable[[str], object]) -> float:
        return share(sum(map(bool, map(is_counted, self.lines))), len(self.lines))

    @property
    def c4_sentences(self) -> int:
        """The number of sentences in the lines that C4 keeps, up to ENOUGH_SENTENCES."""
        count = 0
        for line in self.lines:
            if count < ENOUGH_SENTENCES and is_c4_line(line):
                count += len(sentence_spans(_CITATION.sub("", line), self._language))
        return min(count, ENOUGH_SENTENCES)

    # n-grams of the first MAX_TOKENS tokens

    @cached_property
    def _hashes(self) -> NDArray[Any]:
        numbers: dict[str, int] = {}
        ids = [numbers.setdefault(token, len(numbers) + 1) for token in self.tokens[:MAX_TOKENS]]
        mixed: NDArray[Any] = np.array(ids, np.uint64) * _MIX
        mixed ^= mixed >> np.uint64(29)
        mixed *= _MIX
        return mixed

    @cached_property
    def _ends(self) -> NDArray[Any]:
        """For each token the number of characters before it, and at the end that of all tokens."""
        return np.cumsum([0, *map(len, self.tokens[:MAX_TOKENS])])

    def _ngrams(self, n: int) -> NDArray[Any]:
        return ngrams(self._hashes, n)[: max(len(self._hashes) - n + 1, 0)]

    def top_chars(self, n: int) -> int:
        """The characters of all occurrences of the most frequent n-gram (of several, the first), with spaces between
        its tokens."""
        if len(self._hashes) < n:
            return 0
        _, first, counts = np.unique(self._ngrams(n), return_index=True, return_counts=True)
        most = int(counts.max())
        at = int(first[counts == most].min())
        return most * (int(self._ends[at + n] - self._ends[at]) + n - 1)

    def repeated_chars(self, n: int) -> int:
        """The characters of n-grams that occurred before; after one, the search goes on behind it, so that none counts
        twice."""
        hashes = self._ngrams(n)
        _, first = np.unique(hashes, return_index=True)
        if len(first) == len(hashes):
            return 0
        ngrams: list[int] = hashes.tolist()
        seen: set[int] = set()
        at = chars = 0
        while at < len(ngrams):
            if ngrams[at] in seen:
                chars += int(self._ends[at + n] - self._ends[at])
                at += n
            else:
                seen.add(ngrams[at])
                at += 1
        return chars


def is_c4_line(line: str) -> bool:
    """Whether C4 keeps a line: it has five words, none of which is very long, ends with a full stop, exclamation mark,
    question mark or quotation mark, and mentions neither JavaScript nor policies."""
    words = line.split()
    end = _CITATION.sub("", line).rstrip()
    lower = line.lower()
    return (
        len(words) >= C4_LINE_WORDS
        and max(map(len, words)) <= C4_WORD_CHARS
        and (ends_sentence(end) or end.endswith(_QUOTES))
        and not end.endswith(ELLIPSES)
        and "javascript" not in lower
        and not any(phrase in lower for phrase in C4_POLICIES)
    )


def ends_sentence(line: str) -> bool:
    """Whether a line ends with a full stop, question mark or the like, of any script."""
    return bool(_SENTENCE_END.match(line[-1:]))


def share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


def repeated_share(parts: Sequence[str]) -> float:
    """The share of the parts that are equal to an earlier one."""
    return share(len(parts) - len(set(parts)), len(parts))


def repeated_chars(parts: Sequence[str]) -> int:
    """The characters of parts that are equal to an earlier one."""
    return sum(map(len, parts)) - sum(map(len, set(parts)))


# ---- rules ----

# What a rule measures.
Measure = Callable[[Measures], float]


@dataclass(frozen=True)
class Rule:
    """A document breaks the rule if its measure is below *low* or above *high*, or equal to one of them if they are
    *excluded*. Of languages for which the rule is not made, it says nothing: it is for those *of* the list alone, or
    for all but those *not_of* it."""

    name: str
    measure: Measure
    low: float = -math.inf
    high: float = math.inf
    excluded: bool = False
    of: Collection[str] = ()
    not_of: Collection[str] = ()

    def is_broken_by(self, value: float) -> bool:
        return not (self.low < value < self.high if self.excluded else self.low <= value <= self.high)


def _per_token(*strings: str) -> Measure:
    return lambda text: share(sum(map(text.text.count, strings)), len(text.tokens))


def _top(n: int) -> Measure:
    return lambda text: text.share_of(text.top_chars(n))


def _repeated(n: int) -> Measure:
    return lambda text: text.share_of(text.repeated_chars(n))


RULES: tuple[Rule, ...] = (
    # ---- C4: pages of the lines that it keeps (see `is_c4_line`)
    Rule("c4.sentences", lambda text: text.c4_sentences, low=3, not_of=UNSPACED_LANGUAGES),
    Rule("c4.lorem-ipsum", lambda text: text.text.lower().count("lorem ipsum"), high=0),
    Rule("c4.curly-brackets", lambda text: text.text.count("{"), high=0),
    # ---- Gopher: quality
    Rule("gopher.words", lambda text: len(text.words), 50, 100_000),
    Rule(
        "gopher.word-length",
        lambda text: share(sum(map(len, text.words)), len(text.words)),
        *(3, 10),
        not_of=UNSPACED_LANGUAGES,
    ),
    Rule("gopher.hashes", _per_token("#"), high=0.1),
    Rule("gopher.ellipses", _per_token(*ELLIPSES), high=0.1),
    Rule("gopher.bullet-lines", lambda text: text.share_of_lines(lambda line: line.startswith(BULLETS)), high=0.9),
    Rule("gopher.ellipsis-lines", lambda text: text.share_of_lines(lambda line: line.endswith(ELLIPSES)), high=0.3),
    Rule(
        "gopher.alphabetic-words",
        lambda text: share(sum(any(map(str.isalpha, token)) for token in text.tokens), len(text.tokens)),
        low=0.8,
    ),
    Rule("gopher.stop-words", lambda text: len(STOP_WORDS.intersection(text.tokens)), low=2, of=("en", "")),
    # ---- Gopher: repetition
    Rule("gopher.repeated-lines", lambda text: repeated_share(text.lines), high=0.3),
    Rule("gopher.repeated-paragraphs", lambda text: repeated_share(text.paragraphs), high=0.3),
    Rule("gopher.repeated-line-chars", lambda text: text.share_of(repeated_chars(text.lines)), high=0.2),
    Rule("gopher.repeated-paragraph-chars", lambda text: text.share_of(repeated_chars(text.paragraphs)), high=0.2),
    *(Rule(f"gopher.top-{n}-gram", _top(n), high=high) for n, high in ((2, 0.2), (3, 0.18), (4, 0.16))),
    *(
        Rule(f"gopher.repeated-{n}-grams", _repeated(n), high=high)
        for n, high in ((5, 0.15), (6, 0.14), (7, 0.13), (8, 0.12), (9, 0.11), (10, 0.1))
    ),
    # ---- FineWeb: the paper drops at the thresholds, too. Line breaks are in its program alone (datatrove).
    Rule("fineweb.ended-lines", lambda text: text.share_of_lines(ends_sentence), low=0.12, excluded=True),
    # as Gopher's, but a share of the characters without line breaks
    Rule(
        "fineweb.repeated-line-chars",
        lambda text: share(repeated_chars(text.lines), len(text.text) - text.text.count("\n")),
        high=0.1,
        excluded=True,
    ),
    Rule(
        "fineweb.short-lines",
        lambda text: text.share_of_lines(lambda line: len(line) < SHORT_LINE),
        high=0.67,
        excluded=True,
    ),
    Rule("fineweb.line-breaks", _per_token("\n"), high=0.3),
)
# The sets of rules, in the order of the table.
SETS = tuple(dict.fromkeys(rule.name.partition(".")[0] for rule in RULES))


def chosen(names: str) -> list[Rule]:
    """The rules that a list names, separated by commas: sets such as `gopher`, or rules such as `gopher.words`. Raises
    ValueError for other names, and for none."""
    parts = [part.strip() for part in names.split(",")]
    known = {*SETS, *(rule.name for rule in RULES)}
    for part in parts:
        if part not in known:
            raise ValueError(f"no rule {part!r}: sets are {', '.join(SETS)}; rules are such as {RULES[3].name}")
    return [rule for rule in RULES if {rule.name, rule.name.partition(".")[0]} & set(parts)]


def broken(text: Measures, rules: Sequence[Rule], language: str) -> list[dict[str, Any]]:
    """The rules that a text in a *language* (ISO 639-1; empty if unknown) breaks, each with the value that does it."""
    made_for = [one for one in rules if language not in one.not_of and (not one.of or language in one.of)]
    values = ((rule, rule.measure(text)) for rule in made_for)
    return [{"rule": rule.name, "value": round(value, 4)} for rule, value in values if rule.is_broken_by(value)]


def marks_of(document: Record) -> list[Record]:
    """The marks of rules that a document has, if they are such."""
    marks = document.get(FIELD)
    return [mark for mark in marks if isinstance(mark, dict)] if isinstance(marks, list) else []


class Filtering:
    """Marks documents, and counts what it marks."""

    def __init__(self, rules: Sequence[Rule], drop: bool = False) -> None:
        self._rules, self._drop = rules, drop
        self.documents = self.failed = 0
        self.broken: Counter[str] = Counter()  # rule → documents that break it
        self.alone: Counter[str] = Counter()  # rule → documents that break no other

    def mark(self, document: Record) -> Record | None:
        """The document with the rules that it breaks in the field `filter`; None if it breaks one and is to be dropped.
        Marks of an earlier run for other rules stay. Raises RecordError for documents without text."""
        text, language = text_of(document), language_of(document)
        marks = broken(Measures(text, language), self._rules, language)
        self.documents += 1
        self.failed += bool(marks)
        names = [mark["rule"] for mark in marks]
        self.broken.update(names)
        if len(names) == 1:
            self.alone.update(names)
        if marks and self._drop:
            return None
        own = {rule.name for rule in self._rules}
        others = [mark for mark in marks_of(document) if mark.get("rule") not in own]
        return {**document, FIELD: [*others, *marks]}

    def report(self) -> Iterator[str]:
        """A line on the documents, and one for each rule that some break."""
        fate = "dropped" if self._drop else "marked"
        yield f"{self.failed:,} of {self.documents:,} documents {fate} ({self._share(self.failed)})"
        for rule in self._rules:
            if count := self.broken[rule.name]:
                only = f", {self.alone[rule.name]:,} by it alone" if len(self._rules) > 1 else ""
                yield f"{rule.name}: {count:,} ({self._share(count)}){only}"

    def _share(self, count: int) -> str:
        return f"{100 * count / max(self.documents, 1):.1f} %"
