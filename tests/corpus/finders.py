"""Finders of all kinds for tests, each with a state of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ncfilters.corpus.duplicates import DuplicateFinder, ExactDuplicates, ParagraphDuplicates
from ncfilters.corpus.ngram_duplicates import NearDuplicates, NgramDuplicates
from ncfilters.corpus.state import State

MEMORY = 1 << 26
KINDS: dict[str, Any] = {
    "exact": ExactDuplicates,
    "near": NearDuplicates,
    "paragraphs": ParagraphDuplicates,
    "ngrams": NgramDuplicates,
}


def state_of(kind: str, path: Path | None = None) -> State:
    """A new state of a kind, or what the file has."""
    return State(str(path) if path else None, {"kind": kind}, KINDS[kind].TABLES, MEMORY)


def finder_of(kind: str, state: State | None = None) -> DuplicateFinder:
    """A finder of a kind."""
    finder: DuplicateFinder = KINDS[kind](state or state_of(kind))
    return finder
