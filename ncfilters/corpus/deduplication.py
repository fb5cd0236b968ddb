"""Documents without duplicates, or with marks on them, and what was found in numbers.

work = Deduplication("exact", ExactDuplicates(state).find)
work(documents)     # the documents that are no duplicates; None for others, errors for documents without text
work.summary()      # '3 documents, 1 duplicate (33.3 %), 28 words in duplicates'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from ..errors import RecordError, UsageError
from ..record import Record
from ..streams.runner import attempt
from ..text.words import words
from .documents import name_of, text_of
from .duplicates import UNIQUE, Verdict, WholeFinder
from .state import State

Preference = Literal["first", "longest", "best"]

_PENDING = """
CREATE TEMP TABLE pending (
    position INTEGER PRIMARY KEY, preference REAL, name TEXT, content BLOB,
    is_duplicate INTEGER, of TEXT, similarity REAL
)
"""
_IN_ORDER = "SELECT position, name, content FROM pending ORDER BY preference DESC, name, content"
_DECIDE = "UPDATE pending SET is_duplicate = 1, of = ?, similarity = ? WHERE position = ?"
_DECIDED = "SELECT name, is_duplicate, of, similarity FROM pending WHERE position BETWEEN ? AND ? ORDER BY position"
_CHANGED = "--prefer: the input has changed between the passes"
# Documents that are decided on together.
_BATCH = 1000


class Deduplication:
    """Drops duplicates of a kind from batches of documents, or marks them, as *decide* decides; and counts them. Some
    go to *samples*, if there are any."""

    def __init__(
        self,
        kind: str,
        decide: Callable[[list[Record]], Sequence[Verdict]],
        is_marking: bool = False,
        samples: Samples | None = None,
    ) -> None:
        self._kind, self._decide, self._is_marking, self._samples = kind, decide, is_marking, samples
        self.counts = dict.fromkeys(("documents", "duplicates", "paragraphs", "words"), 0)

    def __call__(self, documents: list[Record]) -> list[Record | RecordError | None]:
        """The documents, without duplicates or with marks."""
        return careful(documents, lambda good: list(map(self._result, good, self._decide(good))))

    def _result(self, document: Record, verdict: Verdict) -> Record | None:
        parts = verdict.parts
        self._count(document, verdict)
        if self._samples:
            self._sample(document, verdict, self._samples)
        if not self._is_marking:
            if verdict.is_duplicate:
                return None
            return parts.paragraphs.without(parts.dropped) if parts and any(parts.dropped) else document
        if parts and any(parts.dropped):
            document = parts.paragraphs.marked(parts.marks)
        if not verdict.is_duplicate:
            return document
        similar = None if verdict.similarity is None else round(verdict.similarity, 3)
        mark = {"duplicate": self._kind, "duplicate_of": verdict.of, "similarity": similar}
        return document | {name: value for name, value in mark.items() if value is not None}

    def _count(self, document: Record, verdict: Verdict) -> None:
        self.counts["documents"] += 1
        self.counts["duplicates"] += verdict.is_duplicate
        if verdict.parts:
            self.counts["words"] += verdict.parts.words
            self.counts["paragraphs"] += sum(verdict.parts.dropped)
        elif verdict.is_duplicate:
            self.counts["words"] += len(words(text_of(document)))

    def _sample(self, document: Record, verdict: Verdict, samples: Samples) -> None:
        name, parts = name_of(document), verdict.parts
        if parts:
            for text, mark in zip(parts.paragraphs.texts, parts.marks):
                if mark and len(mark) > 1:  # no heading that goes with its text
                    samples.add(name, mark.get("duplicate_of"), mark.get("similarity"), text, True)
        elif verdict.is_duplicate:
            samples.add(name, verdict.of, verdict.similarity, text_of(document))
        if name and not verdict.is_duplicate:
            samples.remember(name, text_of(document))

    def summary(self) -> str:
        """What was found, in one line."""
        names = {
            "documents": "document",
            "duplicates": "duplicate",
            "paragraphs": "duplicate paragraph",
            "words": "word",
        }
        found = {name: f"{count:,} {names[name]}{'' if count == 1 else 's'}" for name, count in self.counts.items()}
        found["duplicates"] += f" ({100 * self.counts['duplicates'] / max(self.counts['documents'], 1):.1f} %)"
        if self._kind not in ("paragraphs", "ngrams"):
            del found["paragraphs"]
        return f"{', '.join(found.values())} in duplicates"


def careful(
    documents: list[Record], function: Callable[[list[Record]], list[Record | None]]
) -> list[Record | RecordError | None]:
    """The results of *function*, which changes nothing if it raises RecordError; errors for documents without text."""
    try:
        return [*function(documents)]
    except RecordError:
        checked = [attempt(lambda document: {"text": text_of(document)}, document) for document in documents]
    results = iter(function([one for one, text in zip(documents, checked) if not isinstance(text, RecordError)]))
    return [one if isinstance(one, RecordError) else next(results) for one in checked]


def preference_of(document: Record, preference: Preference) -> float:
    """What documents are preferred by: the higher, the sooner."""
    if preference == "longest":
        return len(text_of(document))
    return float(document.get("quality") or 0) if preference == "best" else 0


class TwoPass:
    """The documents of one run, whose duplicates *finder* finds: `collect` all, `decide`, `find` them in order."""

    def __init__(self, finder: WholeFinder, state: State, preference: Preference) -> None:
        self._finder, self._state, self._preference = finder, state, preference
        self._collected = self._next = 0
        state.rows(_PENDING)

    def collect(self, documents: Sequence[Record]) -> None:
        """Adds documents of the first pass. Raises RecordError for documents without text."""
        rows = [
            (self._collected + place, preference_of(document, self._preference), name, content)
            for place, (document, (name, content)) in enumerate(zip(documents, self._finder.features(documents)))
        ]
        self._state.add("INSERT INTO pending (position, preference, name, content) VALUES (?, ?, ?, ?)", rows)
        self._collected += len(rows)

    def decide(self) -> None:
        """Decides on all documents of the first pass."""
        cursor = self._state.database.execute(_IN_ORDER)
        while rows := cursor.fetchmany(_BATCH):
            verdicts = self._finder.verdicts([(name, content) for _, name, content in rows])
            duplicates = [(one.of, one.similarity, row[0]) for row, one in zip(rows, verdicts) if one.is_duplicate]
            self._state.add(_DECIDE, duplicates)

    def find(self, documents: Sequence[Record]) -> list[Verdict]:
        """The verdicts on the next documents of the second pass. Raises RecordError for documents without text, and
        UsageError for documents that are not those of the first pass."""
        names = [name_of(document) for document in documents if text_of(document) is not None]
        start, self._next = self._next, self._next + len(documents)
        rows = self._state.rows(_DECIDED, start, self._next - 1)
        if names != [row[0] for row in rows]:
            raise UsageError(_CHANGED)
        return [Verdict(True, of, similar) if is_duplicate else UNIQUE for _, is_duplicate, of, similar in rows]

    def finish(self) -> None:
        """Ends the second pass. Raises UsageError if it had fewer documents than the first."""
        if self._next != self._collected:
            raise UsageError(_CHANGED)


# ---- samples ----

# Characters of a text that are shown.
EXCERPT = 3000
_HEAD = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Duplicates</title>
<style>body{font:15px/1.45 system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em}
table{width:100%;table-layout:fixed;border-collapse:collapse;margin:0 0 2em}
td,th{vertical-align:top;text-align:left;padding:.5em;border:1px solid #ccc;overflow-wrap:anywhere;white-space:pre-wrap}
ins{background:#dff3df;text-decoration:none}del{background:#fbe3e3;text-decoration:none}</style>
"""


