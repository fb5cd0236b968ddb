"""Data tables as a grid: the cells of their segments, with the rows and columns that they span.

grid([{"text": "a\\tb", "type": "l", "tag": "tr"}]).cells    # [GridCell(row=0, column=0, …), …]
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any, TypeAlias

from ...errors import RecordError
from ...record import HOLDERS, Record
from .captions import is_button, without_script
from .spans import CheckedSpan, Nodes, checked_spans, inline_nodes

# A grid has at most so many places for each of its cells, and at least so many; else each row has its cells side by
# side. Tables of pages are far below; a page that would fill the memory is not.
MAX_PLACES_PER_CELL, MIN_PLACES = 20, 10_000
# Parts of a segment share its spans, which takes memory, if cells times spans are as many.
MIN_SHARED = 32
# The mean number of paragraphs, and of characters, above which the cells of a table with one column are no data.
FRAME_PARTS, FRAME_CHARS = 2, 200


# An image: an object with `src`, and perhaps `alt` and `caption`.
Image: TypeAlias = dict[str, Any]


class SharedSpans:
    """The spans of a segment, each given once to those of its parts that it touches, which are in order."""

    def __init__(self, segment: Record, ranges: Sequence[tuple[int, int]]) -> None:
        self._segment, self._ranges = segment, ranges
        self._of_start: dict[int, list[CheckedSpan]] | None = None

    def of(self, start: int) -> list[CheckedSpan]:
        """The spans that touch the part from *start* on. Raises RecordError."""
        if self._of_start is None:
            self._of_start = {start: [] for start, _ in self._ranges}
            starts, ends = [start for start, _ in self._ranges], [end for _, end in self._ranges]
            for span in checked_spans(self._segment):
                for at in range(bisect_left(ends, span[0]), bisect_right(starts, span[1])):
                    self._of_start[starts[at]].append(span)
        return self._of_start[start]


@dataclass(slots=True)
class Part:
    """Characters of a segment, from *start* to *end*, in a cell, the images before and after them, and where spans that
    touch them are found, if not in the segment."""

    segment: Record
    start: int = 0
    end: int | None = None
    before: Sequence[Image] = ()  # memory: no list for each of many cells
    after: Sequence[Image] = ()
    spans: SharedSpans | None = None

    def nodes(self) -> Nodes:
        """The text as nested nodes. Raises RecordError."""
        spans = self.spans.of(self.start) if self.spans else None
        return inline_nodes(self.segment, self.start, self.end, spans)


@dataclass(slots=True)
class GridCell:
    """A cell: its place in the grid, from 0 on, the rows and columns that it spans, and what is in it."""

    row: int
    column: int
    rows: int = 1
    columns: int = 1
    header: bool = False
    _parts: Part | Grid | list[Part | Grid] | None = None  # memory: no list for each of many cells

    @property
    def parts(self) -> list[Part | Grid]:
        """The parts in order."""
        if isinstance(self._parts, list):
            return self._parts
        return [] if self._parts is None else [self._parts]

    def add(self, part: Part | Grid) -> None:
        """Adds a part after the others."""
        if self._parts is None:
            self._parts = part
        elif isinstance(self._parts, list):
            self._parts.append(part)
        else:
            self._parts = [self._parts, part]

    @property
    def text_alone(self) -> bool:
        """Whether the cell has one paragraph, and nothing else."""
        part = self._parts
        return isinstance(part, Part) and not (part.segment.get("pre") or part.before or part.after)


@dataclass(slots=True)
class Grid:
    """A table: its cells by row and column, and its captions."""

    cells: list[GridCell]
    captions: list[Record] = field(default_factory=list)
    _covered: set[tuple[int, int]] | None = None

    def is_covered(self, row: int, column: int) -> bool:
        """Whether a cell of a row above spans a place."""
        if self._covered is None:
            spans = [cell for cell in self.cells if cell.rows > 1]
            self._covered = {
                (cell.row + down, cell.column + right)
                for cell in spans
                for down in range(1, cell.rows)
                for right in range(cell.columns)
            }
        return (row, column) in self._covered

    @property
    def is_frame(self) -> bool:
        """Whether the table is one column of blocks or of long texts without a header, such as posts of a forum."""
        if self.width != 1 or self.captions or any(cell.header or cell.columns > 1 for cell in self.cells):
            return False
        parts = [part for cell in self.cells for part in cell.parts]
        if not all(isinstance(part, Part) for part in parts):
            return False
        size = sum([len(part.segment["text"]) for part in parts if isinstance(part, Part)])
        return len(parts) > FRAME_PARTS * len(self.cells) or size > FRAME_CHARS * len(self.cells)

    @property
    def width(self) -> int:
        """The number of columns, without empty ones at the end that cells span."""
        return 1 + max([cell.column for cell in self.cells], default=-1)

    def rows(self) -> Iterator[list[GridCell]]:
        """The cells of each row, in order."""
        for _, row in groupby(self.cells, attrgetter("row")):
            yield list(row)


def table_of(segment: Record) -> int | str | None:
    """What identifies the table of a segment: its number on the page, or the path of the table element for rows
    without a number; None outside of tables."""
    if "table" in segment:
        return int(segment["table"])
    if segment.get("tag") == "tr" and not segment.get("pre"):
        path: str = segment.get("path", "")
        return path[: path.rfind("/table") + 6] if "/table" in path else "tr"
    return None


def grid(segments: Sequence[Record]) -> Grid:
    """The grid of the segments of one table; a table within is part of the cell before it. Raises RecordError."""
    table = table_of(segments[0])
    cells: list[GridCell] = []
    captions: list[Record] = []
    last: GridCell | None = None
    row = -1
    inner: list[Record] = []

    def close_inner() -> None:
        nonlocal inner, last
        if inner:
            if last is None:
                last = GridCell(max(row, 0), 0)
                cells.append(last)
            for run, is_table in table_runs(inner):
                if is_table:
                    last.add(grid(run))
            inner = []

    for segment in segments:
        if table_of(segment) != table:
            inner.append(segment)
            continue
        close_inner()
        if is_caption(segment):
            captions.append(segment)
            continue
        segment, alone = _without_images_alone(segment)
        for place, image in alone:
            only = Part({"text": "", "type": "l", "spans": [[0, 0, "image", image]]})
            cells.append(GridCell(*place, _parts=only))
        places = _cells(segment, row + 1)
        if places and "figure" in segment:
            places[0][1].before, places[-1][1].after = images(segment, after=False), images(segment, after=True)
        for cell, part in places:
            cell.add(part)
            cells.append(cell)
            if cell.row == row:
                cell.row = row  # memory: one integer for all cells of a row
            last, row = cell, cell.row
    close_inner()
    return Grid(_compact(_merged(cells)), captions)


def is_caption(segment: Record) -> bool:
    """Whether a segment of a table is its caption, or a block in that."""
    if segment.get("tag") == "caption":
        return True
    return "cells" not in segment and "/caption" in segment.get("path", "").rpartition("/table")[2]


def images(segment: Record, after: bool) -> list[Image]:
    """The images before or after a segment, without buttons. Raises RecordError."""
    figures = segment.get("figure")
    if not figures:
        return []
    for image in figures:
        if not (isinstance(image, dict) and isinstance(image.get("src"), str)):
            raise RecordError("figure: expected objects with src")
    beside = [image for image in figures if (image.get("after") is True) == after]
    return [without_script(image) for image in beside if not is_button(image)]


def is_outside(image: Image, segment: Record) -> bool:
    """Whether an image beside a segment is in fewer lists or quotes."""
    return isinstance(image, dict) and any(image[name] < segment.get(name, 0) for name in HOLDERS if name in image)


def is_in_no_table(image: Image, segment: Record) -> bool:
    """Whether an image beside a row is in no table."""
    return isinstance(image, dict) and image.get("table", 1) == 0 and "table" in segment


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


def _without_images_alone(segment: Record) -> tuple[Record, list[tuple[tuple[int, int], Image]]]:
    """A segment without the images that are alone in other cells, and these, each with its row and column."""
    out: list[tuple[tuple[int, int], Image]] = []
    left: Record = {}
    for name, image_of in (("spans", _image_of_span), ("figure", dict)):
        items = segment.get(name) or ()
        places = [_place_of(image_of(item)) for item in items]
        if any(places):
            out += [(place, image_of(item)) for item, place in zip(items, places) if place]
            left[name] = [item for item, place in zip(items, places) if not place]
    return ({**segment, **left} if left else segment), out


def _image_of_span(span: Any) -> Image:
    """The image of a span; an empty one for others."""
    return span[3] if isinstance(span, list) and len(span) > 3 and isinstance(span[3], dict) else {}


def _place_of(image: Image) -> tuple[int, int] | None:
    """The row and the column of the cell that an image is alone in."""
    row, column = image.get("row"), image.get("column")
    if isinstance(row, int) and isinstance(column, int) and min(row, column) >= 0 and isinstance(image.get("src"), str):
        return row, column
    return None


def _cells(segment: Record, next_row: int) -> list[tuple[GridCell, Part]]:
    """The cells of a segment; without `cells`, those between tabs, in the next row."""
    if "cells" in segment:
        return _with_spans(segment, [_cell(segment, cell) for cell in segment["cells"]])
    text: str = segment["text"]
    ends = [-1, *(at for at, character in enumerate(text) if character == "\t"), len(text)]
    cells = [
        (GridCell(next_row, column), Part(segment, start + 1, end))
        for column, (start, end) in enumerate(pairwise(ends))
    ]
    return _with_spans(segment, cells)


def _with_spans(segment: Record, cells: list[tuple[GridCell, Part]]) -> list[tuple[GridCell, Part]]:
    """The cells of a segment, whose parts share its spans where both are many: a row of 1,000 cells has 1,000
    links."""
    if len(cells) < 2 or len(cells) * len(segment.get("spans") or ()) < MIN_SHARED:
        return cells
    ranges = [(part.start, len(segment["text"]) if part.end is None else part.end) for _, part in cells]
    is_in_order = all(end < start for (_, end), (start, _) in pairwise(ranges))
    if is_in_order and all(start <= end for start, end in ranges):
        spans = SharedSpans(segment, ranges)
        for _, part in cells:
            part.spans = spans
    return cells


def _cell(segment: Record, cell: Any) -> tuple[GridCell, Part]:
    if type(cell) is dict:
        numbers: list[Any] = [
            *map(cell.get, ("start", "end", "row", "column")),
            cell.get("rows", 1),
            cell.get("columns", 1),
        ]
        if set(map(type, numbers)) == {int} and min(numbers) >= 0:
            start, end, row, column, rows, columns = numbers
            return _place(segment, start, end, row, column, rows, columns, cell.get("header") is True)
    raise _cell_error(cell)


def _place(
    segment: Record, start: int, end: int, row: int, column: int, rows: int, columns: int, header: bool
) -> tuple[GridCell, Part]:
    return GridCell(row, column, rows or 1, columns or 1, header), Part(segment, start, end)


def _cell_error(cell: Any) -> RecordError:
    """What is wrong with a cell."""
    numbers = ("start", "end", "row", "column", "rows", "columns")
    expected = "cells: expected objects with start, end, row and column"
    if type(cell) is not dict or any(type(cell.get(name, 1)) is not int or cell.get(name, 1) < 0 for name in numbers):
        return RecordError(f"{expected}, got {str(cell)[:60]}")
    return RecordError(f"{expected}, got one without {next(name for name in numbers if name not in cell)}")


def _merged(cells: list[GridCell]) -> list[GridCell]:
    """The cells by row and column; those in one place are the first of them, with the parts of all."""
    if any((cell.row, cell.column) > (after.row, after.column) for cell, after in pairwise(cells)):  # memory: few are
        cells.sort(key=lambda cell: (cell.row, cell.column))
    out: list[GridCell] = []
    for cell in cells:
        if out and (out[-1].row, out[-1].column) == (cell.row, cell.column):
            for part in cell.parts:
                out[-1].add(part)
        else:
            out.append(cell)
    return out


def _compact(cells: list[GridCell]) -> list[GridCell]:
    """Cells in rows from 0 on, without rows in which no cell begins; without empty places if there are too
    many."""
    numbers = {row: number for number, row in enumerate(sorted({cell.row for cell in cells}))}
    ends = sorted(numbers)
    for cell in cells:
        row = numbers[cell.row]
        cell.rows = bisect_left(ends, cell.row + cell.rows) - row  # of those that are left
        cell.row = row
    width = 1 + max([cell.column for cell in cells], default=0)
    for cell in cells:
        cell.columns = min(cell.columns, width - cell.column)
    places = max(len(numbers) * width, sum([cell.rows * cell.columns for cell in cells]))
    if places > max(MAX_PLACES_PER_CELL * len(cells), MIN_PLACES):
        return _side_by_side(cells)
    return cells


def _side_by_side(cells: list[GridCell]) -> list[GridCell]:
    at: dict[int, int] = {}
    for cell in cells:
        cell.column, cell.rows, cell.columns = at.get(cell.row, 0), 1, 1
        at[cell.row] = cell.column + 1
    return cells
