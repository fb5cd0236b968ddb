"""Roles that elements tell: text in the rows of a data table is `table`, preformatted text is `code`.

    with_element_roles([{"text": "Height\t140 m", "tag": "tr", "path": "body/table/tbody/tr"}], ["text"])    # ["table"]

The network tells text from the rest by its surroundings. Few gold standards have tables and code, so what kind of text
it is follows from its element.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...page.blocks.block_table import BlockTable
from ...record import Segment

# nc-segment separates the cells of a row by this.
CELL_SEPARATOR = "\t"


def with_element_roles(segments: Sequence[Segment] | BlockTable, roles: Sequence[str]) -> list[str]:
    """The role of each segment; that of `text` in a data table and in preformatted elements is `table` and `code`."""
    if isinstance(segments, BlockTable):
        fields = zip(roles, segments.text, segments.tag, segments.path)
        return [_of_text(text, tag, path) if role == "text" else role for role, text, tag, path in fields]
    return [
        _of_text(one["text"], one.get("tag", ""), one.get("path", "")) if role == "text" else role
        for role, one in zip(roles, segments)
    ]


def _of_text(text: str, tag: str | None, path: str) -> str:
    if tag == "tr" and CELL_SEPARATOR in text:
        return "table"
    # a whole page of plain text is in `body/pre`
    return "code" if ("/pre" in path or "/code" in path) and path != "body/pre" else "text"
