"""HTML elements and attributes that several modules use, what an element is for its block, and the elements of a table.

"svg" in INVISIBLE    # True
"""

from __future__ import annotations

from ...native.element_names import ATTRIBUTES, BLANK, DATA, TEXT, UNKNOWN, tag_groups
from ...native.page_table import PageTable

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

NO_TAGS = bytearray(512)
NO_WORDS: frozenset[str] = frozenset()


def elements_of(table: PageTable, row: int, tags: bytearray, words: frozenset[str] = NO_WORDS) -> list[int]:
    """An element and those in it that have one of these *tags*, a group, or one of these *words* in their class."""
    return [at for at in range(row, table.end[row]) if _is_of(table, at, tags, words)]


def has_element(table: PageTable, row: int, tags: bytearray, words: frozenset[str] = NO_WORDS) -> bool:
    """Whether there is such an element."""
    return first_element(table, row, tags, words) >= 0


def first_element(table: PageTable, row: int, tags: bytearray, words: frozenset[str] = NO_WORDS) -> int:
    """The first such element; -1 if there is none."""
    for at in range(row, table.end[row]):
        if _is_of(table, at, tags, words):
            return at
    return -1


def _is_of(table: PageTable, row: int, tags: bytearray, words: frozenset[str]) -> bool:
    tag = table.tag[row]
    if tag < UNKNOWN:
        return False
    return tags[tag] > 0 or len(words) > 0 and not words.isdisjoint((table.attribute_of(row, "class") or "").split())


def children(table: PageTable, row: int) -> list[int]:
    """The rows of the children of an element: elements, texts and comments."""
    out = []
    at, end = row + 1, table.end[row]
    while at < end:
        out.append(at)
        at = table.end[at]
    return out


def child_elements(table: PageTable, row: int) -> list[int]:
    """The rows of the elements that are children of an element."""
    return [at for at in children(table, row) if table.tag[at] >= UNKNOWN]


def next_row(table: PageTable, row: int) -> int:
    """The row of the node after another one in the same element; -1 if there is none."""
    after, above = table.end[row], table.parent[row]
    return after if above >= 0 and after < table.end[above] else -1


def is_blank(table: PageTable, row: int) -> bool:
    """Whether a row is a text of white space."""
    return table.tag[row] == TEXT and table.flags[row] & BLANK != 0


def name_at(table: PageTable, row: int) -> str:
    """The tag name of an element; empty for other rows, and for -1."""
    return table.name_of(row) if row >= 0 and table.tag[row] >= UNKNOWN else ""
