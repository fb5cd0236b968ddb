"""Bounds on what a page may have for its size: the memory of its tree, blocks, segments and their paths, each of which
takes hundreds or thousands of bytes.

    check_tree("<p>x" * 100_000)    # RecordError: a page of 400,000 characters whose tree takes 32,000,000 bytes; …
    max_blocks(400_000)             # 8166

Without them, `<p>x` takes 300 times its size in memory. Of the 3,927 development pages none comes near: those of n
characters have at most n / 76 segments, 130 + n / 400 different paths and a tree of 17.3 n bytes.
The option `--dense` lifts the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import RecordError
from .html_source import HtmlSource, source_of

# Bytes that lexbor takes for an element, for a text or a comment, and for an attribute.
ELEMENT_BYTES, TEXT_BYTES, ATTRIBUTE_BYTES = 184, 136, 240
# Any page may have a tree of the first number of bytes.
TREE_BYTES = 500_000
# The parser may take the first number of bytes for any page: for its tree and text, for formatting elements that are
# opened again (`broken_markup`), and for whatever makes a parser take more.
PARSER_BYTES = 3_000_000
# Of both, so many bytes more for each of the first characters of the tree, or bytes of the parser, and so many for each
# further one. Development pages take at most 2,000,000 bytes and 12 for each of theirs in the parser.
FIRST_CHARS, BYTES_PER_CHAR, BYTES_PER_FURTHER_CHAR = 5_000_000, 22, 15
# What any page may have; and what larger ones may: so many, and one more for so many characters. With --markup, as many
# links, emphasis and other marks as blocks.
BLOCKS, SEGMENTS, PATHS = 3_500, 3_000, 1_000
LARGE_BLOCKS, LARGE_SEGMENTS, LARGE_PATHS = (1_500, 60), (1_000, 60), (500, 400)


def check_tree(html: str | HtmlSource) -> None:
    """Raises RecordError for a page whose tree takes too much memory. To be called before it is parsed."""
    source = source_of(html)
    most = TREE_BYTES + _bytes_for(source.num_chars)
    size = tree_bytes(source)
    if size > most:
        raise RecordError(
            f"a page of {source.num_chars:,} characters whose tree takes {size:,} bytes; "
            f"the limit for this size is {most:,} (--dense lifts it)"
        )


def max_parser_bytes(size: int) -> int:
    """The memory that the parser may take for a page of *size* bytes."""
    return PARSER_BYTES + _bytes_for(size)


def _bytes_for(size: int) -> int:
    """The bytes that a page may take for its *size*."""
    return BYTES_PER_CHAR * min(size, FIRST_CHARS) + BYTES_PER_FURTHER_CHAR * max(size - FIRST_CHARS, 0)


def too_much_memory(size: int, most: int) -> RecordError:
    """The error of a page of *size* bytes for which the parser takes more than *most*."""
    return RecordError(
        f"a page of {size:,} bytes for which the parser takes more memory than {most:,} bytes, "
        "the limit for this size (--dense lifts it)"
    )


def tree_bytes(html: str | HtmlSource) -> int:
    """An estimate of the memory that the parser takes for the nodes of a page, without their text."""
    counts = source_of(html).counts
    return ELEMENT_BYTES * counts.elements + TEXT_BYTES * counts.texts + ATTRIBUTE_BYTES * counts.attributes


def _most(any_page: int, large_page: tuple[int, int], size: int) -> int:
    """The number that a page of *size* characters may have of what these limit."""
    base, chars = large_page
    return max(any_page, base + size // chars)


def max_blocks(size: int) -> int:
    """The number of blocks that a page of *size* characters may have."""
    return _most(BLOCKS, LARGE_BLOCKS, size)


def check_segments(paths: Sequence[str], num_chars: int) -> None:
    """Raises RecordError for a page of *num_chars* characters with too many segments, or too many different ones of
    their *paths*."""
    most = _most(SEGMENTS, LARGE_SEGMENTS, num_chars)
    if len(paths) > most:
        raise too_dense(len(paths), "segments", num_chars, most)
    most = _most(PATHS, LARGE_PATHS, num_chars)
    if len(paths) > most and (number := len(set(paths))) > most:
        raise too_dense(number, "different paths", num_chars, most)


def too_many(what: str, num_chars: int) -> RecordError:
    """The error of a page with too many `blocks` or `marks`, whose walk has ended at the last that it may have."""
    most = max_blocks(num_chars)
    if what == "marks":
        what = "links and other inline elements"
    return too_dense(most + 1, f"{what} or more", num_chars, most)


def too_dense(number: int, what: str, num_chars: int, most: int) -> RecordError:
    """The error of a page that is beyond a bound."""
    return RecordError(
        f"a page of {number:,} {what} in {num_chars:,} characters; the limit for this size is {most:,} "
        "(--dense lifts it)"
    )
