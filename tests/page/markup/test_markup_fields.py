"""Fields of markup when their text moves, is cut or is joined."""

from __future__ import annotations

from typing import Any

from ncfilters.page.markup import markup_fields
from ncfilters.page.markup.markup_run import GOES_ON

TEXT = "See this page."


def block_of(**fields: Any) -> dict[str, Any]:
    return {"text": TEXT, "spans": [[4, 13, "link", "x"], [9, 13, "em"], [13, 13, "image", {"src": "i"}]], **fields}


def test_a_part_has_the_parts_of_its_spans() -> None:
    block = block_of(
        cells=[{"start": 0, "end": 8, "row": 1, "column": 1}, {"start": 9, "end": 14, "row": 1, "column": 2}]
    )
    markup_fields.keep_part(block, 6, 11)
    assert block["spans"] == [[0, 5, "link", "x"], [3, 5, "em"]]
    assert block["cells"] == [
        {"start": 0, "end": 2, "row": 1, "column": 1},
        {"start": 3, "end": 5, "row": 1, "column": 2},
    ]
    markup_fields.keep_part(block, 5, 5)
    assert "spans" not in block


def test_spans_move() -> None:
    block = block_of(cells=[{"start": 0, "end": 14, "row": 1, "column": 1}])
    markup_fields.move(block, lambda positions: [at + 2 for at in positions], "  " + TEXT)
    assert block["spans"] == [[6, 15, "link", "x"], [11, 15, "em"], [15, 15, "image", {"src": "i"}]]
    assert block["cells"][0]["end"] == 16


def test_spans_that_lose_their_text_are_left_out() -> None:
    block = {"text": "a", "spans": [[1, 3, "em"], [2, 2, "image", {}]]}
    markup_fields.move(block, lambda positions: [1 for _ in positions], "a")
    assert block["spans"] == [[1, 1, "image", {}]]


def test_joined_parts() -> None:
    parts = [
        {"text": "ab", "spans": [[0, 1, "em"]], "depth": 1, "item": 1, "figure": [{"src": "i", "alt": ""}]},
        {"text": "c", "depth": 1, "item": 2, "figure": [{"src": "j", "alt": "", "after": True}]},
    ]
    block: dict[str, Any] = {"text": "ab c"}
    markup_fields.join(block, parts, [0, 3])
    assert block == {
        "text": "ab c",
        "spans": [[0, 0, "image", {"src": "i", "alt": ""}], [0, 1, "em"], [4, 4, "image", {"src": "j", "alt": ""}]],
        "depth": 1,
    }


def test_emphasis_that_goes_on_is_one_span() -> None:
    parts = [
        {"text": "ab", "spans": [[0, 2, "strong", GOES_ON], [1, 2, "em"]]},
        {"text": "cd", "spans": [[0, 2, "strong", GOES_ON], [0, 1, "em", GOES_ON], [1, 2, "em"]]},
        {"text": "ef", "spans": [[0, 1, "strong", GOES_ON], [1, 2, "em", GOES_ON]]},
    ]
    block: dict[str, Any] = {"text": "ab cd ef"}
    markup_fields.join(block, parts, [0, 3, 6])
    assert block["spans"] == [[0, 7, "strong"], [1, 4, "em"], [4, 5, "em"], [7, 8, "em"]]


def test_which_blocks_have_markup() -> None:
    assert markup_fields.has_markup({"text": "", "figure": []})
    assert not markup_fields.has_markup({"text": "", "level": 1})


def test_lines_of_a_cell_are_one() -> None:
    block: dict[str, Any] = {"text": "a\nb\tc"}
    cell = {"start": 0, "end": 1, "row": 0, "column": 0}
    cells = [cell, cell, {**cell, "column": 1}]
    parts = [{"text": text, "cells": [own]} for text, own in zip("abc", cells)]
    markup_fields.join(block, parts, [0, 2, 4])
    assert [(c["start"], c["end"], c["column"]) for c in block["cells"]] == [(0, 3, 0), (4, 5, 1)]
