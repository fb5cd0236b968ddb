"""Tables of elements with roles, such as `<div role=table>`: the row and the column of each cell.

    page = parse_html("<div role=table><div role=row><div role=cell>a</div><div role=cell>b</div></div></div>")
    [list(cells.values()) for cells in role_tables(page)]
    # [[Cell(0, 0, 1, 1, False), Cell(0, 1, 1, 1, False)]]

The time is linear in the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..element_map import ElementMap
from .table_grid import MAX_COLUMNS, MAX_ROWS, Cell

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

TABLE_ROLES, ROW_ROLES = frozenset(("table", "grid", "treegrid")), frozenset(("row",))
HEADER_ROLES = frozenset(("columnheader", "rowheader"))
# Elements between a cell and its row, and between that and its table.
MAX_DEPTH = 6

_CELLS = "[role='cell'], [role='gridcell'], [role='columnheader'], [role='rowheader']"
# Elements that are cells by their names, and those that make no block of their own.
_OTHERS = frozenset("td th span a b i em strong label button".split())


def role_tables(tree: LexborHTMLParser) -> list[ElementMap[Cell]]:
    """The cells of each table by element, in the order of the markup. A table has at least two
    rows and two columns."""
    tables: dict[int, _Table] = {}
    of_rows: dict[int, tuple[_Table, int] | None] = {}  # by row, and by what is around its cells
    for node in tree.css(_CELLS):
        around = None if node.tag in _OTHERS else node.parent
        if around is None:
            continue
        place = around.mem_id
        if place not in of_rows:  # for speed: the cells of a row are mostly in the same element
            of_rows[place] = _row_around(node, of_rows, tables)
        if (found := of_rows[place]) is not None:
            found[0].add(node, found[1])
    return [table.by_element() for table in tables.values() if len(table.widths) > 1 and max(table.widths) > 1]


def _row_around(
    node: LexborNode, of_rows: dict[int, tuple[_Table, int] | None], tables: dict[int, _Table]
) -> tuple[_Table, int] | None:
    """The table of a cell and the number of its row there; None if it has none."""
    row = _around(node, ROW_ROLES)
    if row is None:
        return None
    if row.mem_id not in of_rows:
        element = _around(row, TABLE_ROLES)
        of_rows[row.mem_id] = None if element is None else tables.setdefault(element.mem_id, _Table()).next_row()
    return of_rows[row.mem_id]


class _Table:
    """The cells of a table, and the columns of each row that are taken."""

    __slots__ = ("_cells", "widths")

    def __init__(self) -> None:
        self._cells: list[tuple[LexborNode, Cell]] = []
        self.widths: list[int] = []

    def by_element(self) -> ElementMap[Cell]:
        """The cells by element."""
        out: ElementMap[Cell] = ElementMap()
        for node, cell in self._cells:
            out.put(node, cell)
        return out

    def next_row(self) -> tuple[_Table, int]:
        """The table, and the number of a row that begins."""
        self.widths.append(0)
        return self, len(self.widths) - 1

    def add(self, node: LexborNode, row: int) -> None:
        """Adds a cell of a row."""
        column = self.widths[row]
        if row >= MAX_ROWS or column >= MAX_COLUMNS:
            return
        attributes = node.attributes
        rows = columns = 1
        if len(attributes) > 1:
            columns = _number(attributes.get("aria-colspan"), MAX_COLUMNS - column)
            rows = _number(attributes.get("aria-rowspan"), MAX_ROWS - row)
        self._cells.append((node, Cell(row, column, rows, columns, attributes.get("role") in HEADER_ROLES)))
        self.widths[row] += columns


def _around(node: LexborNode, roles: frozenset[str]) -> LexborNode | None:
    """The nearest element around another that has one of these roles."""
    at = node.parent
    for _ in range(MAX_DEPTH + 1):
        if at is None or at.attributes.get("role") in roles:
            return at
        at = at.parent
    return None


def _number(value: str | None, most: int) -> int:
    """A number from 1 to *most*; 1 for everything else."""
    return min(max(int(value), 1), most) if value and value.isdecimal() and len(value) < 6 else 1
