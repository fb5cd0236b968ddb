"""The grid of tables."""

from __future__ import annotations

import pytest
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.page.markup.table_grid import MAX_COLUMNS, Cell, caption_of, cells_of, is_data_table


def grid_of(html: str) -> list[tuple[int, ...]]:
    page = page_of(html)
    return [tuple(int(value) for value in cell) for cell in cells_of(page, rows_of(page, "table")[0]).values()]


def hold_data(html: str) -> list[bool]:
    """Whether each table of a page holds data."""
    page, figures = page_of(html), dict[int, bool]()
    return [is_data_table(page, table, cells_of(page, table), figures) for table in rows_of(page, "table")]


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
    page = page_of("<table><caption>Rain</caption><tr><td>a<td>b</table>")
    (table,), (_, second) = rows_of(page, "table"), rows_of(page, "td")
    assert cells_of(page, table)[second] == Cell(0, 1, 1, 1, False)
    assert page.text_below(caption_of(page, table)) == "Rain"


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
    assert hold_data(f"<table {attributes}>{rows}</table>")[0] is expected


def test_linear() -> None:
    for row in ("<tr><td rowspan=65534 colspan=1000>a", "<tr><td rowspan=3>a<td>b"):
        assert_linear(grid_of, lambda size, row=row: "<table>" + row * size, 300)


def test_tables_of_a_figure_are_linear() -> None:
    rows = "<table><tr><td>a<td>b</table>"
    assert_linear(hold_data, lambda size: f"<figure>{rows * size}</figure>", 300)


def test_a_table_that_is_a_figure_holds_data() -> None:
    rows = "<table><tr><td>a<td>b</table>"
    pages = (f"<figure>{rows}</figure>", f"<figure><img src=a>{rows}</figure>", rows)
    assert [hold_data(html) for html in pages] == [[True], [False], [False]]


@pytest.mark.parametrize(
    "rows",
    [
        f"<tr><td>a<td><td><td><td><tr><td><td><h1>b</h1>{LONG * 5}<td><td><td>",
        f"<colgroup><col><col></colgroup><tr><td>a<td>b<tr><td><h2>b</h2>{LONG * 5}<td>c",
        "<colgroup><col><col></colgroup><tr><td>a<td>b<tr><td><h2>b</h2><table><tr><td>c</table><td>d",
    ],
)
def test_a_cell_with_the_page_lays_it_out(rows: str) -> None:
    data = rows.replace("h1", "b").replace("h2", "b")
    assert not hold_data(f"<table>{rows}</table>")[0] and hold_data(f"<table>{data}</table>")[0]
