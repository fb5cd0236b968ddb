"""The attributes of the tags of a page, counted before it is parsed.

    most_attributes(b"<p id=a class='b'>One<br>")    # 2

Compiled where it can be (`tag_attributes.pyx`). Tags are read as the HTML standard does outside of drawings; comments
and the text of scripts and the like have none.
"""

from __future__ import annotations

import re

# Elements whose content is text.
RAW_ELEMENTS = (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")

_START = re.compile(rb"<(?:!--|([a-zA-Z][^ \t\n\r\f/>]*))")
_ATTRIBUTE = re.compile(
    rb"[ \t\n\r\f/]*[^ \t\n\r\f/>][^ \t\n\r\f/>=]*(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:\"[^\"]*\"?|'[^']*'?|[^ \t\n\r\f>]*))?"
)


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
