"""Rules of a user for elements: CSS selectors of what is dropped and what is kept, for all pages or those of a site.

    rules = element_rules(drop="aside, .newsletter", keep="#transcript")
    table = table_of(parse_html("<aside>Sign in.</aside><p>It rained.").root)
    marked_rows(table, rules)    # {3: 'drop aside'}

A file of rules has a table for each host, whose subdomains it holds for, too; "*" is all pages:

    ["example.org"]
    drop = ["aside", ".newsletter"]
    keep = ".specs, #transcript"
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from ..native.page_table import PageTable
from .metadata.titles import host_and_path

DROP, KEEP = "drop", "keep"
ALL_HOSTS = "*"
# What may follow the start of a selector, tried to find where a wrong one is wrong.
_COMPLETIONS = ("", "x", " x", "root", "x)", ")", "1)", "x]", "]", '"]', "']", "=x]", "x=x]")
MAX_SELECTOR_CHARS = 2_000


class SelectorError(ValueError):
    """A selector is wrong. *shown* are two lines that show where: the selector, and a caret under the place."""

    def __init__(self, where: str, selector: str, place: int, why: str = "no CSS selector") -> None:
        self.shown = (f"  {selector}", f"  {' ' * place}^")
        super().__init__(f"{where}: {why}")

    def __str__(self) -> str:
        return "\n".join([self.args[0], *self.shown])


class SiteRules(NamedTuple):
    """The selectors of what is dropped and kept of the pages of a *host*."""

    host: str = ALL_HOSTS
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()

    def holds_for(self, host: str) -> bool:
        """Whether these rules are for the pages of a *host*."""
        return self.host == ALL_HOSTS or host == self.host or host.endswith(f".{self.host}")


# The rules of sites, in the order in which they are given.
ElementRules = tuple[SiteRules, ...]


def element_rules(drop: str = "", keep: str = "", file: str | os.PathLike[str] | None = None) -> ElementRules:
    """The rules that lists of selectors and a file ask for. Raises SelectorError, ValueError for a file that is not one
    of rules, and OSError for one that cannot be read."""
    own = SiteRules(drop=_selectors(drop, "drop_elements"), keep=_selectors(keep, "keep_elements"))
    return (*((own,) if own.drop or own.keep else ()), *(_rules_of_file(os.fspath(file)) if file else ()))


def marked_rows(table: PageTable, rules: ElementRules, url: str | None = None) -> dict[int, str]:
    """The rows of elements that a rule for the page at *url* is about, each with the name of the rule: `drop aside`.
    What is kept is not dropped."""
    host = host_and_path(url or "")[0]
    names: dict[int, str] = {}  # by the addresses of nodes
    for site in rules:
        if site.holds_for(host):
            for action, selectors in ((DROP, site.drop), (KEEP, site.keep)):
                for selector in selectors:
                    for node in table.root.css(selector):
                        if action == KEEP or node.mem_id not in names:
                            names[node.mem_id] = f"{action} {selector}"
    if not names:
        return {}
    nodes = enumerate(table.root.traverse(include_text=True))
    return {row: names[node.mem_id] for row, node in nodes if node.mem_id in names}


# ---- reading ------------------------------------------------------------------------------------------------------


def _rules_of_file(path: str) -> Iterator[SiteRules]:
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    with open(path, "rb") as file:
        try:
            tables = toml.load(file)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
    for host, fields in tables.items():
        where = f'{path}: ["{host}"]'
        if not isinstance(fields, Mapping) or not set(fields) <= {DROP, KEEP}:
            raise ValueError(f"{where}: expected {DROP} and {KEEP}, selectors of elements")
        yield SiteRules(host.lower(), *(_selectors(fields.get(name, ()), f"{where} {name}") for name in (DROP, KEEP)))


def _selectors(value: Any, where: str) -> tuple[str, ...]:
    """The selectors of a list, or of an array of lists, as the parser's engine accepts them. Raises SelectorError, and
    ValueError for another value, with *where* it is."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{where}: expected a string or an array of strings")
    for text in filter(str.strip, texts):
        if len(text) > MAX_SELECTOR_CHARS:
            raise SelectorError(where, text[:40], 0, f"more than {MAX_SELECTOR_CHARS:,} characters")
        if not _is_valid(text):
            raise SelectorError(where, text, _wrong_place(text))
    return tuple(part.strip() for text in filter(str.strip, texts) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """The parts of *text* between commas that are not in brackets or quotes."""
    depth, quote, start = 0, "", 0
    is_escaped = False
    for at, character in enumerate(text):
        if is_escaped or character == "\\":
            is_escaped = not is_escaped
        elif quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _is_valid(selectors: str) -> bool:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError  # start-up: only rules need it here

    try:
        LexborHTMLParser("").css(selectors)
    except (SelectolaxError, ValueError):
        return False
    return selectors.count("(") == selectors.count(")")  # the engine closes brackets itself


def _wrong_place(text: str) -> int:
    """The length of the longest start of *text* that a valid selector may begin with."""
    for end in range(len(text), 0, -1):
        if any(_is_valid(text[:end] + more) for more in _COMPLETIONS):
            return end
    return 0
