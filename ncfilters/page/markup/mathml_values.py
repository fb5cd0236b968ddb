"""MathML in attributes, as an older MathJax leaves it: short formulas are parsed together, because a page may have
thousands of them and a parser takes longer to set up than to read one.

    values = MathmlValues(parse_html("<b data-mathml='<math><mi>x</mi></math>'>x</b>"))
    values.math("<math><mi>x</mi></math>").tag    # 'math'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...text.lazy_pattern import lazy_pattern
from ..html_parser import lexbor_tree, parse_html
from ..present_selectors import PresentSelectors

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Characters of a formula, of one that is parsed with others, and of these together.
MAX_CHARS, MAX_SHORT_CHARS, MAX_TOGETHER = 20_000, 1_000, 8_000

_CARRIERS = PresentSelectors("[data-mathml]")
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
    """Reads the values of the attributes `data-mathml` of a page, in any order."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        self._left: Iterator[str] | None = None  # those that are not parsed
        self._known: dict[str, LexborNode] = {}  # those that were parsed last
        self._is_together = True

    def math(self, value: str) -> LexborNode | None:
        """The first `<math>` of a value; None if it has none."""
        value = value[:MAX_CHARS]
        found = self._known.get(value)
        if found is None and self._is_together and _is_simple(value):
            self._read_with_next(value)
            found = self._known.get(value)
        return parse_html(value).css_first("math") if found is None else found

    def _read_with_next(self, value: str) -> None:
        if self._left is None:
            nodes = _CARRIERS.nodes(self._tree)
            self._left = (own.attributes.get("data-mathml") or "" for own in nodes)
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


def _parsed_together(values: list[str]) -> list[LexborNode]:
    """The `<math>` of each value, in an element of its own; none if one of them does not end in its own."""
    body = lexbor_tree("".join([f"<div>{value}</div>" for value in values])).body
    out: list[LexborNode] = []
    place = body.child if body is not None else None
    while place is not None:
        math = place.child
        if place.tag != "div" or math is None or math.tag != "math" or math.next is not None:
            return []
        out.append(math)
        place = place.next
    return out if len(out) == len(values) else []
