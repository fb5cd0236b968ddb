"""The elements of a page that are decided as a whole: tables, lists, definitions, code and quotes.

    table = table_of([{"text": "2 eggs", "type": "l", "marker": "*", "path": "body/ul/li", "score": 2.0},
                      {"text": "For the sauce", "type": "h", "path": "body/h4", "score": 0.5},
                      {"text": "Salt", "type": "l", "marker": "*", "path": "body/ul/li", "score": -1.0}])
    elements_of(table, [True, False, False])    # [Element(kind='list', path='body/ul', rows=[0, 2], headings=[1])]

They are read from the paths of segments, which are the same with and without markup. Paths have no positions, so that
equal elements in a row are one.
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

import re
from typing import NamedTuple

from ..text.lazy_pattern import lazy_pattern
from .scored_table import ScoredTable

# Groups of items under headings ("For the sauce") are one list, if at most so many segments of at most so many
# characters are between them.
MAX_HEADINGS, MAX_HEADING_CHARS = 2, 60

_KINDS = {"pre": "code", "table": "table", "dl": "definitions", "blockquote": "quote"}  # others are lists
_ELEMENT = lazy_pattern(r".*/(table|dl|ul|ol|menu|dir|blockquote|pre)(?![\w-])[^/]*", re.DOTALL)
# A list in an item of another.
_INNER_LIST = lazy_pattern(r"/li(?![\w-])[^/]*/(?:ul|ol)(?![\w-])[^/]*$")
# Displayed formulas (MathML, KaTeX, wikis, LaTeXML) and notes below a text, by their elements, classes and ids.
_FORMULA = lazy_pattern(r"/math(?![\w-])|[.#](?:katex-display|mwe-math|ltx_equation|math|equation)(?![a-z])")
_NOTE = lazy_pattern(r"[.#](?:footnotes?|endnotes?)(?![a-z])|#fn[-:]?\w")


class Element(NamedTuple):
    """An element: its kind, its path, its segments, and the headings between its items."""

    kind: str
    path: str
    rows: list[int]
    headings: list[int]


def elements_of(table: ScoredTable, kept: list[bool]) -> list[Element]:
    """The elements of a page in order, without those that begin with marked segments which are not *kept*, such as
    menus. Linear in the page."""
    places, rules = table.places(), table.rule
    kinds: list[tuple[str, str] | None] = [None] * len(table.paths)
    out: list[Element] = []
    lists: dict[str, Element] = {}  # the last list of each path
    current: Element | None = None
    for at, row in enumerate(table.visible):
        if current is None and rules[row] is not None and not kept[row]:
            continue
        found = kinds[places[row]]
        if found is None:
            found = kinds[places[row]] = kind_of(table.path[row])
        kind, path = found
        if not kind:
            current = None
            continue
        if current is None or current.path != path:
            current = lists.get(path)
            headings = None if current is None else _headings_between(table, current, at)
            if current is None or headings is None:
                current = Element(kind, path, [], [])
                out.append(current)
                if kind == "list":
                    lists[path] = current
            else:
                current.headings.extend(headings)
        current.rows.append(row)
    return out


def kind_of(path: str) -> tuple[str, str]:
    """The kind and the path of the element that a path is in; empty if there is none."""
    for kind, pattern in (("note", _NOTE), ("formula", _FORMULA)):
        if pattern.search(path):
            return kind, path
    match = _ELEMENT.match(path)
    if match is None:
        return "", ""
    kind, own = _KINDS.get(match[1], "list"), match[0]
    while kind == "list" and (inner := _INNER_LIST.search(own)):
        own = own[: inner.start()]
    return kind, own


def _headings_between(table: ScoredTable, before: Element, at: int) -> list[int] | None:
    """The segments between a list and the segment *at*, if they are headings of a part of the list."""
    out: list[int] = []
    while table.visible[at - 1] != before.rows[-1]:
        at -= 1
        row = table.visible[at]
        if len(out) == MAX_HEADINGS or len(table.text[row]) > MAX_HEADING_CHARS:
            return None
        if table.type[row] != "h" or not before.path.startswith(f"{table.path[row].rpartition('/')[0]}/"):
            return None
        out.append(row)
    return out
