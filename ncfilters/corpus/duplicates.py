"""Documents and paragraphs that have been seen: what finds duplicates, and two kinds of them by equal text.

finder = ExactDuplicates(state)
finder.find(documents)      # a Verdict on each document, in order

notice = {"text": "All rights are reserved by the owner of this web site."}
ParagraphDuplicates(state).find([notice, notice])[1].is_duplicate    # True
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, Protocol

import xxhash

from ..record import Record
from ..text.lazy_pattern import lazy_pattern
from ..text.words import words
from .documents import LOWEST, Paragraphs, name_of, paragraphs_of, site_of, text_of

if TYPE_CHECKING:
    from .state import State

# The same for ASCII in one pass over its bytes.
_LOWER = bytes(range(65)) + bytes(range(97, 123)) + bytes(range(91, 256))
_LOWER_ZEROS = _LOWER[:48] + b"0" * 10 + _LOWER[58:]
_SPACES = bytes(code for code in range(128) if chr(code).isspace())
_DIGIT = lazy_pattern(r"\d")
_SIGNED = 1 << 63
_CONTENT = Struct("<qq")

# What a whole document is decided by: its name, and the bytes that its duplicates are found by.
Features = tuple[str, bytes]


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
    """Finds documents, or paragraphs, that are duplicates of earlier ones. TABLES are those of its state, MERGE says
    how those of another state join them, SETTINGS have what they depend on besides options."""

    TABLES: str
    MERGE: str
    SETTINGS: Mapping[str, int]

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdict on each document. What is no duplicate is seen from now on. Raises RecordError for documents
        without text, before anything is seen."""


class WholeFinder(DuplicateFinder, Protocol):
    """Finds whole documents by their features, in any order (see `TwoPass`)."""

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        return self.verdicts(self.features(documents))

    def features(self, documents: Sequence[Record]) -> list[Features]:
        """The features of documents. Raises RecordError for documents without text."""
        ...

    def verdicts(self, features: Sequence[Features]) -> list[Verdict]:
        """The verdict on each document, as `find` has it."""
        ...


def fingerprint(text: str, ignore_digits: bool = False) -> tuple[int, int]:
    """The XXH3 hash of a text that is `normalized`, as two signed numbers of 64 bits, the type of integers in SQLite:
    the key that finds an entry, and the rest that confirms it.

    Among n texts, two that differ have the same with a probability of n² / 2**129: 10⁻¹⁹ for ten thousand million.
    """
    key, rest = divmod(xxhash.xxh3_128_intdigest(normalized(text, ignore_digits)), 1 << 64)
    return key - _SIGNED, rest - _SIGNED


def normalized(text: str, ignore_digits: bool = False) -> bytes:
    """The text in Unicode's composed form (NFC), case folded, without white space, in UTF-8. Where digits are ignored,
    each is 0."""
    if text.isascii():
        return text.encode().translate(_LOWER_ZEROS if ignore_digits else _LOWER, _SPACES)
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    bare = "".join(folded.split())
    return (_DIGIT.sub("0", bare) if ignore_digits else bare).encode("utf-8", "surrogatepass")


def exact_features(documents: Sequence[Record], ignore_digits: bool = False) -> list[Features]:
    """The names and fingerprints of documents. Raises RecordError for documents without text."""
    return [
        (name_of(document), _CONTENT.pack(*fingerprint(text_of(document), ignore_digits))) for document in documents
    ]


class ExactDuplicates(WholeFinder):
    """Finds documents with the fingerprint of an earlier one. With *ignore_digits*, digits are equal."""

    # `name` is that of the first document with a fingerprint
    TABLES = "CREATE TABLE entries (key INTEGER PRIMARY KEY, rest INTEGER, name TEXT)"
    MERGE = "INSERT OR IGNORE INTO entries SELECT * FROM other.entries"
    SETTINGS: Mapping[str, int] = {}

    def __init__(self, state: State, ignore_digits: bool = False) -> None:
        self._state, self._ignore_digits = state, ignore_digits

    def features(self, documents: Sequence[Record]) -> list[Features]:
        return exact_features(documents, self._ignore_digits)

    def verdicts(self, features: Sequence[Features]) -> list[Verdict]:
        found = [(*_CONTENT.unpack(content), name) for name, content in features]
        entries = {key: (rest, name) for key, rest, name in self._state.entries({key for key, _, _ in found})}
        new, out = [], []
        for key, rest, name in found:
            first = entries.get(key)
            if first is None:
                entries[key] = rest, name
                new.append((key, rest, name))
            # two texts that share a key alone are not equal; the second is not remembered
            out.append(Verdict(True, str(first[1]), 1.0) if first and first[0] == rest else UNIQUE)
        self._state.add("INSERT INTO entries VALUES (?, ?, ?)", sorted(new))
        return out


