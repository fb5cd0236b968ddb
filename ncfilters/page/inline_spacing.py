"""Spaces between words that a page separates by style alone, at the edges of inline elements.

    <span>Author</span><span>12 May</span>    Author 12 May
    <b>W</b>ord, CO<sub>2</sub>, foo<wbr>Bar    Word, CO2, fooBar

Styles are not evaluated; the adjacent characters decide. A word seldom continues with a capital after a small letter,
or a number with a letter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .elements import INVISIBLE, TEXTLESS

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Classes of the two adjacent characters (upper case, lower case, digit) → whether one element must end and another
# begin there. Where the gold text of the WCXB development pages has exactly one of the two spellings, it separates
# these pairs in 64, 19, 10, 4, 17 and 4 pages and joins them in 2, 0, 0, 0, 0 and 2. Other pairs are more often one
# word.
BOUNDARY_PAIRS = {"aA": False, "a1": False, "1A": False, "A1": False, "AA": True, "1a": True}
# Elements whose text belongs to the word before, or is not prose.
ATTACHED_TAGS = frozenset("sup sub code kbd samp tt var".split())
# Nodes that do not count as an edge: those that nc-normalize deletes, and <wbr>.
TRANSPARENT_TAGS = frozenset(("-comment", "wbr", "template", *INVISIBLE, *TEXTLESS))

# Ordinals and units stay with their number.
_WORD = re.compile(r"[^\W\d_]{3}")


def needs_space(before: str, text: str, node: LexborNode) -> bool:
    """Whether a space belongs between the *text* of a node and the text *before* it in the same block.

    Both have a letter or digit where they meet."""
    needs_both_edges = BOUNDARY_PAIRS.get(_character_class(before[-1]) + _character_class(text[0]))
    if needs_both_edges is None:
        return False
    begins, previous_tag = _edge(node)
    if previous_tag is None or previous_tag in ATTACHED_TAGS:
        return False
    ends = previous_tag != "-text"
    if not needs_both_edges:
        return begins or ends
    if text[0].islower():
        return begins and ends and _WORD.match(text) is not None
    # words with an element for each letter are one word
    return begins and ends and len(before) > 1 and len(text) > 1


def _character_class(character: str) -> str:
    return "1" if character.isdigit() else "A" if character.isupper() else "a" if character.islower() else ""


def _edge(node: LexborNode) -> tuple[bool, str | None]:
    """Whether an element begins with the text of *node*, and the tag of the node before it; None for ATTACHED_TAGS.

    Linear in the page: the nodes that are visited on the way have no text, so that no other call visits them.
    """
    begins = False
    at: LexborNode | None = node
    while at is not None:
        before = at.prev
        while before is not None and before.tag in TRANSPARENT_TAGS:
            before = before.prev
        above = at.parent
        if above is None or above.tag in ATTACHED_TAGS:
            return begins, None
        if before is not None:
            return begins, before.tag
        begins, at = True, above
    return begins, None
