"""Fields that have another name in the input of other programs, and names that no record has.

names = FieldNames({"html": "content"})    # --field html=content
names.rename({"content": "<p>Text."})      # {"html": "<p>Text."}
names.message()                            # None; else "no record has the field content (--field html)"
"""

from __future__ import annotations

from collections.abc import Mapping

from ..record import Record


class FieldNames:
    """The names of fields in this input (*fields*: ours → theirs), and which of them have been seen."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = fields
        self._unseen = set(fields)

    def rename(self, record: Record) -> None:
        """Gives fields of a record our names."""
        for ours, theirs in self._fields.items():
            if theirs in record:
                record[ours] = record.pop(theirs)
                self._unseen.discard(ours)

    def see(self, content: object) -> None:
        """Notes the fields of a record, or of a line of JSON that another process reads."""
        for ours in list(self._unseen):
            theirs = self._fields[ours]
            if isinstance(content, bytes):
                import json  # start-up: only for fields of other names

                quoted = (json.dumps(theirs, ensure_ascii=is_ascii).encode() for is_ascii in (False, True))
                is_seen = any(name in content for name in quoted)
            else:
                is_seen = isinstance(content, dict) and theirs in content
            if is_seen:
                self._unseen.discard(ours)

    def message(self) -> str | None:
        """A remark on names that no record had; None if there are none."""
        names = [f"{self._fields[ours]} (--field {ours})" for ours in self._fields if ours in self._unseen]
        return f"no record has the field {' or '.join(names)}" if names else None
