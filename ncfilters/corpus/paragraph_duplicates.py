"""Paragraphs that have been seen, in any document; short ones, in a document of the same site. Headings go with
what is below them.

finder = ParagraphDuplicates(State(None, {}, TABLES, 1 << 28), min_words=10)
finder.find([{"text": "All rights are reserved by the owner of this web site."}] * 2)[1].is_duplicate    # True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..record import Record
from ..text.words import words
from .documents import name_of, site_of
from .duplicates import Parts, Verdict, fingerprint
from .paragraphs import LOWEST, Paragraphs, paragraphs_of
from .state import State

KIND = "paragraphs"
TABLES = """
CREATE TABLE documents (number INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE entries (key INTEGER PRIMARY KEY, document INTEGER)
"""
_FIND = (
    "SELECT entries.key, name FROM json_each(?) JOIN entries ON entries.key = value JOIN documents ON number = document"
)
_ADD = "INSERT INTO entries VALUES (?, ?)"
_ADD_DOCUMENT = "INSERT INTO documents VALUES (?, ?)"
_LAST = "SELECT coalesce(max(number), 0) FROM documents"
MERGE = """
INSERT OR IGNORE INTO entries SELECT key, document + (SELECT coalesce(max(number), 0) FROM documents)
FROM other.entries;
INSERT INTO documents SELECT number + (SELECT coalesce(max(number), 0) FROM documents), name FROM other.documents
"""
MIN_WORDS = 10
_SENTENCE_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f")


class ParagraphDuplicates:
    """Finds paragraphs of earlier documents and of the same one. Paragraphs of fewer than *min_words* words are
    duplicates of those in other documents of the same site alone. With *ignore_digits*, digits are equal."""

    def __init__(self, state: State, min_words: int = MIN_WORDS, ignore_digits: bool = False) -> None:
        self._state, self._min_words, self._ignore_digits = state, min_words, ignore_digits
        self._last: int = state.rows(_LAST)[0][0]

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdict on each document and its paragraphs. Raises RecordError for documents without text."""
        cut = [paragraphs_of(document) for document in documents]
        lengths = [[len(words(text)) for text in one.texts] for one in cut]
        keys = [self._keys(*one) for one in zip(cut, lengths)]
        wanted = sorted({key for some in keys for key in some if key is not None})
        first: dict[int, str] = dict(self._state.rows(_FIND, str(wanted)))
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
                    elif counts[place] >= self._min_words:  # earlier in this document
                        owners[place] = name
            if len(new) > before:
                new_documents.append((self._last, name))
            out.append(_verdict(paragraphs, counts, owners, self._levels(paragraphs, counts)))
        self._state.add(_ADD_DOCUMENT, new_documents)
        self._state.add(_ADD, sorted(new))
        return out

    def _keys(self, paragraphs: Paragraphs, lengths: Sequence[int]) -> list[int | None]:
        """What paragraphs are found by; None for those that are never duplicates: without words, and short ones of an
        unknown site."""
        site = site_of(paragraphs.document)
        out: list[int | None] = []
        for text, length in zip(paragraphs.texts, lengths):
            is_short = length < self._min_words
            if not length or is_short and not site:
                out.append(None)
            else:
                out.append(fingerprint(f"{site}\0{text}" if is_short else text, self._ignore_digits).key)
        return out

    def _levels(self, paragraphs: Paragraphs, lengths: Sequence[int]) -> list[int]:
        """The levels of headings. A short paragraph that is no sentence may be the heading of what is below it, such as
        "Ingredients" on each page of a site: it is the lowest one."""
        return [
            LOWEST - 1 if level == LOWEST and length < self._min_words and _may_be_heading(text) else level
            for text, level, length in zip(paragraphs.texts, paragraphs.levels, lengths)
        ]


def _may_be_heading(text: str) -> bool:
    return "\n" not in text and not text.rstrip().endswith(_SENTENCE_ENDS)


def _verdict(
    paragraphs: Paragraphs, lengths: Sequence[int], owners: Sequence[str | None], levels: Sequence[int]
) -> Verdict:
    dropped = paragraphs.with_headings([owner is not None for owner in owners], levels)
    marks: list[Record | None] = [
        {"duplicate": KIND} | ({"duplicate_of": owner} if owner else {}) if is_dropped else None
        for owner, is_dropped in zip(owners, dropped)
    ]
    parts = Parts(paragraphs, dropped, marks, sum(n for n, gone in zip(lengths, dropped) if gone))
    if any(dropped) and all(is_dropped or not length for is_dropped, length in zip(dropped, lengths)):
        of = Counter(owner for owner in owners if owner is not None).most_common(1)[0][0]
        return Verdict(True, of, 1.0, parts)
    return Verdict(parts=parts)
