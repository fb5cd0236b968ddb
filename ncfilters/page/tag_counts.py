"""What the tags of markup make at most, counted before it is parsed.

    tag_counts(b"<p id=a>One").attributes    # 1

Tags in scripts and in the values of attributes are counted, too, because only a parser can tell them.
"""

from __future__ import annotations

from string import ascii_letters
from typing import NamedTuple

from ..native.markup_bytes import NameTable, count_attributes, find_byte, name_end
from .nesting import FLAT, FORMATTING, LEAVING

# What a name may be: bits. Above them, the number of an element that stays open until it is closed.
_TABLE, _MAKING_END, _NEVER_OPEN, _FORMATTING, _NUMBER = 1, 2, 4, 8, 8
_KINDS: dict[str, int] = {name: _NEVER_OPEN for name in FLAT if name in LEAVING}
_KINDS["table"] = _TABLE
_KINDS |= {name: _KINDS[name] | _MAKING_END for name in ("p", "br")}
_KINDS |= {name: _FORMATTING | number << _NUMBER for number, name in enumerate(FORMATTING) if name != "a"}
_NAMES = NameTable(name.encode() for name in _KINDS)
_KIND_OF = [*_KINDS.values(), 0]  # by the number of the name; the last one is for others
_LETTERS = bytearray([chr(byte) in ascii_letters for byte in range(256)])
_LESS, _GREATER, _SLASH = map(ord, "<>/")
_OTHER = frozenset(map(ord, "!?/"))


class TagCounts(NamedTuple):
    """Of the tags of markup, wherever they stand: the elements, the texts and comments, and the attributes that they
    make at most (those of end tags are dropped, but take memory); the start tags of elements that may nest, the sum of
    such tags before each tag; and the most formatting elements that are open at once, if all that are not closed stay
    open."""

    elements: int
    texts: int
    attributes: int
    starts: int
    around: int
    formatting: int


def tag_counts(html: bytes) -> TagCounts:
    """The counts of a page in UTF-8. A table counts as three elements: the parser adds some. Linear in the page."""
    elements = texts = attributes = starts = around = now_open = most_open = 0
    num_open = [0] * len(FORMATTING)
    size = len(html)
    at = find_byte(html, _LESS, 0, size)
    while at >= 0:
        following = find_byte(html, _LESS, at + 1, size)
        around += starts
        first = html[at + 1] if at + 1 < size else 0
        is_end = first == _SLASH
        name = at + 1 + is_end
        first = html[name] if name < size else 0
        if _LETTERS[first]:
            kind = _KIND_OF[_NAMES.number_at(html, name)]
            if not is_end:
                elements += 3 if kind & _TABLE else 1
                starts += not kind & _NEVER_OPEN
            elif kind & _MAKING_END:
                elements += 1
            if kind & _FORMATTING:
                number = kind >> _NUMBER
                if not is_end:
                    num_open[number] += 1
                    now_open += 1
                    most_open = max(most_open, now_open)
                elif num_open[number]:
                    num_open[number] -= 1
                    now_open -= 1
            end = name_end(html, name)
            if end < size and html[end] != _GREATER or 0 <= following < end:
                attributes += count_attributes(html, name + 1)
        elif is_end or first in _OTHER:
            texts += 1
        # a text, if something follows the first `>` between two tags
        texts += find_byte(html, _GREATER, at + 1, (following if following >= 0 else size) - 1) >= 0
        at = following
    return TagCounts(elements, texts, attributes, starts, around, most_open)
