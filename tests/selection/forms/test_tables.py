"""Tables as grids."""

from __future__ import annotations

import random
from typing import Any

import pytest
from made_segments import p, row

from ncfilters.errors import RecordError
from ncfilters.selection.forms import spans
from ncfilters.selection.forms.spans import inline_nodes
from ncfilters.selection.forms.tables import Grid, Part, grid, table_of, table_runs


def cell(text: str, at: tuple[int, int], table: int = 1, **more: Any) -> dict[str, Any]:
    place = {"start": 0, "end": len(text), "row": at[0], "column": at[1], **more}
    return p(text, tag="td", path="body/table/tr/td", table=table, cells=[place])


def places(table: Grid) -> list[tuple[int, int, int, int]]:
    return [(cell.row, cell.column, cell.rows, cell.columns) for cell in table.cells]


def test_cells_between_tabs() -> None:
    table = grid([row("a", "", "b"), row("c")])
    assert places(table) == [(0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1), (1, 0, 1, 1)]
    assert table.width == 3


def test_places_are_those_of_the_page() -> None:
    table = grid([cell("a", (0, 0), columns=2, header=True), cell("b", (2, 1)), cell("more", (2, 1))])
    assert places(table) == [(0, 0, 1, 2), (1, 1, 1, 1)]
    assert [part.segment["text"] for part in table.cells[1].parts if isinstance(part, Part)] == ["b", "more"]
    assert table.cells[0].header


def test_captions_may_hold_blocks() -> None:
    caption = p("Rain", tag="div", path="body/table/caption/div", table=1)
    table = grid([caption, cell("a", (0, 0))])
    assert (table.captions, places(table)) == ([caption], [(0, 0, 1, 1)])


def test_rows_that_are_spanned_and_left() -> None:
    table = grid([cell("a", (0, 0), rows=60000), cell("b", (0, 1)), cell("c", (5, 1))])
    assert places(table) == [(0, 0, 2, 1), (0, 1, 1, 1), (1, 1, 1, 1)]
    assert [table.is_covered(1, column) for column in (0, 1)] == [True, False]


def test_a_table_in_a_cell() -> None:
    table = grid([cell("a", (0, 0)), cell("in", (0, 0), 2), cell("b", (0, 1))])
    inner = table.cells[0].parts[1]
    assert isinstance(inner, Grid) and places(inner) == [(0, 0, 1, 1)]
    alone = grid([cell("x", (0, 0)), cell("in", (0, 0), 2), cell("b", (1, 0))])
    assert places(alone) == [(0, 0, 1, 1), (1, 0, 1, 1)]


def test_adjacent_tables_are_two() -> None:
    runs = list(table_runs([p("x"), cell("a", (0, 0)), cell("b", (0, 0), 2), p("y"), row("c"), row("d")]))
    assert [([s["text"] for s in run], is_table) for run, is_table in runs] == [
        (["x"], False),
        (["a"], True),
        (["b"], True),
        (["y"], False),
        (["c", "d"], True),
    ]
    other = {**row("e"), "path": "body/div/table/tr"}
    assert [len(run) for run, _ in table_runs([row("a"), other])] == [1, 1]
    assert table_of(p("x", table=3)) == 3


def test_too_many_places_are_none() -> None:
    cells = [cell("a", (number, number)) for number in range(500)]
    assert grid(cells).width == 1
    assert (
        sum(c.rows * c.columns for c in grid([cell("a", (n, 0), columns=1000, rows=500) for n in range(500)]).cells)
        == 500
    )


@pytest.mark.parametrize(
    "wrong", [7, {}, {"start": 0, "end": 1, "row": 0}, {"start": 0, "end": 1, "row": -1, "column": 0}]
)
def test_wrong_cells_are_errors(wrong: Any) -> None:
    with pytest.raises(RecordError, match="cells: expected"):
        grid([p("a", table=1, cells=[wrong])])


def test_a_column_of_blocks_is_a_frame() -> None:
    def is_frame(*cells: dict[str, Any]) -> bool:
        return grid([*cells]).is_frame

    post = [cell(text, (row, 0)) for row in (0, 1) for text in ("Ann", "two years ago", "It rained.")]
    assert is_frame(*post)
    assert is_frame(cell("x" * 500, (0, 0)), cell("y", (1, 0)))
    assert not is_frame(cell("x", (0, 0)), cell("y", (1, 0)))
    assert not is_frame(*post, cell("z", (1, 1)))
    assert not is_frame(cell("Posts", (0, 0), header=True), *[cell("x" * 500, (row, 0)) for row in (1, 2)])
    assert not is_frame({**p("Posts"), "table": 1, "tag": "caption"}, *post)


def random_row(rng: random.Random) -> dict[str, Any]:
    """A row of cells with a tab between two, and spans anywhere in it."""
    text = "\t".join("rain"[: rng.randrange(5)] for _ in range(rng.randrange(2, 9)))
    spans = [sorted(rng.choices(range(len(text) + 2), k=2)) for _ in range(rng.randrange(9))]
    kinds = [rng.choice((["em"], ["link", "/a"], ["image", {"src": "/b", "alt": "x"}], ["math", "x"])) for _ in spans]
    return {**row(*text.split("\t")), "spans": [[*span, *kind] for span, kind in zip(spans, kinds)]}


def test_spans_of_a_row_are_those_of_its_cells() -> None:
    rng = random.Random(4)
    for _ in range(2_000):
        for cell in grid([random_row(rng)]).cells:
            for part in cell.parts:
                assert isinstance(part, Part)
                assert part.nodes() == inline_nodes(part.segment, part.start, part.end)


def test_spans_of_a_row_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(spans, "checked_span", lambda span: read.append(span) or (*span, None))
    marked = [[5 * at, 5 * at + 4, "em"] for at in range(500)]
    table = grid([{**row(*["rain"] * 500), "spans": marked}])
    assert [part.nodes() for cell in table.cells for part in cell.parts] == [[spans.Node("em", None, ["rain"])]] * 500
    assert len(read) == 500
