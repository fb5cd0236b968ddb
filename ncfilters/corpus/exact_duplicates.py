"""Documents whose text has been seen, apart from case, white space and Unicode composition.

finder = ExactDuplicates(State(None, {}, TABLES, 1 << 28))
finder.find([{"id": "a", "text": "It rained."}, {"id": "b", "text": "it  rained."}])[1].of    # 'a'
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

from ..record import Record
from .documents import name_of, text_of
from .duplicates import UNIQUE, Features, Verdict
from .fingerprints import fingerprint
from .state import State

# `key` and `rest` are a fingerprint; `name` is that of the first document that has it.
TABLES = "CREATE TABLE entries (key INTEGER PRIMARY KEY, rest INTEGER, name TEXT)"
_FIND = "SELECT entries.key, rest, name FROM json_each(?) JOIN entries ON entries.key = value"
_ADD = "INSERT INTO entries VALUES (?, ?, ?)"
# How the tables of another state join those of this one.
MERGE = "INSERT OR IGNORE INTO entries SELECT * FROM other.entries"
_CONTENT = Struct("<qq")


def features(documents: Sequence[Record], ignore_digits: bool = False) -> list[Features]:
    """The names and fingerprints of documents. Raises RecordError for documents without text."""
    return [
        Features(name_of(document), _CONTENT.pack(*fingerprint(text_of(document), ignore_digits)))
        for document in documents
    ]


class ExactDuplicates:
    """Finds documents with the fingerprint of an earlier one. With *ignore_digits*, digits are equal."""

    def __init__(self, state: State, ignore_digits: bool = False) -> None:
        self._state, self._ignore_digits = state, ignore_digits

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        return self.verdicts(self.features(documents))

    def features(self, documents: Sequence[Record]) -> list[Features]:
        return features(documents, self._ignore_digits)

    def verdicts(self, features: Sequence[Features]) -> list[Verdict]:
        found = [_CONTENT.unpack(one.content) for one in features]
        keys = sorted({key for key, _ in found})
        entries = {key: (rest, name) for key, rest, name in self._state.rows(_FIND, str(keys))}
        new, out = [], []
        for (key, rest), one in zip(found, features):
            first = entries.get(key)
            if first is None:
                entries[key] = rest, one.name
                new.append((key, rest, one.name))
            # two texts that share a key alone are not equal; the second is not remembered
            out.append(Verdict(True, str(first[1]), 1.0) if first and first[0] == rest else UNIQUE)
        self._state.add(_ADD, sorted(new))
        return out
