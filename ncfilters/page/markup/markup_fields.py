"""The fields of markup in blocks and segments, when their text moves, is cut or is joined (see nc-stream(5)).

block = {"text": "See this.", "spans": [[4, 8, "link", "http://a.example/"]]}
keep_part(block, 2, 9)    # spans: [[2, 6, 'link', 'http://a.example/']]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...record import Block
from .markup_run import Span, sort_spans, trimmed

if TYPE_CHECKING:
    from .table_grid import Cell

# Fields with positions in the text: `spans` are lists, `cells` are objects.
POSITIONAL = ("spans", "cells")
# Fields that a joined block has if all its parts agree.
SHARED = ("level", "depth", "item", "quote", "table", "code", "note")
# Fields that it has if one of its parts does.
FIRST = ("code_text", "code_language")
# Fields of images beside a block, which images in its text lack.
BESIDE = frozenset(("after", "depth", "quote", "table"))
# Kinds of spans that may have no text.
POINTS = frozenset(("image", "math", "note", "task"))


def has_markup(block: Block) -> bool:
    """Whether a block has fields that depend on its text or that would be lost with it."""
    return "spans" in block or "figure" in block or "cells" in block or "code" in block


def move(block: Block, place: Callable[[Sequence[int]], Sequence[int]], text: str) -> None:
    """Moves the positions in the fields of *block* to its new *text*. *place* maps sorted positions.

    White space at the ends of spans, and spans without text, are left out.
    """
    spans: list[Span] = block.get("spans", [])
    cells: list[dict[str, Any]] = block.get("cells", [])
    positions = sorted({at for span in spans for at in span[:2]} | {at for c in cells for at in (c["start"], c["end"])})
    new = dict(zip(positions, place(positions)))
    if spans:
        moved = [[new[span[0]], new[span[1]], *span[2:]] for span in spans]
        _set(block, [span for span in moved if _is_left(span, text)])
    for cell in cells:
        cell["start"], cell["end"] = new[cell["start"]], new[cell["end"]]


def keep_part(block: Block, start: int, end: int, next_start: int | None = None) -> None:
    """Changes the fields of *block* for the part of its text from *start* to *end*; spans are cut. Images before
    *next_start*, by default to the end, are in the part."""
    if "spans" in block:
        last = end if next_start is None else next_start - 1
        spans = [
            [max(span[0], start) - start, max(min(span[1], end) - start, 0), *span[2:]]
            for span in block["spans"]
            if span[0] < end and span[1] > start or span[0] == span[1] and start <= span[0] <= last
        ]
        for span in spans:
            span[0] = min(span[0], end - start)
        _set(block, spans)
    if "cells" in block:
        block["cells"] = [
            {**cell, "start": max(cell["start"], start) - start, "end": min(cell["end"], end) - start}
            for cell in block["cells"]
            if cell["start"] < end and cell["end"] > start
        ]


def without_images(block: Block, images: Sequence[Any]) -> Block:
    """The block without these *images* beside it."""
    if not images:
        return block
    return {**block, "figure": [figure for figure in block.get("figure", ()) if figure not in images]}


def join_split(block: Block, parts: Sequence[Block], starts: Sequence[int]) -> None:
    """Undoes `keep_part`: gives *block* the fields of *parts*, whose texts begin at *starts* in its text. Spans that
    were cut are whole again."""
    figures = [figure for part in parts for figure in part.get("figure", ())]
    join(block, [{name: value for name, value in part.items() if name != "figure"} for part in parts], starts, None)
    if figures:
        block["figure"] = figures


def join(
    block: Block, parts: Sequence[Block], starts: Sequence[int], lasting: frozenset[str] | None = frozenset()
) -> None:
    """Gives *block* the fields of *parts*, whose texts begin at *starts* in its text. Images beside the parts are
    images in the text. Spans of *lasting* kinds, or of all, that go on from the part before are one."""
    spans: list[Span] = []
    cells: list[dict[str, Any]] = []
    last: list[Span] = []  # those that end with the part before
    for part, start in zip(parts, starts):
        figures, end = part.get("figure", ()), start + len(part["text"])
        spans += [_image_at(start, figure) for figure in figures if "after" not in figure]
        before, last = last, []
        for span in part.get("spans", ()):
            own = [span[0] + start, span[1] + start, *span[2:]]
            goes_on = own[0] == start < own[1] and (lasting is None or own[2] in lasting)
            cut = next((other for other in before if other[2:] == own[2:]), None) if goes_on else None
            if cut is None:
                spans.append(own)
            else:
                before.remove(cut)
                cut[1] = own[1]
                own = cut
            if own[1] == end > own[0]:
                last.append(own)
        spans += [_image_at(end, figure) for figure in figures if "after" in figure]
        cells += [{**c, "start": c["start"] + start, "end": c["end"] + start} for c in part.get("cells", ())]
    _set(block, spans)
    if cells:
        block["cells"] = _joined_cells(cells)
    for name in SHARED:
        values = [part.get(name) for part in parts]
        if values[0] is not None and all(value == values[0] for value in values):
            block[name] = values[0]
    if "new_quote" in parts[0]:
        block["new_quote"] = parts[0]["new_quote"]
    for name in FIRST:
        if (value := next((part[name] for part in parts if name in part), None)) is not None:
            block[name] = value


def _image_at(at: int, figure: dict[str, Any]) -> Span:
    """The span of an image that was beside a block."""
    return [at, at, "image", {name: value for name, value in figure.items() if name not in BESIDE}]


def _joined_cells(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells of joined parts; lines of one cell are one."""
    out = cells[:1]
    for cell in cells[1:]:
        last = out[-1]
        if (cell["row"], cell["column"]) == (last["row"], last["column"]):
            out[-1] = {**last, "end": cell["end"]}
        else:
            out.append(cell)
    return out


def _set(block: Block, spans: list[Span]) -> None:
    if spans:
        sort_spans(spans)
        block["spans"] = spans
    else:
        block.pop("spans", None)


def _is_left(span: Span, text: str) -> bool:
    if span[0] >= span[1] and span[2] in POINTS:
        span[0] = span[1] = min(span[0], len(text))
        return True
    return trimmed(span, text) is not None


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


def cell_field(cell: Cell, size: int) -> dict[str, Any]:
    """A cell in the text of a block, with what differs from a single cell."""
    field = {"start": 0, "end": size, "row": cell.row, "column": cell.column}
    if cell.rows > 1:
        field["rows"] = cell.rows
    if cell.columns > 1:
        field["columns"] = cell.columns
    if cell.is_header:
        field["header"] = True
    return field
