"""Bounds on what a page may have for its size: start tags, blocks, segments and their paths, each of which takes
hundreds or thousands of bytes.

    check_tags("<p>x" * 100_000)    # RecordError: a page of 100,000 start tags in 400,000 characters; …
    max_blocks(400_000)             # 25000

Without them, `<p>x` takes 300 times its size in memory. Of the 3,927 development pages none comes near: those of n
characters have at most n / 60 segments, n / 200 different paths and n / 15 tags, end tags included.
The option `--dense` lifts the bounds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import RecordError
from ..record import Segment
from .html_source import HtmlSource, source_of

# Any page may have the first number, and one more for so many characters.
TAGS, CHARS_PER_TAG = 10_000, 10
BLOCKS, CHARS_PER_BLOCK = 5_000, 20
SEGMENTS, CHARS_PER_SEGMENT = 3_000, 60
PATHS, CHARS_PER_PATH = 2_500, 400

_START_TAG = re.compile("<[a-zA-Z]")


def check_tags(html: str | HtmlSource) -> None:
    """Raises RecordError for a page with too many start tags. To be called before it is parsed."""
    source = source_of(html)
    most = TAGS + source.num_chars // CHARS_PER_TAG
    if source.num_tags <= most:
        return
    number = sum(1 for _ in _START_TAG.finditer(source.text))
    if number > most:
        raise too_dense(number, "start tags", source.num_chars, most)


def max_blocks(size: int) -> int:
    """The number of blocks that a page of *size* characters may have."""
    return BLOCKS + size // CHARS_PER_BLOCK


def max_segments(num_chars: int) -> int:
    """The number of segments that surely are not too many for a page, nor their paths."""
    return min(SEGMENTS + num_chars // CHARS_PER_SEGMENT, PATHS + num_chars // CHARS_PER_PATH)


def check_segments(segments: Sequence[Segment], num_chars: int) -> None:
    """Raises RecordError for a page of *num_chars* characters with too many segments, or too many different paths of
    them."""
    most = SEGMENTS + num_chars // CHARS_PER_SEGMENT
    if len(segments) > most:
        raise too_dense(len(segments), "segments", num_chars, most)
    most = PATHS + num_chars // CHARS_PER_PATH
    if len(segments) > most and (number := len({segment["path"] for segment in segments})) > most:
        raise too_dense(number, "different paths", num_chars, most)


def too_many_blocks(num_chars: int) -> RecordError:
    """The error of a page with too many blocks, whose walk has ended at the last that it may have."""
    most = max_blocks(num_chars)
    return too_dense(most + 1, "blocks or more", num_chars, most)


def too_dense(number: int, what: str, num_chars: int, most: int) -> RecordError:
    """The error of a page that is beyond a bound."""
    return RecordError(
        f"a page of {number:,} {what} in {num_chars:,} characters; the limit for this size is {most:,} "
        "(--dense lifts it)"
    )
