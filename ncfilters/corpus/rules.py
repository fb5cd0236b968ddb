"""The rules by which others filter documents of web corpora: C4, Gopher and FineWeb, with the thresholds of the papers.

    broken(Measures("Rain.", "en"), chosen("gopher.words"), "en")    # [{"rule": "gopher.words", "value": 1}]

Sources: C4: Raffel et al. 2020, "Exploring the limits of transfer learning", JMLR 21, section 2.2. Gopher: Rae et al.
2021, "Scaling language models", arXiv 2112.11446, appendix A.1.1 and table A1. FineWeb: Penedo et al. 2024, "The
FineWeb datasets", arXiv 2406.17557, section 3.6.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..record import Record
from ..text.scripts import UNSPACED_LANGUAGES
from .documents import language_of, text_of
from .measures import ELLIPSES, Measures, ends_sentence, share

# Gopher: two of these must be in a document of English.
STOP_WORDS = frozenset(("the", "be", "to", "of", "and", "that", "have", "with"))
# Marks before list items: the paper has "a bullet point"; datatrove has the first two.
BULLETS = ("•", "-")
# FineWeb: a short line has fewer characters.
SHORT_LINE = 30

# What a rule measures.
Measure = Callable[[Measures], float]

# The field with the rules that a document breaks.
FIELD = "filter"


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

    def applies(self, language: str) -> bool:
        """Whether the rule is made for a language (ISO 639-1; empty if unknown)."""
        return language not in self.not_of and (not self.of or language in self.of)

    def allows(self, value: float) -> bool:
        return self.low < value < self.high if self.excluded else self.low <= value <= self.high


def _per_token(*strings: str) -> Measure:
    return lambda text: share(sum(map(text.text.count, strings)), len(text.tokens))


def _top(n: int) -> Measure:
    return lambda text: text.share_of(text.repetition.top_chars(n))


def _repeated(n: int) -> Measure:
    return lambda text: text.share_of(text.repetition.repeated_chars(n))


def _repeated_chars_of_lines(text: Measures) -> float:
    """As Gopher's, but a share of the characters without line breaks."""
    return share(text.repeated_lines.chars, len(text.text) - text.text.count("\n"))


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
    Rule("gopher.repeated-lines", lambda text: text.repeated_lines.share, high=0.3),
    Rule("gopher.repeated-paragraphs", lambda text: text.repeated_paragraphs.share, high=0.3),
    Rule("gopher.repeated-line-chars", lambda text: text.share_of(text.repeated_lines.chars), high=0.2),
    Rule("gopher.repeated-paragraph-chars", lambda text: text.share_of(text.repeated_paragraphs.chars), high=0.2),
    Rule("gopher.top-2-gram", _top(2), high=0.2),
    Rule("gopher.top-3-gram", _top(3), high=0.18),
    Rule("gopher.top-4-gram", _top(4), high=0.16),
    Rule("gopher.repeated-5-grams", _repeated(5), high=0.15),
    Rule("gopher.repeated-6-grams", _repeated(6), high=0.14),
    Rule("gopher.repeated-7-grams", _repeated(7), high=0.13),
    Rule("gopher.repeated-8-grams", _repeated(8), high=0.12),
    Rule("gopher.repeated-9-grams", _repeated(9), high=0.11),
    Rule("gopher.repeated-10-grams", _repeated(10), high=0.1),
    # ---- FineWeb: the paper drops at the thresholds, too. Line breaks are in its program alone (datatrove).
    Rule("fineweb.ended-lines", lambda text: text.share_of_lines(ends_sentence), low=0.12, excluded=True),
    Rule("fineweb.repeated-line-chars", _repeated_chars_of_lines, high=0.1, excluded=True),
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
    """The rules that a text breaks, each with the value that breaks it."""
    out = []
    for rule in rules:
        if rule.applies(language) and not rule.allows(value := rule.measure(text)):
            out.append({"rule": rule.name, "value": round(value, 4)})
    return out


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
        earlier = document.get(FIELD)
        others = [
            mark
            for mark in (earlier if isinstance(earlier, list) else ())
            if isinstance(mark, dict) and mark.get("rule") not in own
        ]
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
