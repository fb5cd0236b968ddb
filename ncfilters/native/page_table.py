"""A page as a table: a row for each element, text and comment, in the order of the page.

    table = table_of(parse_html("<p>One <b>two</b>").root)
    table.tag[row], table.parent[row], table.end[row]    # the tag, the row of the parent, the row after the subtree

Rules read this table and nothing of the parser. Where it is compiled (`page_table.pyx`), it is filled from lexbor's
memory in one pass; here, by way of selectolax's nodes. There are no rules in either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .element_names import BLANK, TAG_NAMES, TEXT, columns_of_nodes


class PageTable:
    """The rows below *root*, a node of selectolax, which is row 0.

    `tag`: the number of the element (see `element_names`), or TEXT, COMMENT, OTHER_NODE. `parent`, `before`: the row of
    the parent and that of the sibling before, or -1. `end`: the row after the subtree. `flags`: the attributes of an
    element that have a bit; BLANK and EMPTY of a text.
    """

    def __init__(self, root: Any) -> None:
        self.root = root
        self.nodes: list[Any] = list(root.traverse(include_text=True))
        self.size = len(self.nodes)
        self.tag: Sequence[int]
        self.parent: Sequence[int]
        self.before: Sequence[int]
        self.end: Sequence[int]
        self.flags: Sequence[int]
        self.tag, self.parent, self.before, self.end, self.flags = columns_of_nodes(self.nodes)

    def text_of(self, row: int) -> str:
        """The text of a row that is a text; bytes that are no UTF-8 are U+FFFD."""
        return self.nodes[row].text_content or ""

    def has_text(self, row: int) -> bool:
        """Whether there is text other than white space in an element."""
        return any(self.tag[at] == TEXT and not self.flags[at] & BLANK for at in range(row, self.end[row]))

    def text_below(self, row: int) -> str:
        """All text in an element."""
        return "".join([self.text_of(at) for at in range(row, self.end[row]) if self.tag[at] == TEXT])

    def attribute_of(self, row: int, name: str) -> str | None:
        """The value of an attribute of an element; None if there is none, or if it has no value."""
        value: str | None = self.nodes[row].attributes.get(name)
        return value

    def is_alike(self, row: int, other: int) -> bool:
        """Whether two elements have the same name, id, classes and role. False for a name that no rule knows."""
        return self.tag[row] == self.tag[other] > 0 and all(
            self.attribute_of(row, name) == self.attribute_of(other, name) for name in ("id", "class", "role")
        )

    def attributes_of(self, row: int) -> dict[str, str | None]:
        """All attributes of an element."""
        out: dict[str, str | None] = self.nodes[row].attributes
        return out

    def name_of(self, row: int) -> str:
        """The tag name of an element."""
        return TAG_NAMES[self.tag[row]] or self.nodes[row].tag

    def node_of(self, row: int) -> Any:
        """The parser's node."""
        return self.nodes[row]


def table_of(root: Any) -> PageTable:
    """The table of the tree below *root*, a node of selectolax."""
    return PageTable(root)


def description() -> str:
    """How tables are filled here."""
    return "in Python"
