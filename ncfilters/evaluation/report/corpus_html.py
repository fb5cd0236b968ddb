"""A self-contained HTML page on a corpus: its counts in tables and plots.

    write(Statistics().facts(20), "corpus.html")

The page loads nothing and runs no script. Plots are images in it, which a browser saves as SVG. Names of sites
are escaped.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape

from ...installed import __version__
from ...streams.output_file import write_whole
from . import plots
from .tables import Facts, Table, corpus_tables

# The most bars of a plot, the most characters of a label, and the most labels of a histogram.
MAX_BARS, MAX_LABEL, MAX_TICKS = 12, 28, 5
_HEAD = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Corpus</title>
<style>
body { margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem; font: 16px/1.5 sans-serif; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #ccc; text-align: right; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
figure { display: inline-block; margin: 0; max-width: 28rem; }
</style>
<h1>Corpus</h1>
"""


def corpus_page(facts: Facts) -> str:
    """The page for `Statistics.facts`. Raises UsageError without matplotlib (extra `plots`)."""
    first, *tables = corpus_tables(facts)
    figures = [
        f'<figure><img src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}" alt="">'
        f"<figcaption>{escape(caption)}</figcaption></figure>\n"
        for caption, svg in corpus_plots(facts)
    ]
    signature = f"<footer>nc-corpus stats, ncfilters {__version__}</footer>\n"
    return "".join([_HEAD, _table(first), *figures, *map(_table, tables), signature])


def write(facts: Facts, path: str) -> None:
    """Writes the page to a file. Raises OSError, and UsageError if it cannot be created."""
    write_whole(path, [corpus_page(facts).encode("utf-8", "replace")])


def _table(table: Table) -> str:
    rows = [
        f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in row)}</tr>\n"
        for tag, row in (("th", table.header), *(("td", row) for row in table.rows))
    ]
    return f"<h2>{escape(table.title)}</h2>\n<table>\n{''.join(rows)}</table>\n"


def corpus_plots(facts: Facts) -> Iterator[tuple[str, bytes]]:
    """The caption and the SVG of each plot for which there is data."""
    if rows := facts["lengths"]["histogram"]:
        labels = [f"{row['from']:,}" for row in rows]
        yield "Documents by their length, to a factor of 2.", _histogram(rows, labels, "words of a document, from")
    years = {int(row["year"]): row["documents"] for row in facts["years"] if row["year"].isdecimal()}
    if len(years) > 1:
        last = max(years)
        rows = [{"documents": years.get(year, 0)} for year in range(max(min(years), last - 24), last + 1)]
        labels = [str(last + 1 - len(rows) + at) for at in range(len(rows))]
        caption = f"Documents by year: {sum(years.values()):,} of {facts['documents']:,} have a date."
        yield caption, _histogram(rows, labels, "year")
    if rows := facts["qualities"]:
        caption = "Documents by predicted quality, the precision of their words."
        yield caption, _histogram(rows, [f"{row['from']:g}" for row in rows], "quality, from")
    for caption, kind, count, rows, least in (
        ("Words by language.", "language", "words", facts["languages"], 2),
        ("Words of the largest sites.", "site", "words", facts["sites"]["largest"], 2),
        ("Documents that break rules of others.", "rule", "documents", facts["rules"], 1),
        ("Duplicates.", "kind", "documents", facts["duplicates_by_kind"], 1),
    ):
        if len(rows) >= least:
            yield caption, _bars(rows, kind, count, facts[count])


def _histogram(rows: Sequence[Facts], labels: list[str], label: str) -> bytes:
    """Bars side by side, with as many labels at their left edges as there is room for."""
    with plots.style():
        figure, axes = plots.figure("")
        places = list(range(len(rows)))
        counts = [row["documents"] for row in rows]
        axes.bar(places, counts, 1.0, align="edge", color=plots.LIGHT, edgecolor=plots.DARK, linewidth=0.6)
        every = -(-len(rows) // MAX_TICKS)
        axes.set_xticks(places[::every], labels[::every])
        axes.set_xlabel(label)
        axes.set_ylabel("documents")
        return plots.drawn(figure, "svg")


def _bars(rows: Sequence[Facts], kind: str, count: str, total: int) -> bytes:
    """Bars below each other, the largest first; what others and documents without the field have is left out."""
    named = [row for row in rows if row[kind][:1] != "("]
    shown = sorted(named, key=lambda row: -row[count])[:MAX_BARS]
    with plots.style():
        figure, axes = plots.figure("", 0.3 + 0.075 * len(shown))
        shares = [100 * row[count] / max(total, 1) for row in shown]
        bars = axes.barh(range(len(shown)), shares, 0.7, color=plots.PRIMARY)
        axes.bar_label(bars, [f"{share:.1f}" for share in shares], padding=2)
        axes.set_yticks(range(len(shown)), [_short(row[kind]) for row in shown])
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.set_xlabel(f"% of {count}")
        return plots.drawn(figure, "svg")


def _short(name: str) -> str:
    """A name that fits beside a bar, and that XML can have."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    return printable if len(printable) <= MAX_LABEL else f"{printable[: MAX_LABEL - 1]}…"
