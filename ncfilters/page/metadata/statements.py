"""Statements of a page about itself: a source, such as its JSON-LD, says a text of a field; and how fields are read.

found = statements_by_field({"meta": {"author": [("Ann Lee", "meta author")]}})
Reader(found, "https://gazette.org/rain").statements("author")    # [('meta', ('Ann Lee', 'meta author'))]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...text.lazy_pattern import lazy_pattern

# The text of a field, and its evidence: where it is from.
Statement = tuple[str, str]
# Field → its statements, the most trusted first.
Statements = dict[str, list[Statement]]
# Field → the source of each statement, its text and its evidence.
ByField = dict[str, list[tuple[str, Statement]]]

# The sources of statements, the most trusted first.
LINKED, RELATED, GRAPH = "json-ld", "rel-author", "opengraph"
TRUST = (LINKED, GRAPH, "dublin-core", "microdata", "meta", RELATED, "time", "byline")
# Elements with rel=author, of different names, of a page that has authors itself.
MAX_RELATED = 3
# Statements about a field that are read. Of the development pages, none has 30 about its authors.
MAX_STATEMENTS = 1_000
# Characters of an address.
MAX_URL_CHARS = 2_000
# An address that is the same when it is joined with another, as most are; and signs that none has.
_PLAIN_ADDRESS = lazy_pattern(r"https?://[\w-]+(?:\.[\w-]+)+/[\w./%~+,=@!:*()-]*(?:\?[\w./%~+,=@!&:;*()-]+)?", re.A)
_NO_ADDRESS = lazy_pattern(r"[\s<>\"]")
# More slashes than two before a host, which browsers ignore: "https:////a.example/b.jpg".
_SLASHES = lazy_pattern(r"^\s*(https?:)?/{3,}(?=[\w-]+(?:\.[\w-]+)+/)", re.I)


def items_in(values: list[Any], places: Sequence[str], most: int) -> Iterator[dict[str, Any]]:
    """The items of JSON-LD in *values*, and in the properties *places* of these, in order; at most so many."""
    todo: list[Any] = list(reversed(values))
    left = most
    while todo and left > 0:
        value = todo.pop()
        left -= 1
        if isinstance(value, list):
            todo += reversed(value[:left])
        elif isinstance(value, dict):
            yield value
            todo += [value[name] for name in reversed(places) if isinstance(value.get(name), (dict, list))]


class Reader:
    """Reads fields from the statements about each, in the order of trust, of a page with an address."""

    def __init__(self, by_field: ByField, url: str) -> None:
        self.by_field, self.url = by_field, url

    def statements(self, field: str) -> Sequence[tuple[str, Statement]]:
        """The source, the text and the evidence of all that is said of a field."""
        return self.by_field.get(field, ())

    def first(self, field: str, read: Callable[[str], str]) -> tuple[str, str] | None:
        """What *read* makes of the first statement of which it makes something, and its evidence."""
        for _, (text, evidence) in self.statements(field):
            if value := read(text):
                return value, evidence
        return None

    def address(self, text: str) -> str:
        """*text* as an absolute address; empty if it is none."""
        return absolute_address(text, self.url)


def absolute_address(text: str, url: str) -> str:
    """*text*, an address on a page at *url*, as an absolute address; empty if it is none."""
    has_plain_url = not url or _PLAIN_ADDRESS.fullmatch(url)
    if has_plain_url and len(text) <= MAX_URL_CHARS and _PLAIN_ADDRESS.fullmatch(text):
        return text
    from urllib.parse import urljoin, urlsplit  # start-up: few pages have other addresses

    try:
        text = _SLASHES.sub(r"\1//", text, count=1) if _SLASHES.match(text) else text
        address = urljoin(url, text.strip()[: 2 * MAX_URL_CHARS])
        is_address = bool(urlsplit(address).hostname)
    except ValueError:
        return ""
    is_address = is_address and address.startswith(("http://", "https://")) and not _NO_ADDRESS.search(address)
    return address if is_address and len(address) <= MAX_URL_CHARS else ""


def statements_by_field(sources: dict[str, Statements]) -> ByField:
    """The source, the text and the evidence of the first MAX_STATEMENTS that say something of a field, for each."""
    out: ByField = {}
    for source in TRUST:
        for field, statements in sources.get(source, {}).items():
            # those who wrote the articles that a page lists are not its authors
            if source != RELATED or len(statements) <= MAX_RELATED:
                out.setdefault(field, []).extend([(source, statement) for statement in statements])
    return {field: found[:MAX_STATEMENTS] for field, found in out.items()}


def line(text: str) -> str:
    """*text* as one line, without character references and soft hyphens."""
    if "&" in text:
        from html import unescape  # start-up: the names of all entities, which few pages need

        text = unescape(text)
    return " ".join(text.replace("\xad", "").split())


def lines(statements: Sequence[tuple[str, Statement]]) -> list[str]:
    """The texts of *statements*, each as one line."""
    return [line(text) for _, (text, _) in statements]
