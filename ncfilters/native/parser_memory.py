"""Bounds on what the parser takes for a page, while it parses: memory, and open elements.

    limit_parser(30_000_000)    # and then parse: the parser stops when it needs more
    limit_parser(0)             # no bound any more; 1: the bound on memory was met

Where it is compiled (`parser_memory.pyx`), and the C library is glibc. Otherwise there is no bound.
"""

from __future__ import annotations

# Blink stops nesting at 512 elements. No page of the development sets is deeper than 67.
MAX_OPEN = 1024


def limit_parser(most: int) -> int:
    """Bounds the memory that the parser takes in this thread from now on, in bytes, and the open elements; 0 for no
    bound. Returns which bound was met before: 1 for memory, 2 for open elements, 0 for none."""
    return 0


def is_bounded() -> bool:
    """Whether there are bounds here, once `limit_parser` was called."""
    return False


def return_memory(least: int) -> None:
    """Gives the memory that is free back to the system, if it is at least so many bytes."""
