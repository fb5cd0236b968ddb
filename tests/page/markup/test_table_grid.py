"""The grid of tables."""

from __future__ import annotations

from random import Random

import pytest
from operations import assert_linear

from ncfilters.page.html_parser import parse_html
from ncfilters.page.markup.table_grid import MAX_COLUMNS, Cell, caption_of, cells_of, data_cells, is_data_table


def grid_of(html: str) -> list[tuple[int, ...]]:
    table = parse_html(html).css_first("table")
    assert table is not None
    return [tuple(int(value) for value in cell) for cell in cells_of(table).values()]


@pytest.mark.parametrize(
    "rows, expected",
    [
        ("<tr><td>a<td>b<tr><td>c", [(0, 0, 1, 1, 0), (0, 1, 1, 1, 0), (1, 0, 1, 1, 0)]),
        (
            "<tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d",
            [(0, 0, 2, 1, 1), (0, 1, 1, 2, 1), (1, 1, 1, 1, 0), (1, 2, 1, 1, 0)],
        ),
        # to the end of its group, but no further
        ("<tr><td rowspan=0>a<td>b<tr><td>c", [(0, 0, 2, 1, 0), (0, 1, 1, 1, 0), (1, 1, 1, 1, 0)]),
        ("<tbody><tr><td rowspan=9>a<tbody><tr><td>b", [(0, 0, 1, 1, 0), (1, 0, 1, 1, 0)]),
        # a cell between two that reach down from above
        (
            "<tr><td rowspan=2>a<td>b<td rowspan=2>c<tr><td colspan=2>d",
            [(0, 0, 2, 1, 0), (0, 1, 1, 1, 0), (0, 2, 2, 1, 0), (1, 1, 1, 2, 0)],
        ),
        ("<tr><td colspan=x rowspan=-1>a<td colspan=0>b", [(0, 0, 1, 1, 0), (0, 1, 1, 1, 0)]),
        ("<tr><td colspan=99999>a<td>b", [(0, 0, 1, MAX_COLUMNS, 0)]),
        ("<thead><tr><td>a<tbody><tr><td role=rowheader>b", [(0, 0, 1, 1, 1), (1, 0, 1, 1, 1)]),
        ("<tr><td><table><tr><td>inner</table><td>b", [(0, 0, 1, 1, 0), (0, 1, 1, 1, 0)]),
    ],
)
def test_cells(rows: str, expected: list[tuple[int, ...]]) -> None:
    assert grid_of(f"<table>{rows}</table>") == expected


def test_cells_by_element() -> None:
    tree = parse_html("<table><caption>Rain</caption><tr><td>a<td>b</table>")
    (table,), (_, second) = tree.css("table"), tree.css("td")
    assert cells_of(table)[second.mem_id] == Cell(0, 1, 1, 1, False)
    caption = caption_of(table)
    assert caption is not None and caption.text() == "Rain"


LONG = "word " * 60


@pytest.mark.parametrize(
    "attributes, rows, expected",
    [
        ("", "<tr><th>a<td>b", True),
        ("", "<thead><tr><td>a<td>b<tbody><tr><td>c<td>d", True),
        ("", "<tr><td scope=row>a<td>b", True),
        ("", f"<tr><td>a<td>{' ' * 200}b<tr><td>c<td>d", True),
        ("", "<tr><td>a<td>b<tr><td>1<td>2", True),
        ("", "<thead><tr><td>Title<td>1", False),
        ("", "<caption>Rain</caption><tr><td>a<td>b<tr><td>1<td>2", True),
        ("class='ltx_equation ltx_eqn_table'", "<tr><td>x = 1<td>(1)<tr><td>y = 2<td>(2)", False),
        ("role=presentation", "<tr><th>a<td>b<tr><td>1<td>2", False),
        ("role=grid", "<tr><td>a<td>b", True),
        ("datatable=0", "<tr><th>a<td>b", False),
        ("summary='Rain by year'", "<tr><td>a<td>b", True),
        ("", "<tr><td>menu<td>text", False),
        ("", "<tr><td>a<tr><td>b<tr><td>c", False),
        ("", "<tr><td>only", False),
        ("", f"<tr><td>menu<td>{LONG}<tr><td>foot<td>note", False),
        ("border=1", f"<tr><td>2019<td>{LONG}<tr><td>2020<td>{LONG}", True),
        ("", "<tr><td><table><tr><td>a<td>b</table><td>c<tr><td>d<td>e", False),
        ("", "<tr><th>a<th>b<tr><td><table><tr><td>x</table><td>c", True),
        ("", "<tr><td>a<td>b<td>c<td>d<td>e<tr><td>1<td>2<td>3<td>4<td>5", True),
        ("", "<tr><td>a<td>b" * 6, True),
        ("", "<tr><td>a<td>b" * 5 + f"<tr><td>menu<td><h2>A page</h2>{LONG * 5}", False),
    ],
)
def test_data_and_layout(attributes: str, rows: str, expected: bool) -> None:
    table = parse_html(f"<table {attributes}>{rows}</table>").css_first("table")
    assert table is not None and is_data_table(table, cells_of(table)) is expected
    assert [*data_cells([table])] == [cells_of(table) if expected else None]


