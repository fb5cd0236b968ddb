"""A scored page as columns: what decisions read, once for all of them.

    page = page_of([{"text": "It rained.", "type": "p", "path": "body/p", "score": 2.0}])
    page.score, page.words(), page.total    # [2.0], [2], 2

Records stay beside the columns: rules of markup read fields that few segments have.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from ..native.text_counts import CharacterSet, num_words
from ..page.blocks.block_table import BlockTable
from ..page.element_table import ElementTable
from ..record import EMBEDDED, Record
from ..text.scripts import CHARS_PER_WORD_ROUNDED, UNSPACED_ALL

# Marks of a segment: fields that few have.
IS_ITEM, IS_PRE, HIDDEN, NOT_SHOWN, NOSCRIPT, DECLARED = (1 << bit for bit in range(6))
# A list has these types, with at least this probability of both.
LISTS, MIN_LIST = ("listing", "collection"), 0.3


class ScoredPage:
    """A row for each segment; every column has the same length.

    `segments`: a table, or records of a stream. `names`: the fields that some segment has. `text`, `type`, `score`,
    `rule`, `role`, `role_probability` as in records, None for a segment without. `visible`: the rows that are no
    embedded content. `evidence`: what the record says of the page, empty where scores are not calibrated.

    After `read_elements`: `elements`, and for each row its `element`; `same`, the first row with the same text; `post`,
    -1 for none; `part`, empty for none; `links`, characters in links; `marks`.
    """

    def __init__(self, segments: Any, names: set[str] | None = None) -> None:
        self.segments = segments
        self.table: BlockTable | None = segments if isinstance(segments, BlockTable) else None
        if names is None:
            names = set().union(*segments) if self.table is None else self.table.field_names()
        self.names: set[str] = names
        self.evidence: Record = {}
        self.document: Record = {}  # the record, for the title in its head
        self.main: ScoredPage = self  # the page with its scores under the policy `main`
        self._fill()
        self.rule: list[str | None] = self.column("rule", None)
        self.visible = [row for row, rule in enumerate(self.rule) if rule is None or rule != EMBEDDED]
        self.sizes: list[float] = []
        self.total = 0.0
        self.elements: Any = None
        self.element: list[int] = []
        self.same: list[int] = []
        self.post: list[int] = []
        self.part: list[str] = []
        self.links: list[int] = []
        self.marks: list[int] = []
        self.blocks: list[int] = []  # for each element the block that it is in, when they are read
        self.shown_chars = 0  # of `visible`
        self.title = -1  # the row of the title, when it is found

    def _fill(self) -> None:
        """Makes the columns of what most segments have: of records in one pass, because they are many."""
        if self.table is not None:
            table = self.table
            self.text, self.type, self.score = table.text, table.column("type", None), table.column("score", None)
            self.role, self.role_probability = table.column("role", None), table.column("role_probability", None)
            return
        text: list[str] = []
        kind: list[Any] = []
        score: list[Any] = []
        role: list[str | None] = []
        probability: list[Any] = []
        for segment in self.segments:
            text.append(segment["text"])
            kind.append(segment.get("type"))
            score.append(segment.get("score"))
            role.append(segment.get("role"))
            probability.append(segment.get("role_probability"))
        self.text, self.type, self.score = text, kind, score
        self.role, self.role_probability = role, probability

    def place_elements(self) -> None:
        """Reads the elements of the page: from the paths of records, where no table has them."""
        if self.elements is not None:
            return
        if self.table is not None:
            self.elements, self.element = self.table.elements, self.table.element
            return
        elements = self.elements = ElementTable()
        for segment in self.segments:
            self.element.append(elements.add(segment.get("path", "")))

    def read_elements(self) -> None:
        """Makes the columns that the structure of the page is read from."""
        if self.same:
            return
        self.place_elements()
        self.elements.read_signs()
        self.elements.read_shapes()
        self.shown_chars = self.chars(self.visible)
        first: dict[str, int] = {}
        self.same = [first.setdefault(text, row) for row, text in enumerate(self.text)]
        self.post, self.part = self.column("post", -1), self.column("part", "")
        self.links, self.marks = self.column("links", 0), [0] * len(self.text)
        for name, mark in (("marker", IS_ITEM), ("pre", IS_PRE), ("hidden", HIDDEN), ("declared", DECLARED)):
            if name in self.names:
                for row, value in enumerate(self.column(name, None)):
                    if value is not None:
                        self.marks[row] |= mark
        for row, hidden in enumerate(self.column("hidden", "aria")) if "hidden" in self.names else ():
            if hidden != "aria":
                self.marks[row] |= NOT_SHOWN
        for row, origin in enumerate(self.column("origin", "")) if "origin" in self.names else ():
            if origin == "noscript":
                self.marks[row] |= NOSCRIPT

    def __len__(self) -> int:
        return len(self.text)

    def column(self, name: str, default: object) -> list[Any]:
        """The values of a field; the *default* for segments without it."""
        if name not in self.names:
            return [default] * len(self.text)
        if self.table is not None:
            return self.table.column(name, default)
        return [segment.get(name, default) for segment in self.segments]

    def with_scores(self, score: list[float]) -> ScoredPage:
        """The page with other scores."""
        out = ScoredPage(self.segments, self.names)
        out.score, out.evidence, out.document, out.main = score, self.evidence, self.document, self
        out.elements, out.element = self.elements, self.element
        return out

    def seen(self) -> ScoredPage:
        """The page of the rows that are `visible`."""
        table = self.table
        segments = [self.segments[row] for row in self.visible] if table is None else table.part(self.visible)
        out = ScoredPage(segments, self.names)
        out.score = [self.score[row] for row in self.visible]
        return out

    def words(self) -> list[float]:
        """The number of words of each text (see `word_counts`)."""
        if not self.sizes:
            self.sizes = word_counts(self.text)
            self.total = sum(self.sizes)
        return self.sizes

    def size(self, rows: Iterable[int]) -> float:
        """The number of words of rows."""
        sizes = self.words()
        return sum([sizes[row] for row in rows])

    def chars(self, rows: Iterable[int]) -> int:
        """The number of characters of rows."""
        return sum([len(self.text[row]) for row in rows])

    def mean_score(self, rows: list[int]) -> float:
        """The mean score of rows, by words; 0 without rows."""
        sizes = self.words()
        total = self.size(rows)
        return sum([sizes[row] * self.score[row] for row in rows]) / total if total else 0.0

    def container(self, rows: list[int], share: float) -> int:
        """The innermost element that has this share of the words of rows in elements of its own; 0 is the page."""
        sizes, elements = self.words(), self.elements
        own = [0.0] * len(elements)
        for row in rows:
            own[elements.parent[self.element[row]]] += sizes[row]
        sums = elements.sums(own)
        least = share * sums[0]
        return max([at for at, size in enumerate(sums) if size >= least], key=elements.depth.__getitem__)

    def link_share(self, rows: list[int]) -> float:
        """The share of characters in links."""
        return sum([self.links[row] for row in rows]) / max(self.chars(rows), 1)

    def is_article(self) -> bool:
        """Whether the page is an article by its most probable type, or has none."""
        types: dict[str, float] = self.evidence.get("types") or {}
        return not types or max(types, key=types.__getitem__) == "article"

    def is_list(self) -> bool:
        """Whether the page may be a list of others."""
        types = self.evidence.get("types") or {}
        return bool(sum([types.get(name, 0.0) for name in LISTS]) >= MIN_LIST)


def page_of(segments: Any) -> ScoredPage:
    """The page of segments, which may be one."""
    return segments if isinstance(segments, ScoredPage) else ScoredPage(segments)


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
def _unspaced() -> CharacterSet:
    """The characters of scripts without spaces between words: Thai, Lao, Myanmar, Khmer; kana and Han. Making it
    takes 2 ms where nothing is compiled."""
    return CharacterSet(UNSPACED_ALL)
