"""The columns of a page table (see `page_table`), read by way of selectolax's nodes.

columns_of_nodes(list(parse_html("<p>One").root.traverse(include_text=True)))[1]    # [-1, 0, 0, 2, 3]: the parents
"""

from __future__ import annotations

from typing import Any

from .element_names import ATTRIBUTES, BLANK, COMMENT, EMPTY, OTHER_NODE, TAG_NUMBERS, TEXT, UNKNOWN


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
