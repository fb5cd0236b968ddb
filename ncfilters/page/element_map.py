"""Values by element of a page.

names: ElementMap[str] = ElementMap()
names.put(parse_html("<p id=x>One").css_first("p"), "x")
list(names.values()), names.tags    # (['x'], {'p'})
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

T = TypeVar("T")


class ElementMap(dict[int, T]):
    """Values by the `mem_id` of elements, and the *tags* of these."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def put(self, node: LexborNode, value: T) -> None:
        """Sets the value of an element."""
        self[node.mem_id] = value
        self.tags.add(node.tag or "")


def elements_in(node: Any) -> list[int]:
    """The `mem_id`s of an element and of all elements in it."""
    if node.child is None or node.tag == "script":
        return [node.mem_id]
    return [child.mem_id for child in node.css("*")]
