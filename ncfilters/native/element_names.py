"""Numbers of element names and bits of attributes, which page tables have in their columns.

tag_groups({1: "ul ol"})[number_of_tag("ol")]    # 1
"""

from __future__ import annotations

# What a row is that is no element; the number of elements whose names no rule knows.
TEXT, COMMENT, OTHER_NODE, UNKNOWN = -1, -2, -3, 0
# The names of elements that rules know; the number of a tag is its place here.
TAG_NAMES: list[str] = [""]
TAG_NUMBERS: dict[str, int] = {}
MAX_TAGS = 512
# Attributes of elements, as bits of flags.
ID, CLASS, STYLE, HIDDEN, ARIA_HIDDEN, HREF, START, VALUE = (1 << bit for bit in range(8))
ROLE, ITEMPROP, ITEMTYPE, REL, PROPERTY, NAME, DATETIME, SRC = (1 << bit for bit in range(8, 16))
ATTRIBUTES = {
    "id": ID, "class": CLASS, "style": STYLE, "hidden": HIDDEN, "aria-hidden": ARIA_HIDDEN, "href": HREF,
    "start": START, "value": VALUE, "role": ROLE, "itemprop": ITEMPROP, "itemtype": ITEMTYPE, "rel": REL,
    "property": PROPERTY, "name": NAME, "datetime": DATETIME, "src": SRC,
}  # fmt: skip
# Flags of texts: white space alone; nothing at all.
BLANK, EMPTY = 1 << 28, 1 << 29


def number_of_tag(name: str) -> int:
    """The number of a tag, which rules keep in their tables."""
    if name not in TAG_NUMBERS:
        TAG_NUMBERS[name] = len(TAG_NAMES)
        TAG_NAMES.append(name)
    return TAG_NUMBERS[name]


def tag_groups(names: dict[int, str]) -> bytearray:
    """The values of *names*, by the numbers of tags; 0 for all others. A tag in several groups has the bits of all."""
    out = bytearray(MAX_TAGS)
    for value, group in names.items():
        for name in group.split():
            out[number_of_tag(name)] |= value
    return out
