"""Cells of tables in few bytes: those of segments that were read from a line (see `columns.read_line`). A page of rows
has more cells than anything else.

    cells_of({"text": "a", "cells": [{"start": 0, "end": 1, "row": 0, "column": 0}]})    # the list, packed or not
"""

from __future__ import annotations

from struct import Struct
from typing import Any

from ..record import Record

# A packed cell: the numbers with these names, and whether it is a header (`cell_t` of `_marked.h`).
CELL = Struct("=6i?3x")
_NUMBERS = ("start", "end", "row", "column", "rows", "columns")


def cells_of(segment: Record) -> list[Any]:
    """The `cells` of a segment as nc-stream(5) has them; of packed ones, all fields are given."""
    cells = segment.get("cells", [])
    if type(cells) is not bytes:
        return list(cells)
    return [{**dict(zip(_NUMBERS, numbers)), "header": header} for *numbers, header in CELL.iter_unpack(cells)]
