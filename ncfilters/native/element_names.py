"""Numbers of element names and bits of attributes, which page tables have in their columns, and these columns.

tag_groups({1: "ul ol"})[number_of_tag("ol")]    # 1
"""

from __future__ import annotations

from typing import Any

# What a row is that is no element; the number of elements whose names no rule knows.
TEXT, COMMENT, OTHER_NODE, UNKNOWN = -1, -2, -3, 0
# The names of elements that rules know; the number of a tag is its place here.
TAG_NAMES: list[str] = [""]
TAG_NUMBERS: dict[str, int] = {}
MAX_TAGS = 512
# Attributes of elements, as bits of flags.
ID, CLASS, STYLE, HIDDEN, ARIA_HIDDEN, HREF, START, VALUE = (1 << bit for bit in range(8))
ROLE, ITEMPROP, ITEMTYPE, REL, PROPERTY, NAME, DATETIME, SRC = (1 << bit for bit in range(8, 16))
# One of the attributes that may have a formula.
TEX = 1 << 16
# One of those in which applications store the data of a page.
DATA = 1 << 17
ATTRIBUTES = {
    "id": ID, "class": CLASS, "style": STYLE, "hidden": HIDDEN, "aria-hidden": ARIA_HIDDEN, "href": HREF,
    "start": START, "value": VALUE, "role": ROLE, "itemprop": ITEMPROP, "itemtype": ITEMTYPE, "rel": REL,
    "property": PROPERTY, "name": NAME, "datetime": DATETIME, "src": SRC,
    "data-tex": TEX, "data-latex": TEX, "data-katex": TEX, "data-math": TEX, "data-formula": TEX, "data-equation": TEX,
    "data-expr": TEX, "data-eq": TEX, "data-math-style": TEX, "data-mathml": TEX, "eeimg": TEX,
    "data-page": DATA, "data-props": DATA, "data-react-props": DATA, "data-preloaded": DATA, "data-state": DATA,
}  # fmt: skip
# Elements that modules name which are imported only for a page that has them: their numbers are needed before that.
_NAMES = """a abbr address article aside audio b base blockquote body br button canvas caption center code col colgroup
    dd del dir div dl dt em embed figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img
    input kbd label legend li link listing main mark menu meta nav noscript object ol p picture plaintext pre s samp
    script section select small source span strike strong style sub summary sup svg table tbody td template textarea
    tfoot th thead title tr tt u ul var video wbr xmp amp-img shadow-root d-code d-footnote d-math tex-math
    math-renderer math mjx-container annotation annotation-xml semantics mi mn mo ms mtext mspace mrow"""
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


for _name in _NAMES.split():
    number_of_tag(_name)


def columns_of_nodes(nodes: list[Any]) -> tuple[list[int], list[int], list[int], list[int], list[int]]:
    """The columns tag, parent, before, end and flags (see `page_table.PageTable`) of nodes in the order of the page."""
    tags: list[int] = []
    parents: list[int] = []
    befores: list[int] = []
    ends = list(range(1, len(nodes) + 1))
    flags: list[int] = []
    rows: dict[int, int] = {}
    last: dict[int, int] = {}  # the last child so far of a row
    for row, node in enumerate(nodes):
        name, bits = node.tag, 0
        above = rows.get(node.parent.mem_id, -1) if row else -1
        rows[node.mem_id] = row
        if name == "-text":
            tag, text = TEXT, node.text_content
            bits = (0 if not text.isspace() else BLANK) if text else BLANK | EMPTY
        elif not name or name[0] == "-":
            tag = COMMENT if name == "-comment" else OTHER_NODE
        else:
            tag = TAG_NUMBERS.get(name, UNKNOWN)
            for attribute in node.attributes:
                bits |= ATTRIBUTES.get(attribute, 0)
        tags.append(tag)
        parents.append(above)
        befores.append(last.get(above, -1))
        flags.append(bits)
        last[above] = row
    for row in range(len(nodes) - 1, 0, -1):
        above = parents[row]
        ends[above] = max(ends[above], ends[row])
    return tags, parents, befores, ends, flags
