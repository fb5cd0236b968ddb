"""The plots of a corpus, each as SVG in the style of the papers' plots.

    for title, svg in corpus_plots(Statistics().facts(20)): ...

Raises UsageError without matplotlib (extra `plots`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from . import plot_style
from .plot_style import DARK, LIGHT, PRIMARY

Facts = dict[str, Any]
# The most bars of a plot, and the most characters of a label.
MAX_BARS, MAX_LABEL = 12, 28
# The most labels of a histogram.
MAX_TICKS = 5
# The height of a bar as a share of a plot's usual height.
_BAR_HEIGHT = 0.075


def corpus_plots(facts: Facts) -> Iterator[tuple[str, str]]:
    """The caption and the SVG of each plot for which there is data."""
    histogram = facts["lengths"]["histogram"]
    if histogram:
        labels = [f"{row['from']:,}" for row in histogram]
        yield "Documents by their length, to a factor of 2.", _histogram(histogram, labels, "words of a document, from")
    years = [row for row in facts["years"] if row["year"].isdecimal()]
    if len(years) > 1:
        dated = sum(row["documents"] for row in years)
        rows = _all_years(years)
        caption = f"Documents by year: {dated:,} of {facts['documents']:,} have a date."
        yield caption, _histogram(rows, [str(row["from"]) for row in rows], "year", centred=True)
    if rows := facts["qualities"]:
        caption = "Documents by predicted quality, the precision of their words."
        yield caption, _histogram(rows, [f"{row['from']:g}" for row in rows], "quality, from")
    if len(facts["languages"]) > 1:
        yield "Words by language.", _bars(facts["languages"], "language", "words", "% of words", facts["words"])
    if facts["sites"]["count"] > 1:
        yield (
            "Words of the largest sites.",
            _bars(facts["sites"]["largest"], "site", "words", "% of words", facts["words"]),
        )
    if facts["rules"]:
        yield (
            "Documents that break rules of others.",
            _bars(facts["rules"], "rule", "documents", "% of documents", facts["documents"]),
        )
    if facts["duplicates_by_kind"]:
        yield (
            "Duplicates.",
            _bars(facts["duplicates_by_kind"], "kind", "documents", "% of documents", facts["documents"]),
        )


def _all_years(rows: Sequence[Facts]) -> list[Facts]:
    """The last 25 years that have documents, without gaps."""
    counts = {int(row["year"]): row["documents"] for row in rows}
    last = max(counts)
    first = max(min(counts), last - 24)
    return [{"from": year, "documents": counts.get(year, 0)} for year in range(first, last + 1)]


def _histogram(rows: Sequence[Facts], labels: list[str], label: str, centred: bool = False) -> str:
    """Bars side by side; labels are at their left edges, or *centred*, as many as there is room for."""
    with plot_style.style():
        figure, (axes,) = plot_style.figure("")
        places = range(len(rows))
        align: Any = "center" if centred else "edge"
        counts = [row["documents"] for row in rows]
        axes.bar(places, counts, 1.0, align=align, color=LIGHT, edgecolor=DARK, linewidth=0.6)
        every = -(-len(rows) // MAX_TICKS)
        axes.set_xticks(list(places)[::every], labels[::every])
        axes.set_xlabel(label)
        axes.set_ylabel("documents")
        axes.yaxis.set_major_locator(_ticker().MaxNLocator(5, integer=True))
        axes.yaxis.set_major_formatter(_ticker().StrMethodFormatter("{x:,.0f}"))
        axes.grid(visible=False, axis="x")
        return _svg(figure)


def _bars(rows: Sequence[Facts], kind: str, count: str, label: str, total: int) -> str:
    """Bars below each other, the largest first; what others and documents without the field have is left out."""
    named = [row for row in rows if row[kind][:1] != "("]
    shown = sorted(named, key=lambda row: -row[count])[:MAX_BARS]
    with plot_style.style():
        figure, (axes,) = plot_style.figure("", 0.3 + _BAR_HEIGHT * len(shown))
        shares = [100 * row[count] / max(total, 1) for row in shown]
        places = list(range(len(shown)))
        bars = axes.barh(places, shares, 0.7, color=PRIMARY)
        axes.bar_label(bars, [f"{share:.1f}" for share in shares], padding=2, fontsize=8)
        axes.set_yticks(places, [_short(row[kind]) for row in shown])
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.set_xlabel(label)
        axes.grid(visible=False, axis="y")
        return _svg(figure)


def _ticker() -> Any:
    from matplotlib import ticker  # optional

    return ticker


def _short(name: str) -> str:
    """A name that fits beside a bar."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    return printable if len(printable) <= MAX_LABEL else f"{printable[: MAX_LABEL - 1]}…"


def _svg(figure: Any) -> str:
    drawn = io.StringIO()
    plot_style.freeze(figure)
    # equal data gives equal files
    figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    return drawn.getvalue()