# ---- paragraphs ----

PARAGRAPHS = "paragraphs"
MIN_WORDS = 10
_SENTENCE_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f")


class ParagraphDuplicates:
    """Finds paragraphs of earlier documents and of the same one. Paragraphs of fewer than MIN_WORDS words are
    duplicates of those in other documents of the same site alone. Headings go with what is below them. With
    *ignore_digits*, digits are equal."""

    TABLES = """
CREATE TABLE documents (number INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE entries (key INTEGER PRIMARY KEY, document INTEGER)
"""
    MERGE = """
INSERT OR IGNORE INTO entries SELECT key, document + (SELECT coalesce(max(number), 0) FROM documents)
FROM other.entries;
INSERT INTO documents SELECT number + (SELECT coalesce(max(number), 0) FROM documents), name FROM other.documents
"""
    SETTINGS: Mapping[str, int] = {"min words": MIN_WORDS}

    def __init__(self, state: State, ignore_digits: bool = False) -> None:
        self._state, self._ignore_digits = state, ignore_digits
        self._last = state.last_document()

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdict on each document and its paragraphs. Raises RecordError for documents without text."""
        cut = [paragraphs_of(document) for document in documents]
        lengths = [[len(words(text)) for text in one.texts] for one in cut]
        keys = [self._keys(*one) for one in zip(cut, lengths)]
        wanted = {key for some in keys for key in some if key is not None}
        first: dict[int, str] = dict(
            self._state.entries(wanted, "entries.key, name", "JOIN documents ON number = document")
        )
        new: list[tuple[int, int]] = []
        new_documents = []
        out = []
        for paragraphs, counts, some in zip(cut, lengths, keys):
            name = name_of(paragraphs.document)
            owners = [first.get(key) if key is not None else None for key in some]
            self._last += 1
            before = len(new)
            for place, key in enumerate(some):
                if key is not None and owners[place] is None:
                    if key not in first:
                        first[key] = name
                        new.append((key, self._last))
                    elif counts[place] >= MIN_WORDS:  # earlier in this document
                        owners[place] = name
            if len(new) > before:
                new_documents.append((self._last, name))
            out.append(_verdict(paragraphs, counts, owners))
        self._state.add("INSERT INTO documents VALUES (?, ?)", new_documents)
        self._state.add("INSERT INTO entries VALUES (?, ?)", sorted(new))
        return out

    def _keys(self, paragraphs: Paragraphs, lengths: Sequence[int]) -> list[int | None]:
        """What paragraphs are found by; None for those that are never duplicates: without words, and short ones of an
        unknown site."""
        site = site_of(paragraphs.document)
        out: list[int | None] = []
        for text, length in zip(paragraphs.texts, lengths):
            is_short = length < MIN_WORDS
            if not length or is_short and not site:
                out.append(None)
            else:
                out.append(fingerprint(f"{site}\0{text}" if is_short else text, self._ignore_digits)[0])
        return out


def _verdict(paragraphs: Paragraphs, lengths: Sequence[int], owners: Sequence[str | None]) -> Verdict:
    # a short paragraph that is no sentence may be the heading of what is below it, such as "Ingredients" on each page
    # of a site: it has the lowest level
    levels = [
        LOWEST - 1
        if level == LOWEST and length < MIN_WORDS and "\n" not in text and not text.rstrip().endswith(_SENTENCE_ENDS)
        else level
        for text, level, length in zip(paragraphs.texts, paragraphs.levels, lengths)
    ]
    dropped = paragraphs.with_headings([owner is not None for owner in owners], levels)
    marks: list[Record | None] = [
        {"duplicate": PARAGRAPHS} | ({"duplicate_of": owner} if owner else {}) if is_dropped else None
        for owner, is_dropped in zip(owners, dropped)
    ]
    parts = Parts(paragraphs, dropped, marks, sum(n for n, gone in zip(lengths, dropped) if gone))
    if any(dropped) and all(is_dropped or not length for is_dropped, length in zip(dropped, lengths)):
        of = Counter(owner for owner in owners if owner is not None).most_common(1)[0][0]
        return Verdict(True, of, 1.0, parts)
    return Verdict(parts=parts)
