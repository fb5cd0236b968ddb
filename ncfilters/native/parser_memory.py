"""A bound on the memory that the parser takes for a page, while it parses.

    limit_parser(30_000_000)    # and then parse: the parser stops when it needs more
    limit_parser(0)             # no bound any more; True: the bound was met

Where it is compiled (`parser_memory.pyx`), and the C library is glibc. Otherwise there is no bound.
"""

from __future__ import annotations


def limit_parser(most: int) -> bool:
    """Bounds the memory that the parser takes in this thread from now on, in bytes; 0 for no bound. Returns whether the
    bound before was met."""
    return False


def return_memory(least: int) -> None:
    """Gives the memory that is free back to the system, if it is at least so many bytes."""
