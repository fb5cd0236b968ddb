"""Bounds on what the parser takes for a page, while it parses: memory, and open elements.

    limit_parser(30_000_000)    # and then parse: the parser stops when it needs more
    limit_parser(0)             # no bound any more; 1: the bound on memory was met

    most_attributes(b"<p id=a class='b'>One<br>")    # 2

Memory and elements have bounds where this is compiled (`parser_memory.pyx`), and the C library is glibc. Attributes are
counted before the page is parsed: tags are read as the HTML standard does outside of drawings; comments and the text of
scripts and the like have none.
"""

from __future__ import annotations

import re

# Blink stops nesting at 512 elements. No page of the development sets is deeper than 67.
MAX_OPEN = 1024

# Elements whose content is text.
RAW_ELEMENTS = (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")

_START = re.compile(rb"<(?:!--|([a-zA-Z][^ \t\n\r\f/>]*))")
_ATTRIBUTE = re.compile(
    rb"[ \t\n\r\f/]*[^ \t\n\r\f/>][^ \t\n\r\f/>=]*(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:\"[^\"]*\"?|'[^']*'?|[^ \t\n\r\f>]*))?"
)


def limit_parser(most: int) -> int:
    """Bounds the memory that the parser takes in this thread from now on, in bytes, and the open elements; 0 for no
    bound. Returns which bound was met before: 1 for memory, 2 for open elements, 0 for none."""
    return 0


def is_bounded() -> bool:
    """Whether there are bounds here, once `limit_parser` was called."""
    return False


def return_memory(least: int) -> None:
    """Gives the memory that is free back to the system, if it is at least so many bytes."""


def most_attributes(html: bytes) -> int:
    """The most attributes that a start tag of a page in UTF-8 has. Linear in the page."""
    most = at = 0
    while found := _START.search(html, at):
        at = found.end()
        if found[1] is None:
            end = html.find(b"-->", found.start() + 2)
            at = end if end >= 0 else len(html)
            continue
        count = 0
        while part := _ATTRIBUTE.match(html, at):
            at = part.end()
            count += 1
        most = max(most, count)
        if (name := found[1].lower()) in RAW_ELEMENTS:
            end_tag = re.compile(rb"</" + name, re.I).search(html, at)
            at = end_tag.start() if end_tag else len(html)
    return most
