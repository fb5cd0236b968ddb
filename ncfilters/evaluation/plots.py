"""The plots of the papers and of a corpus: functions from data to matplotlib figures, and what writes them.

    figure = plots.tuning([0.2, 0.4], {3: [2.9, 2.8], 6: [3.1, 2.7]}, "English, 158 pages", "entropy")
    plots.save(figure, Path("plots"), "cross-entropy")    # plots/cross-entropy.png, plots/cross-entropy.svg
    plots.write_corpus_page(Statistics().facts(20), "corpus.html")

Plots are as wide as a column of a paper and readable in greyscale; equal data gives equal bytes. matplotlib is optional
(extra `plots`): every function raises UsageError without it. pyplot is not used, so that no state is global.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import require_library
from ..installed import __version__
from ..streams.output_file import write_whole
from .tables import Facts, Table, corpus_tables

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches: the column of a conference paper. Characters of a title.
WIDTH, HEIGHT, TITLE_CHARACTERS = 3.5, 2.9, 40
# Each series has its own colour, line style and marker, so that each of these alone identifies it. The colours are
# those of Okabe and Ito (2008, "Color universal design") without yellow, which is too light for lines.
COLOURS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"
LINES = (0, ()), (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)), (0, (9, 2)), (0, (3, 1, 1, 1, 1, 1))
MARKERS = "o", "s", "^", "D", "v", "P", "X", "*"
PRIMARY, LIGHT, DARK = COLOURS[0], COLOURS[6], "#222222"
STYLE: dict[str, Any] = {
    "font.size": 9,
    **{f"{name}size": 9 for name in ("axes.label", "xtick.label", "ytick.label", "legend.font")},
    "legend.frameon": False,
    "legend.columnspacing": 1.2,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "text.parse_math": False,  # the name of a system may contain a dollar
    "svg.fonttype": "none",
    "svg.hashsalt": "ncfilters",
}
# The axis of a measure, its best value in words, and whether the highest or the lowest is that.
_MEASURES = {
    "entropy": ("cross-entropy\n(bits per character)", "lowest: {:.3f} bits at n = {}, q = {:g}", -1),
    "f": ("F (per cent)", "highest: {:.2f} per cent at n = {}, q = {:g}", 1),
}
# Neither the date nor the version of matplotlib: equal data gives equal files.
_METADATA: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
# The most bars of a plot, the most characters of a label, and the most labels of a histogram.
MAX_BARS, MAX_LABEL, MAX_TICKS = 12, 28, 5
_PAGE_HEAD = """<!DOCTYPE html>
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


def style() -> AbstractContextManager[None]:
    """A context with this style, independent of the user's settings. Raises UsageError without matplotlib."""
    require_library("matplotlib", "plots need", "plots")
    from matplotlib import style as styles  # optional

    context: AbstractContextManager[None] = styles.context(["default", STYLE])
    return context


def figure(title: str, tall: float = 1.0) -> tuple[Figure, Axes]:
    """A new figure with the width of a column and *tall* times the usual height, and its axes."""
    # optional
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    new = Figure(figsize=(WIDTH, HEIGHT * tall), layout="constrained")
    FigureCanvasAgg(new)
    axes = new.subplots()
    if title:
        new.suptitle(shorten(title, TITLE_CHARACTERS, placeholder=" …"), fontsize=9, fontweight="bold")
    return new, axes


