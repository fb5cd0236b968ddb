"""Footnotes whose reference and text are both in the output, and their labels.

notes = Notes.of([{"text": "So he said.1", "type": "p", "spans": [[11, 12, "note", "fn-1"]]},
                  {"text": "In a letter.", "type": "l", "note": {"id": "fn-1"}}])
notes.labels    # {'fn-1': '1'}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...record import Record
from .spans import checked_span
from .tables import table_of

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_BRACKETS = "[](){}^ "


@dataclass(frozen=True)
class Notes:
    """The labels of footnotes by their ids, in the order of their references."""

    labels: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def of(segments: Sequence[Record]) -> Notes:
        """The footnotes of a document: those that a segment refers to, and that a segment outside of tables is.

        Raises RecordError.
        """
        defined = {note for segment in segments if (note := note_id(segment)) and table_of(segment) is None}
        if not defined:
            return NO_NOTES
        marks: dict[str, str] = {}
        for segment in segments:
            for start, end, kind, value in map(checked_span, segment.get("spans") or ()):
                if kind == "note" and value in defined:
                    marks.setdefault(value, segment["text"][start:end].strip(_BRACKETS))
        taken: set[str] = set()
        labels = {}
        for number, (note, mark) in enumerate(marks.items(), 1):
            for label in (mark, note, str(number), f"note-{number}"):
                if _LABEL.fullmatch(label) and label.lower() not in taken:  # labels are the same in either case
                    labels[note] = label
                    taken.add(label.lower())
                    break
            else:
                labels[note] = f"note-{number}-{len(taken)}"
        return Notes(labels)

    def label(self, segment: Record) -> str | None:
        """The label of the footnote that a segment is; None if it is none, or nothing refers to it."""
        note = note_id(segment)
        return self.labels.get(note) if note else None


NO_NOTES = Notes()


def note_id(segment: Record) -> str | None:
    """The id of the footnote that a segment is."""
    note = segment.get("note")
    found = note.get("id") if isinstance(note, dict) else None
    return found if isinstance(found, str) else None
