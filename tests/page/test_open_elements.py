"""Open elements of the block builder."""

from __future__ import annotations

import pytest

from ncfilters.page.open_elements import OpenBlock, OpenRow, hiding_of, number_of, path_of


def element(name: str, **attributes: str | None) -> OpenBlock:
    return OpenBlock(name, attributes, None, None)


def test_paths_are_stored_in_the_elements() -> None:
    blocks = [OpenBlock("", {}, "", None), element("body"), element("ul", id="x"), element("li")]
    assert path_of(blocks) == "body/ul#x/li"
    assert [block.path for block in blocks] == ["", "body", "body/ul#x", "body/ul#x/li"]
    assert path_of(blocks[:3]) == "body/ul#x"


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"hidden": None, "style": "display:none"}, "hidden"),
        ({"style": "DISPLAY :none"}, None),
        ({"style": "display:  none"}, "display"),
        ({"style": None, "aria-hidden": "true"}, "aria"),
        ({"aria-hidden": "false"}, None),
        ({}, None),
    ],
)
def test_attributes_that_hide_an_element(attributes: dict[str, str | None], expected: str | None) -> None:
    assert hiding_of(attributes) == expected


@pytest.mark.parametrize("value, number", [("7", 7), (" -2x", -2), ("x", 1), ("", 1), (None, 1), ("9" * 20, 999999999)])
def test_numbers_of_attributes(value: str | None, number: int) -> None:
    assert number_of({"start": value}, "start", 1) == number


def cell(text: str, **fields: str) -> dict[str, object]:
    return {"text": text, "tag": "td", "path": "body/table/tr/td", "links": len(text), **fields}


def test_short_cells_are_joined() -> None:
    blocks = [cell("before"), cell("a", origin="noscript"), cell("b")]
    row = [OpenBlock("", {}, "", None), element("table"), element("tr")]
    OpenRow(1).join_cells(blocks, row)
    assert blocks == [
        cell("before"),
        {"text": "a\tb", "tag": "tr", "path": "table/tr", "links": 2, "origin": "noscript"},
    ]


@pytest.mark.parametrize(
    "cells",
    [
        [cell("a")],
        [cell("a"), cell("b", hidden="aria")],
        [cell("a"), cell("b", tag="li")],
        [cell("a"), cell("b" * 161)],
    ],
)
def test_other_cells_stay(cells: list[dict[str, object]]) -> None:
    blocks = list(cells)
    OpenRow(0).join_cells(blocks, [element("tr")])
    assert blocks == cells
