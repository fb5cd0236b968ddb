"""Roles that elements tell: text in the rows of a data table is `table`, preformatted text is `code`.

    with_element_roles([{"text": "Height\t140 m", "tag": "tr", "path": "body/table/tbody/tr"}], ["text"])    # ["table"]

The network tells text from the rest by its surroundings. Few gold standards have tables and code, so what kind of text
it is follows from its element.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...record import Segment

# nc-segment separates the cells of a row by this.
CELL_SEPARATOR = "\t"


def with_element_roles(segments: Sequence[Segment], roles: Sequence[str]) -> list[str]:
    """The role of each segment; that of `text` in a data table and in preformatted elements is `table` and `code`."""
    return [_of_text(segment) if role == "text" else role for segment, role in zip(segments, roles)]


def _of_text(segment: Segment) -> str:
    if CELL_SEPARATOR in segment["text"] and segment.get("tag") == "tr":
        return "table"
    path = segment.get("path", "")
    # a whole page of plain text is in `body/pre`
    return "code" if ("/pre" in path or "/code" in path) and path != "body/pre" else "text"
