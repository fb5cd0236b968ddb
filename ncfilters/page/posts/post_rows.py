"""The elements of a page that may be posts by their names, and whether there are any.

may_have_posts(["body/ol/li#comment-12/p", "body/ol/li#comment-14/p"])    # True
post_rows(table_of(parse_html("<div id=post1>One</div><div class=a>").root))    # [2]
"""

from __future__ import annotations

from ...native.element_names import CLASS, ID, ITEMTYPE, tag_groups
from ...native.page_table import PageTable
from .post_names import post_of_class, post_of_id

_CLASS, _ID, _ITEMTYPE = CLASS, ID, ITEMTYPE
# Elements that posts are; 0 is one that no rule knows, such as `<shreddit-comment>`.
_TAGS = tag_groups({1: "div li article tr td section table dl"})
_TAGS[0] = 1
# For speed: whether each class, and each id without its number, says that an element is a post. Pages and sites repeat
# them.
MAX_KNOWN = 1 << 14
_classes: dict[str, bool] = {}
_ids: dict[str, bool] = {}


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


def may_have_posts(paths: list[str]) -> bool:
    """Whether the paths of blocks (see `dom_path`) have an element that may be a post by its class, or two by their
    ids: for speed, because most pages have none."""
    seen: set[str] = set()
    has_one = False
    for path in paths:
        while path and path not in seen:
            seen.add(path)
            at = path.rfind("/")
            element = path[at + 1 :]
            if _is_post_class(element):
                return True
            if _is_post_id(element):
                if has_one:
                    return True
                has_one = True
            path = path[: max(at, 0)]
    return False


def _is_post_class(element: str) -> bool:
    """Whether an element of a path has a class as posts have."""
    classes = element.find(".", element.find("#") + 1)
    return classes >= 0 and _has_post_class(element[classes:].replace(".", " "))


def _is_post_id(element: str) -> bool:
    """Whether an element of a path has an id as posts have."""
    name = element.find("#")
    classes = element.find(".", name + 1)
    return name >= 0 and _has_post_id(element[name + 1 : classes] if classes >= 0 else element[name + 1 :])


def _has_post_class(classes: str) -> bool:
    known = _classes.get(classes)
    if known is None:
        if len(_classes) >= MAX_KNOWN:
            _classes.clear()
        known = _classes[classes] = _has_class_word(classes.lower()) and post_of_class(classes) is not None
    return known


def _has_class_word(classes: str) -> bool:
    """Whether classes in small letters have what each class of a post has; for speed."""
    return (
        "post" in classes
        or "comment" in classes
        or "message" in classes
        or "reply" in classes
        or "answer" in classes
        or "comtr" in classes
        or "itemdiscussion" in classes
        or "ipsentry" in classes
    )


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
