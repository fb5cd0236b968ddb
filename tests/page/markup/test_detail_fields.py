"""Fields of details in blocks."""

from __future__ import annotations

from typing import Any

from ncfilters.page.blocks.block_table import BlockTable
from ncfilters.page.markup.code_blocks import CodeBlock
from ncfilters.page.markup.detail_fields import FieldAdder, drop_in_formulas, place_formulas
from ncfilters.page.markup.table_grid import Cell

FORMULA = {"math": ("math", "x")}


def test_the_first_block_of_code_has_its_text() -> None:
    adder, code = FieldAdder(), CodeBlock(1, "a\nb", "sh")
    blocks: list[dict[str, Any]] = [{"text": "a"}, {"text": "b"}]
    for block in blocks:
        adder.add_fields(block, 1, {"code": code})
    assert blocks == [{"text": "a", "code": 1, "code_text": "a\nb", "code_language": "sh"}, {"text": "b", "code": 1}]


def test_a_cell_has_what_differs_from_a_single_one() -> None:
    plain: dict[str, Any] = {"text": "ab"}
    FieldAdder().add_fields(plain, 2, {"table": 1, "cell": Cell(0, 1, 1, 1, False)})
    assert plain == {"text": "ab", "table": 1, "cells": [{"start": 0, "end": 2, "row": 0, "column": 1}]}
    wide: dict[str, Any] = {"text": "ab"}
    FieldAdder().add_fields(wide, 2, {"cell": Cell(0, 0, 2, 3, True)})
    assert wide["cells"] == [{"start": 0, "end": 2, "row": 0, "column": 0, "rows": 2, "columns": 3, "header": True}]


def test_spans_in_formulas_are_dropped() -> None:
    block = {"text": "abc", "spans": [[0, 2, "math", "x"], [0, 1, "em"], [2, 3, "em"]]}
    drop_in_formulas(block)
    assert block["spans"] == [[0, 2, "math", "x"], [2, 3, "em"]]


def test_images_that_are_formulas_become_spans() -> None:
    image = {"src": "a", "alt": ""}
    blocks = BlockTable()
    blocks.append("ab", "p", "p", 0)
    blocks.extra[0] = {"spans": [[1, 1, "image", FORMULA]], "figure": [image, {**FORMULA, "after": True}]}
    place_formulas(blocks)
    assert blocks.extra == [{"spans": [[1, 1, "math", "x"], [2, 2, "math", "x", "display"]], "figure": [image]}]
