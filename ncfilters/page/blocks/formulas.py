"""Formulas in running text: MathML as a line of text, and the other forms in which pages have the same formula.

    <msup><mn>10</mn><mn>6</mn></msup>, <mfrac><mi>a</mi><mi>b</mi></mfrac>    10⁶, a/b

A page may contain a formula several times: hidden for screen readers, drawn by a style sheet, as an image, in TeX. Its
sentence gets it once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from ...native.element_names import BLANK, CLASS, COMMENT, HIDDEN, STYLE, TEXT, number_of_tag
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from .raised_text import subscript, superscript
from .screen_readers import elements_beside

# Elements that a formula may be nested in; deeper ones are read as text.
MAX_DEPTH = 40
# The class names of formulas: KaTeX, MathJax, MediaWiki, LaTeX2HTML and others.
_FORMULA_CLASS = lazy_pattern(
    r"(?:^|[\s_-])(?:math|mathml|mathjax|katex|tex|latex|formula|equation|mjx|mwe)(?:$|[\s_-])", re.I
)
_FORMULA_TEXT = lazy_pattern(r"\s*(?:\\\(.*\\\)|\\\[.*\\\]|\$[^$]+\$|\{\\displaystyle.*\})\s*", re.S)
# The types of `<script>` elements that hold a formula in TeX, before the parameters.
TEX_TYPES = frozenset(("math/tex", "math/latex"))
_MATHML_CLASS = lazy_pattern(r"mathml|assistive", re.I)
_SKIPPED = frozenset(("annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts"))
_SIMPLE = lazy_pattern(r"[\w.,⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ₀₁₂₃₄₅₆₇₈₉]*|\(.*\)")
_MATH, _NOBR = number_of_tag("math"), number_of_tag("nobr")


def math_text(table: PageTable, row: int) -> str:
    """A `<math>` element as text on one line; its alternative text if it has no other."""
    text = " ".join(_text_of(table, row, 0).split())
    return text or " ".join((table.attribute_of(row, "alttext") or "").split())


def is_formula(table: PageTable, row: int) -> bool:
    """Whether an inline element holds a formula and nothing else."""
    if _is_formula_class(table, row):
        return True
    for at in range(row + 1, table.end[row]):
        if table.tag[at] == _MATH:
            return True
    return _FORMULA_TEXT.fullmatch(table.text_below(row)) is not None


def tex_of_script(table: PageTable, row: int) -> str:
    """The formula in TeX that a `<script>` holds for MathJax; empty if it holds none, or if it is drawn beside it."""
    kind = table.attribute_of(row, "type") or ""
    if kind.partition(";")[0].strip() not in TEX_TYPES:
        return ""
    for at in elements_beside(table, row):
        if _is_formula_class(table, at) and table.text_below(at).strip():
            return ""
    return " ".join(table.text_below(row).split())


def is_drawn_again(table: PageTable, row: int) -> bool:
    """Whether an element that screen readers skip draws a formula that is beside it as MathML (KaTeX, MathJax)."""
    if table.tag[row] != _NOBR and not _is_formula_class(table, row):
        return False
    for at in elements_beside(table, row):
        if table.tag[at] == _MATH or _MATHML_CLASS.search(table.attribute_of(at, "class") or table.name_of(at)):
            return True
    return False


def is_shown_beside(table: PageTable, row: int) -> bool:
    """Whether an element beside this one, which is hidden, shows its formula as text."""
    for at in elements_beside(table, row):
        is_shown = not table.flags[at] & HIDDEN
        if is_shown and table.flags[at] & STYLE:
            is_shown = "display:none" not in (table.attribute_of(at, "style") or "").replace(" ", "")
        if is_shown and _is_formula_class(table, at) and table.text_below(at).strip():
            return True
    return False


def _is_formula_class(table: PageTable, row: int) -> bool:
    return table.flags[row] & CLASS != 0 and _is_class_of_formula(table.attribute_of(row, "class") or "")


@lru_cache(maxsize=1 << 10)
def _is_class_of_formula(classes: str) -> bool:
    return _FORMULA_CLASS.search(classes) is not None


def _text_of(table: PageTable, row: int, depth: int) -> str:
    if table.tag[row] == TEXT:
        return table.text_of(row)
    name = "" if table.tag[row] < 0 else table.name_of(row)
    if name in _SKIPPED or table.tag[row] == COMMENT:
        return ""
    if depth > MAX_DEPTH:
        return table.text_below(row)
    parts = []
    at = row + 1
    while at < table.end[row]:
        if not table.flags[at] & BLANK:
            parts.append(_text_of(table, at, depth + 1))
        at = table.end[at]
    if name in ("mi", "mn", "mo", "ms"):
        return "".join(parts).strip()
    if name == "msqrt":
        return _root(parts)
    layout = _LAYOUTS.get(name)
    return layout(parts) if layout and len(parts) > 1 else "".join(parts)


def _raised(parts: list[str]) -> str:
    return parts[0] + _marked("^", parts[1], superscript(parts[1], parts[0]))


def _lowered(parts: list[str]) -> str:
    return parts[0] + _marked("_", parts[1], subscript(parts[1], parts[0]))


def _both(parts: list[str]) -> str:
    upper = "".join(parts[2:])
    return _lowered(parts) + _marked("^", upper, superscript(upper, parts[0]))


def _marked(sign: str, text: str, written: str) -> str:
    """A superscript or subscript; with its sign if it is written as it is on the line."""
    if text != written or not text[:1].isalnum() and text[:1] not in "([":
        return written
    return f"{sign}{text}" if text.isalnum() else f"{sign}({text})"


def _root(parts: list[str]) -> str:
    text = "".join(parts)
    return f"√{text}" if _SIMPLE.fullmatch(text) else f"√({text})"


def _fraction(parts: list[str]) -> str:
    return "/".join(part if _SIMPLE.fullmatch(part) else f"({part})" for part in parts)


_LAYOUTS: dict[str, Callable[[list[str]], str]] = {
    "msup": _raised,
    "msub": _lowered,
    "msubsup": _both,
    "mfrac": _fraction,
    "mtable": "; ".join,
    "mtr": ", ".join,
    "mroot": lambda parts: superscript(parts[1], "x") + _root(parts[:1]),
}
