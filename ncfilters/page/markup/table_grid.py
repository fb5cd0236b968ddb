"""Tables as grids: the row and the column of each cell, and whether a table holds data or lays out the page.

    page = table_of(parse_html("<table><tr><th rowspan=2>a<th>b<tr><td>c</table>").css_first("table"))
    list(cells_of(page, 0).values())
    # [Cell(0, 0, 2, 1, True), Cell(0, 1, 1, 1, True), Cell(1, 1, 1, 1, False)]

The grid is that of the HTML standard (section 4.9.12, "forming a table"), except that cells end with their row group,
as browsers draw them, and that rows are numbered in the order of the markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...native.element_names import ROLE, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import child_elements, has_element, name_at

# Limits of the HTML standard.
MAX_COLUMNS, MAX_ROWS = 1000, 65534
# A table of so many columns or rows holds data. Where nothing else tells, one of so few cells lays out the page, unless
# they are labels (Firefox: HTMLTableAccessible::IsProbablyLayoutTable; Readability: _markDataTables).
MIN_DATA_COLUMNS, MIN_DATA_ROWS, MAX_LAYOUT_CELLS = 5, 20, 10
# Characters of text in a label.
MAX_LABEL_CHARS = 160
# A cell with more characters, and more than this share of the text of its table, is a column of the page.
MIN_COLUMN_CHARS, COLUMN_SHARE = 1000, 0.5

_GROUP, _CELL, _DATA_CHILD = 1, 2, 4
_PARTS = tag_groups({_GROUP: "thead tbody tfoot", _CELL: "td th", _DATA_CHILD: "caption colgroup col thead tfoot"})
_ROW, _HEAD, _HEADER, _CAPTION = map(number_of_tag, ("tr", "thead", "th", "caption"))
_TABLES, _IMAGES = tag_groups({1: "table"}), tag_groups({1: "img video"})
# What a cell of data seldom has.
_PAGE_CONTENT = tag_groups({1: "h1 h2 h3 form iframe object embed article section nav"})
# Tables that LaTeXML and others set displayed formulas in, with their numbers.
_FORMULA_CLASS = lazy_pattern(r"(?:^|[\s_-])(?:equation|equationgroup|eqn_table|ltx_eqn_\w+)(?=$|\s)")
_NUMBER = lazy_pattern(r"\s*\+?(\d{1,9})")
_LAYOUT_ROLES, _DATA_ROLES = frozenset(("presentation", "none")), frozenset(("table", "grid", "treegrid"))
HEADER_ROLES = frozenset(("columnheader", "rowheader"))
_DATA_ATTRIBUTES = ("scope", "headers", "abbr")

CELL_ROLES = frozenset(("cell", "gridcell")) | HEADER_ROLES
TABLE_ROLES, ROW_ROLES = frozenset(("table", "grid", "treegrid")), frozenset(("row",))
# Elements between a cell and its row, and between that and its table.
MAX_DEPTH = 6

# Elements that are cells by their names, and those that make no block of their own.
_NO_CELLS = tag_groups({1: "td th span a b i em strong label button"})


class Cell(NamedTuple):
    """The place of a cell: its first row and column, from 0, and how many of each it has."""

    row: int
    column: int
    rows: int
    columns: int
    is_header: bool


def cells_of(page: PageTable, table: int) -> dict[int, Cell]:
    """The cells of a `<table>`, by the rows of their elements, in the order of the markup; those of nested tables are
    not included. Linear in the number of rows and cells."""
    cells: dict[int, Cell] = {}
    first = 0
    for is_head, rows in _row_groups(page, table):
        _place_cells(page, rows, first, is_head, cells)
        first += len(rows)
    return cells


def is_data_table(page: PageTable, table: int, cells: dict[int, Cell], figures: dict[int, bool]) -> bool:
    """Whether a table with these *cells* holds data rather than the layout of the page, as browsers decide for screen
    readers. *figures*: see `_is_figure`."""
    attributes = page.attributes_of(table)
    role = (attributes.get("role") or "").lower()
    if role in _LAYOUT_ROLES or attributes.get("datatable") == "0" or len(cells) < 2:
        return False
    # a running title may be a <thead> of one row
    if role in _DATA_ROLES or (attributes.get("summary") or "").strip() or any(_is_header(page, at) for at in cells):
        return True
    if _is_figure(page, table, figures):
        return True
    rows = max(cell.row for cell in cells.values()) + 1
    if rows > 1 and any(_PARTS[page.tag[child]] & _DATA_CHILD for child in child_elements(page, table)):
        return len(cells) > MAX_LAYOUT_CELLS or not _has_page(page, table, cells)
    classes = attributes.get("class") or ""
    if any(has_element(page, at, _TABLES) for at in cells) or "eq" in classes and _FORMULA_CLASS.search(classes):
        return False
    columns = max(cell.column for cell in cells.values()) + 1
    if columns < 2 or rows < 2:
        return False
    return _has_data_text(page, cells, rows, columns, (attributes.get("border") or "0") != "0")


def _has_data_text(page: PageTable, cells: dict[int, Cell], rows: int, columns: int, has_border: bool) -> bool:
    """Whether the cells of a table have the text of data, where its markup does not tell."""
    texts = [page.text_below(at) for at in cells]
    has_page_content = any(has_element(page, at, _PAGE_CONTENT) for at in cells)
    longest = max(map(len, texts))
    is_column = longest > MIN_COLUMN_CHARS and longest > COLUMN_SHARE * sum(map(len, texts))
    if is_column and has_page_content:  # of a page in a frame of images
        return False
    if columns >= MIN_DATA_COLUMNS or rows >= MIN_DATA_ROWS or has_border:
        return True
    if len(cells) <= MAX_LAYOUT_CELLS:  # labels alone
        return not has_page_content and all(len(" ".join(text.split())) <= MAX_LABEL_CHARS for text in texts)
    return not is_column and not has_page_content


def caption_of(page: PageTable, table: int) -> int:
    """The `<caption>` of a table; -1 if it has none."""
    return next((child for child in child_elements(page, table) if page.tag[child] == _CAPTION), -1)


def _has_page(page: PageTable, table: int, cells: dict[int, Cell]) -> bool:
    """Whether a cell is the column of a page: it has headings or the like, and a table or most of the text."""
    for cell in cells:
        if not has_element(page, cell, _PAGE_CONTENT):
            continue
        if has_element(page, cell, _TABLES):
            return True
        size = len(page.text_below(cell))
        if size > MIN_COLUMN_CHARS and size > COLUMN_SHARE * len(page.text_below(table)):
            return True
    return False


def _is_figure(page: PageTable, table: int, figures: dict[int, bool]) -> bool:
    """Whether a table is all of a `<figure>`, but for its caption: editors write their tables so. *figures*: whether
    those that have been read have no image: one may have any number of tables."""
    around = page.parent[table]
    if name_at(page, around) != "figure":
        return False
    if around not in figures:
        figures[around] = not has_element(page, around, _IMAGES)
    return figures[around]


def _is_header(page: PageTable, cell: int) -> bool:
    if page.tag[cell] == _HEADER:
        return True
    attributes = page.attributes_of(cell)
    return attributes.get("role") in HEADER_ROLES or any(name in attributes for name in _DATA_ATTRIBUTES)


def _place_cells(page: PageTable, rows: list[int], first: int, is_head: bool, cells: dict[int, Cell]) -> None:
    """Adds the cells of a row group, whose first row has the number *first*. A bit set stands for the columns of the
    row that cells of rows above reach."""
    ends: dict[int, int] = {}  # row → columns that are free from it on
    taken = 0
    for row, element in enumerate(rows):
        taken &= ~ends.pop(row, 0)
        column = 0
        for child in child_elements(page, element):
            if not _PARTS[page.tag[child]] & _CELL:
                continue
            free = ~taken >> column
            column += (free & -free).bit_length() - 1
            if column >= MAX_COLUMNS:
                break
            width = min(max(_span(page.attribute_of(child, "colspan")), 1), MAX_COLUMNS - column)
            height = min(_span(page.attribute_of(child, "rowspan")) or len(rows), len(rows) - row)
            is_header = page.tag[child] == _HEADER or is_head
            if not is_header and page.flags[child] & ROLE:
                is_header = page.attribute_of(child, "role") in HEADER_ROLES
            cells[child] = Cell(first + row, column, height, width, is_header)
            if height > 1:
                columns = ((1 << width) - 1) << column
                taken |= columns
                ends[row + height] = ends.get(row + height, 0) | columns
            column += width


def _span(value: str | None) -> int:
    match = _NUMBER.match(value) if value else None
    return min(int(match[1]), MAX_ROWS) if match else 1


def _row_groups(page: PageTable, table: int) -> Iterator[tuple[bool, list[int]]]:
    """Whether each row group is a head, and its rows; rows outside row groups are groups of their own."""
    loose: list[int] = []
    for child in child_elements(page, table):
        tag = page.tag[child]
        if tag == _ROW:
            loose.append(child)
        elif _PARTS[tag] & _GROUP:
            if loose:
                yield False, loose
                loose = []
            yield tag == _HEAD, [row for row in child_elements(page, child) if page.tag[row] == _ROW]
    if loose:
        yield False, loose


def role_tables(page: PageTable, candidates: list[int]) -> list[dict[int, Cell]]:
    """The cells of each table by the rows of their elements, in the order of the markup, of *candidates*, which have a
    role of CELL_ROLES. A table has at least two rows and two columns."""
    tables: dict[int, dict[int, Cell]] = {}
    rows_of: dict[int, dict[int, tuple[int, int]]] = {}  # of each table: the numbers of rows, and their columns so far
    row_around: dict[int, int] = {}  # for speed: the cells of a row are mostly in the same element
    table_around: dict[int, int] = {-1: -1}
    for cell in candidates:
        around = page.parent[cell]
        if around < 0 or _NO_CELLS[page.tag[cell]]:
            continue
        if around not in row_around:
            row_around[around] = _around(page, cell, ROW_ROLES)
        row = row_around[around]
        if row not in table_around:
            table_around[row] = _around(page, row, TABLE_ROLES)
        if (table := table_around[row]) < 0:
            continue
        rows = rows_of.setdefault(table, {})
        number, column = rows.setdefault(row, (len(rows), 0))
        if number < MAX_ROWS and column < MAX_COLUMNS:
            columns = _number(page.attribute_of(cell, "aria-colspan"), MAX_COLUMNS - column)
            height = _number(page.attribute_of(cell, "aria-rowspan"), MAX_ROWS - number)
            is_header = page.attribute_of(cell, "role") in HEADER_ROLES
            tables.setdefault(table, {})[cell] = Cell(number, column, height, columns, is_header)
            rows[row] = number, column + columns
    widths = {table: [width for _, width in rows.values()] for table, rows in rows_of.items()}
    return [tables[table] for table, own in widths.items() if len(own) > 1 and max(own) > 1]


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
