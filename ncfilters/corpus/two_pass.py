"""Duplicates in two passes over the documents: what is kept does not depend on their order.

    passes = TwoPass(finder, state, "longest")
    passes.collect(documents)             # all of them, batch by batch
    passes.decide()
    passes.next_verdicts(documents)       # batch by batch again

The first pass keeps the features of all documents in temporary tables. Then they are decided on by preference: the
longest first, those of the highest quality, or by name; equal ones by name, then by content. So a document that is
preferred stands for those that are like it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from ..errors import UsageError
from ..record import Record
from .documents import name_of, text_of
from .duplicates import UNIQUE, Features, Verdict, WholeFinder
from .state import State

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
        for rows in self._batches():
            verdicts = self._finder.verdicts([Features(name, content) for _, name, content in rows])
            duplicates = [(row[0], one.of, one.similarity) for row, one in zip(rows, verdicts) if one.is_duplicate]
            self._state.add(_ADD_VERDICT, duplicates)

    def _batches(self) -> Iterator[list[tuple[int, str, bytes]]]:
        cursor = self._state.database.execute(_IN_ORDER)
        while rows := cursor.fetchmany(_BATCH):
            yield rows

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
