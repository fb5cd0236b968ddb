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
from .survey import scan

# Any page may have the first number, and one more for so many characters.
TAGS, CHARS_PER_TAG = 10_000, 10
BLOCKS, CHARS_PER_BLOCK = 5_000, 20
SEGMENTS, CHARS_PER_SEGMENT = 3_000, 60
PATHS, CHARS_PER_PATH = 2_500, 400

_START_TAG = re.compile("<[a-zA-Z]")


def check_tags(html: str) -> None:
    """Raises RecordError for a page with too many start tags. To be called before it is parsed."""
    most = TAGS + len(html) // CHARS_PER_TAG
    if scan(html).num_tags <= most:
        return
    number = sum(1 for _ in _START_TAG.finditer(html))
    if number > most:
        raise too_dense(number, "start tags", html, most)


def max_blocks(size: int) -> int:
    """The number of blocks that a page of *size* characters may have."""
    return BLOCKS + size // CHARS_PER_BLOCK


def check_segments(segments: Sequence[Segment], html: str) -> None:
    """Raises RecordError for a page with too many segments, or too many different paths of them."""
    most = SEGMENTS + len(html) // CHARS_PER_SEGMENT
    if len(segments) > most:
        raise too_dense(len(segments), "segments", html, most)
    most = PATHS + len(html) // CHARS_PER_PATH
    if len(segments) > most and (number := len({segment["path"] for segment in segments})) > most:
        raise too_dense(number, "different paths", html, most)


def too_many_blocks(html: str) -> RecordError:
    """The error of a page with too many blocks, whose walk has ended at the last that it may have."""
    most = max_blocks(len(html))
    return too_dense(most + 1, "blocks or more", html, most)


def too_dense(number: int, what: str, html: str, most: int) -> RecordError:
    """The error of a page that is beyond a bound."""
    return RecordError(
        f"a page of {number:,} {what} in {len(html):,} characters; the limit for this size is {most:,} "
        "(--dense lifts it)"
    )
