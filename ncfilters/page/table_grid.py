"""Tables as grids: the row and the column of each cell, and whether a table holds data or lays out the page.

    table = parse_html("<table><tr><th rowspan=2>a<th>b<tr><td>c</table>").css_first("table")
    list(cells_of(table).values())
    # [Cell(0, 0, 2, 1, True), Cell(0, 1, 1, 1, True), Cell(1, 1, 1, 1, False)]

The grid is that of the HTML standard (section 4.9.12, "forming a table"), except that cells end with their row group,
as browsers draw them, and that rows are numbered in the order of the markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Limits of the HTML standard.
MAX_COLUMNS, MAX_ROWS = 1000, 65534
# A table of so many columns or rows holds data. Where nothing else tells, one of so few cells lays out the page, unless
# they are labels (Firefox: HTMLTableAccessible::IsProbablyLayoutTable; Readability: _markDataTables).
MIN_DATA_COLUMNS, MIN_DATA_ROWS, MAX_LAYOUT_CELLS = 5, 20, 10
# Characters of text in a label.
MAX_LABEL_CHARS = 160
# A cell with more characters, and more than this share of the text of its table, is a column of the page.
MIN_COLUMN_CHARS, COLUMN_SHARE = 1000, 0.5

_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_CELLS = frozenset(("td", "th"))
# Tables that LaTeXML and others set displayed formulas in, with their numbers.
_FORMULA_CLASS = re.compile(r"(?:^|[\s_])(?:equation|equationgroup|eqn_table|ltx_eqn_\w+)(?=$|\s)")
_NUMBER = re.compile(r"\s*\+?(\d{1,9})")
_LAYOUT_ROLES, _DATA_ROLES = frozenset(("presentation", "none")), frozenset(("table", "grid", "treegrid"))
_HEADER_ROLES = frozenset(("columnheader", "rowheader"))
_DATA_ATTRIBUTES = ("scope", "headers", "abbr")
_DATA_CHILDREN = frozenset(("caption", "colgroup", "col", "thead", "tfoot"))
# What a cell of data seldom has.
_PAGE_CONTENT = "h1, h2, h3, form, iframe, object, embed, article, section, nav"


class Cell(NamedTuple):
    """The place of a cell: its first row and column, from 0, and how many of each it has."""

    row: int
    column: int
    rows: int
    columns: int
    is_header: bool


def cells_of(table: LexborNode) -> dict[int, Cell]:
    """The cells of a `<table>`, by the `mem_id` of their elements, in the order of the markup; those of nested tables
    are not included. Linear in the number of rows and cells."""
    cells: dict[int, Cell] = {}
    first = 0
    for name, rows in _row_groups(table):
        _place_cells(rows, first, name == "thead", cells)
        first += len(rows)
    return cells


def caption_of(table: LexborNode) -> LexborNode | None:
    """The `<caption>` of a table."""
    return next((child for child in _elements(table) if child.tag == "caption"), None)


def is_data_table(table: LexborNode, cells: dict[int, Cell]) -> bool:
    """Whether a table with these *cells* holds data rather than the layout of the page, as browsers decide for screen
    readers."""
    attributes = table.attributes
    role = (attributes.get("role") or "").lower()
    if role in _LAYOUT_ROLES or attributes.get("datatable") == "0" or len(cells) < 2:
        return False
    if role in _DATA_ROLES or (attributes.get("summary") or "").strip() or _is_figure(table):
        return True
    nodes = [node for _, rows in _row_groups(table) for row in rows for node in _elements(row) if node.tag in _CELLS]
    columns, rows = (max(place) + 1 for place in zip(*((cell.column, cell.row) for cell in cells.values())))
    # a running title may be a <thead> of one row
    if any(map(_is_header, nodes)) or rows > 1 and any(child.tag in _DATA_CHILDREN for child in _elements(table)):
        return True
    if _FORMULA_CLASS.search(attributes.get("class") or ""):
        return False
    # css_first also matches the node itself
    if any(node.css_first("table") is not None for node in nodes):
        return False
    if columns < 2 or rows < 2:
        return False
    if columns >= MIN_DATA_COLUMNS or rows >= MIN_DATA_ROWS or (attributes.get("border") or "0") != "0":
        return True
    return _are_labels(nodes) if len(cells) <= MAX_LAYOUT_CELLS else not _has_page_column(nodes)


def _is_figure(table: LexborNode) -> bool:
    """Whether a table is all of a `<figure>`, but for its caption: editors write their tables so."""
    around = table.parent
    return around is not None and around.tag == "figure" and around.css_first("img, video") is None


def _is_header(node: LexborNode) -> bool:
    attributes = node.attributes
    if node.tag == "th" or attributes.get("role") in _HEADER_ROLES:
        return True
    return any(name in attributes for name in _DATA_ATTRIBUTES)


def _are_labels(nodes: list[LexborNode]) -> bool:
    """Whether the cells hold short text and nothing else."""
    return not any(
        node.css_first(_PAGE_CONTENT) is not None or len(" ".join(node.text(deep=True).split())) > MAX_LABEL_CHARS
        for node in nodes
    )


def _has_page_column(nodes: list[LexborNode]) -> bool:
    """Whether a cell is a column of the page: it has headings or forms, or most of the text."""
    sizes = [len(node.text(deep=True)) for node in nodes]
    longest = max(sizes)
    if longest > MIN_COLUMN_CHARS and longest > COLUMN_SHARE * sum(sizes):
        return True
    return any(node.css_first(_PAGE_CONTENT) is not None for node in nodes)


def _place_cells(rows: list[LexborNode], first: int, is_head: bool, cells: dict[int, Cell]) -> None:
    """Adds the cells of a row group, whose first row has the number *first*. A bit set stands for the columns of the
    row that cells of rows above reach."""
    ends: dict[int, int] = {}  # row → columns that are free from it on
    taken = 0
    for row, node in enumerate(rows):
        taken &= ~ends.pop(row, 0)
        column = 0
        for child in _elements(node):
            if child.tag not in _CELLS:
                continue
            free = ~taken >> column
            column += (free & -free).bit_length() - 1
            if column >= MAX_COLUMNS:
                break
            attributes = child.attributes
            width = min(max(_span(attributes, "colspan"), 1), MAX_COLUMNS - column)
            height = min(_span(attributes, "rowspan") or len(rows), len(rows) - row)
            is_header = child.tag == "th" or is_head or attributes.get("role") in _HEADER_ROLES
            cells[child.mem_id] = Cell(first + row, column, height, width, is_header)
            if height > 1:
                columns = ((1 << width) - 1) << column
                taken |= columns
                ends[row + height] = ends.get(row + height, 0) | columns
            column += width


def _span(attributes: dict[str, str | None], name: str) -> int:
    match = _NUMBER.match(attributes.get(name) or "")
    return min(int(match[1]), MAX_ROWS) if match else 1


def _row_groups(table: LexborNode) -> Iterator[tuple[str, list[LexborNode]]]:
    """The name and the rows of each row group; rows outside row groups are groups of their own."""
    loose: list[LexborNode] = []
    for child in _elements(table):
        name = child.tag or ""
        if name == "tr":
            loose.append(child)
        elif name in _GROUPS:
            if loose:
                yield "tbody", loose
                loose = []
            yield name, [row for row in _elements(child) if row.tag == "tr"]
    if loose:
        yield "tbody", loose


def _elements(node: LexborNode) -> Iterator[LexborNode]:
    """The child elements."""
    at = node.child
    while at is not None:
        if at.tag and at.tag[0] != "-":
            yield at
        at = at.next
