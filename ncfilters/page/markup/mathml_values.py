"""MathML in attributes, as an older MathJax leaves it: short formulas are parsed together, because a page may have
thousands of them and a parser takes longer to set up than to read one.

    values = MathmlValues(page, carriers)
    values.math("<math><mi>x</mi></math>")    # a table, and the row of the <math>
"""

from __future__ import annotations

from collections.abc import Iterator

from ...native.element_names import number_of_tag
from ...native.page_table import PageTable, table_of
from ...text.lazy_pattern import lazy_pattern
from ..tree.html_parser import lexbor_tree, parse_html
from ..tree.table_rows import children

# Characters of a formula, of one that is parsed with others, and of these together.
MAX_CHARS, MAX_SHORT_CHARS, MAX_TOGETHER = 20_000, 1_000, 8_000

_DIV, _MATH = number_of_tag("div"), number_of_tag("math")
_ATTRIBUTES = r"(?:\s+[\w:-]+(?:=\"[^\"<>&\0]*\"|='[^'<>&\0]*')?)*\s*"
_NAMES = (
    "mrow|mi|mn|mo|ms|mtext|mspace|mfrac|msqrt|mroot|msub|msup|msubsup|mover|munder|munderover|mtable|mtr|mtd|"
    "mlabeledtr|mstyle|mpadded|mphantom|mfenced|menclose|merror|semantics"
)
_TEXT = "[^<>&\0\ud800-\udfff]*"
# A formula of these elements alone: nothing in it ends another element than those of MathML, or goes on behind it.
_SIMPLE = lazy_pattern(
    rf"<math{_ATTRIBUTES}>{_TEXT}(?:(?:&#?\w{{1,8}};|</?(?:{_NAMES}){_ATTRIBUTES}/?>){_TEXT})*</math>"
)


class MathmlValues:
    """Reads the values of the attributes `data-mathml` of a page, whose elements are *carriers*, in any order."""

    def __init__(self, page: PageTable, carriers: list[int]) -> None:
        # those that are not parsed
        self._left: Iterator[str] = (page.attribute_of(row, "data-mathml") or "" for row in carriers)
        self._known: dict[str, tuple[PageTable, int]] = {}  # those that were parsed last
        self._is_together = True

    def math(self, value: str) -> tuple[PageTable, int] | None:
        """The first `<math>` of a value: its table and its row; None if there is none."""
        value = value[:MAX_CHARS]
        found = self._known.get(value)
        if found is None and self._is_together and _is_simple(value):
            self._read_with_next(value)
            found = self._known.get(value)
        if found is None and (node := parse_html(value).css_first("math")) is not None:
            return table_of(node), 0
        return found

    def _read_with_next(self, value: str) -> None:
        values, size = {value: None}, len(value)
        for other in self._left:
            if _is_simple(other):
                values[other] = None
                size += len(other)
                if size >= MAX_TOGETHER:
                    break
        found = _parsed_together(list(values))
        self._known = dict(zip(values, found))
        self._is_together = bool(found)


def _is_simple(value: str) -> bool:
    return len(value) <= MAX_SHORT_CHARS and _SIMPLE.fullmatch(value) is not None


def _parsed_together(values: list[str]) -> list[tuple[PageTable, int]]:
    """The `<math>` of each value, in an element of its own; none if one of them does not end in its own."""
    body = lexbor_tree("".join([f"<div>{value}</div>" for value in values])).body
    page = table_of(body)
    out: list[tuple[PageTable, int]] = []
    for place in children(page, 0):
        own = children(page, place)
        if page.tag[place] != _DIV or len(own) != 1 or page.tag[own[0]] != _MATH:
            return []
        out.append((page, own[0]))
    return out if len(out) == len(values) else []
