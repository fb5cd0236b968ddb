"""Spaces between words that a page separates by style alone, at the edges of inline elements.

    <span>Author</span><span>12 May</span>    Author 12 May
    <span>1994</span><span>2h 22m</span>, £19<del>£24</del>    1994 2h 22m, £19 £24
    <b>W</b>ord, CO<sub>2</sub>, foo<wbr>Bar    Word, CO₂, fooBar

Styles are not evaluated; the adjacent characters decide. A word seldom continues with a capital after a small letter,
or a number with a letter.
"""

from __future__ import annotations

from ...native.element_names import COMMENT, TEXT, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import INVISIBLE, TEXTLESS

# Classes of the two adjacent characters: upper case, lower case, digit, currency sign ($), separator (•), other. One
# element must end or another begin between them. Where the gold text of the WCXB development pages has exactly one of
# the two spellings, it separates aA, a1, 1A and A1 in 64, 19, 10 and 4 pages, and joins aA in 2. Of different places on
# half of these pages, it separates 28 :1, 17 :A, 5 :$ and 2 1$, and joins 2 :A.
EDGE_PAIRS = frozenset("aA a1 1A A1 1$ a$ :1 :A :$".split())
# One element must end and another begin. Gold text separates AA and 1a in 17 and 4 pages, and joins 1a in 2. It
# separates 51 .A, 31 11, 23 )1, 4 )A and 4 a•, and joins 4 11 (single digits). Other pairs are more often one word.
ELEMENT_PAIRS = frozenset("AA 1a 11 1( a( A( )1 )A %A $A $a A$ 1+ )$ 1- 1− .A !A ?A a• A• 1• )• •a •A •1".split())
# Elements whose text belongs to the word before, or is not prose; nodes that do not count as an edge: those that
# nc-normalize deletes, and <wbr>.
# Keys and pieces of code that follow each other are several.
ATTACHED, TRANSPARENT, PIECE = 1, 2, 4
_GROUPS = tag_groups({
    ATTACHED: "sup sub code kbd samp tt var",
    PIECE: "code kbd",
    TRANSPARENT: " ".join(("wbr", "template", *INVISIBLE, *TEXTLESS)),
})  # fmt: skip
_ATTACHED, _TRANSPARENT, _PIECE = ATTACHED, TRANSPARENT, PIECE
_TEXT, _COMMENT, _LINK = TEXT, COMMENT, number_of_tag("a")
MAX_NOTE_CHARS = 3
# What joins such marks with each other, or opens a bracket around them.
NO_SPACE_AFTER = "([{（［-–—−/,"
# Letters of a currency that its sign follows, such as US$.
CURRENCIES, MAX_CURRENCY_CHARS = "$€£¥₹", 2

# Ordinals and units stay with their number.
_WORD = lazy_pattern(r"[^\W\d_]{3}")
_DISCOUNT = lazy_pattern(r"[-−]\d+ ?%")


def needs_space(table: PageTable, before: str, text: str, row: int) -> bool:
    """Whether a space belongs between the *text* of a row and the text *before* it in the same block."""
    left, first, element = before[-1], text[0], table.parent[row]
    if element >= 0 and _GROUPS[table.tag[element]] & _PIECE and table.before[row] < 0:
        element_before = table.before[element]
        return element_before >= 0 and table.tag[element_before] == table.tag[element]
    if "a" <= left <= "z" and "a" <= first <= "z":  # for speed: a pair of neither table
        return False
    right = _character_class(first)
    if right == "1" and left not in NO_SPACE_AFTER and _is_note(table, text, row):
        return True
    pair = _character_class(left) + right
    needs_elements = pair in ELEMENT_PAIRS
    if not needs_elements and pair not in EDGE_PAIRS:
        return False
    return _is_at_edge(table, row, needs_elements) and _are_words(pair, before, text, needs_elements)


def _is_note(table: PageTable, text: str, row: int) -> bool:
    """Whether a text is the mark of a note: a small number in a link within the page, outside `<sup>`."""
    link = table.parent[row]
    if len(text) > MAX_NOTE_CHARS or not text.isdecimal() or link < 0 or table.tag[link] != _LINK:
        return False
    above = table.parent[link]
    if above < 0 or _GROUPS[table.tag[above]] & _ATTACHED:
        return False
    return (table.attribute_of(link, "href") or "").startswith("#")


def _are_words(pair: str, before: str, text: str, are_elements: bool) -> bool:
    """Whether two texts are too long to be parts of one word or number."""
    if pair[1] == "$":
        is_currency = pair[0] == "A" and len(before[-MAX_CURRENCY_CHARS - 1 :].split()[-1]) <= MAX_CURRENCY_CHARS
        return not is_currency and text[1:].lstrip()[:1].isdigit()
    if pair[1] == "+":
        return text[1:2] in CURRENCIES and text[1:2] != ""
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
    return "$" if character in CURRENCIES else "•" if character in "•·|" else character


def _is_at_edge(table: PageTable, row: int, needs_elements: bool) -> bool:
    """Whether the edge of an element is before a text: the end of one or the start of another; with *needs_elements*,
    both.

    Linear in the page: the nodes that are visited on the way have no text, so that no other call visits them.
    """
    begins, at = False, row
    while at >= 0:
        before = table.before[at]
        while before >= 0 and _is_transparent(table.tag[before]):
            before = table.before[before]
        above = table.parent[at]
        if above < 0 or _GROUPS[table.tag[above]] & _ATTACHED:
            return False
        if before >= 0:
            tag = table.tag[before]
            if tag >= 0 and _GROUPS[tag] & _ATTACHED:
                return False
            ends = tag != _TEXT
            return begins and ends if needs_elements else begins or ends
        begins, at = True, above
    return False


def _is_transparent(tag: int) -> bool:
    return tag == _COMMENT or tag >= 0 and _GROUPS[tag] & _TRANSPARENT != 0
