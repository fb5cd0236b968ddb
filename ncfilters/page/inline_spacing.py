"""Spaces between words that a page separates by style alone, at the edges of inline elements.

    <span>Author</span><span>12 May</span>    Author 12 May
    <span>1994</span><span>2h 22m</span>, £19<del>£24</del>    1994 2h 22m, £19 £24
    <b>W</b>ord, CO<sub>2</sub>, foo<wbr>Bar    Word, CO₂, fooBar

Styles are not evaluated; the adjacent characters decide. A word seldom continues with a capital after a small letter,
or a number with a letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text.lazy_pattern import lazy_pattern
from .elements import INVISIBLE, TEXTLESS

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Classes of the two adjacent characters: upper case, lower case, digit, currency sign ($), separator (•), other. One
# element must end or another begin between them. Where the gold text of the WCXB development pages has exactly one of
# the two spellings, it separates aA, a1, 1A and A1 in 64, 19, 10 and 4 pages, and joins aA in 2. Of different places on
# half of these pages, it separates 28 :1, 17 :A, 5 :$ and 2 1$, and joins 2 :A.
EDGE_PAIRS = frozenset("aA a1 1A A1 1$ a$ :1 :A :$".split())
# One element must end and another begin. Gold text separates AA and 1a in 17 and 4 pages, and joins 1a in 2. It
# separates 51 .A, 31 11, 23 )1, 4 )A and 4 a•, and joins 4 11 (single digits). Other pairs are more often one word.
ELEMENT_PAIRS = frozenset("AA 1a 11 1( a( A( )1 )A %A $A $a )$ 1- 1− .A !A ?A a• A• 1• )• •a •A •1".split())
_CURRENCIES, _SEPARATORS = "$€£¥₹", "•·|"
# Elements whose text belongs to the word before, or is not prose.
ATTACHED_TAGS = frozenset("sup sub code kbd samp tt var".split())
MAX_NOTE_CHARS = 3
# Nodes that do not count as an edge: those that nc-normalize deletes, and <wbr>.
TRANSPARENT_TAGS = frozenset(("-comment", "wbr", "template", *INVISIBLE, *TEXTLESS))

# Ordinals and units stay with their number.
_WORD = lazy_pattern(r"[^\W\d_]{3}")
_DISCOUNT = lazy_pattern(r"[-−]\d+ ?%")


def needs_space(before: str, text: str, node: LexborNode) -> bool:
    """Whether a space belongs between the *text* of a node and the text *before* it in the same block."""
    pair = _character_class(before[-1]) + _character_class(text[0])
    if pair[-1:] == "1" and _is_note(text, node):
        return True
    needs_elements = pair in ELEMENT_PAIRS
    if not needs_elements and pair not in EDGE_PAIRS:
        return False
    begins, previous_tag = _edge(node)
    if previous_tag is None or previous_tag in ATTACHED_TAGS:
        return False
    ends = previous_tag != "-text"
    if not (begins and ends if needs_elements else begins or ends):
        return False
    return _are_words(pair, before, text, needs_elements)


def _is_note(text: str, node: LexborNode) -> bool:
    """Whether a text is the mark of a note: a small number in a link within the page, outside `<sup>`."""
    link = node.parent
    if len(text) > MAX_NOTE_CHARS or not text.isdecimal() or link is None or link.tag != "a":
        return False
    if link.parent is None or link.parent.tag in ATTACHED_TAGS:
        return False
    return (link.attributes.get("href") or "").startswith("#")


def _are_words(pair: str, before: str, text: str, are_elements: bool) -> bool:
    """Whether two texts are too long to be parts of one word or number."""
    if pair[1] == "$":
        return text[1:].lstrip()[:1].isdigit()
    if pair[1] in "-−":
        return _DISCOUNT.match(text) is not None
    if pair[0] == ":":
        return before[-2:-1].isalpha()  # not in 12:30
    if "•" in pair:
        return len((before if pair[0] == "•" else text).strip()) == 1
    if not are_elements:
        return True
    if text[0].islower():
        return _WORD.match(text) is not None
    # words with an element for each letter are one word
    return len(before) > 1 and len(text) > (2 if pair[1] == "(" else 1)


def _character_class(character: str) -> str:
    if character.isdigit():
        return "1"
    if character.isalpha():
        return "A" if character.isupper() else "a" if character.islower() else ""
    return "$" if character in _CURRENCIES else "•" if character in _SEPARATORS else character


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
