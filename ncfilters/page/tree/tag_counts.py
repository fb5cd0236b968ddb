"""What the tags of markup make at most, counted before it is parsed.

    tag_counts(b"<p id=a>One").attributes    # 1

Tags in scripts and in the values of attributes are counted, too, because only a parser can tell them.
"""

from __future__ import annotations

from string import ascii_letters
from typing import NamedTuple

from ...native.markup_bytes import NameTable, count_attributes, find_byte, name_end
from .nesting import FLAT, FORMATTING, LEAVING

# What a name may be: bits. Above them, the number of an element that stays open until it is closed.
_TABLE, _MAKING_END, _NEVER_OPEN, _FORMATTING, _ROOT, _IGNORED, _BEFORE_TEXT, _CELL = [1 << bit for bit in range(8)]
_NUMBER = 8
_SETS = [
    (_TABLE, "table"),
    (_MAKING_END, "p br"),
    (_NEVER_OPEN, " ".join(name for name in FLAT if name in LEAVING)),
    (_ROOT, "html body"),
    (_IGNORED, "tr td th tbody thead tfoot caption col colgroup html head body frame"),
    (_BEFORE_TEXT, "table tr tbody thead tfoot"),
    (_CELL, "td th"),
    *((_FORMATTING | number << _NUMBER, name) for number, name in enumerate(FORMATTING) if name != "a"),
]
_KINDS: dict[str, int] = {}
for _kind, _names in _SETS:
    for _name in _names.split():
        _KINDS[_name] = _KINDS.get(_name, 0) | _kind
_NAMES = NameTable(name.encode() for name in _KINDS)
_KIND_OF = [*_KINDS.values(), 0]  # by the number of the name; the last one is for others
_LETTERS = bytearray([chr(byte) in ascii_letters for byte in range(256)])
_SPACES = bytearray([chr(byte) in " \t\n\r\f" for byte in range(256)])
_LESS, _GREATER, _SLASH = map(ord, "<>/")
_OTHER = frozenset(map(ord, "!?/"))


class TagCounts(NamedTuple):
    """Of the tags of markup, wherever they stand: the elements, the texts and comments, and the attributes that they
    make at most (those of end tags are dropped, but take memory); the number of `<`; the start tags of elements that
    may nest, and the sum of such tags before each `<`; the most formatting elements that are open at once, if all that
    are not closed stay open; the most tags in a row that the parser may ignore, the texts in front of which it may put
    those of a table; and the tags of `<html>` and `<body>`."""

    elements: int
    texts: int
    attributes: int
    tags: int
    starts: int
    around: int
    formatting: int
    ignored: int
    moved: int
    roots: int


def tag_counts(html: bytes) -> TagCounts:
    """The counts of a page in UTF-8. A table counts as three elements: the parser adds some. Linear in the page."""
    elements = texts = attributes = tags = starts = around = now_open = most_open = run = longest = moved = roots = 0
    num_open = [0] * len(FORMATTING)
    size = len(html)
    at = find_byte(html, _LESS, 0, size)
    while at >= 0:
        following = find_byte(html, _LESS, at + 1, size)
        # behind the first `>` between two tags; a text, if something follows
        behind = find_byte(html, _GREATER, at + 1, (following if following >= 0 else size) - 1) + 1
        texts += behind > 0
        tags += 1
        around += starts
        first = html[at + 1] if at + 1 < size else 0
        is_end = first == _SLASH
        name = at + 1 + is_end
        first = html[name] if name < size else 0
        if _LETTERS[first]:
            # a name that goes on behind the next `<` is unknown, and not read to its end
            end = name_end(html, name, following + 1 if following >= 0 else size)
            kind = _KIND_OF[-1 if 0 <= following < end else _NAMES.number_at(html, name, end)]
            if not is_end:
                elements += 3 if kind & _TABLE else 1
                starts += not kind & _NEVER_OPEN
                roots += kind & _ROOT != 0
            elif kind & _MAKING_END:
                elements += 1
            if kind & _FORMATTING:
                number = kind >> _NUMBER
                if not is_end:
                    num_open[number] += 1
                    now_open += 1
                    if now_open > most_open:
                        most_open = now_open
                elif num_open[number]:
                    num_open[number] -= 1
                    now_open -= 1
            run = run + 1 if is_end or kind & _IGNORED else 0
            if run > longest:
                longest = run
            if behind > 0 and (kind & _BEFORE_TEXT or is_end and kind & _CELL):
                moved += _has_text(html, behind, following if following >= 0 else size)
            if end < size and html[end] != _GREATER or 0 <= following < end:
                attributes += count_attributes(html, name + 1)
        else:
            run = 0
            texts += is_end or first in _OTHER
        at = following
    return TagCounts(elements, texts, attributes, tags, starts, around, most_open, longest, moved, roots)


def _has_text(html: bytes, at: int, end: int) -> bool:
    """Whether more than white space stands between two places."""
    while at < end and _SPACES[html[at]]:
        at += 1
    return at < end
