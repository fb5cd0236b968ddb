"""Tables for people and programs: aligned, Markdown, TSV.

    "".join(table_lines(Table("Words", ["", "ours"], [["F", "94.1"]]), "markdown"))

Not tabulate: it pads the columns of Markdown, and cannot align wide characters (Chinese, Japanese, Korean) without
wcwidth, which counts combining characters differently; other programs read this output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from unicodedata import east_asian_width

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True)
class Table:
    """A table of formatted cells. Columns not in *left* have numbers and are aligned to the right."""

    title: str
    header: list[str]
    rows: list[list[str]]
    left: frozenset[int] = field(default=frozenset({0}))


def table_lines(table: Table, form: str) -> Iterator[str]:
    """The lines of the table as `table` (aligned with spaces), `markdown` or `tsv`."""
    rows = [[single_line(cell) for cell in row] for row in (table.header, *table.rows)]
    if form == "tsv":
        for row in rows:
            yield "\t".join(row) + "\n"
    elif form == "markdown":
        yield from _markdown_lines(table, rows)
    else:
        widths = [max(map(display_width, column)) for column in zip(*rows)]
        if table.title:
            yield f"{table.title}\n"
        for row in rows:
            cells = [_padded(cell, width, n in table.left) for n, (cell, width) in enumerate(zip(row, widths))]
            yield "  ".join(cells).rstrip() + "\n"


def single_line(text: str) -> str:
    """The text with a space in place of line breaks and control characters."""
    return _CONTROL.sub(" ", text)


def display_width(text: str) -> int:
    """The columns that *text* takes in a terminal: two for a wide character."""
    return len(text) + sum(1 for c in text if east_asian_width(c) in "WF") if not text.isascii() else len(text)


def _markdown_lines(table: Table, rows: list[list[str]]) -> Iterator[str]:
    if table.title:
        yield f"### {table.title}\n\n"
    header, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    yield f"| {' | '.join(header)} |\n"
    yield "|" + "|".join(" --- " if n in table.left else " ---: " for n in range(len(header))) + "|\n"
    for row in body:
        yield f"| {' | '.join(row)} |\n"


def _padded(cell: str, width: int, left: bool) -> str:
    space = " " * (width - display_width(cell))
    return cell + space if left else space + cell
