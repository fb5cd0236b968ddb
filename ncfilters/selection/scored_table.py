"""The scored segments of a page as columns: what decisions read, once for all of them.

    table = table_of([{"text": "It rained.", "type": "p", "path": "body/p", "score": 2.0}])
    table.score, table.words(), table.total    # [2.0], [2], 2

Records stay beside the columns: rules of markup read fields that few segments have.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..native.text_counts import CharCounter, num_words
from ..record import EMBEDDED, SEGMENT_FIELDS, Record, check_optional
from ..text.scripts import CHARS_PER_WORD_ROUNDED, UNSPACED_ALL


class ScoredTable:
    """A row for each segment; every column has the same length.

    `names`: the fields that some segment has. `text`, `type`, `score`, `rule`, `role`, `role_probability` as in
    records, None for a segment without; `path`: empty for a segment without one. `visible`: the rows that are no
    embedded content. `sizes`: the numbers of words, and `total` their sum; `paths`: the different paths, and `place`
    for each row the number of its own: see `words` and `places`.
    """

    def __init__(self, segments: list[Record], names: set[str] | None = None) -> None:
        self.segments = segments
        self.names: set[str] = set().union(*segments) if names is None else names
        self._fill()
        self.rule: list[str | None] = self.column("rule", None)
        self.visible = [row for row, rule in enumerate(self.rule) if rule is None or rule != EMBEDDED]
        self.sizes: list[float] = []
        self.total = 0.0
        self.paths: list[str] = []
        self.place: list[int] = []
        self._rows_of_roles: dict[str | None, list[int]] = {}
        self._all_paths = ""

    def _fill(self) -> None:
        """Makes the columns of what most segments have: in one pass, because they are many."""
        text: list[str] = []
        kind: list[Any] = []
        score: list[Any] = []
        path: list[str] = []
        role: list[str | None] = []
        probability: list[Any] = []
        for segment in self.segments:
            text.append(segment["text"])
            kind.append(segment.get("type"))
            score.append(segment.get("score"))
            path.append(segment.get("path", ""))
            role.append(segment.get("role"))
            probability.append(segment.get("role_probability"))
        self.text, self.type, self.score, self.path = text, kind, score, path
        self.role, self.role_probability = role, probability

    def __len__(self) -> int:
        return len(self.text)

    def column(self, name: str, default: object) -> list[Any]:
        """The values of a field; the *default* for segments without it."""
        if name not in self.names:
            return [default] * len(self.segments)
        return [segment.get(name, default) for segment in self.segments]

    def with_scores(self, score: list[float]) -> ScoredTable:
        """The table with other scores."""
        out = ScoredTable(self.segments, self.names)
        out.score = score
        return out

    def seen(self) -> ScoredTable:
        """The table of the rows that are `visible`."""
        out = ScoredTable([self.segments[row] for row in self.visible])
        out.score = [self.score[row] for row in self.visible]
        return out

    def words(self) -> list[float]:
        """The number of words of each text (see `word_counts`)."""
        if not self.sizes:
            self.sizes = word_counts(self.text)
            self.total = sum(self.sizes)
        return self.sizes

    def mean_score(self, rows: list[int]) -> float:
        """The mean score of rows, by words; 0 without rows."""
        sizes = self.words()
        words = sum([sizes[row] for row in rows])
        return sum([sizes[row] * self.score[row] for row in rows]) / words if words else 0.0

    def rows_of_roles(self) -> dict[str | None, list[int]]:
        """The rows of each role."""
        out = self._rows_of_roles
        if not out:
            for row, role in enumerate(self.role):
                rows = out.get(role)
                if rows is None:
                    rows = out[role] = []
                rows.append(row)
        return out

    def places(self) -> list[int]:
        """The number of each path in `paths`."""
        if not self.place:
            numbers: dict[str, int] = {}
            self.place = [numbers.setdefault(path, len(numbers)) for path in self.path]
            self.paths = list(numbers)
        return self.place

    def matches(self, pattern: Any, parts: tuple[str, ...]) -> list[Any]:
        """What a pattern finds in each of `paths`. It is not searched, and the list is empty, if no path has one of the
        *parts*, of which each match has one, in small letters or in capitals."""
        self.places()
        if not self._all_paths:
            self._all_paths = "\0".join(self.paths).lower()
        found = [part for part in parts if part in self._all_paths]
        if not found:
            return []
        out: list[Any] = []
        for path, lower in zip(self.paths, self._all_paths.split("\0")):
            match = None
            for part in found:
                if part in lower:
                    match = pattern.search(path)
                    break
            out.append(match)
        return out


def table_of(segments: list[Record] | ScoredTable) -> ScoredTable:
    """The table of segments, which may be one."""
    return segments if isinstance(segments, ScoredTable) else ScoredTable(segments)


def word_counts(texts: list[str]) -> list[float]:
    """The number of words of each text: strings between spaces, and half the characters of scripts that have no spaces;
    at least 1."""
    out: list[float] = []
    for text, count in zip(texts, num_words(texts)):
        if not text.isascii() and (unspaced := _unspaced().count(text)):
            out.append(max(count + unspaced / CHARS_PER_WORD_ROUNDED, 1.0))
        else:
            out.append(float(count or 1))
    return out


@cache
def _unspaced() -> CharCounter:
    """Counts the characters of scripts without spaces between words: Thai, Lao, Myanmar, Khmer; kana and Han. Making it
    takes 2 ms where nothing is compiled."""
    return CharCounter(UNSPACED_ALL)


def link_share(table: ScoredTable, rows: list[int]) -> float:
    """The share of characters in links. Raises RecordError."""
    chars = sum([len(table.text[row]) for row in rows])
    try:
        return sum([table.segments[row].get("links", 0) for row in rows]) / chars if chars else 1.0
    except TypeError:
        check_optional(table.segments, "segments", {"links": SEGMENT_FIELDS["links"]})
        raise
