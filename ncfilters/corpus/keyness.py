"""Key terms: what is much more frequent in one corpus than in another.

    log_ratio(200, 100, 1_000, 1_000)    # 1.0: twice as frequent in the first

The effect is Hardie's log ratio (2014, "Log ratio: an informal introduction"), the evidence is Dunning's log-likelihood
(1993, "Accurate methods for the statistics of surprise and coincidence").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, log2
from typing import Any

from ..record import Record
from ..text.words import words
from .documents import text_of

# Log-likelihood of p < 0.0001 with one degree of freedom, the usual bound for key terms (Rayson, Berridge and Francis
# 2004).
MIN_LIKELIHOOD = 15.13
# Instead of a frequency of 0 in a ratio (Hardie).
_NONE = 0.5
ORDERS = ("log-ratio", "log-likelihood")

# The share of terms that are forgotten at once, at least.
_FORGOTTEN = 0.25


@dataclass(frozen=True)
class KeyOptions:
    """Which terms are key: those that are so frequent, in so many documents, in the corpus where they are key, and have
    such a log-likelihood; how many of each corpus, in which of ORDERS."""

    min_frequency: int = 5
    min_documents: int = 3
    min_likelihood: float = MIN_LIKELIHOOD
    number: int = 20
    order: str = ORDERS[0]


def log_ratio(a: int, b: int, total_a: int, total_b: int) -> float:
    """The binary logarithm of the ratio of relative frequencies in two corpora; a frequency of 0 counts as ½."""
    return log2((a or _NONE) / total_a) - log2((b or _NONE) / total_b)


def log_likelihood(a: int, b: int, total_a: int, total_b: int) -> float:
    """G² of the table of a term and all others in two corpora: 2 Σ observed × ln(observed / expected)."""
    total = total_a + total_b
    out = 0.0
    for count, size in ((a, total_a), (b, total_b)):
        for observed, row in ((count, a + b), (size - count, total - a - b)):
            if observed:
                out += observed * log(observed * total / (row * size))
    return max(2 * out, 0.0)


def key_terms(first: TermCounts, second: TermCounts, options: KeyOptions) -> Iterator[dict[str, Any]]:
    """The key terms of the first corpus, then of the second, as rows; none if one of the corpora is empty."""
    if not (first.total and second.total):
        return
    by = options.order.replace("-", "_")
    for sign, name, counts in ((1, "a", first), (-1, "b", second)):
        often = (term for term, count in counts.frequencies.items() if count >= options.min_frequency)
        terms = [term for term in often if counts.documents[term] >= options.min_documents]
        rows = [_row(term, first, second) for term in terms]
        rows = [row for row in rows if sign * row["log_ratio"] > 0 and row["log_likelihood"] >= options.min_likelihood]
        rows.sort(key=lambda row: (-abs(row[by]), -row["log_likelihood"], row["term"]))
        yield from ({"key_in": name, **row} for row in rows[: options.number])


def _row(term: str, first: TermCounts, second: TermCounts) -> dict[str, Any]:
    a, b = first.frequencies[term], second.frequencies[term]
    return {
        "term": term,
        "log_ratio": round(log_ratio(a, b, first.total, second.total), 2),
        "log_likelihood": round(log_likelihood(a, b, first.total, second.total), 2),
        "frequency_a": a,
        "frequency_b": b,
        "per_million_a": round(1e6 * a / first.total, 2),
        "per_million_b": round(1e6 * b / second.total, 2),
        "documents_a": first.documents[term],
        "documents_b": second.documents[term],
    }


def keyness(a: CorpusTerms, b: CorpusTerms, options: KeyOptions) -> dict[str, Any]:
    """The sizes of two corpora, and their key words and bigrams, as JSON."""
    out: dict[str, Any] = {"documents_a": a.documents, "documents_b": b.documents}
    for kind, first, second in (("words", a.words, b.words), ("bigrams", a.bigrams, b.bigrams)):
        out[kind] = {
            "total_a": first.total,
            "total_b": second.total,
            "undercount": max(first.undercount, second.undercount),
            "key": list(key_terms(first, second, options)),
        }
    return out


class TermCounts:
    """The terms of a stream of documents, at most *limit* of them after each document."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.frequencies: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.total = self.undercount = 0

    def add(self, terms: Sequence[str]) -> None:
        self.total += len(terms)
        self.frequencies.update(terms)
        self.documents.update(set(terms))
        while len(self.frequencies) > self._limit:
            self._forget()

    def _forget(self) -> None:
        ordered = sorted(self.frequencies.values())
        most = ordered[int(len(ordered) * _FORGOTTEN)]
        self.undercount += most
        # new tables: what is deleted of a dict leaves its memory
        self.frequencies = Counter({term: count for term, count in self.frequencies.items() if count > most})
        self.documents = Counter({term: self.documents[term] for term in self.frequencies})


class CorpusTerms:
    """The words of a corpus and its bigrams, which do not go across lines."""

    def __init__(self, limit: int) -> None:
        self.documents = 0
        self.words, self.bigrams = TermCounts(limit), TermCounts(limit)

    def add(self, document: Record) -> Record:
        """Counts a document, and returns it. Raises RecordError for one without text."""
        lines = [words(line) for line in text_of(document).splitlines()]
        self.documents += 1
        self.words.add([word for line in lines for word in line])
        self.bigrams.add([f"{one} {other}" for line in lines for one, other in zip(line, line[1:])])
        return document
