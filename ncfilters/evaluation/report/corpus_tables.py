"""The counts of a corpus as tables for people.

for table in corpus_tables(Statistics().facts(10)): ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .tables import Table

Facts = dict[str, Any]


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
    columns = ["documents", "words"]
    columns += [name for name in ("types", "quality", "duplicates") if any(row.get(name) for row in rows)]
    header = [kind, "documents", "words", "% of words", *columns[2:]]
    cells = []
    for row in rows:
        share = 100 * row["words"] / facts["words"] if facts["words"] else 0.0
        cells.append(
            [
                row[kind],
                f"{row['documents']:,}",
                f"{row['words']:,}",
                f"{share:.1f}",
                *(_cell(row, c) for c in columns[2:]),
            ]
        )
    return Table(title, header, cells)


def _cell(row: Facts, column: str) -> str:
    value = row.get(column)
    if value is None:
        return "–"
    return f"{value:.3f}" if column == "quality" else f"{value:,}"
