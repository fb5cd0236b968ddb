"""Documents without duplicates, or with marks on them, and what was found in numbers.

work = Deduplication("exact", ExactDuplicates(state).find)
work(documents)     # the documents that are no duplicates; None for others, errors for documents without text
work.summary()      # '3 documents, 1 duplicate (33.3 %), 28 words in duplicates'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..errors import RecordError
from ..record import Record
from ..streams.runner import attempt
from ..text.words import words
from .documents import name_of, text_of
from .duplicates import Verdict

if TYPE_CHECKING:  # difflib, which few runs need
    from .samples import Samples


class Deduplication:
    """Drops duplicates of a kind from batches of documents, or marks them, as *decide* decides; and counts them. Some
    go to *samples*, if there are any."""

    def __init__(
        self,
        kind: str,
        decide: Callable[[list[Record]], Sequence[Verdict]],
        is_marking: bool = False,
        samples: Samples | None = None,
    ) -> None:
        self._kind, self._decide, self._is_marking, self._samples = kind, decide, is_marking, samples
        self.counts = dict.fromkeys(("documents", "duplicates", "paragraphs", "words"), 0)

    def __call__(self, documents: list[Record]) -> list[Record | RecordError | None]:
        """The documents, without duplicates or with marks."""
        return careful(documents, lambda good: list(map(self._result, good, self._decide(good))))

    def _result(self, document: Record, verdict: Verdict) -> Record | None:
        parts = verdict.parts
        self._count(document, verdict)
        if self._samples:
            self._sample(document, verdict, self._samples)
        if not self._is_marking:
            if verdict.is_duplicate:
                return None
            return parts.paragraphs.without(parts.dropped) if parts and any(parts.dropped) else document
        if parts and any(parts.dropped):
            document = parts.paragraphs.marked(parts.marks)
        return document | _mark(self._kind, verdict) if verdict.is_duplicate else document

    def _count(self, document: Record, verdict: Verdict) -> None:
        self.counts["documents"] += 1
        self.counts["duplicates"] += verdict.is_duplicate
        if verdict.parts:
            self.counts["words"] += verdict.parts.words
            self.counts["paragraphs"] += sum(verdict.parts.dropped)
        elif verdict.is_duplicate:
            self.counts["words"] += len(words(text_of(document)))

    def _sample(self, document: Record, verdict: Verdict, samples: Samples) -> None:
        name, parts = name_of(document), verdict.parts
        if parts:
            for text, mark in zip(parts.paragraphs.texts, parts.marks):
                if mark and len(mark) > 1:  # no heading that goes with its text
                    samples.add(name, mark.get("duplicate_of"), mark.get("similarity"), text, True)
        elif verdict.is_duplicate:
            samples.add(name, verdict.of, verdict.similarity, text_of(document))
        if name and not verdict.is_duplicate:
            samples.remember(name, text_of(document))

    def summary(self) -> str:
        """What was found, in one line."""
        count = self.counts
        share = 100 * count["duplicates"] / max(count["documents"], 1)
        out = (
            f"{_counted(count['documents'], 'document')}, {_counted(count['duplicates'], 'duplicate')} ({share:.1f} %)"
        )
        if self._kind in ("paragraphs", "ngrams"):
            out += f", {_counted(count['paragraphs'], 'duplicate paragraph')}"
        return f"{out}, {_counted(count['words'], 'word')} in duplicates"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _mark(kind: str, verdict: Verdict) -> Record:
    out: Record = {"duplicate": kind}
    if verdict.of is not None:
        out["duplicate_of"] = verdict.of
    if verdict.similarity is not None:
        out["similarity"] = round(verdict.similarity, 3)
    return out


def careful(
    documents: list[Record], function: Callable[[list[Record]], list[Record | None]]
) -> list[Record | RecordError | None]:
    """The results of *function*, which changes nothing if it raises RecordError; errors for documents without text."""
    try:
        return [*function(documents)]
    except RecordError:
        checked = [attempt(lambda document: {"text": text_of(document)}, document) for document in documents]
    results = iter(function([one for one, text in zip(documents, checked) if not isinstance(text, RecordError)]))
    return [one if isinstance(one, RecordError) else next(results) for one in checked]
