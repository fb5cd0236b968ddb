"""The elements of a page that may be tables, code, formulas or notes, found in one pass over it.

found = candidates_of(table_of(parse_html("<p>Rain <code>x</code><sup>1</sup>").root))
found.code, found.superscripts    # ([5], [7])
"""

from __future__ import annotations

from ...native.element_names import CLASS, HREF, ROLE, SRC, STYLE, TEX, UNKNOWN, number_of_tag, tag_groups
from ...native.page_table import PageTable
from .code_language import LABELS
from .table_grid import CELL_ROLES

# What elements may be, by their tags: code with lines of its own, and code in a sentence.
_CODE, _INLINE_CODE, _FORMULA, _HINT = 1, 2, 4, 8
_TAGS = tag_groups(
    {
        _CODE: "pre code xmp listing plaintext",
        _INLINE_CODE: "tt kbd samp",
        _FORMULA: "math mjx-container d-math tex-math math-renderer",
        _HINT: "math mjx-container d-math",
    }
)
_TABLE, _ROW, _LINK, _SUPERSCRIPT, _SCRIPT, _IMAGE, _SPAN, _DIV, _LIST, _CODE_OF_DISTILL, _NOTE = map(
    number_of_tag, "table tr a sup script img span div ol d-code d-footnote".split()
)
# The same by their classes; those of some elements alone.
_EDITOR, _CONTAINER, _HINT_CLASS, _SIDENOTE, _LABEL, _EDIT_LINK = (1 << bit for bit in range(6))
_CODE_TABLE, _FRAGMENT, _FORMULA_SPAN, _FORMULA_DIV, _FORMULA_IMAGE, _HINT_IMAGE, _CODE_LIST = (
    1 << bit for bit in range(6, 13)
)
# SyntaxHighlighter, GitHub, Gist, Crayon, CodeMirror, Ace, Monaco, Enlighter, Visual Studio and others: elements that
# are a block of code without a `<pre>` around them.
EDITOR_CLASSES = frozenset(
    "syntaxhighlighter js-file-line-container dp-highlighter crayon-syntax CodeMirror-code cm-content ace_text-layer "
    "view-lines enlighter csharpcode codecolorer ql-code-block-container".split()
)
_CLASSES = {
    _EDITOR: EDITOR_CLASSES - {"js-file-line-container"},
    _CODE_TABLE: ("highlight", "js-file-line-container"),
    _FRAGMENT: ("fragment",),
    # elements that hold all forms of a formula
    _CONTAINER: (
        "mwe-math-element katex katex-display MathJax_Display MathJax MathJax_SVG MathJax_CHTML mjx-chtml "
        "MathJax_MathML MJXp-math ltx_Math temml math-container latex-rendered notion-equation"
    ).split(),
    _FORMULA_SPAN: ("math", "tex"),
    _FORMULA_DIV: ("math",),
    _FORMULA_IMAGE: (
        "latex tex latexcenter math mwe-math-fallback-image-inline texrender equation equation_image "
        "mwe-math-fallback-image-display"
    ).split(),
    _HINT_IMAGE: ("latex", "equation_image"),
    # what pages with formulas or code have
    _HINT_CLASS: (
        "MathJax mjx-chtml cm-content ace_text-layer view-lines ql-code-block-container mw-editsection"
    ).split(),
    _SIDENOTE: (
        "sidenote marginnote ltx_note_content modern-footnotes-footnote__note inline-footnote__content"
    ).split(),
    _LABEL: LABELS,
    _EDIT_LINK: ("mw-editsection",),
}
_WORDS: dict[str, int] = {}
for _bit, _names in _CLASSES.items():
    for _name in _names:
        _WORDS[_name] = _WORDS.get(_name, 0) | _bit
# What these say of elements of some tags alone.
_CODE_OF_TAG = {_TABLE: _CODE_TABLE, _LIST: _CODE_LIST, _DIV: _FRAGMENT}
_FORMULAS_OF_TAG = {_SPAN: _FORMULA_SPAN, _DIV: _FORMULA_DIV, _IMAGE: _FORMULA_IMAGE}
_HINTS_OF_TAG = {_LIST: _CODE_LIST, _DIV: _FRAGMENT, _IMAGE: _HINT_IMAGE}
_FORMULA_DATA = frozenset(
    "data-tex data-latex data-katex data-math data-formula data-equation data-expr data-eq data-math-style".split()
)
_HINT_DATA = frozenset(("data-tex", "data-latex", "data-expr"))
# What the addresses of images that are formulas contain.
_FORMULA_SOURCES = ("latex", "tex=", "chl=", "/math/", "math=", "mimetex", "mathtex")
_HINT_SOURCES = ("latex", "tex=", "tex.cgi", "/math/")
# Values of the attribute class that are remembered.
MAX_KNOWN_CLASSES = 1 << 14
_known_classes: dict[str, int] = {}
_PRE_STYLES = ("white-space: pre", "white-space:pre")