# A duplicate: its name, that of the document it is a duplicate of, how similar they are, its text, and whether it is a
# paragraph.
_Sample = tuple[str, str | None, float | None, str, bool]


class Samples:
    """*count* of the duplicates, each as likely as any other, and the beginnings of documents in a temporary file."""

    def __init__(self, count: int) -> None:
        import sqlite3  # start-up: few runs have a report
        from random import Random

        self._count, self._seen = count, 0
        self._random = Random(1)
        self._samples: list[_Sample] = []
        self._texts = sqlite3.connect("", isolation_level=None)
        self._texts.execute("CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT)")

    def remember(self, name: str, text: str) -> None:
        """Keeps the text of a document that may have duplicates."""
        self._texts.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (name, text[:EXCERPT]))

    def add(self, name: str, of: str | None, similarity: float | None, text: str, is_part: bool = False) -> None:
        """Takes a duplicate into account, or one paragraph (reservoir sampling, Vitter 1985, algorithm R)."""
        self._seen += 1
        sample = name, of, similarity, text[:EXCERPT], is_part
        if len(self._samples) < self._count:
            self._samples.append(sample)
        elif (place := self._random.randrange(self._seen)) < self._count:
            self._samples[place] = sample

    def html(self, summary: str) -> str:
        """The page. Words that one of two texts has alone are coloured."""
        from html import escape  # start-up: as above

        rows = "".join(self._row(*sample) for sample in self._samples)
        return f"{_HEAD}<h1>Duplicates</h1><p>{escape(summary)}</p>{rows or '<p>There are none.</p>'}</html>\n"

    def _row(self, name: str, of: str | None, similarity: float | None, text: str, is_part: bool) -> str:
        from html import escape  # start-up: as above

        similar = "" if similarity is None else f", similarity {similarity:.2f}"
        head = f"<tr><th>{escape(name)}: dropped{similar}<th>{escape(of or 'seen in earlier documents')}"
        found = self._texts.execute("SELECT text FROM texts WHERE name = ?", (of,)).fetchone()
        if found and not is_part:
            left, right = _compared(text, found[0])
        else:
            right = "" if not of else "has the same" if is_part else "its text is not in this run"
            left = escape(text)
        return f"<table>{head}<tr><td>{left}<td>{right}</table>"


def _compared(one: str, other: str) -> tuple[str, str]:
    from difflib import SequenceMatcher  # start-up: as above
    from html import escape

    words, others = (re.findall(r"[\u3040-\u9fff]|[^\s\u3040-\u9fff]+|\s+", text) for text in (one, other))
    left, right = [], []
    for kind, start, end, other_start, other_end in SequenceMatcher(None, words, others, False).get_opcodes():
        mine, theirs = escape("".join(words[start:end])), escape("".join(others[other_start:other_end]))
        left.append(mine if kind == "equal" or not mine else f"<del>{mine}</del>")
        right.append(theirs if kind == "equal" or not theirs else f"<ins>{theirs}</ins>")
    return "".join(left), "".join(right)
