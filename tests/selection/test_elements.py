"""The elements of a page, from the paths of its segments."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.selection.elements import Element, elements_of
from ncfilters.selection.scored_table import table_of


def found(*paths: str, **fields: Any) -> list[tuple[str, list[int]]]:
    """The kinds and rows of the elements of segments with these paths, all of which are kept."""
    segments = [{"text": "Text", "type": "p", "path": path, **fields} for path in paths]
    return [(element.kind, element.rows) for element in elements_of(table_of(segments), [True] * len(paths))]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("body/ul/li", "list"),
        ("body/div/ol.steps/li/div.text", "list"),
        ("body/table/tbody/tr", "table"),
        ("body/table/tbody/tr/td/ul/li", "list"),
        ("body/dl.spec/dd", "definitions"),
        ("body/blockquote/p", "quote"),
        ("body/table.code/tr/td/pre", "code"),
    ],
)
def test_kinds(path: str, kind: str) -> None:
    assert found(path) == [(kind, [0])]


@pytest.mark.parametrize(
    "path", ["", "body/p", "body/ul-x/p", "body/div.table/p", "body/p.mathematics", "body/p.notes"]
)
def test_other_paths_are_in_no_element(path: str) -> None:
    assert found(path) == []


def test_equal_elements_in_a_row_are_one() -> None:
    assert found("body/ul/li", "body/ul/li", "body/p", "body/ul/li") == [("list", [0, 1]), ("list", [3])]
    assert found("body/ul/li", "body/ol/li") == [("list", [0]), ("list", [1])]


def test_a_list_in_an_item_is_a_part_of_the_list() -> None:
    assert found("body/ul/li", "body/ul/li/ul/li", "body/ul/li") == [("list", [0, 1, 2])]


def test_groups_of_items_under_headings_are_one_list() -> None:
    def grouped(*headings: dict[str, Any]) -> list[Element]:
        items = {"text": "Salt", "type": "l", "path": "body/div.recipe/ul/li"}
        segments = [
            items,
            *({"text": "Sauce", "type": "h", "path": "body/div.recipe/h4"} | own for own in headings),
            items,
        ]
        return elements_of(table_of(segments), [True] * len(segments))

    assert grouped({}) == [("list", "body/div.recipe/ul", [0, 2], [1])]
    assert [element.rows for element in grouped({}, {})] == [[0, 3]]
    for other in ({"type": "p"}, {"path": "body/aside/h4"}, {"text": "Sauce " * 20}):
        assert [element.rows for element in grouped(other)] == [[0], [2]]
    assert [element.rows for element in grouped({}, {}, {})] == [[0], [4]]


def test_elements_that_begin_with_marked_segments_are_menus() -> None:
    menu, item = {"text": "Home", "path": "body/ul/li", "rule": "nav"}, {"text": "Salt", "path": "body/ul/li"}
    assert elements_of(table_of([menu, menu]), [False, False]) == []
    assert [one.rows for one in elements_of(table_of([menu, item, menu]), [False] * 3)] == [[1, 2]]
    assert [one.rows for one in elements_of(table_of([menu, item]), [True, False])] == [[0, 1]]


def test_linear() -> None:
    def find(size: int) -> list[Element]:
        segments = []
        for number in range(size):
            segments += [{"text": "a", "path": "body/ul/li"}, {"text": "b", "type": "h", "path": f"body/h{number % 6}"}]
        return elements_of(table_of(segments), [True] * len(segments))

    assert_linear(find, lambda size: size, 500)
