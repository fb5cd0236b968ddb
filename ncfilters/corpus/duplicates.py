"""What finds duplicates: all kinds of duplicates share this interface.

finder = ExactDuplicates(state)
finder.find(documents)      # a Verdict on each document, in order
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from struct import Struct
from typing import NamedTuple, Protocol

import xxhash

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from .documents import name_of, text_of
from .paragraphs import Paragraphs
from .state import State

# The same for ASCII in one pass over its bytes.
_LOWER = bytes(range(65)) + bytes(range(97, 123)) + bytes(range(91, 256))
_LOWER_ZEROS = _LOWER[:48] + b"0" * 10 + _LOWER[58:]
_SPACES = bytes(code for code in range(128) if chr(code).isspace())
_DIGIT = lazy_pattern(r"\d")
_SIGNED = 1 << 63

# `key` and `rest` are a fingerprint; `name` is that of the first document that has it.
TABLES = "CREATE TABLE entries (key INTEGER PRIMARY KEY, rest INTEGER, name TEXT)"
_FIND = "SELECT entries.key, rest, name FROM json_each(?) JOIN entries ON entries.key = value"
_ADD = "INSERT INTO entries VALUES (?, ?, ?)"
# How the tables of another state join those of this one.
MERGE = "INSERT OR IGNORE INTO entries SELECT * FROM other.entries"
_CONTENT = Struct("<qq")


class Parts(NamedTuple):
    """The paragraphs of a document: which are *dropped*, the marks of these, and how many words they have."""

    paragraphs: Paragraphs
    dropped: Sequence[bool]
    marks: Sequence[Record | None]
    words: int


class Verdict(NamedTuple):
    """What is known of a document after those before it: whether it is a duplicate, of which one, and how similar; and
    its parts, if these are decided on."""

    is_duplicate: bool = False
    of: str | None = None
    similarity: float | None = None
    parts: Parts | None = None


UNIQUE = Verdict()


class DuplicateFinder(Protocol):
    """Finds documents, or paragraphs, that are duplicates of earlier ones."""

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdict on each document. What is no duplicate is seen from now on. Raises RecordError for documents
        without text, before anything is seen."""


class Features(NamedTuple):
    """What a decision on a whole document depends on: its name, and the bytes that its duplicates are found by."""

    name: str
    content: bytes


class WholeFinder(DuplicateFinder, Protocol):
    """Finds whole documents by their features, in any order (see `two_pass`)."""

    def features(self, documents: Sequence[Record]) -> list[Features]:
        """The features of documents. Raises RecordError for documents without text."""

    def verdicts(self, features: Sequence[Features]) -> list[Verdict]:
        """The verdict on each document, as `find` has it."""


class Fingerprint(NamedTuple):
    """A hash of 128 bits as two signed numbers of 64, the type of integers in SQLite. *key* finds an entry, *rest*
    confirms it."""

    key: int
    rest: int


def fingerprint(text: str, ignore_digits: bool = False) -> Fingerprint:
    """The XXH3 hash of a text that is `normalized`. Among n texts, two that differ have the same with a probability of
    n² / 2**129: 10⁻¹⁹ for ten thousand million."""
    key, rest = divmod(xxhash.xxh3_128_intdigest(normalized(text, ignore_digits)), 1 << 64)
    return Fingerprint(key - _SIGNED, rest - _SIGNED)


def normalized(text: str, ignore_digits: bool = False) -> bytes:
    """The text in Unicode's composed form (NFC), case folded, without white space, in UTF-8. Where digits are ignored,
    each is 0."""
    if text.isascii():
        return text.encode().translate(_LOWER_ZEROS if ignore_digits else _LOWER, _SPACES)
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    bare = "".join(folded.split())
    return (_DIGIT.sub("0", bare) if ignore_digits else bare).encode("utf-8", "surrogatepass")


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
