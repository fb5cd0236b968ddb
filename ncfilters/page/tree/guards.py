"""Bounds on what a page may have for its size, and the one error of a page that has more.

    lexbor_tree("<div>" * 20_000)    # RecordError: a page of 100,000 bytes has more than 1,024 open elements, the limit
    max_blocks(400_000)              # 8166

A parser takes time in proportion to the elements that are open around each tag, to the attributes of a tag, and to the
options of a menu; and a node, a block or a link takes hundreds of bytes. The parser ends at the bounds on memory and on
open elements (see `parser_memory`); where it cannot, its tree is checked. What else a page may do, it does within the
limits of time and memory of worker processes. No development page comes near any of these bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import RecordError
from ...native.parser_memory import MAX_OPEN, most_attributes
from ...text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# The parser may take the first number of bytes for any page (the smallest takes 1,055,000), so many more for each of
# the first bytes of the page, and so many for each further one.
PARSER_BYTES, FIRST_BYTES, PER_BYTE, PER_FURTHER_BYTE = 1_600_000, 5_000_000, 22, 15
# Bytes that lexbor takes for an element, for a text or a comment, and for an attribute.
ELEMENT_BYTES, TEXT_BYTES, ATTRIBUTE_BYTES = 184, 136, 240
# Attributes of a tag; options; and tags of <html> and <body>, whose attributes become those of one element. Pages with
# fewer tags are not searched for the last two.
MAX_ATTRIBUTES, MAX_OPTIONS, MAX_ROOTS, MIN_TAGS = 2_000, 5_000, 1_000, 1_000
# The blocks that any page may have; and what larger ones may: so many, and one more for so many bytes. With --markup,
# as many links, emphasis and other marks.
BLOCKS, LARGE_BLOCKS, BYTES_PER_BLOCK = 3_500, 1_500, 60

_OPTION = lazy_pattern(rb"<[oO][pP][tT][iI][oO][nN][\s/>]")
_ROOT = lazy_pattern(rb"<(?:[hH][tT][mM][lL]|[bB][oO][dD][yY])[\s/]")
# By the number that `parser_memory.limit_parser` returns.
_PARSER_BOUNDS = ((0, ""), (0, "bytes in the parser"), (MAX_OPEN, "open elements"))


def too_much(size: int, most: int, what: str) -> RecordError:
    """The error of a page of *size* bytes that has more of something than it may."""
    return RecordError(f"a page of {size:,} bytes has more than {most:,} {what}, the limit for a page of this size")


def parser_bytes(size: int) -> int:
    """The memory that the parser may take for a page of *size* bytes."""
    return PARSER_BYTES + PER_BYTE * min(size, FIRST_BYTES) + PER_FURTHER_BYTE * max(size - FIRST_BYTES, 0)


def max_blocks(size: int) -> int:
    """The blocks that a page of *size* bytes may have."""
    return max(BLOCKS, LARGE_BLOCKS + size // BYTES_PER_BLOCK)


def too_many_blocks(what: str, size: int) -> RecordError:
    """The error of a page with too many `blocks` or `marks`, whose walk has ended at the last that it may have."""
    return too_much(size, max_blocks(size), "links and other inline elements" if what == "marks" else what)


def parser_ended(bound: int, size: int) -> RecordError:
    """The error of a page for which the parser has ended at one of its bounds."""
    most, what = _PARSER_BOUNDS[bound]
    return too_much(size, most or parser_bytes(size), what)


def check_markup(utf8: bytes) -> None:
    """Raises RecordError for a page that takes the parser long by attributes, options, or tags of <html> and <body>."""
    if most_attributes(utf8) > MAX_ATTRIBUTES:
        raise too_much(len(utf8), MAX_ATTRIBUTES, "attributes of a tag")
    if utf8.count(b"<") < MIN_TAGS:
        return
    for pattern, most, what in ((_OPTION, MAX_OPTIONS, "options"), (_ROOT, MAX_ROOTS, "tags of <html> and <body>")):
        if len(pattern.findall(utf8)) > most:
            raise too_much(len(utf8), most, what)


def check_tree(root: LexborNode, size: int) -> None:
    """Raises RecordError for the tree of a page of *size* bytes, where the parser has no bounds."""
    left = parser_bytes(size) - 1_055_000
    depths = {-1: 0}
    for node in root.traverse(include_text=True):
        is_element = node.tag not in ("-text", "_comment")
        left -= ELEMENT_BYTES + ATTRIBUTE_BYTES * len(node.attributes) if is_element else TEXT_BYTES
        depth = depths[node.mem_id] = 1 + depths.get(node.parent.mem_id if node.parent else -1, 0)
        if left < 0 or depth > MAX_OPEN:
            raise parser_ended(1 if left < 0 else 2, size)
