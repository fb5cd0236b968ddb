"""HTML elements and attributes that several modules use, and what an element is for its block.

"svg" in INVISIBLE    # True
"""

from __future__ import annotations

from ...native.element_names import ATTRIBUTES, DATA, tag_groups

# Elements whose content is invisible. <noscript> and <template shadowrootmode> are not included, because on some forums
# they contain whole threads.
INVISIBLE = "script style iframe noembed noframes svg canvas audio video datalist annotation annotation-xml".split()
# Elements without text.
TEXTLESS = "img picture source track map area embed link meta base".split()
# Attributes in which applications store the data of a page (see `hydration`).
DATA_ATTRIBUTES = tuple(name for name, bit in ATTRIBUTES.items() if bit == DATA)

# All other elements are inline. Kinds up to NOSCRIPT are blocks; HIDDEN_INLINE is that of an inline element whose
# attributes hide it. SKIPPED is one whose content is passed over: what is invisible, and a <title> outside the head
# (see `metadata`).
INLINE, BLOCK, LIST, ITEM, ROW, CELL, PRE, NOSCRIPT, SHADOW_ROOT, LINK, BOLD = range(11)
BREAK, CONTROL, SUB, SUP, MATH, CITE, SKIPPED, HIDDEN_INLINE = range(11, 19)
# The first kind that a subclass may use.
OWN = 32
KINDS = tag_groups({
    BLOCK: "address article aside blockquote body button caption center dd details dialog div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html legend main nav optgroup "
    "option p search section select summary table tbody tfoot thead",
    LIST: "ul ol menu dir",
    ITEM: "li",
    ROW: "tr",
    CELL: "td th",
    PRE: "pre listing xmp plaintext",
    NOSCRIPT: "noscript",
    SHADOW_ROOT: "shadow-root",
    LINK: "a",
    BOLD: "b strong",
    BREAK: "br hr",
    CONTROL: "input textarea",
    SUB: "sub",
    SUP: "sup",
    MATH: "math",
    CITE: "cite",
    SKIPPED: " ".join((*INVISIBLE, "template", "title")),
})  # fmt: skip
