"""Tags in the UTF-8 of a page: where their names and they themselves end, and how many attributes they have.

    NameTable([b"p", b"td"]).number_at(b"<TD a=b>", 1, 3)    # 1
    tag_end(b"<td a='>'>", 3)           # 10
    count_attributes(b"<td a=b c>", 2)  # 2

Compiled where it can be (`markup_bytes.pyx`). As the HTML standard reads tags ("tokenization").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(rb"[^ \t\n\r\f/>]*")
# Attributes as nearly all are written; more than so many in a tag are read one by one. Before each `=` is a name.
_USUAL_TAG = re.compile(rb"""(?:[^"'>=]*[^"'>= \t\n\r\f/]="[^"]*"){0,30}[^"'>=]*>""")
_USUAL_ATTRIBUTES = re.compile(
    rb"""[^ \t\n\r\f/><"'=]*(?:[ \t\n\r\f]+[^ \t\n\r\f/>="'<]+="(?:[^"]*[^"=])?"){0,30}[ \t\n\r\f/]*>"""
)
# What stands before an attribute, and the attribute; a quote in its name is none.
_ATTRIBUTE = re.compile(
    rb"([ \t\n\r\f/]*)(?:[^ \t\n\r\f/>][^ \t\n\r\f/>=]*[ \t\n\r\f]*"
    rb"(?:=[ \t\n\r\f]*(?:\"[^\"]*\"?|'[^']*'?|[^ \t\n\r\f>\"'][^ \t\n\r\f>]*)?)?)?"
)
# The same, up to another tag in the tag.
_OUTER_NAME = re.compile(rb"(?:(?!</?[a-zA-Z])[^ \t\n\f\r/>])*")
_OUTER_ATTRIBUTE = re.compile(
    rb"[ \t\n\f\r/]*(?!</?[a-zA-Z])[^ \t\n\f\r/>](?:(?!</?[a-zA-Z])[^ \t\n\f\r/>=])*"
    rb"(?:[ \t\n\f\r]*=[ \t\n\f\r]*(?:\"[^\"]*\"?|'[^']*'?|(?!['\"])(?:(?!</?[a-zA-Z])[^ \t\n\f\r>])*))?"
)
_INNER_TAG = re.compile(rb"[ \t\n\f\r/]*</?[a-zA-Z]")


class NameTable:
    """Known names of elements, which are in lower case, each with its number: its place among them."""

    def __init__(self, names: Iterable[bytes]) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}

    def number_at(self, html: bytes, at: int, end: int) -> int:
        """The number of the name of a tag between two places; -1 for another one."""
        return self._numbers.get(html[at:end].lower(), -1)


# The first place of a byte in data, from a place on and before another; -1 if there is none.
find_byte = bytes.find


def name_end(html: bytes, at: int, end: int = -1) -> int:
    """Where the name of a tag ends that begins at a place; at most *end*, unless that is below 0."""
    return _NAME.match(html, at, end if end >= 0 else len(html)).end()  # type: ignore[union-attr] # it matches nothing, too


def name_at(html: bytes, at: int) -> bytes:
    """The name of a tag that begins at a place, in lower case."""
    return html[at : name_end(html, at)].lower()


def tag_end(html: bytes, at: int) -> int:
    """The place behind the `>` of a tag whose name ends at *at*; one beyond the page for a tag without end."""
    if usual := _USUAL_TAG.match(html, at):
        return usual.end()
    while at < len(html):
        part = _ATTRIBUTE.match(html, at)
        before = part.end(1) if part else at
        if html.startswith(b">", before):
            return before + 1
        at = part.end() if part else at + 1
    return len(html) + 1


def ends_itself(html: bytes, at: int, end: int) -> bool:
    """Whether the tag whose name ends at *at*, and which ends at *end*, does so with `/>`, where `/` is in no value."""
    while at < end - 1:
        part = _ATTRIBUTE.match(html, at)
        before = part.end(1) if part else at
        if before >= end - 1:
            return before > at and html[before - 1 : before] == b"/"
        at = part.end() if part else at + 1
    return False


def count_attributes(html: bytes, at: int) -> int:
    """The number of attributes of a tag in whose name *at* is, up to the next tag that is not in quotes: `<` and the
    name of that are two, to the parser."""
    if usual := _USUAL_ATTRIBUTES.match(html, at):
        return html.count(b'="', at, usual.end())
    name = _OUTER_NAME.match(html, at)
    at = name.end() if name else at
    count = 0
    while attribute := _OUTER_ATTRIBUTE.match(html, at):
        count += 1
        at = attribute.end()
    return count + 2 * bool(_INNER_TAG.match(html, at))
