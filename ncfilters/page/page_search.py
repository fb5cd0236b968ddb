"""The elements of a page that may have metadata or details (see `present_selectors`).

found = search_page(parse_html("<title>Log</title><h1>Rain</h1>"))
found.nodes(ELEMENTS), found.survey.titles    # ([<LexborNode h1>], [('Log', False)])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .present_selectors import Search

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# What says the title, the author, dates and the licence.
ELEMENTS = (
    'h1,time,link[rel="canonical" i],[rel~="license" i],[rel~="author" i],[itemprop],[property$="author" i],'
    '[property$="datePublished" i],meta[http-equiv="content-language" i]'
)
BYLINES = '[class*="byline" i],[class*="author" i]'
# Names of users in the markup of forums.
USERS = (
    '[class~="username" i],[class~="bigusername" i],[class~="PostUser-name"],[class~="post-author" i],'
    '[class~="author-name" i],a[class~="author" i]'
)
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
