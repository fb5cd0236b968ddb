r"""The formulas of a page in TeX: MathML, KaTeX, MathJax 2 to 4, MediaWiki, attributes, and images with TeX.

    page = table_of(parse_html("<p>If <img class=latex alt='$a^2$'> is <img class=latex alt='$b$'> …").root)
    list(formulas(page, candidates_of(page).formulas).values())
    # [Formula(tex='a^2', is_display=False), Formula(tex='b', is_display=False)]

A formula in several forms is found once, at the element that holds all of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote, unquote_plus

from ...native.element_names import BLANK, CLASS, TEX, TEXT, UNKNOWN, number_of_tag, tag_groups
from ...native.page_table import PageTable, table_of
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import elements_of, first_element, name_at, next_row
from ..tree.html_parser import parse_html
from .mathml_tex import tex_of_mathml

# Formulas of a page, and characters of one. More are left as they are.
MAX_FORMULAS, MAX_CHARS = 20_000, 20_000
# Elements around a formula that may say that it is displayed.
MAX_WRAPPERS = 2
# An alternative text of so few characters is a symbol rather than a description.
MAX_SYMBOL_CHARS = 12
# Of elements in each other that may be formulas, so many times the nodes of the page are read.
MAX_READ = 4

_ATTRIBUTES = "data-tex data-latex data-katex data-math data-formula data-equation data-expr data-eq".split()
_ATTRIBUTE_NAMES = frozenset(_ATTRIBUTES)
# Attributes that hold TeX in other pages' formulas, and other data elsewhere.
_LOOSE_ATTRIBUTES = frozenset(("data-math", "data-formula", "data-equation", "data-expr", "data-eq"))
_SCRIPT = number_of_tag("script")
_MATHS, _ANNOTATIONS = tag_groups({1: "math"}), tag_groups({1: "annotation"})
_TEX_TYPE = lazy_pattern(r"math/(?:tex|latex|asciimath)\b", re.I)
_DISPLAY_CLASS = lazy_pattern(
    r"(?:^|[\s_-])(?:display|displaymath|katex-display|latexcenter|mathjax_display|block|equation|js-display-math|"
    r"display-math|math-display|mwe-math-element-block|ltx_equation|notion-equation-block)(?=$|\s)",
    re.I,
)
_DELIMITED = lazy_pattern(
    r"\s*(?:\\\(((?:(?!\\\)).)*)\\\)|\\\[((?:(?!\\\]).)*)\\\]|\$\$([^$]*)\$\$|\$([^$]+)\$)\s*", re.S
)
_TEX_SIGNS = frozenset("\\^_")
_DOCUMENT = r"\begin{document}", r"\end{document}"  # around each formula of some publishers
_COMMENT = lazy_pattern(r"(?<!\\)%[^\n]*(?:\n|\Z)")
_CDATA_END = lazy_pattern(r"(?<!\\)%\s*\]\]>\s*\Z")
# What programs escape in scripts, where browsers read it as it is.
_ESCAPED = lazy_pattern("&(?:lt|gt|amp);")
_IN_ADDRESS = lazy_pattern(
    r"[?&](?:latex|tex|chl|math|eq|from)=([^&]+)|(?:codecogs\.com/\w+\.\w+|(?:mime|math)tex\.\w+)\?(.+)"
)
_IMAGE_CLASS = lazy_pattern(
    r"(?:^|\s)(?:latex|tex|latexcenter|texrender|equation_image|mwe-math-fallback-image-\w+)(?=$|\s)"
)
_UPMATH = lazy_pattern(r"upmath\.me/\w+/(.+)")


Attributes = dict[str, str | None]


class Formula(NamedTuple):
    """A formula in TeX, without delimiters; displayed on a line of its own, or in its sentence."""

    tex: str
    is_display: bool


def formulas(page: PageTable, candidates: list[int]) -> dict[int, Formula]:
    """The formulas of a page, by the row of the element that holds all forms of each, of *candidates*, in the order of
    the page. Those in the text, such as `$x$`, are not included."""
    found: dict[int, Formula] = {}
    inside = 0  # the row after the last formula
    beside = range(0)  # the rows of what is drawn after a script
    left = MAX_READ * len(page.tag)
    for row in candidates:
        if len(found) >= MAX_FORMULAS or left < 0:
            break
        if row < inside or row in beside:
            continue
        text = page.text_below(row)
        left -= page.end[row] - row
        attributes = page.attributes_of(row)
        tex = _tex_of(page, row, attributes, text)
        if not tex:
            continue
        place = _shown_beside(page, row) if page.tag[row] == _SCRIPT else row
        if place in found:
            continue
        if formula := _formula(page, tex, row, attributes):
            found[place] = formula
            inside = max(inside, page.end[row])
            if place > row:
                beside = range(place, page.end[place])
    return found


def delimited_tex(text: str) -> tuple[str, bool | None]:
    """A formula without the delimiters around it, and whether they display it; None if there are none."""
    match = _DELIMITED.fullmatch(text) if "$" in text or "\\(" in text or "\\[" in text else None
    if match is None:
        return text.strip(), None
    inline = match[1] if match[1] is not None else match[4]
    if inline is not None:
        return inline.strip(), False
    return (match[2] if match[2] is not None else match[3]).strip(), True


def _formula(page: PageTable, tex: str, row: int, attributes: Attributes) -> Formula | None:
    start, end = map(tex.find, _DOCUMENT) if "{document}" in tex else (-1, -1)
    if 0 <= start < end:
        tex = tex[start + len(_DOCUMENT[0]) : end]
    tex, is_display = delimited_tex(_COMMENT.sub(_without_comment, tex) if "%" in tex else tex)
    tex = " ".join(tex.split())
    if not tex or len(tex) > MAX_CHARS:
        return None
    return Formula(tex, _is_display(page, row, attributes) if is_display is None else is_display)


def _has_tex(text: str) -> bool:
    """Whether a text has signs of TeX."""
    return not _TEX_SIGNS.isdisjoint(text) or 0 <= text.find("{") < text.rfind("}")


def _without_comment(match: re.Match[str]) -> str:
    """A space for a comment. The last line has none, but what ends a section of XML."""
    return " " if match[0].endswith("\n") else _CDATA_END.sub(" ", match[0])


def _tex_of(page: PageTable, row: int, attributes: Attributes, text: str) -> str:
    """The TeX of an element with this *text*, with delimiters if it has some; empty if it holds no formula alone."""
    name = page.name_of(row)
    if name == "script":
        if not _is_tex_type(attributes.get("type") or ""):
            return ""
        return _ESCAPED.sub(lambda sign: unescape(sign[0]), text) if "&" in text else text
    if name == "img":
        return _tex_of_image(attributes)
    for attribute in _ATTRIBUTES if not _ATTRIBUTE_NAMES.isdisjoint(attributes) else ():
        if (value := attributes.get(attribute)) and (attribute not in _LOOSE_ATTRIBUTES or _is_tex(value, attributes)):
            return value
    if (
        name in ("d-math", "tex-math")
        or "data-math-style" in attributes
        or name != "math"
        and ("$" in text or "\\(" in text or "\\[" in text)
        and _DELIMITED.fullmatch(text)
    ):
        return text
    return _tex_of_mathml(page, row) or _tex_of_data(page, row)


def _is_tex(value: str, attributes: dict[str, str | None]) -> bool:
    classes = attributes.get("class") or ""
    return _has_tex(value) and not value.startswith(('{"', "[", "http")) or "math" in classes or "tex" in classes


def _tex_of_mathml(page: PageTable, row: int) -> str:
    """The TeX in the annotation of the MathML in an element, or else its conversion."""
    for annotation in elements_of(page, row, _ANNOTATIONS):
        if "tex" in (page.attribute_of(annotation, "encoding") or "").lower():
            return page.text_below(annotation)
    math = first_element(page, row, _MATHS)
    if math < 0:
        return ""
    alternative = page.attribute_of(math, "alttext") or ""
    if _has_tex(alternative) or alternative and not page.has_text(math):
        return alternative
    return tex_of_mathml(page, math)


def _tex_of_data(page: PageTable, row: int) -> str:
    """The TeX that an older MathJax leaves in attributes: MathML, or a label for screen readers."""
    for at in range(row, page.end[row]):
        if page.tag[at] >= UNKNOWN and page.flags[at] & TEX and "data-mathml" in (own := page.attributes_of(at)):
            if not own["data-mathml"]:
                break
            math = parse_html(own["data-mathml"][:MAX_CHARS]).css_first("math")
            return "" if math is None else _tex_of_mathml(table_of(math), 0)
    for at in range(row, page.end[row]):
        if page.tag[at] >= UNKNOWN and page.flags[at] & CLASS and name_at(page, at) == "span":
            own = page.attributes_of(at)
            if "aria-label" in own and "mjx-math" in (own["class"] or "").split():
                return own["aria-label"] or ""
    return ""


def _tex_of_image(attributes: dict[str, str | None]) -> str:
    """The TeX of an image: its alternative text, or in its address."""
    text = (attributes.get("alt") or attributes.get("title") or "").strip().removeprefix("LaTeX: ")
    if _DELIMITED.fullmatch(text) and len(text) > 2:
        return text
    source = attributes.get("src") or attributes.get("data-src") or attributes.get("data-lazy-src") or ""
    address = _IN_ADDRESS.search(source) or _UPMATH.search(source)
    classes = attributes.get("class") or ""
    is_formula = bool(address) or "eeimg" in attributes or _is_image_class(classes) or "math/render" in source
    if not is_formula:
        return ""
    if text and (not address or _has_tex(text) or len(text) <= MAX_SYMBOL_CHARS):
        return text
    if address is None:
        return ""
    encoded = next(filter(None, address.groups()))
    return (unquote if "%20" in encoded else unquote_plus)(encoded)


def _shown_beside(page: PageTable, script: int) -> int:
    """What MathJax has drawn before or after a script; the script itself if that has no text."""
    for is_before in (True, False):
        at = script
        for _ in range(4):  # a preview, and white space
            at = page.before[at] if is_before else next_row(page, at)
            if at < 0 or page.tag[at] == _SCRIPT or page.tag[at] == TEXT and not page.flags[at] & BLANK:
                break
            classes = page.attribute_of(at, "class") if page.tag[at] >= UNKNOWN else None
            if classes and "mathjax" in classes.lower() and page.has_text(at):
                return at
    return script


def _is_display(page: PageTable, row: int, attributes: Attributes) -> bool:
    name = page.name_of(row)
    kind = (attributes.get("type") or "") if name == "script" else ""
    if "mode=display" in kind.replace(" ", ""):
        return True
    if kind:
        return False
    if "data-math-style" in attributes:  # GitLab
        return bool(attributes["data-math-style"] == "display")
    if attributes.get("display") in ("block", "true") or name == "d-math" and "block" in attributes:
        return True
    inner = first_element(page, row, _MATHS) if name != "math" else -1
    if inner >= 0 and page.attribute_of(inner, "display") == "block":
        return True
    at = row
    for _ in range(MAX_WRAPPERS + 1):
        if at < 0 or name_at(page, at) in ("p", "td", "li", "body"):
            break
        classes = page.attribute_of(at, "class")
        if classes and _is_display_class(classes):
            return True
        at = page.parent[at]
    return False


@lru_cache(maxsize=1 << 10)
def _is_tex_type(kind: str) -> bool:
    return _TEX_TYPE.match(kind) is not None


@lru_cache(maxsize=1 << 10)
def _is_display_class(classes: str) -> bool:
    return _DISPLAY_CLASS.search(classes) is not None


@lru_cache(maxsize=1 << 10)
def _is_image_class(classes: str) -> bool:
    return _IMAGE_CLASS.search(classes) is not None
