"""Tables as grids: the row and the column of each cell, and whether a table holds data or lays out the page.

    table = parse_html("<table><tr><th rowspan=2>a<th>b<tr><td>c</table>").css_first("table")
    list(cells_of(table).values())
    # [Cell(0, 0, 2, 1, True), Cell(0, 1, 1, 1, True), Cell(1, 1, 1, 1, False)]

The grid is that of the HTML standard (section 4.9.12, "forming a table"), except that cells end with their row group,
as browsers draw them, and that rows are numbered in the order of the markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...text.lazy_pattern import lazy_pattern

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
_FORMULA_CLASS = lazy_pattern(r"(?:^|[\s_])(?:equation|equationgroup|eqn_table|ltx_eqn_\w+)(?=$|\s)")
_FORMULA_WORDS = ("equation", "eqn")  # which it has
_NUMBER = lazy_pattern(r"\s*\+?(\d{1,9})")
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


def data_cells(tables: list[LexborNode]) -> Iterator[dict[int, Cell] | None]:
    """The cells of each `<table>`, as `cells_of`; None of those that lay out the page."""
    figures: dict[int, bool] = {}
    for table in tables:
        cells = cells_of(table)
        yield cells if _holds_data(table, _read_table(table, cells), figures) else None


def caption_of(table: LexborNode) -> LexborNode | None:
    """The `<caption>` of a table."""
    return next((child for child in _elements(table) if child.tag == "caption"), None)


def is_data_table(table: LexborNode, cells: dict[int, Cell]) -> bool:
    """Whether a table with these *cells* holds data rather than the layout of the page, as browsers decide for screen
    readers."""
    return _holds_data(table, _read_table(table, cells), {})


class _Table(NamedTuple):
    """A table: its cells, columns and rows; whether it has headers, other elements that tables of data have, a table in
    a cell, and what pages have in one; the characters of the longest label, of the longest cell, and of all cells.

    What is in the cells is not read where the rest tells."""

    num_cells: int
    columns: int
    rows: int
    has_header: bool
    has_own: bool
    has_table: bool = False
    has_page_content: bool = False
    longest_label: int = 0
    longest: int = 0
    chars: int = 0


def _read_table(table: LexborNode, cells: dict[int, Cell]) -> _Table:
    nodes = [node for _, rows in _row_groups(table) for row in rows for node in _elements(row) if node.tag in _CELLS]
    number, columns = len(cells), max((cell.column + 1 for cell in cells.values()), default=0)
    rows = max((cell.row + 1 for cell in cells.values()), default=0)
    has_header = any(map(_is_header, nodes))
    has_own = any(child.tag in _DATA_CHILDREN for child in _elements(table))
    if has_header or rows > 1 and has_own:
        return _Table(number, columns, rows, has_header, has_own)
    # css_first also matches the node itself
    if any(node.css_first("table") is not None for node in nodes):
        return _Table(number, columns, rows, has_header, has_own, has_table=True)
    texts = [node.text(deep=True) for node in nodes]
    sizes = [len(text) for text in texts]
    labels = [len(" ".join(text.split())) for text in texts]
    has_page_content = any(node.css_first(_PAGE_CONTENT) is not None for node in nodes)
    longest = max(labels, default=0), max(sizes, default=0)
    return _Table(number, columns, rows, has_header, has_own, False, has_page_content, *longest, sum(sizes))


def _holds_data(node: LexborNode, table: _Table, figures: dict[int, bool]) -> bool:
    attributes = node.attributes
    role = (attributes.get("role") or "").lower()
    if role in _LAYOUT_ROLES or attributes.get("datatable") == "0" or table.num_cells < 2:
        return False
    # a running title may be a <thead> of one row
    if role in _DATA_ROLES or (attributes.get("summary") or "").strip() or table.has_header:
        return True
    if _is_figure(node, figures):
        return True
    if table.rows > 1 and table.has_own:
        return table.num_cells > MAX_LAYOUT_CELLS or not _has_page(node)
    classes = attributes.get("class") or ""
    if table.has_table or any(map(classes.__contains__, _FORMULA_WORDS)) and _FORMULA_CLASS.search(classes):
        return False
    if table.columns < 2 or table.rows < 2:
        return False
    is_column = table.longest > MIN_COLUMN_CHARS and table.longest > COLUMN_SHARE * table.chars
    if is_column and table.has_page_content:  # of a page in a frame of images
        return False
    if table.columns >= MIN_DATA_COLUMNS or table.rows >= MIN_DATA_ROWS or (attributes.get("border") or "0") != "0":
        return True
    if table.num_cells <= MAX_LAYOUT_CELLS:  # labels alone
        return not table.has_page_content and table.longest_label <= MAX_LABEL_CHARS
    return not is_column and not table.has_page_content


def _has_page(table: LexborNode) -> bool:
    """Whether a cell is the column of a page: it has headings or the like, and a table or most of the text."""
    for group in _row_groups(table):
        for cell in [node for row in group[1] for node in _elements(row) if node.tag in _CELLS]:
            if cell.css_first(_PAGE_CONTENT) is None:
                continue
            if cell.css_first("table") is not None:
                return True
            size = len(cell.text(deep=True))
            if size > MIN_COLUMN_CHARS and size > COLUMN_SHARE * len(table.text(deep=True)):
                return True
    return False


def _is_figure(table: LexborNode, figures: dict[int, bool]) -> bool:
    """Whether a table is all of a `<figure>`, but for its caption: editors write their tables so. *figures*: whether
    those that have been read have no image: one may have any number of tables."""
    around = table.parent
    if around is None or around.tag != "figure":
        return False
    if around.mem_id not in figures:
        figures[around.mem_id] = around.css_first("img, video") is None
    return figures[around.mem_id]


def _is_header(node: LexborNode) -> bool:
    attributes = node.attributes
    if node.tag == "th" or attributes.get("role") in _HEADER_ROLES:
        return True
    return any(name in attributes for name in _DATA_ATTRIBUTES)


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
