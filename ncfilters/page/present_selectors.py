"""A list of simple selectors, cut to those that match something on a page, for speed: the parser compares each of them
with each element.

    selectors = PresentSelectors("h1, time, [rel~='author' i]")
    selectors.of(parse_html("<h1>Rain</h1>"))    # 'h1'

Without a compiled core, all selectors are taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .compiled_core import core

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_SELECTOR = re.compile(
    r"""(?P<tag>[\w-]*)(?:\.(?P<class>[\w-]+)|"""
    r"""\[(?P<name>[\w-]+)(?:(?P<operator>[*^$~]?)=(?P<quote>['"])(?P<value>[^'"]*)(?P=quote)(?:\s+i)?)?\])?"""
)


class PresentSelectors:
    """One or more lists of selectors, separated by commas: an element, a class, an attribute and its value, or an
    element with one of these.

    Of *note_links*, selectors with an attribute for links, only links in headings and those count whose text or target
    may be that of the mark of a note (see `footnotes.may_be_mark`).
    """

    def __init__(self, *lists: str, note_links: Collection[str] = ()) -> None:
        self._lists = lists
        self._each = [selector.strip() for selectors in lists for selector in selectors.split(",")]
        self._parsed = [_parsed(selector, selector in note_links) for selector in self._each]
        self._compiled: Any = None

    def of(self, tree: LexborHTMLParser) -> str:
        """The selectors that may match elements of a page; empty if none does."""
        return ", ".join(filter(None, self.parts_of(tree)))

    def parts_of(self, tree: LexborHTMLParser) -> list[str]:
        """The same, for each of the lists."""
        compiled, root = core(), tree.root
        if compiled is None or root is None:
            return [*self._lists]
        if self._compiled is None:
            self._compiled = compiled.selectors(self._parsed)
        found = compiled.present(root.mem_id, self._compiled)
        ends = [0, *accumulate(selectors.count(",") + 1 for selectors in self._lists)]
        return [
            ", ".join([self._each[number] for number in found if start <= number < end])
            for start, end in zip(ends, ends[1:])
        ]

    def nodes(self, tree: LexborHTMLParser) -> list[LexborNode]:
        """The elements that a selector matches, in the order of the page."""
        selectors = self.of(tree)
        return tree.css(selectors) if selectors else []


def _parsed(selector: str, is_note_link: bool) -> tuple[str, str, str, str]:
    """The name of the element, the attribute, the operator and the value. Raises ValueError for other selectors."""
    match = _SELECTOR.fullmatch(selector)
    if match is None:
        raise ValueError(f"selector: expected a simple one, got {selector}")
    if match["class"]:
        return match["tag"], "class", "~", match["class"].lower()
    value = (match["value"] or "").replace("\\\\", "\\").lower()
    operator = "#" if is_note_link else "" if match["value"] is None else match["operator"] or "="
    return match["tag"], match["name"] or "", operator, value
