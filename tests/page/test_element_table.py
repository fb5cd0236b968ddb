"""The table of the elements of a page, from paths and from names in their parents."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest
from operations import assert_linear, assert_linear_time
from uncompiled import in_both_forms

from ncfilters.page.dom_path import MAX_PATH_CHARS, join_path
from ncfilters.page.element_table import CELL, COMMENT, LIST, LOWEST_LEVEL, TABLE

FORMS = in_both_forms("page.element_table")


def read(form: ModuleType, *paths: str) -> tuple[Any, list[int]]:
    """A table with its columns, and the rows of the paths."""
    table = form.ElementTable()
    rows = [table.add(path) for path in paths]
    table.read_signs()
    table.read_shapes()
    return table, rows


@FORMS
def test_elements(form: ModuleType) -> None:
    table, rows = read(form, "body/ul#a.menu/li", "body/ul#b.menu/li", "", "body/ul#a.menu/li", "body/h3.x/b")
    names = [table.name_of(row) for row in range(len(table))]
    assert names == ["", "body", "ul#a.menu", "li", "ul#b.menu", "li", "h3.x", "b"]
    assert table.parent == [0, 0, 1, 2, 1, 4, 1, 6] and table.depth == [0, 1, 2, 3, 2, 3, 2, 3]
    assert rows == [3, 5, 0, 3, 7] and table.around(5) == [5, 4, 1] and table.around(0) == []
    assert table.level == [LOWEST_LEVEL] * 6 + [3, 3]
    assert table.shape[3] == table.shape[5] and table.shape[2] == table.shape[4] != table.shape[6]
    assert table.inside[3] & LIST and not table.signs[3] & LIST and not table.inside[7] & LIST


@FORMS
def test_shapes_differ_in_more_than_ids(form: ModuleType) -> None:
    paths = ["body/div#a/p", "body/div#b/p", "body/div#a.x/p", "body/div.x/p#c", "body/p/div", "body/div/p"]
    table, rows = read(form, *paths)
    a, b, ax, x, swapped, plain = (table.shape[row] for row in rows)
    assert a == b == plain and ax == x and len({a, ax, swapped}) == 3


@FORMS
def test_paths_are_those_that_were_read_or_made_of_names(form: ModuleType) -> None:
    rnd = random.Random(1)
    paths = ["/".join(rnd.choices("abcd", k=rnd.randint(0, 12))) for _ in range(200)]
    table, rows = read(form, *paths)
    assert [table.path(row) for row in rows] == paths
    for row in range(1, len(table)):
        assert table.parent[row] < row and table.depth[row] == table.depth[table.parent[row]] + 1
        assert table.child(table.parent[row], table.name_of(row)) == row
        assert table.add(table.path(row)) == row
    odd = ["/a", "a", "a//b", "a/", "/", "//", ""]
    table, rows = read(form, *odd)
    assert len(set(rows)) == 7 and [table.path(row) for row in rows] == odd


@FORMS
def test_names_in_parents_are_the_elements_of_paths(form: ModuleType) -> None:
    names = [f"div#part-{number}.column" for number in range(60)]
    made, path, row = form.ElementTable(), "", 0
    read_again = form.ElementTable()
    for name in names:
        row, path = made.child(row, name), join_path(path, name)
        assert made.path(row) == path and len(path) <= MAX_PATH_CHARS
        assert made.depth[row] == read_again.depth[read_again.add(path)]
    assert len(made) == len(read_again)


@FORMS
@pytest.mark.parametrize(
    ("path", "level"), [("body/h1", 1), ("body/div/h6.x", 6), ("body/header/p", 7), ("body/p.h1", 7), ("body/h4/h2", 2)]
)
def test_the_level_of_a_heading_is_that_of_its_element(form: ModuleType, path: str, level: int) -> None:
    table, rows = read(form, path)
    assert table.level[rows[0]] == level


@FORMS
def test_nearest_and_outermost_elements_and_sums(form: ModuleType) -> None:
    table, rows = read(form, "body/ul/li/ol/li", "body/table/tr/td/ul", "body/p", "body/ul/li", "body/table/tr/td")

    def names(found: list[int]) -> list[str]:
        return [table.name_of(at) for at in found]

    assert names(table.nearest(LIST)) == ["", "", "ul", "ul", "ol", "ol", *[""] * 3, "ul", ""]
    assert names(table.nearest(LIST, True)) == ["", "", *["ul"] * 4, *[""] * 3, "ul", ""]
    assert table.nearest(TABLE | CELL)[rows[1]] == rows[4]
    assert table.nearest(LIST) is table.nearest(LIST) and not any(table.nearest(COMMENT))
    item = rows[3]
    assert [at for at, is_in in enumerate(table.subtree(item)) if is_in] == [3, 4, 5]
    assert [at for at in range(len(table)) if table.is_in(at, item)] == [3, 4, 5]
    assert table.sums([1.0] * len(table)) == [11, 10, 4, 3, 2, 1, 4, 3, 2, 1, 1]


@FORMS
def test_columns_have_rows_that_came_later(form: ModuleType) -> None:
    table, _ = read(form, "body/ul")
    row = table.child(table.add("body/ul"), "li")
    table.read_signs()
    table.read_shapes()
    assert len(table.signs) == len(table.shape) == len(table.nearest(LIST)) == row + 1 and table.inside[row] & LIST


@FORMS
def test_long_paths_are_cut(form: ModuleType) -> None:
    path = "body/" + "div.x/" * MAX_PATH_CHARS + "ul/li"
    table, (item, text, body) = read(form, path, "body/p", "body")
    assert len(table) < MAX_PATH_CHARS // 4 and table.inside[item] & LIST
    assert "..." in table.names and table.is_in(item, body)
    assert set(table.names_below_cut(item)) == {"div.x", "ul"} and table.names_below_cut(text) == []


@FORMS
def test_many_elements_are_bounded(form: ModuleType) -> None:
    table, rows = read(form, *(f"body/div#{number}/" + "/".join("d" * 90) for number in range(1600)))
    assert len(table) < 1.01 * form.MAX_ELEMENTS and table.depth[rows[0]] == 92 and rows[-1] == 0
    assert table.child(rows[0], "new") == 0
    deep = "/".join(f"s{number}" for number in range(400))
    table, rows = read(form, deep, deep + "/p", "x" * 10_000, "y" * 10_000)
    assert max(table.depth) < 200 and 0 not in rows and max(map(len, table.names)) <= 400
    assert [table.name_of(row) for row in (*rows[:2], 1)] == ["s399", "p", "s0"]


@FORMS
def test_linear(form: ModuleType) -> None:
    def survey(paths: list[str]) -> None:
        table, _ = read(form, *paths)
        table.nearest(LIST), table.sums([1.0] * len(table)), table.subtree(1)

    assert_linear(survey, lambda size: [f"body/div#a{at}.b/ul/li.c{at % 9}" for at in range(size)], 500)
    assert_linear_time(survey, lambda size: ["body/" + "a/" * 50_000 * size, "body/p" + "x" * 100_000 * size], 1)
