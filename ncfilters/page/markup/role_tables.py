"""Tables of elements with roles, such as `<div role=table>`: the row and the column of each cell.

    page = table_of(parse_html("<div role=table><p role=row><b role=cell>a</b><i role=cell>b</i></p></div>").root)
    role_tables(page, cells)    # of no cells: these elements are none; a <div> is one

The time is linear in the page.
"""

from __future__ import annotations

from ...native.element_names import ROLE, tag_groups
from ...native.page_table import PageTable
from .table_grid import HEADER_ROLES, MAX_COLUMNS, MAX_ROWS, Cell

CELL_ROLES = frozenset(("cell", "gridcell")) | HEADER_ROLES
TABLE_ROLES, ROW_ROLES = frozenset(("table", "grid", "treegrid")), frozenset(("row",))
# Elements between a cell and its row, and between that and its table.
MAX_DEPTH = 6

# Elements that are cells by their names, and those that make no block of their own.
_NO_CELLS = tag_groups({1: "td th span a b i em strong label button"})


def role_tables(page: PageTable, candidates: list[int]) -> list[dict[int, Cell]]:
    """The cells of each table by the rows of their elements, in the order of the markup, of *candidates*, which have a
    role of CELL_ROLES. A table has at least two rows and two columns."""
    tables: dict[int, _Table] = {}
    of_rows: dict[int, tuple[_Table, int] | None] = {}  # by row, and by what is around its cells
    for cell in candidates:
        around = page.parent[cell]
        if around < 0 or _NO_CELLS[page.tag[cell]]:
            continue
        if around not in of_rows:  # for speed: the cells of a row are mostly in the same element
            of_rows[around] = _row_around(page, cell, of_rows, tables)
        if (found := of_rows[around]) is not None:
            found[0].add(page, cell, found[1])
    return [table.cells for table in tables.values() if len(table.widths) > 1 and max(table.widths) > 1]


def _row_around(
    page: PageTable, cell: int, of_rows: dict[int, tuple[_Table, int] | None], tables: dict[int, _Table]
) -> tuple[_Table, int] | None:
    """The table of a cell and the number of its row there; None if it has none."""
    row = _around(page, cell, ROW_ROLES)
    if row < 0:
        return None
    if row not in of_rows:
        element = _around(page, row, TABLE_ROLES)
        of_rows[row] = None if element < 0 else tables.setdefault(element, _Table()).next_row()
    return of_rows[row]


class _Table:
    """The cells of a table by their elements, and the columns of each row that are taken."""

    def __init__(self) -> None:
        self.cells: dict[int, Cell] = {}
        self.widths: list[int] = []

    def next_row(self) -> tuple[_Table, int]:
        """The table, and the number of a row that begins."""
        self.widths.append(0)
        return self, len(self.widths) - 1

    def add(self, page: PageTable, element: int, row: int) -> None:
        """Adds a cell of a row."""
        column = self.widths[row]
        if row >= MAX_ROWS or column >= MAX_COLUMNS:
            return
        columns = _number(page.attribute_of(element, "aria-colspan"), MAX_COLUMNS - column)
        rows = _number(page.attribute_of(element, "aria-rowspan"), MAX_ROWS - row)
        self.cells[element] = Cell(row, column, rows, columns, page.attribute_of(element, "role") in HEADER_ROLES)
        self.widths[row] += columns


def _around(page: PageTable, row: int, roles: frozenset[str]) -> int:
    """The nearest element around another that has one of these roles; -1 if there is none."""
    at = page.parent[row]
    for _ in range(MAX_DEPTH + 1):
        if at < 0 or page.flags[at] & ROLE and page.attribute_of(at, "role") in roles:
            return at
        at = page.parent[at]
    return -1


def _number(value: str | None, most: int) -> int:
    """A number from 1 to *most*; 1 for everything else."""
    return min(max(int(value), 1), most) if value and value.isdecimal() and len(value) < 6 else 1
