"""What finds duplicates: all kinds of duplicates share this interface.

finder = ExactDuplicates(state)
finder.find(documents)      # a Verdict on each document, in order
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ..record import Record
from .paragraphs import Paragraphs


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