def test_linear() -> None:
    for row in ("<tr><td rowspan=65534 colspan=1000>a", "<tr><td rowspan=3>a<td>b"):
        assert_linear(grid_of, lambda size, row=row: "<table>" + row * size, 300)


def test_tables_of_a_figure_are_linear() -> None:
    def found(html: str) -> list[dict[int, Cell] | None]:
        return list(data_cells(parse_html(html).css("table")))

    rows = "<table><tr><td>a<td>b</table>"
    assert_linear(found, lambda size: f"<figure>{rows * size}</figure>", 300)
    # what only Python can tell
    assert_linear(found, lambda size: f"<figure>{rows.replace('<table', '<table role=É') * size}<img></figure>", 300)


def test_a_table_that_is_a_figure_holds_data() -> None:
    def found(html: str) -> bool:
        table = parse_html(html).css_first("table")
        assert table is not None
        return is_data_table(table, cells_of(table))

    rows = "<table><tr><td>a<td>b</table>"
    assert found(f"<figure>{rows}</figure>") and not found(f"<figure><img src=a>{rows}</figure>") and not found(rows)


@pytest.mark.parametrize(
    "rows",
    [
        f"<tr><td>a<td><td><td><td><tr><td><td><h1>b</h1>{LONG * 5}<td><td><td>",
        f"<colgroup><col><col></colgroup><tr><td>a<td>b<tr><td><h2>b</h2>{LONG * 5}<td>c",
        "<colgroup><col><col></colgroup><tr><td>a<td>b<tr><td><h2>b</h2><table><tr><td>c</table><td>d",
    ],
)
def test_a_cell_with_the_page_lays_it_out(rows: str) -> None:
    page = parse_html(f"<table>{rows}</table>").css_first("table")
    data = parse_html(f"<table>{rows.replace('h1', 'b').replace('h2', 'b')}</table>").css_first("table")
    assert page is not None and data is not None
    assert not is_data_table(page, cells_of(page)) and is_data_table(data, cells_of(data))


@pytest.mark.parametrize("seed", range(3))
def test_any_grid(seed: int) -> None:
    random = Random(seed)
    pieces = "<tr> <td> <th> <td&rowspan=3> <td&rowspan=0> <td&colspan=2&rowspan=2> <td&colspan=999> <tbody> <thead> a "
    pieces += "<td&colspan=\u0664> <td&rowspan='&+2x'> <td&scope=row> <caption> <table> </table> <h2> </tr> <td>b <td>c"
    many = [piece.replace("&", " ") for piece in pieces.split(" ")]
    attributes = (
        "role=none role=GRID role=\u212a datatable=0 summary=&nbsp; summary=a border=0 border=1 border class=equations"
    )
    for _ in range(500):
        own = " ".join(random.sample(attributes.split(), random.randrange(2)))
        around = random.choice(["", "", "<figure>", "<figure><img>"])
        markup = f"{around}<table {own}>" + "".join(random.choices(many, k=random.randrange(60)))
        tables = parse_html(markup).css("table")
        for table, found in zip(tables, data_cells(tables)):
            cells = cells_of(table)
            assert found == (cells if is_data_table(table, cells) else None)
