"""The elements of a page that may be posts by their names, and whether there are any.

post_rows(table_of(parse_html("<div id=post1>One</div><div class=a>").root))    # [2]
"""

from __future__ import annotations

from ...native.element_names import CLASS, DATETIME, HREF, ID, ITEMPROP, ITEMTYPE, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...words.post_names import post_of_class, post_of_id
from ..element_table import ElementTable

_CLASS, _ID, _ITEMTYPE, _TIME = CLASS, ID, ITEMTYPE, number_of_tag("time")
_PART_FLAGS = CLASS | ID | ITEMPROP | HREF | DATETIME
# Elements that posts are; 0 is one that no rule knows, such as `<shreddit-comment>`.
_TAGS = tag_groups({1: "div li article tr td section table dl"})
_TAGS[0] = 1
# For speed: whether each class, and each id without its number, says that an element is a post; what the name of
# each element says. Pages and sites repeat them.
MAX_KNOWN = 1 << 14
_BY_ID, _BY_CLASS = 1, 2
_elements: dict[str, int] = {}
_classes: dict[str, bool] = {}
_ids: dict[str, bool] = {}
_CLASS_WORDS = ("post", "comment", "message", "reply", "answer", "comtr", "itemdiscussion", "ipsentry")


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
                and _has_post_id(table.attribute_of(row, "id") or "")
                or flags & _CLASS
                and _has_post_class(table.attribute_of(row, "class") or "")
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
    known = _elements.get(element)
    if known is None:
        if len(_elements) >= MAX_KNOWN:
            _elements.clear()
        name = element.find("#")
        classes = element.find(".", name + 1)
        known = 0
        if classes >= 0 and _has_post_class(element[classes:].replace(".", " ")):
            known = _BY_CLASS
        elif name >= 0 and _has_post_id(element[name + 1 : classes] if classes >= 0 else element[name + 1 :]):
            known = _BY_ID
        _elements[element] = known
    return known


def _has_post_class(classes: str) -> bool:
    known = _classes.get(classes)
    if known is None:
        if len(_classes) >= MAX_KNOWN:
            _classes.clear()
        known = _classes[classes] = _has_class_word(classes.lower()) and post_of_class(classes) is not None
    return known


def _has_class_word(classes: str) -> bool:
    """Whether classes in small letters have what each class of a post has; for speed."""
    for word in _CLASS_WORDS:
        if word in classes:
            return True
    return False


def _has_post_id(identity: str) -> bool:
    size = end = len(identity)
    while end > 0 and "0" <= identity[end - 1] <= "9":
        end -= 1
    if end == size:  # it ends with a letter
        return post_of_id(identity) is not None if "_" in identity else False
    name = identity[:end]
    known = _ids.get(name)
    if known is None:
        if len(_ids) >= MAX_KNOWN:
            _ids.clear()
        known = _ids[name] = post_of_id(identity) is not None
    return known
