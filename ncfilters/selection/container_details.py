"""Data tables, code, displayed formulas, lists and quotes that models drop although they stand in the text: where
segments have markup (see nc-segment --markup), they go with the kept text of their container.

    table = table_of([{"text": "It rained all day.", "path": "body/article/p", "score": 3.0},
                      {"text": "rain(1)", "path": "body/article/pre", "score": -0.5, "code": 1}])
    keep_in_container(table, [True, False])    # [True, True]

The time is linear in the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..record import SEGMENT_FIELDS, Record, check_optional
from ..text.lazy_pattern import lazy_pattern
from .scored_table import ScoredTable

# Bits. The mean score of what is kept is higher. On the WCXB development pages with tables or code (the first 250),
# bag-F with markup is 0.04 points higher with the rule: three pages gain, one loses. Of 120 pages of DAnIEL and 150 of
# Dragnet, none changes.
# Lists and quotes have less evidence of their own: on held-out pages of five sets (551), 23 of 24 items between kept
# segments that score higher than -1 and are no links are gold text, and 17 % of those from -3 to -1 (162).
LEAST_SCORES = {"table": -3.0, "code": -2.0, "list": -1.0, "quote": -1.0}
# The elements between a table, code or a formula and the container that has the text; and the share of the page's kept
# words that this has. Editors wrap tables in elements of their own; lists stand in the text.
WRAPPERS, KEPT_SHARE = {"table": 3, "code": 2, "formula": 2, "list": 2, "quote": 2}, 0.5
# The elements from a table without <table> down to its cells: groups of rows, rows, cells.
CELL_DEPTH = 3
# A table or list with a higher share of links is a menu.
MAX_LINKS = 0.5
# A segment is a displayed formula if at least this share of its characters is.
FORMULA_SHARE = 0.9
# Containers of a page that are examined.
MAX_CONTAINERS = 50

_ELEMENT = {
    "table": lazy_pattern(r".*/table(?![\w-])[^/]*", re.DOTALL),
    "code": lazy_pattern(r".*/(?:pre|table|code|figure)(?![\w-])[^/]*", re.DOTALL),
    "list": lazy_pattern(r".*?/(?:ul|ol|menu)(?![\w-])[^/]*(?=/)", re.DOTALL),
    "quote": lazy_pattern(r".*/blockquote(?![\w-])[^/]*", re.DOTALL),
}

# The fields that make a segment a part of such an element.
_FIELDS = frozenset(("code", "table", "spans", "item", "quote"))
# Classes and ids of wikis and of many systems.
_MENU = lazy_pattern(r"/[^/]*[.#](?:navbox|ambox|catlinks|breadcrumbs?|pagination|sistersitebox|toc)(?![a-z])", re.I)


def keep_in_container(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, and with it the tables, code, formulas, lists and quotes of the container of the kept text. Hidden and
    marked ones stay as they are."""
    out = list(kept)
    if _FIELDS.isdisjoint(table.names) or True not in out:
        return out
    containers = _Containers(table, kept)
    for name, members in _elements(table.segments):
        decisions = [out[row] for row in members]
        if all(decisions) or name in ("list", "quote") and True in decisions:
            continue
        scores = [table.score[row] for row in members]
        if name == "table" and len(members) < 2:
            continue
        if name in ("table", "list") and is_menu(table.segments[members[0]]):
            continue
        if name in ("table", "list") and _link_share(table.segments, members) > MAX_LINKS:
            continue
        if (name == "formula" or sum(scores) > LEAST_SCORES[name] * len(scores)) and containers.has_text_of(
            name, members
        ):
            for row in members:
                out[row] = True
    return out


def is_menu(segment: Record) -> bool:
    """Whether a segment is in an element that leads to other pages, or has what editors say to each other."""
    return _MENU.search(segment.get("path", "")) is not None


def is_displayed(segment: Record) -> bool:
    """Whether a segment is a displayed formula."""
    covered: int = sum(span[1] - span[0] for span in segment.get("spans", ()) if span[2] == "math")
    return covered >= max(1, FORMULA_SHARE * len(segment["text"].strip()))


def _elements(segments: list[Record]) -> Iterator[tuple[str, list[int]]]:
    """The name and the segments of each table, block of code, displayed formula, list and quote."""
    found: dict[tuple[str, int], list[int]] = {}
    last, start = "", 0  # of a list or a quote: its path, and its first segment
    for index, segment in enumerate(segments):
        if "hidden" in segment or "rule" in segment or "path" not in segment:
            continue
        if "code" in segment:
            found.setdefault(("code", segment["code"]), []).append(index)
        elif "table" in segment:
            found.setdefault(("table", segment["table"]), []).append(index)
        elif "spans" in segment and is_displayed(segment):
            found["formula", index] = [index]
        elif name := "list" if "item" in segment else "quote" if "quote" in segment else "":
            match = _ELEMENT[name].match(segment["path"])
            path = match[0] if match else segment["path"]
            members = found.get((name, start))  # in order
            if path != last or not members or members[-1] != index - 1:
                last, start = path, index
            found.setdefault((name, start), []).append(index)
    for (name, _), members in found.items():
        yield name, members


class _Containers:
    """The share of the kept words in each container, and the kept segments before a place."""

    def __init__(self, table: ScoredTable, kept: list[bool]) -> None:
        self._sizes, self._path = table.words(), table.path
        self._kept = [row for row in table.visible if kept[row]]
        self._words = sum([self._sizes[row] for row in self._kept])
        self._known: dict[str, tuple[float, int]] = {}

    def has_text_of(self, name: str, members: list[int]) -> bool:
        """Whether the container of an element has most of the kept text, and some of it before the element."""
        path = self._path[members[-1]]
        found = _ELEMENT[name].match(path) if name in _ELEMENT else None
        container = found[0] if found else path
        for _ in range(WRAPPERS[name] + (CELL_DEPTH if name == "table" and found is None else 0)):
            container = container.rpartition("/")[0]
            if "/" not in container:  # all of the page
                return False
            words, first = self._kept_in(container)
            if words >= KEPT_SHARE * self._words and first < members[0]:
                return True
        return False

    def _kept_in(self, container: str) -> tuple[float, int]:
        """The number of kept words in a container, and the row of its first kept segment."""
        if container not in self._known:
            if len(self._known) >= MAX_CONTAINERS:
                return 0.0, 0
            prefix = container + "/"
            inside = [row for row in self._kept if self._path[row].startswith(prefix)]
            first = inside[0] if inside else len(self._path)
            self._known[container] = sum([self._sizes[row] for row in inside]), first
        return self._known[container]


def _link_share(segments: list[Record], members: list[int]) -> float:
    """The share of characters in links. Raises RecordError."""
    chars = sum(len(segments[index]["text"]) for index in members)
    try:
        return sum(segments[index].get("links", 0) for index in members) / chars if chars else 1.0
    except TypeError:
        check_optional(segments, "segments", {"links": SEGMENT_FIELDS["links"]})
        raise
