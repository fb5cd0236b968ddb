"""The fields of details in blocks: cells, code, formulas (see `page_details`).

block: Block = {}
FieldAdder().add_fields(block, 4, {"code": CodeBlock(1, "make", "sh")})
block["code"], block["code_text"], block["code_language"]    # (1, 'make', 'sh')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...record import Block
from ..blocks.block_table import BlockTable
from .markup_run import sort_spans
from .page_details import Fields

if TYPE_CHECKING:
    from .code_blocks import CodeBlock
    from .table_grid import Cell


class FieldAdder:
    """Adds the fields of the elements around a block to it. The first block of code has its text."""

    def __init__(self) -> None:
        self._code_numbers: set[int] = set()  # of the code that has a block

    def add_fields(self, block: Block, size: int, fields: Fields) -> None:
        """Adds *fields* to those of a block of *size* characters: `cell` and `code` are those of `page_details` (None:
        a caption of the table, the title of code), others are as in blocks."""
        for name, value in fields.items():
            if name == "cell":
                if value is not None:
                    block["cells"] = [_cell_field(value, size)]
            elif name == "code":
                if value is not None:
                    self._add_code(block, value)
            else:
                block[name] = value

    def _add_code(self, block: Block, code: CodeBlock) -> None:
        block["code"] = code.number
        if code.number not in self._code_numbers:
            self._code_numbers.add(code.number)
            block["code_text"] = code.text
            if code.language:
                block["code_language"] = code.language


def drop_in_formulas(block: Block) -> None:
    """Drops the spans in formulas: their TeX has what they say."""
    end = 0
    spans = []
    for span in block["spans"]:
        if span[0] < end:
            continue
        if span[2] == "math":
            end = span[1]
        spans.append(span)
    block["spans"] = spans


def place_formulas(blocks: BlockTable) -> None:
    """Makes formulas of the images that are formulas: those beside a block are at its start or its end."""
    for row, extra in enumerate(blocks.extra):
        if extra is None:
            continue
        spans = [_formula_of(span) for span in extra.get("spans", ())]
        figures = extra.get("figure", [])
        for figure in figures:
            if "math" in figure:
                at = len(blocks.text[row]) if "after" in figure else 0
                spans.append([at, at, *figure["math"][:2], "display"])
        if spans:
            sort_spans(spans)
            extra["spans"] = spans
        if figures := [figure for figure in figures if "math" not in figure]:
            extra["figure"] = figures
        else:
            extra.pop("figure", None)


def _cell_field(cell: Cell, size: int) -> Fields:
    """A cell in the text of a block, with what differs from a single cell."""
    field = {"start": 0, "end": size, "row": cell.row, "column": cell.column}
    if cell.rows > 1:
        field["rows"] = cell.rows
    if cell.columns > 1:
        field["columns"] = cell.columns
    if cell.is_header:
        field["header"] = True
    return field


def _formula_of(span: list[Any]) -> list[Any]:
    """The span of an image, or of the formula that it is."""
    return [*span[:2], *span[3]["math"]] if span[2] == "image" and "math" in span[3] else span