class Candidates:
    """The rows of elements that may be details, by kind, in the order of the page.

    *cells* have a role of cells; *links* lead to a place, *edit_links* are those of MediaWiki. *has_code*,
    *has_formulas*, *has_rows*: whether code, formulas and tables of elements with roles may be there.
    """

    def __init__(self) -> None:
        self.tables: list[int] = []
        self.cells: list[int] = []
        self.code: list[int] = []
        self.formulas: list[int] = []
        self.superscripts: list[int] = []
        self.links: list[int] = []
        self.edit_links: list[int] = []
        self.sidenotes: list[int] = []
        self.has_code = self.has_formulas = self.has_rows = self.has_language_labels = False
        self._has_hint = self._has_code_formula = False

    def add(self, page: PageTable, row: int, tag: int, words: int) -> None:
        """Adds an element, if it may be something. *words*: those of its class."""
        flags, kinds = page.flags[row], _TAGS[tag]
        if words:
            kinds |= self._add_class(row, tag, words)
        if flags & STYLE:
            kinds |= _kinds_of_style(page.attribute_of(row, "style") or "")
        if flags & TEX:
            kinds |= self._add_data(tag, page.attributes_of(row))
        if tag == _IMAGE:
            source = page.attribute_of(row, "src") or "" if flags & SRC else ""
            kinds |= _kinds_of_image(source, page.attribute_of(row, "alt") or "")
        elif tag == _SCRIPT:
            if (page.attribute_of(row, "type") or "")[:5].lower() == "math/":
                kinds |= _FORMULA | _HINT
        elif tag == _CODE_OF_DISTILL:
            if "block" in page.attributes_of(row):
                kinds |= _INLINE_CODE
        elif tag == _NOTE:
            self.sidenotes.append(row)
        if kinds & (_CODE | _INLINE_CODE):
            self.code.append(row)
        if kinds & _FORMULA:
            self.formulas.append(row)
        if tag == _TABLE:
            self.tables.append(row)
        elif tag == _SUPERSCRIPT:
            self.superscripts.append(row)
        elif tag == _LINK:
            if flags & HREF and "#" in (page.attribute_of(row, "href") or ""):
                self.links.append(row)
        elif kinds & _CODE:
            self.has_code = True
        elif tag != _ROW:
            if flags & ROLE and self._is_row(row, page.attribute_of(row, "role")):
                return
            self._has_hint |= kinds & _HINT > 0

    def _is_row(self, row: int, role: str | None) -> bool:
        """Adds an element with a role, if it is a cell. Whether it is a row."""
        if role in CELL_ROLES:
            self.cells.append(row)
        if role == "row":
            self.has_rows = True
        return role == "row"

    def _add_class(self, row: int, tag: int, words: int) -> int:
        """Adds an element by its classes. What else they say it may be."""
        if words & _LABEL:
            self.has_language_labels = True
        if words & _SIDENOTE:
            self.sidenotes.append(row)
        kinds = 0
        if words & _EDITOR or words & _CODE_OF_TAG.get(tag, 0):
            kinds |= _INLINE_CODE
        if words & _CONTAINER or words & _FORMULAS_OF_TAG.get(tag, 0):
            kinds |= _FORMULA
        if words & _EDIT_LINK and tag == _SPAN:
            self.edit_links.append(row)
        elif words & _HINT_CLASS or words & _HINTS_OF_TAG.get(tag, 0):
            kinds |= _HINT
        return kinds

    def _add_data(self, tag: int, attributes: dict[str, str | None]) -> int:
        """Adds an element by attributes for formulas. What they say it may be."""
        kinds = 0
        if not _FORMULA_DATA.isdisjoint(attributes) or tag == _IMAGE and "eeimg" in attributes:
            kinds |= _FORMULA
        if not _HINT_DATA.isdisjoint(attributes):
            kinds |= _HINT
        if "data-math-style" in attributes:
            self._has_code_formula = True
        return kinds

    def finish(self) -> None:
        """Decides what may be there."""
        self.has_formulas = self._has_hint or self.has_code and self._has_code_formula
        self.has_code |= self._has_hint


def candidates_of(page: PageTable) -> Candidates:
    """The candidates of a page."""
    found = Candidates()
    for row in range(page.size):
        tag = page.tag[row]
        if tag < UNKNOWN:
            continue
        flags = page.flags[row]
        words = kinds_of_class(page.attribute_of(row, "class") or "") if flags & CLASS else 0
        if words or _IS_LOOKED_AT[tag] or flags & (STYLE | ROLE | TEX):
            found.add(page, row, tag, words)
    found.finish()
    return found


_IS_LOOKED_AT = bytearray(_TAGS)
for _tag in (_TABLE, _LINK, _SUPERSCRIPT, _SCRIPT, _IMAGE, _CODE_OF_DISTILL, _NOTE):
    _IS_LOOKED_AT[_tag] = 1


def kinds_of_class(classes: str) -> int:
    """What elements with these classes may be, as bits."""
    kinds = _known_classes.get(classes)
    if kinds is None:
        kinds = _CODE_LIST if classes.startswith("dp-") else 0
        for word in classes.split():
            kinds |= _WORDS.get(word, 0)
        if len(_known_classes) >= MAX_KNOWN_CLASSES:
            _known_classes.clear()
        _known_classes[classes] = kinds
    return kinds


def _kinds_of_style(style: str) -> int:
    if "white-space" not in style.lower():
        return 0
    return _INLINE_CODE | _HINT if any(map(style.__contains__, _PRE_STYLES)) else _INLINE_CODE


def _kinds_of_image(source: str, text: str) -> int:
    if text[:1] in ("$", "\\") or any(map(source.__contains__, _HINT_SOURCES)):
        return _FORMULA | _HINT
    return _FORMULA if text[:2] == "{\\" or any(map(source.__contains__, _FORMULA_SOURCES)) else 0
