"""Finders of all kinds for tests, each with a state of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ncfilters.corpus import duplicates, near_duplicates, ngram_duplicates, paragraph_duplicates
from ncfilters.corpus.duplicates import DuplicateFinder, ExactDuplicates
from ncfilters.corpus.near_duplicates import NearDuplicates, NearOptions
from ncfilters.corpus.ngram_duplicates import NgramDuplicates, NgramRules
from ncfilters.corpus.paragraph_duplicates import ParagraphDuplicates
from ncfilters.corpus.state import State

MEMORY = 1 << 26
KINDS: dict[str, tuple[str, str, Callable[[State], DuplicateFinder]]] = {
    "exact": (duplicates.TABLES, duplicates.MERGE, ExactDuplicates),
    "near": (near_duplicates.TABLES, near_duplicates.MERGE, lambda state: NearDuplicates(state, NearOptions())),
    "paragraphs": (paragraph_duplicates.TABLES, paragraph_duplicates.MERGE, ParagraphDuplicates),
    "ngrams": (ngram_duplicates.TABLES, ngram_duplicates.MERGE, lambda state: NgramDuplicates(state, NgramRules())),
}


def state_of(kind: str, path: Path | None = None) -> State:
    """A new state of a kind, or what the file has."""
    return State(str(path) if path else None, {"kind": kind}, KINDS[kind][0], MEMORY)


def finder_of(kind: str, state: State | None = None) -> DuplicateFinder:
    """A finder of a kind."""
    return KINDS[kind][2](state or state_of(kind))
