"""Cells of tables in few bytes."""

from __future__ import annotations

from ncfilters.selection.packed_cells import CELL, cells_of

CELLS = [{"start": 0, "end": 1, "row": 2, "column": 3, "rows": 1, "columns": 4, "header": True}]


def test_cells_as_they_are() -> None:
    assert cells_of({"text": "a", "cells": CELLS}) == CELLS
    assert cells_of({"text": "a"}) == []


def test_packed_cells() -> None:
    assert cells_of({"text": "a", "cells": CELL.pack(0, 1, 2, 3, 1, 4, True)}) == CELLS
    assert cells_of({"text": "a", "cells": b""}) == []
