"""The elements of a page that may be posts by their names, and whether there are any.

post_rows(table_of(parse_html("<div id=post1>One</div><div class=a>").root))    # [2]
"""

from __future__ import annotations

from ...native.element_names import CLASS, DATETIME, HREF, ID, ITEMPROP, ITEMTYPE, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...words.post_names import is_post_class, is_post_id
from ..element_table import ElementTable

_CLASS, _ID, _ITEMTYPE, _TIME = CLASS, ID, ITEMTYPE, number_of_tag("time")
_PART_FLAGS = CLASS | ID | ITEMPROP | HREF | DATETIME
# Elements that posts are; 0 is one that no rule knows, such as `<shreddit-comment>`.
_TAGS = tag_groups({1: "div li article tr td section table dl"})
_TAGS[0] = 1
_BY_ID, _BY_CLASS = 1, 2


def post_rows(table: PageTable) -> list[int]:
    """The rows of elements with an item type, or with an id or a class as posts have."""
    rows: list[int] = []
    for row in range(table.size):
        tag = table.tag[row]
        if tag < 0:
            continue
        flags = table.flags[row]
        if (
            flags & _ITEMTYPE
            or _TAGS[tag]
            and (
                flags & _ID
                and is_post_id(table.attribute_of(row, "id") or "")
                or flags & _CLASS
                and is_post_class(table.attribute_of(row, "class") or "")
            )
        ):
            rows.append(row)
    return rows


def part_rows(table: PageTable, first: int, last: int) -> list[int]:
    """The rows between two of elements that may say what they are of a post: by an attribute, or as a time."""
    rows: list[int] = []
    for row in range(first, last):
        if table.tag[row] == _TIME or table.tag[row] >= 0 and table.flags[row] & _PART_FLAGS:
            rows.append(row)
    return rows


def may_have_posts(elements: ElementTable) -> bool:
    """Whether a page has an element that may be a post by its class, or two by their ids: for speed, because most pages
    have none."""
    by_id = set()
    for number, name in enumerate(elements.names):
        sign = _sign_of(name)
        if sign == _BY_CLASS:
            return True
        if sign == _BY_ID:
            by_id.add(number)
    return len(by_id) > 1 or len(by_id) == 1 and sum([number in by_id for number in elements.name]) > 1


def _sign_of(element: str) -> int:
    """What of its name in paths says that an element may be a post: its class, its id or nothing."""
    name = element.find("#")
    classes = element.find(".", name + 1)
    if classes >= 0 and is_post_class(element[classes:].replace(".", " ")):
        return _BY_CLASS
    return (
        _BY_ID if name >= 0 and is_post_id(element[name + 1 : classes] if classes >= 0 else element[name + 1 :]) else 0
    )
