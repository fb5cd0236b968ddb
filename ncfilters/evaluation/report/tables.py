"""Tables as people and programs read them: aligned, Markdown, TSV.

"".join(lines(Table("Words", ["", "ours"], [["F", "94.1"]]), "markdown"))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from unicodedata import east_asian_width


@dataclass(frozen=True)
class Table:
    """Cells, as they are shown; the first row is the header's. Columns but the first are numbers unless *left*."""

    title: str
    header: list[str]
    rows: list[list[str]]
    left: frozenset[int] = field(default=frozenset({0}))


def lines(table: Table, form: str) -> Iterator[str]:
    """The table as `table` (aligned with spaces), `markdown` or `tsv`, line by line."""
    rows = [[flat(cell) for cell in row] for row in (table.header, *table.rows)]
    if form == "tsv":
        for row in rows:
            yield "\t".join(row) + "\n"
        return
    widths = [max(map(width, column)) for column in zip(*rows)]
    if form == "markdown":
        if table.title:
            yield f"### {table.title}\n\n"
        escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
        yield f"| {' | '.join(escaped[0])} |\n"
        yield "|" + "|".join(" --- " if n in table.left else " ---: " for n in range(len(widths))) + "|\n"
        for row in escaped[1:]:
            yield f"| {' | '.join(row)} |\n"
        return
    if table.title:
        yield f"{table.title}\n"
    for row in rows:
        yield (
            "  ".join(
                _padded(cell, width, n in table.left) for n, (cell, width) in enumerate(zip(row, widths))
            ).rstrip()
            + "\n"
        )


def flat(text: str) -> str:
    """The text of a cell: one line, without control characters."""
    return _CONTROL.sub(" ", text)


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def _padded(cell: str, to: int, left: bool) -> str:
    space = " " * (to - width(cell))
    return cell + space if left else space + cell


def width(text: str) -> int:
    """Columns that *text* takes in a terminal: two for a wide character."""
    return len(text) + sum(1 for c in text if east_asian_width(c) in "WF") if not text.isascii() else len(text)
