"""Lists of selectors, and the elements of a page that match them.

PresentSelectors("h1, time").nodes(parse_html("<h1>Rain</h1>"))    # [<LexborNode h1>]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode


class PresentSelectors:
    """One or more lists of selectors, separated by commas."""

    def __init__(self, *lists: str) -> None:
        self._all = ", ".join(lists)

    def nodes(self, tree: LexborHTMLParser) -> list[LexborNode]:
        """The elements that a selector matches, in the order of the page; one that several match, as often."""
        return tree.css(self._all)

    def nodes_in(self, node: LexborNode) -> list[LexborNode]:
        """The same of an element and those in it."""
        return node.css(self._all)

    def may_be_in(self, node: LexborNode) -> bool:
        """Whether an element or one in it matches a selector."""
        return node.css_first(self._all) is not None

    def search(self, tree: LexborHTMLParser) -> Search:
        """The elements that the selectors of each list match."""
        return Search(tree)


class Search:
    """The elements of a page that match the selectors of several lists."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.tree = tree

    def has(self, selectors: str) -> bool:
        """Whether there are elements that those of a list match."""
        return self.tree.css_first(selectors) is not None

    def nodes(self, selectors: str) -> list[LexborNode]:
        """The elements that the selectors of a list match, in the order of the page; one that several match, as
        often."""
        return self.tree.css(selectors)