def labelled(figure: Figure, axes: Axes, x: str, y: str, columns: int, title: str = "") -> Figure:
    """The figure with labels, and a legend below the axes, where it covers nothing. The layout is computed once, so
    that saving twice gives equal files."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, title=title or None, alignment="left")
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def _series(at: int) -> dict[str, Any]:
    return {name: of[at % len(of)] for name, of in (("color", COLOURS), ("linestyle", LINES), ("marker", MARKERS))}


def tuning(qs: Sequence[float], lines: Mapping[int, Sequence[float]], title: str, measure: str) -> Figure:
    """The *measure* (`entropy` or `f`) over the interpolation parameter q, a line for each n. The best value is marked,
    and is in the legend. NCleaner (Evert 2008), figure 2 and section 3.

    *qs* ascend; *lines* has a value for each.
    """
    label, legend, sign = _MEASURES[measure]
    points = [(n, at) for n in sorted(lines) for at in range(len(qs))]
    n, at = max(points, key=lambda point: sign * lines[point[0]][point[1]])
    best = lines[n][at]
    with style():
        new, axes = figure(title, 1.2)
        for number, each in enumerate(sorted(lines)):
            axes.plot(qs, lines[each], label=f"n = {each}", **_series(number))
        axes.plot(qs[at], best, "o", markersize=11, markerfacecolor="none", color=DARK, zorder=4)
        axes.margins(y=0.1)
        return labelled(new, axes, "q (interpolation)", label, 3, f"○ {legend.format(best, n, qs[at])}")


def learning_curve(sizes: Sequence[int], values: Mapping[str, Sequence[Sequence[float]]], title: str) -> Figure:
    """The mean of each measure in per cent over the number of training pages, and the band of 5 to 95 % of the subsets.

    `values[measure][i]` has the measure for each subset of sizes[i] pages; sizes ascend. The axis of pages is
    logarithmic if they differ by a factor of 20 or more. NCleaner (Evert 2008), figure 4.
    """
    with style():
        new, axes = figure(title, 1.1)
        for number, (measure, subsets) in enumerate(values.items()):
            low, high = np.array([np.percentile(some, [5, 95]) for some in subsets]).T
            line = _series(number)
            axes.plot(sizes, [np.mean(some) for some in subsets], label=measure, zorder=3, **line)
            axes.fill_between(sizes, low, high, color=line["color"], alpha=0.18)
        if sizes[-1] >= 20 * sizes[0]:
            axes.set_xscale("log")
        return labelled(new, axes, "training pages", "per cent", 3, "mean, and 5–95 % of the subsets")


def drawn(figure: Figure, form: str) -> bytes:
    """The figure as `png` or `svg`."""
    out = io.BytesIO()
    with style():
        figure.savefig(out, format=form, dpi=150, metadata=_METADATA[form])
    return out.getvalue()


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Writes *name*.png and *name*.svg into the folder, which is created if necessary; returns their paths. Raises
    OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    out = [folder / f"{name}.{form}" for form in _METADATA]
    for path in out:
        path.write_bytes(drawn(figure, path.suffix[1:]))
    return out


# ---- a corpus ---------------------------------------------------------------------------------------------------


def corpus_page(facts: Facts) -> str:
    """The page for `Statistics.facts`. Raises UsageError without matplotlib (extra `plots`)."""
    first, *tables = corpus_tables(facts)
    figures = [
        f'<figure><img src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}" alt="">'
        f"<figcaption>{escape(caption)}</figcaption></figure>\n"
        for caption, svg in corpus_plots(facts)
    ]
    signature = f"<footer>nc-corpus stats, ncfilters {__version__}</footer>\n"
    return "".join([_PAGE_HEAD, _table(first), *figures, *map(_table, tables), signature])


def write_corpus_page(facts: Facts, path: str) -> None:
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
    with style():
        new, axes = figure("")
        places = list(range(len(rows)))
        counts = [row["documents"] for row in rows]
        axes.bar(places, counts, 1.0, align="edge", color=LIGHT, edgecolor=DARK, linewidth=0.6)
        every = -(-len(rows) // MAX_TICKS)
        axes.set_xticks(places[::every], labels[::every])
        axes.set_xlabel(label)
        axes.set_ylabel("documents")
        return drawn(new, "svg")


def _bars(rows: Sequence[Facts], kind: str, count: str, total: int) -> bytes:
    """Bars below each other, the largest first; what others and documents without the field have is left out."""
    named = [row for row in rows if row[kind][:1] != "("]
    shown = sorted(named, key=lambda row: -row[count])[:MAX_BARS]
    with style():
        new, axes = figure("", 0.3 + 0.075 * len(shown))
        shares = [100 * row[count] / max(total, 1) for row in shown]
        bars = axes.barh(range(len(shown)), shares, 0.7, color=PRIMARY)
        axes.bar_label(bars, [f"{share:.1f}" for share in shares], padding=2)
        axes.set_yticks(range(len(shown)), [_short(row[kind]) for row in shown])
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.set_xlabel(f"% of {count}")
        return drawn(new, "svg")


def _short(name: str) -> str:
    """A name that fits beside a bar, and that XML can have."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    return printable if len(printable) <= MAX_LABEL else f"{printable[: MAX_LABEL - 1]}…"
