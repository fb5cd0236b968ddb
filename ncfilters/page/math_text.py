"""Formulas in running text: MathML as a line of text, and the other forms in which pages have the same formula.

    <msup><mn>10</mn><mn>6</mn></msup>, <mfrac><mi>a</mi><mi>b</mi></mfrac>    10⁶, a/b

A page may contain a formula several times: hidden for screen readers, drawn by a style sheet, as an image, in TeX. Its
sentence gets it once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ..text.lazy_pattern import lazy_pattern
from .raised_text import subscript, superscript

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

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
_SKIPPED = frozenset(("annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts", "-comment"))
_SIMPLE = lazy_pattern(r"[\w.,⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ₀₁₂₃₄₅₆₇₈₉]*|\(.*\)")


def math_text(node: LexborNode) -> str:
    """A `<math>` element as text on one line; its alternative text if it has no other."""
    text = " ".join(_text_of(node, 0).split())
    return text or " ".join((node.attributes.get("alttext") or "").split())


def is_formula(node: LexborNode) -> bool:
    """Whether an inline element holds a formula and nothing else."""
    if _is_formula_class(node) or node.css_first("math") is not None:
        return True
    return _FORMULA_TEXT.fullmatch(node.text(deep=True)) is not None


def tex_of_script(node: LexborNode) -> str:
    """The formula in TeX that a `<script>` holds for MathJax; empty if it holds none, or if it is drawn beside it."""
    kind = node.attributes.get("type") or ""
    if not kind.startswith("math/") or kind.partition(";")[0].strip() not in TEX_TYPES:
        return ""
    if any(at.text(deep=True).strip() for at in _elements_beside(node) if _is_formula_class(at)):
        return ""
    return " ".join((node.text(deep=True) or "").split())


def is_drawn_again(node: LexborNode, attributes: dict[str, str | None]) -> bool:
    """Whether an element that screen readers skip draws a formula that is beside it as MathML (KaTeX, MathJax)."""
    if node.tag != "nobr" and not _FORMULA_CLASS.search(attributes.get("class") or ""):
        return False
    return any(
        at.tag == "math" or _MATHML_CLASS.search(at.attributes.get("class") or at.tag or "")
        for at in _elements_beside(node)
    )


def is_shown_beside(node: LexborNode) -> bool:
    """Whether an element beside this one, which is hidden, shows its formula as text."""
    for at in _elements_beside(node):
        attributes = at.attributes
        shown = "display:none" not in (attributes.get("style") or "").replace(" ", "") and "hidden" not in attributes
        if shown and _is_formula_class(at) and at.text(deep=True).strip():
            return True
    return False


def _is_formula_class(node: LexborNode) -> bool:
    classes = node.attributes.get("class")
    return bool(classes) and _is_class_of_formula(classes)


@lru_cache(maxsize=1 << 10)
def _is_class_of_formula(classes: str) -> bool:
    return _FORMULA_CLASS.search(classes) is not None


def _elements_beside(node: LexborNode) -> Iterator[LexborNode]:
    """The elements directly before and after, with at most white space between."""
    for step in ("prev", "next"):
        at = getattr(node, step)
        if at is not None and at.tag == "-text" and not (at.text_content or "").strip():
            at = getattr(at, step)
        if at is not None and at.tag is not None and not at.tag.startswith("-"):
            yield at


def _text_of(node: LexborNode, depth: int) -> str:
    name = node.tag or ""
    if name == "-text":
        return node.text_content or ""
    if name in _SKIPPED:
        return ""
    if depth > MAX_DEPTH:
        return node.text(deep=True) or ""
    parts = []
    at = node.child
    while at is not None:
        if at.tag != "-text" or (at.text_content or "").strip():
            parts.append(_text_of(at, depth + 1))
        at = at.next
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
