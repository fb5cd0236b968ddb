"""Where pages set words apart that have no space between them: at the edges of inline elements.

    <span>Author</span><span>12 May</span>    Author 12 May
    <b>W</b>ord, CO<sub>2</sub>, foo<wbr>Bar    Word, CO2, fooBar

Styles are not read, so it is by the letters that meet: a word seldom goes on with a capital after a small letter, or a
number with a letter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .elements import INVISIBLE, TEXTLESS

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# What meets, of upper case, lower case and digits → whether one element must end and another begin there. On the WCXB
# development pages, gold text that has just one of the two writes apart what meets so in 64 pages, 19, 10, 4, 17 and 4,
# together in 2, none, none, none, none and 2 (elements one after the other); what is not here is more often one word.
JOINTS = {"aA": False, "a1": False, "1A": False, "A1": False, "AA": True, "1a": True}
# Ordinals and units stay with their number.
_WORD = re.compile(r"[^\W\d_]{3}")
# Elements of what belongs to the word before it, or is no words; and what makes no edge: what nc-normalize takes out,
# and a place where a word may be broken.
ATTACHED = frozenset("sup sub code kbd samp tt var".split())
NOTHING = frozenset(("-comment", "wbr", "template", *INVISIBLE, *TEXTLESS))


def apart(before: str, text: str, node: LexborNode) -> bool:
    """Whether a space is wanted between the text of a node and the one *before* it in the same block; both are letters
    or digits where they meet."""
    between = JOINTS.get(_case(before[-1]) + _case(text[0]))
    if between is None:
        return False
    begins, last = _edge(node)
    if last is None or last in ATTACHED:
        return False
    ends = last != "-text"
    if not between:
        return begins or ends
    if text[0].islower():
        return begins and ends and _WORD.match(text) is not None
    # words spelt out a letter an element are one
    return begins and ends and len(before) > 1 and len(text) > 1


def _case(character: str) -> str:
    return "1" if character.isdigit() else "A" if character.isupper() else "a" if character.islower() else ""


def _edge(node: LexborNode) -> tuple[bool, str | None]:
    """Whether elements begin with a text, and the tag of what stands before it; None for what is ATTACHED.

    Linear in the page: nothing that is passed on the way has text, so that no other text passes it.
    """
    begins = False
    at: LexborNode | None = node
    while at is not None:
        before = at.prev
        while before is not None and before.tag in NOTHING:
            before = before.prev
        above = at.parent
        if above is None or above.tag in ATTACHED:
            return begins, None
        if before is not None:
            return begins, before.tag
        begins, at = True, above
    return begins, None
