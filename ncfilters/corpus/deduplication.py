"""Documents without duplicates, or with marks on them, and what was found in numbers.

work = Deduplication("exact", ExactDuplicates(state).find)
work(documents)     # the documents that are no duplicates; None for others, errors for documents without text
work.summary()      # '3 documents, 1 duplicate (33.3 %), 28 words in duplicates'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from ..errors import RecordError, UsageError
from ..record import Record
from ..streams.runner import attempt
from ..text.words import words
from .documents import name_of, text_of
from .duplicates import UNIQUE, Features, Verdict, WholeFinder
from .state import State

if TYPE_CHECKING:
    from .samples import Samples

Preference = Literal["first", "longest", "best"]

_TABLES = (
    "CREATE TEMP TABLE pending (position INTEGER PRIMARY KEY, preference REAL, name TEXT, content BLOB)",
    "CREATE TEMP TABLE verdicts (position INTEGER PRIMARY KEY, name TEXT, similarity REAL)",
)
_ADD = "INSERT INTO pending VALUES (?, ?, ?, ?)"
_IN_ORDER = "SELECT position, name, content FROM pending ORDER BY preference DESC, name, content"
_ADD_VERDICT = "INSERT INTO verdicts VALUES (?, ?, ?)"
_NAMES = "SELECT name FROM pending WHERE position BETWEEN ? AND ? ORDER BY position"
_VERDICTS = "SELECT position, name, similarity FROM verdicts WHERE position BETWEEN ? AND ?"
_CHANGED = "--prefer: the input has changed between the passes"
# Documents that are decided on together.
_BATCH = 1000


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


def preference_of(document: Record, preference: Preference) -> float:
    """What documents are preferred by: the higher, the sooner."""
    if preference == "longest":
        return len(text_of(document))
    return float(document.get("quality") or 0) if preference == "best" else 0


class TwoPass:
    """The documents of one run, whose duplicates *finder* finds."""

    def __init__(self, finder: WholeFinder, state: State, preference: Preference) -> None:
        self._finder, self._state, self._preference = finder, state, preference
        self._collected = self._next = 0
        for statement in _TABLES:
            state.rows(statement)

    def collect(self, documents: Sequence[Record]) -> None:
        """Adds documents of the first pass. Raises RecordError for documents without text."""
        features = self._finder.features(documents)
        rows = []
        for document, (name, content) in zip(documents, features):
            rows.append((self._collected, preference_of(document, self._preference), name, content))
            self._collected += 1
        self._state.add(_ADD, rows)

    def decide(self) -> None:
        """Decides on all documents of the first pass."""
        cursor = self._state.database.execute(_IN_ORDER)
        while rows := cursor.fetchmany(_BATCH):
            verdicts = self._finder.verdicts([Features(name, content) for _, name, content in rows])
            duplicates = [(row[0], one.of, one.similarity) for row, one in zip(rows, verdicts) if one.is_duplicate]
            self._state.add(_ADD_VERDICT, duplicates)

    def next_verdicts(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdicts on the next documents of the second pass. Raises RecordError for documents without text, and
        UsageError for documents that are not those of the first pass."""
        names = [name_of(document) for document in documents if text_of(document) is not None]
        start, self._next = self._next, self._next + len(documents)
        if names != [name for (name,) in self._state.rows(_NAMES, start, self._next - 1)]:
            raise UsageError(_CHANGED)
        rows = self._state.rows(_VERDICTS, start, self._next - 1)
        found = {position: Verdict(True, name, similar) for position, name, similar in rows}
        return [found.get(position, UNIQUE) for position in range(start, self._next)]

    def finish(self) -> None:
        """Ends the second pass. Raises UsageError if it had fewer documents than the first."""
        if self._next != self._collected:
            raise UsageError(_CHANGED)
