"""The elements of a page that may have details (see `present_selectors`).

search_page(parse_html("<p>1<sup>2</sup>")).nodes(HINTS)    # [<LexborNode sup>]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .present_selectors import Search

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Elements that a page has if it has details, or nearly so.
HINTS = (
    "table, pre, code, xmp, listing, plaintext, sup, a[href*='#'], math, mjx-container, d-math, "
    "script[type^='math/'], .MathJax, .mjx-chtml, .cm-content, .ace_text-layer, .view-lines, .ql-code-block-container, "
    "img.latex, img.equation_image, img[alt^='$'], img[alt^='\\\\'], img[src*='latex'], img[src*='tex='], "
    "img[src*='tex.cgi'], img[src*='/math/'], [data-tex], [data-latex], [data-expr], "
    "ol[class^='dp-'], [style*='white-space: pre'], [style*='white-space:pre'], [role='row'], .mw-editsection, "
    "div.fragment"
)
# Code that is a formula, of GitLab.
CODE_FORMULAS = "[data-math-style]"
# The elements that hold the text of notes in sentences.
SIDENOTES = (
    ".sidenote, .marginnote, d-footnote, .ltx_note_content, .modern-footnotes-footnote__note, .inline-footnote__content"
)
# What the addresses of links are relative to.
BASES = "base[href]"


def search_page(tree: LexborHTMLParser) -> Search:
    """The elements that match each of the lists above."""
    return Search(tree)
