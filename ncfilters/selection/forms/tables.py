"""Data tables in the tree of blocks: the cells of their segments, with the rows and columns that they span.

table_block([{"text": "a\\tb", "type": "l", "tag": "tr"}])
# Node('table', [], [Node('row', None, [Node('cell', Place(column=0, rows=1, columns=1, header=False), […]), …])])
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from ...record import Record
from .images import Image, images_beside
from .spans import Node, Nodes, Span, inline_nodes, listing, spans_of, text_of

# A grid has at most so many places for each of its cells, and at least so many; else each row has its cells side by
# side. Tables of pages are far below; a page that would fill the memory is not.
MAX_PLACES_PER_CELL, MIN_PLACES = 20, 10_000
# The mean number of paragraphs, and of characters, above which the cells of a table with one column are no data.
FRAME_PARTS, FRAME_CHARS = 2, 200


class Place(NamedTuple):
    """The place of a cell in its row, from 0 on, and the rows and columns that it spans."""

    column: int
    rows: int
    columns: int
    header: bool


@dataclass(slots=True)
class _Cell:
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    header: bool = False
    blocks: Nodes = field(default_factory=list)


def table_of(segment: Record) -> int | str | None:
    """What identifies the table of a segment: its number on the page, or the path of the table element for rows
    without a number; None outside of tables."""
    if "table" in segment:
        return int(segment["table"])
    if segment.get("tag") == "tr" and not segment.get("pre"):
        path: str = segment.get("path", "")
        return path[: path.rfind("/table") + 6] if "/table" in path else "tr"
    return None


def table_runs(segments: Sequence[Record], marked: bool = False) -> Iterator[tuple[list[Record], bool]]:
    """The segments in runs: those of one table, with what is in it, or of none. If they are *marked*, a table without
    a number lays out the page."""
    keys = [table_of(segment) if "table" in segment or not marked else None for segment in segments]
    ends = {key: at + 1 for at, key in enumerate(keys)}
    at = 0
    while at < len(segments):
        start, key = at, keys[at]
        while at < len(segments) and (
            keys[at] is None
            if key is None
            else keys[at] == key or type(key) is type(keys[at]) is int and at < ends[key]
        ):
            at += 1
        yield list(segments[start:at]), key is not None


def table_block(segments: Sequence[Record]) -> Node:
    """The segments of one table as rows of cells, with its captions as value; a table within is in the cell before
    it."""
    table = table_of(segments[0])
    cells: list[_Cell] = []
    captions: list[Nodes] = []
    for is_own, run in groupby(segments, lambda segment: table_of(segment) == table):
        if is_own:
            for segment in run:
                if is_caption(segment):
                    captions.append(inline_nodes(segment))
                else:
                    cells += _cells(segment, cells[-1].row + 1 if cells else 0)
        else:
            cells = cells or [_Cell(0, 0)]
            cells[-1].blocks += [table_block(inner) for inner, _ in table_runs(list(run))]
    rows: Nodes = [
        Node("row", None, [Node("cell", Place(c.column, c.rows, c.columns, c.header), c.blocks) for c in row])
        for _, row in groupby(_compact(_merged(cells)), attrgetter("row"))
    ]
    return Node("table", captions, rows)


def is_caption(segment: Record) -> bool:
    """Whether a segment of a table is its caption, or a block in that."""
    if segment.get("tag") == "caption":
        return True
    return "cells" not in segment and "/caption" in segment.get("path", "").rpartition("/table")[2]


def is_frame(table: Node) -> bool:
    """Whether a table is one column of blocks or of long texts without a header, such as posts of a forum."""
    cells = [cell for row in table.content for cell in row.content]
    if table.value or any(cell.value.column or cell.value.header or cell.value.columns > 1 for cell in cells):
        return False
    blocks = [block for cell in cells for block in cell.content if block.kind != "image"]
    if any(block.kind == "table" for block in blocks):
        return False
    size = sum([len(text_of(block.content)) for block in blocks])
    return len(blocks) > FRAME_PARTS * len(cells) or size > FRAME_CHARS * len(cells)


def _cells(segment: Record, next_row: int) -> list[_Cell]:
    """The cells of a segment with their blocks; without `cells`, those between tabs, in the next row. Images that are
    alone in other cells are in cells of their own."""
    segment, out = _without_images_alone(segment)
    if "cells" in segment:
        ranges = [(cell["start"], cell["end"]) for cell in segment["cells"]]
        own = [
            _Cell(c["row"], c["column"], c.get("rows") or 1, c.get("columns") or 1, c.get("header") is True)
            for c in segment["cells"]
        ]
    else:
        ends = [-1, *(at for at, sign in enumerate(segment["text"]) if sign == "\t"), len(segment["text"])]
        ranges = [(start + 1, end) for start, end in pairwise(ends)]
        own = [_Cell(next_row, column) for column in range(len(ranges))]
    spans = _spans_of_parts(segment, ranges)
    for cell, (start, end), inner in zip(own, ranges, spans):
        if segment.get("pre"):
            cell.blocks.append(listing(segment, start, end))
        else:
            cell.blocks.append(Node("paragraph", None, inline_nodes(segment, start, end, inner)))
    if own and "figure" in segment:
        own[0].blocks[:0] = [Node("image", image) for image in images_beside(segment, after=False)]
        own[-1].blocks += [Node("image", image) for image in images_beside(segment, after=True)]
    return out + own


def _spans_of_parts(segment: Record, ranges: Sequence[tuple[int, int]]) -> list[list[Span]]:
    """The spans of a segment that touch each of its parts: a row of 1,000 cells has 1,000 links."""
    out: list[list[Span]] = [[] for _ in ranges]
    if "spans" not in segment:
        return out
    if any(end >= start for (_, end), (start, _) in pairwise(ranges)):  # they are in no order
        return [spans_of(segment)] * len(ranges)
    starts, ends = [start for start, _ in ranges], [end for _, end in ranges]
    for span in spans_of(segment):
        for at in range(bisect_left(ends, span[0]), bisect_right(starts, span[1])):
            out[at].append(span)
    return out


def _without_images_alone(segment: Record) -> tuple[Record, list[_Cell]]:
    """A segment without the images that are alone in other cells, and cells with these."""
    out: list[_Cell] = []
    left: Record = {}
    for name in ("spans", "figure"):
        items = segment.get(name, ())
        images = [item if name == "figure" else item[3] if item[2] == "image" else {} for item in items]
        if any("row" in image for image in images):
            out += [_cell_of_image(image) for image in images if _has_place(image)]
            left[name] = [item for item, image in zip(items, images) if not _has_place(image)]
    return ({**segment, **left} if left else segment), out


def _has_place(image: Image) -> bool:
    """Whether an image has the row and the column of the cell that it is alone in."""
    places = image.get("row"), image.get("column")
    return all(isinstance(place, int) and place >= 0 for place in places)


def _cell_of_image(image: Image) -> _Cell:
    return _Cell(image["row"], image["column"], blocks=[Node("paragraph", None, [Node("image", image)])])


def _merged(cells: list[_Cell]) -> list[_Cell]:
    """The cells by row and column; those in one place are the first of them, with the blocks of all."""
    out: list[_Cell] = []
    for cell in sorted(cells, key=attrgetter("row", "column")):
        if out and (out[-1].row, out[-1].column) == (cell.row, cell.column):
            out[-1].blocks += cell.blocks
        else:
            out.append(cell)
    return out


def _compact(cells: list[_Cell]) -> list[_Cell]:
    """Cells in rows from 0 on, without rows in which no cell begins; without empty places if there are too
    many."""
    numbers = {row: number for number, row in enumerate(sorted({cell.row for cell in cells}))}
    ends = sorted(numbers)
    width = 1 + max([cell.column for cell in cells], default=0)
    for cell in cells:
        row = numbers[cell.row]
        cell.rows = bisect_left(ends, cell.row + cell.rows) - row  # of those that are left
        cell.row = row
        cell.columns = min(cell.columns, width - cell.column)
    places = max(len(numbers) * width, sum([cell.rows * cell.columns for cell in cells]))
    if places > max(MAX_PLACES_PER_CELL * len(cells), MIN_PLACES):
        for _, row_cells in groupby(cells, attrgetter("row")):
            for column, cell in enumerate(row_cells):
                cell.column, cell.rows, cell.columns = column, 1, 1
    return cells
