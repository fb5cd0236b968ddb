"""Tables of elements with roles."""

from __future__ import annotations

import pytest
from operations import assert_linear
from page_rows import page_of

from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.role_tables import role_tables


def row(*cells: str, role: str = "cell", attributes: str = "") -> str:
    inner = "".join(f"<div role={role} {attributes}>{cell}</div>" for cell in cells)
    return f"<div role=row>{inner}</div>"


def grids_of(html: str) -> list[list[tuple[int, ...]]]:
    page = page_of(html)
    tables = role_tables(page, candidates_of(page).cells)
    return [[tuple(int(value) for value in cell) for cell in cells.values()] for cells in tables]


ROWS = row("Day", "mm", role="columnheader") + row("Monday", "3")
PLACES = [(0, 0, 1, 1, 1), (0, 1, 1, 1, 1), (1, 0, 1, 1, 0), (1, 1, 1, 1, 0)]


@pytest.mark.parametrize("role", ["table", "grid", "treegrid"])
def test_rows_and_columns(role: str) -> None:
    assert grids_of(f"<div role={role}>{ROWS}</div>") == [PLACES]
    assert grids_of(f"<div role={role}><ul role=rowgroup><li>{ROWS}</ul></div>") == [PLACES]


def test_two_tables_are_two() -> None:
    assert grids_of(f"<div role=table>{ROWS}</div><section role=table>{ROWS}</section>") == [PLACES, PLACES]


def test_cells_that_span_columns_and_rows() -> None:
    spanning = row("Days", attributes="aria-colspan=2 aria-rowspan=x")
    assert grids_of(f"<div role=table>{spanning}{ROWS}</div>")[0][0] == (0, 0, 1, 2, 0)


@pytest.mark.parametrize(
    "html",
    [
        ROWS,  # no table around them
        f"<div role=table>{row('a', 'b')}</div>",  # one row
        f"<div role=table>{row('a')}{row('b')}</div>",  # one column
        "<table role=grid><tr role=row><td role=gridcell>a<td role=gridcell>b<tr role=row><td role=gridcell>c</table>",
    ],
)
def test_no_tables(html: str) -> None:
    assert grids_of(html) == []


def test_time_is_linear() -> None:
    assert_linear(grids_of, lambda size: f"<div role=table>{row('a', 'b') * size}</div>", 100)
