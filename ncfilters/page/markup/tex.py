r"""The formulas of a page in TeX: MathML, KaTeX, MathJax 2 to 4, MediaWiki, attributes, and images with TeX.

    tree = parse_html('<p>If <script type="math/tex">a^2</script> is <img class=latex alt="$b$"> …')
    list(formulas(tree).values())    # [Formula(tex='a^2', is_display=False), Formula(tex='b', is_display=False)]

A formula in several forms is found once, at the element that holds all of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, unquote_plus

from ...text.lazy_pattern import lazy_pattern
from ..element_map import ElementMap, elements_in
from ..present_selectors import PresentSelectors
from .mathml_tex import tex_of_mathml
from .mathml_values import MathmlValues

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Formulas of a page, and characters of one. More are left as they are.
MAX_FORMULAS, MAX_CHARS = 20_000, 20_000
# Elements around a formula that may say that it is displayed.
MAX_WRAPPERS = 2
# An alternative text of so few characters is a symbol rather than a description.
MAX_SYMBOL_CHARS = 12
# Characters that are read of all elements that may be formulas.
MAX_CHARS_READ = 1 << 24

_ATTRIBUTES = "data-tex data-latex data-katex data-math data-formula data-equation data-expr data-eq".split()
_ATTRIBUTE_NAMES = frozenset(_ATTRIBUTES)
# Attributes that hold TeX in other pages' formulas, and other data elsewhere.
_LOOSE_ATTRIBUTES = frozenset(("data-math", "data-formula", "data-equation", "data-expr", "data-eq"))
# Elements that hold all forms of a formula, the outer before the inner.
_CONTAINERS = (
    ".mwe-math-element, .katex, .katex-display, mjx-container, .MathJax_Display, .MathJax, .MathJax_SVG, "
    ".MathJax_CHTML, .mjx-chtml, .MathJax_MathML, .MJXp-math, .ltx_Math, .temml, d-math, tex-math, .math-container, "
    "math-renderer, .latex-rendered, [data-math-style], span.math, div.math, span.tex, .notion-equation"
)
_SOURCES = "math, script[type^='math/' i], " + ", ".join(f"[{name}]" for name in _ATTRIBUTES)
_IMAGES = (
    "img.latex, img.tex, img.latexcenter, img.math, img.mwe-math-fallback-image-inline, img.texrender, img.equation, "
    "img.equation_image, "
    "img.mwe-math-fallback-image-display, img[eeimg], img[src*='latex'], img[src*='tex='], img[src*='chl='], "
    "img[src*='/math/'], img[src*='math='], img[src*='mimetex'], img[src*='mathtex'], img[alt^='$'], img[alt^='\\\\'], "
    "img[alt^='{\\\\']"
)

_CANDIDATES = PresentSelectors(f"{_CONTAINERS}, {_SOURCES}, {_IMAGES}")
_MATHML, _ANNOTATION = PresentSelectors("math"), PresentSelectors("annotation")
_DATA = PresentSelectors("[data-mathml], span.mjx-math")

_TEX_TYPE = lazy_pattern(r"math/(?:tex|latex|asciimath)\b", re.I)
_DISPLAY_CLASS = lazy_pattern(
    r"(?:^|[\s_-])(?:display|displaymath|katex-display|latexcenter|mathjax_display|block|equation|js-display-math|"
    r"display-math|math-display|mwe-math-element-block|ltx_equation|notion-equation-block)(?=$|\s)",
    re.I,
)
_DELIMITED = lazy_pattern(
    r"\s*(?:\\\(((?:(?!\\\)).)*)\\\)|\\\[((?:(?!\\\]).)*)\\\]|\$\$([^$]*)\$\$|\$([^$]+)\$)\s*", re.S
)
_TEX = lazy_pattern(r"[\\^_]|\{.*\}", re.S)
_DOCUMENT = lazy_pattern(r"\\begin\{document\}(.*)\\end\{document\}", re.S)  # around each formula of some publishers
_COMMENT = lazy_pattern(r"(?<!\\)%(?:[^\n]*\n|\s*\]\]>\s*$)")
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


def formulas(tree: LexborHTMLParser) -> ElementMap[Formula]:
    """The formulas of a page, by the element that holds all forms of each. Those in the text, such as
    `$x$`, are not included."""
    found: ElementMap[Formula] = ElementMap()
    nodes = _CANDIDATES.nodes(tree)
    candidates = {node.mem_id for node in nodes}
    inside: set[int] = set()  # candidates in a formula
    left, values = MAX_CHARS_READ, MathmlValues(tree)
    for node in nodes:
        if len(found) >= MAX_FORMULAS or left < 0:
            break
        if node.mem_id in inside:
            continue
        text = (node.text(deep=True) or "") if node.child is not None else ""
        left -= len(text)
        attributes = node.attributes
        tex = _tex_of(node, attributes, text, values)
        if not tex:
            continue
        place = _shown_beside(node) if node.tag == "script" else node
        if place.mem_id in found:
            continue
        if formula := _formula(tex, node, attributes):
            found.put(place, formula)
            if node.tag != "script":  # it has no elements in it
                inside.update(candidates.intersection(elements_in(node)))
            if place is not node:
                inside.update(candidates.intersection(elements_in(place)))
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


def _formula(tex: str, node: Any, attributes: Attributes) -> Formula | None:
    if (body := _DOCUMENT.search(tex) if "{document}" in tex else None) is not None:
        tex = body[1]
    tex, is_display = delimited_tex(_COMMENT.sub(" ", tex) if "%" in tex else tex)
    tex = " ".join(tex.split())
    if not tex or len(tex) > MAX_CHARS:
        return None
    return Formula(tex, _is_display(node, attributes) if is_display is None else is_display)


def _tex_of(node: LexborNode, attributes: Attributes, text: str, values: MathmlValues) -> str:
    """The TeX of an element with this *text*, with delimiters if it has some; empty if it holds no formula alone."""
    name = node.tag
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
    return _tex_of_mathml(node) or _tex_of_data(node, attributes, values)


def _is_tex(value: str, attributes: dict[str, str | None]) -> bool:
    classes = attributes.get("class") or ""
    return (
        bool(_TEX.search(value)) and not value.startswith(('{"', "[", "http")) or "math" in classes or "tex" in classes
    )


def _tex_of_mathml(node: LexborNode) -> str:
    """The TeX in the annotation of the MathML in an element, or else its conversion."""
    for annotation in node.css("annotation") if _ANNOTATION.may_be_in(node) else ():
        if "tex" in (annotation.attributes.get("encoding") or "").lower():
            return annotation.text(deep=True) or ""
    math = node if node.tag == "math" else _mathml_in(node)
    if math is None:
        return ""
    alternative = math.attributes.get("alttext") or ""
    if _TEX.search(alternative) or alternative and not math.text(deep=True).strip():
        return alternative
    return tex_of_mathml(math)


def _mathml_in(node: LexborNode) -> LexborNode | None:
    return node.css_first("math") if _MATHML.may_be_in(node) else None


def _tex_of_data(node: LexborNode, attributes: Attributes, values: MathmlValues) -> str:
    """The TeX that an older MathJax leaves in attributes: MathML, or a label for screen readers."""
    if not _DATA.may_be_in(node):
        return ""
    carrier = node if "data-mathml" in attributes else node.css_first("[data-mathml]")
    if carrier is not None and (markup := carrier.attributes.get("data-mathml")):
        math = values.math(markup)
        return _tex_of_mathml(math) if math is not None else ""
    label = node.css_first("span.mjx-math[aria-label]")
    return label.attributes.get("aria-label") or "" if label is not None else ""


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
    if text and (not address or _TEX.search(text) or len(text) <= MAX_SYMBOL_CHARS):
        return text
    if address is None:
        return ""
    encoded = next(filter(None, address.groups()))
    return (unquote if "%20" in encoded else unquote_plus)(encoded)


def _shown_beside(script: Any) -> Any:
    """What MathJax has drawn before or after a script; the script itself if that has no text."""
    for step in ("prev", "next"):
        at = getattr(script, step)
        for _ in range(4):  # a preview, and white space
            name = at.tag if at is not None else "script"
            if name == "script" or name == "-text" and at.text_content.strip():
                break
            classes = at.attributes.get("class") if name not in ("-text", "-comment") else None
            if classes and "mathjax" in classes.lower() and at.text(deep=True).strip():
                return at
            at = getattr(at, step)
    return script


def _is_display(node: Any, attributes: Attributes) -> bool:
    name = node.tag
    kind = (attributes.get("type") or "") if name == "script" else ""
    if "mode=display" in kind.replace(" ", ""):
        return True
    if kind:
        return False
    if "data-math-style" in attributes:  # GitLab
        return bool(attributes["data-math-style"] == "display")
    if attributes.get("display") in ("block", "true") or name == "d-math" and "block" in attributes:
        return True
    inner = _mathml_in(node) if name != "math" and node.child is not None else None
    if inner is not None and inner.attributes.get("display") == "block":
        return True
    at = node
    for _ in range(MAX_WRAPPERS + 1):
        if at is None or at.tag in ("p", "td", "li", "body"):
            break
        classes = (attributes if at is node else at.attributes).get("class")
        if classes and _is_display_class(classes):
            return True
        at = at.parent
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
