"""Tables for people and programs: aligned, Markdown, TSV; and those of the counts of a corpus.

    "".join(table_lines(Table("Words", ["", "ours"], [["F", "94.1"]]), "markdown"))

Not tabulate: it pads the columns of Markdown, and cannot align wide characters (Chinese, Japanese, Korean) without
wcwidth, which counts combining characters differently; other programs read this output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from unicodedata import east_asian_width

# Figures of a corpus (see `Statistics.facts`).
Facts = dict[str, Any]

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


def tsv_lines(facts: Sequence[Facts]) -> Iterator[str]:
    """Facts as TSV in long format: one per line, with all digits."""
    if facts:
        columns = list(facts[0])
        yield "\t".join(map(single_line, columns)) + "\n"
        for fact in facts:
            yield "\t".join("" if fact[name] is None else single_line(str(fact[name])) for name in columns) + "\n"


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


def corpus_tables(facts: Facts) -> Iterator[Table]:
    """The tables of `Statistics.facts`: the whole corpus, then by language, year, site, kind of duplicate and rule."""
    yield _summary(facts)
    groups = (
        ("By language", "language", facts["languages"]),
        ("By year", "year", facts["years"]),
        ("Largest sites", "site", facts["sites"]["largest"]),
        ("Duplicates", "kind", facts["duplicates_by_kind"]),
        ("Documents that break rules", "rule", facts["rules"]),
    )
    for title, kind, rows in groups:
        if rows:
            yield _group_table(title, kind, rows, facts)


def keyness_tables(facts: Facts, names: Sequence[str]) -> Iterator[Table]:
    """The tables of `keyness`: the key words of each corpus, then its key bigrams. *names* are those of the corpora."""
    for kind in ("words", "bigrams"):
        for place, name in zip("ab", names):
            rows = [row for row in facts[kind]["key"] if row["key_in"] == place]
            header = [kind[:-1], "log ratio", "log-likelihood", "in A", "in B", "per million A", "per million B"]
            cells = [
                [
                    row["term"],
                    f"{row['log_ratio']:+.2f}",
                    f"{row['log_likelihood']:,.1f}",
                    *(f"{row[f'frequency_{corpus}']:,}" for corpus in "ab"),
                    *(f"{row[f'per_million_{corpus}']:,.1f}" for corpus in "ab"),
                    *(f"{row[f'documents_{corpus}']:,}" for corpus in "ab"),
                ]
                for row in rows
            ]
            title = f"Key {kind} of {place.upper()}, {name}"
            yield Table(title, [*header, "documents A", "documents B"], cells or [["(none)"] + 8 * [""]])


def keyness_facts(facts: Facts) -> list[Facts]:
    """A row for each key term, for TSV."""
    return [{"kind": kind[:-1], **row} for kind in ("words", "bigrams") for row in facts[kind]["key"]]


def _summary(facts: Facts) -> Table:
    documents, quantiles = facts["documents"], facts["lengths"]["quantiles"]
    types, sites = facts["types"], facts["sites"]
    rows = [
        ["documents", f"{documents:,}"],
        ["records that failed", f"{facts['failed']:,}"],
        ["duplicates", f"{facts['duplicates']:,}"],
        ["words", f"{facts['words']:,}"],
        ["characters", f"{facts['characters']:,}"],
        [f"types (± {100 * types['error']:.1f} %)", f"{types['count']:,}"],
        [f"sites (± {100 * sites['error']:.1f} %)" if sites["error"] else "sites", f"{sites['count']:,}"],
        ["languages", f"{sum(row['language'][0] != '(' for row in facts['languages']):,}"],
        ["words of a document, mean", f"{facts['words'] / documents:,.1f}" if documents else "–"],
        *([f"words of a document, percentile {100 * float(of):g}", f"{value:,}"] for of, value in quantiles.items()),
    ]
    if facts["quality"] is not None:
        rows.append(["quality, mean", f"{facts['quality']:.3f}"])
    return Table("Counts", ["", "count"], rows)


def _group_table(title: str, kind: str, rows: list[Facts], facts: Facts) -> Table:
    """A row for each group, in columns of which at least one row has a value."""
    more = [name for name in ("types", "quality", "duplicates") if any(row.get(name) for row in rows)]
    cells = []
    for row in rows:
        counts = f"{row['documents']:,}", f"{row['words']:,}", f"{100 * row['words'] / max(facts['words'], 1):.1f}"
        cells.append([row[kind], *counts, *(_cell(row, name) for name in more)])
    return Table(title, [kind, "documents", "words", "% of words", *more], cells)


def _cell(row: Facts, column: str) -> str:
    value = row.get(column)
    if value is None:
        return "–"
    return f"{value:.3f}" if column == "quality" else f"{value:,}"
