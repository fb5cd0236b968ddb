"""HTML elements and attributes that several modules use, what an element is for its block, and the elements of a table.

"svg" in INVISIBLE    # True
"""

from __future__ import annotations

from ...native.element_names import ATTRIBUTES, BLANK, CLASS, DATA, MAX_TAGS, TEXT, UNKNOWN, number_of_tag
from ...native.page_table import PageTable
from ...words.element_names import OTHER_TAGS, TAGS

INVISIBLE, TEXTLESS = OTHER_TAGS["invisible"].split(), OTHER_TAGS["textless"].split()
# Attributes in which applications store the data of a page (see `hydration`).
DATA_ATTRIBUTES = tuple(name for name, bit in ATTRIBUTES.items() if bit == DATA)

# What an element is for its block. Kinds up to NOSCRIPT are blocks; HIDDEN_INLINE is that of an inline element whose
# attributes hide it. SKIPPED is one whose content is passed over.
INLINE, BLOCK, LIST, ITEM, ROW, CELL, PRE, NOSCRIPT, SHADOW_ROOT, LINK, BOLD = range(11)
BREAK, CONTROL, SUB, SUP, MATH, CITE, SKIPPED, HIDDEN_INLINE = range(11, 19)
# The first kind that a subclass may use.
OWN = 32
# Kinds by purpose; elements of other purposes are blocks.
_KINDS = {
    "list": LIST, "item": ITEM, "row": ROW, "cell": CELL, "code": PRE, "preformatted": PRE, "noscript": NOSCRIPT,
    "shadow root": SHADOW_ROOT, "link": LINK, "bold": BOLD, "break": BREAK, "control": CONTROL, "sub": SUB, "sup": SUP,
    "formula": MATH, "cite": CITE, "invisible": SKIPPED, "passed over": SKIPPED, "textless": INLINE, "inline": INLINE,
}  # fmt: skip
KINDS = bytearray(MAX_TAGS)
for _purpose, _tags in (TAGS | OTHER_TAGS).items():
    if _kind := _KINDS.get(_purpose, BLOCK):
        for _tag in _tags.split():
            KINDS[number_of_tag(_tag)] = _kind

NO_TAGS = bytearray(512)
NO_WORDS: frozenset[str] = frozenset()


def elements_of(table: PageTable, row: int, tags: bytearray, words: frozenset[str] = NO_WORDS) -> list[int]:
    """An element and those in it that have one of these *tags*, a group, or one of these *words* in their class."""
    out = []
    for at in range(row, table.end[row]):
        if _is_of(table, at, tags, words):
            out.append(at)  # noqa: PERF401 # compiled, a comprehension has no types
    return out


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
    if tags[tag] > 0:
        return True
    has_words = len(words) > 0 and table.flags[row] & CLASS != 0
    return has_words and not words.isdisjoint((table.attribute_of(row, "class") or "").split())


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
    out = []
    at, end = row + 1, table.end[row]
    while at < end:
        if table.tag[at] >= UNKNOWN:
            out.append(at)
        at = table.end[at]
    return out


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
