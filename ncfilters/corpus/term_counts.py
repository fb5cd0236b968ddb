"""Frequencies and numbers of documents of the words and bigrams of a corpus, in bounded memory.

    counts = TermCounts(1_000_000); counts.add(["it", "rained", "it"]); counts.frequencies["it"]    # 2

When there are more terms than the limit, the rarest are forgotten (after lossy counting, Manku and Motwani 2002): a
frequency is then too low by at most `undercount`, and a term that is more frequent is not missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..record import Record
from ..text.words import words
from .documents import text_of

# The share of terms that are forgotten at once, at least.
_FORGOTTEN = 0.25


class TermCounts:
    """The terms of a stream of documents, at most *limit* of them after each document."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.frequencies: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.total = self.undercount = 0

    def add(self, terms: Sequence[str]) -> None:
        """Counts the terms of a document."""
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
