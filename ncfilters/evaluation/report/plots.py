"""The plots of the papers: functions from data to matplotlib figures, and one that writes a figure as PNG and SVG.

    figure = plots.cross_entropy([0.2, 0.4, 0.6], {3: [2.9, 2.8, 2.9], 6: [3.1, 2.7, 2.5]}, "English, 158 pages")
    plots.save(figure, Path("plots"), "cross-entropy")    # plots/cross-entropy.png, plots/cross-entropy.svg

Plots are as wide as a column of a paper and readable in greyscale; equal data gives equal bytes. matplotlib is optional
(extra `plots`): every function raises UsageError without it. pyplot is not used, so that no state is global.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import require_library

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
PRIMARY, ACCENT, LIGHT, DARK = COLOURS[0], COLOURS[1], COLOURS[6], "#222222"
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
# Neither the date nor the version of matplotlib: equal data gives equal files.
_METADATA: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
# The bins of a calibration, and the most bins of a histogram of gains.
CALIBRATION_BINS, MAX_BINS = 10, 36


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


def _labelled(figure: Figure, axes: Axes, x: str, y: str, columns: int, title: str = "") -> Figure:
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


def cross_entropy(qs: Sequence[float], bits: Mapping[int, Sequence[float]], title: str) -> Figure:
    """Cross-entropy in bits per character over the interpolation parameter q, a line for each n; the minimum is marked.

    *bits* has a value for each q; values that are not finite are gaps. NCleaner (Evert 2008), figure 2.
    """
    return _tuning(
        qs, bits, title, "cross-entropy\n(bits per character)", "lowest: {:.3f} bits at n = {}, q = {:g}", -1
    )


def task_f(qs: Sequence[float], f: Mapping[int, Sequence[float]], title: str) -> Figure:
    """F in per cent over the interpolation parameter q, a line for each n; the maximum is marked.

    *f* has a value for each q; values that are not finite are gaps. NCleaner (Evert 2008), section 3.
    """
    return _tuning(qs, f, title, "F (per cent)", "highest: {:.2f} per cent at n = {}, q = {:g}", 1)


def _tuning(
    qs: Sequence[float], lines: Mapping[int, Sequence[float]], title: str, label: str, legend: str, sign: int
) -> Figure:
    """A line for each n over q. The best value (the maximum for *sign* 1, the minimum for -1) is marked, and is in the
    legend."""
    x = np.array(qs, dtype=float)
    order = np.argsort(x, kind="stable")
    curves = {n: np.array(values, dtype=float) for n, values in sorted(lines.items())}
    finite = [(sign * y[at], n, at) for n, y in curves.items() for at in np.flatnonzero(np.isfinite(y))]
    _, best, at = max(finite, key=lambda value: value[0])
    with style():
        new, axes = figure(title, 1.2)
        for number, (n, y) in enumerate(curves.items()):
            axes.plot(x[order], np.where(np.isfinite(y), y, np.nan)[order], label=f"n = {n}", **_series(number))
        axes.plot(x[at], curves[best][at], "o", markersize=11, markerfacecolor="none", color=DARK, zorder=4)
        axes.margins(y=0.1)
        return _labelled(new, axes, "q (interpolation)", label, 3, f"○ {legend.format(curves[best][at], best, x[at])}")


def precision_gains(gains: Sequence[float], system: str, baseline: str) -> Figure:
    """A histogram of the gains in precision of pages over the baseline, in percentage points, with the mean and zero.

    Bars of pages with a loss are hatched, those of unchanged pages are white. NCleaner (Evert 2008), figure 3.
    """
    values = np.array(gains, dtype=float)
    low, high = min(values.min(), 0), max(values.max(), 0)
    width = max((high - low) / MAX_BINS, 0.5)
    # zero is an edge, so that no bar has both gains and losses
    edges = np.arange(math.floor(low / width), math.floor(high / width) + 2) * width
    worse, same, better = values[values < 0], values[values == 0], values[values > 0]
    with style():
        new, axes = figure(f"{system} against {baseline}")
        under = np.zeros(len(edges) - 1)
        kinds = ("worse", worse, ACCENT, "//////"), ("as before", same, "white", ""), ("better", better, LIGHT, "")
        for name, some, colour, hatch in kinds:
            looks: dict[str, Any] = {"color": colour, "hatch": hatch, "edgecolor": DARK, "linewidth": 0.6}
            bars = axes.hist(some, edges.tolist(), bottom=under, label=f"{name}: {len(some):,}", **looks)
            under = under + np.asarray(bars[0])
        axes.locator_params(nbins=5, integer=True)
        axes.axvline(0, color=DARK, linewidth=1.6)
        axes.axvline(values.mean(), color=DARK, linestyle=LINES[1], label=f"mean: {values.mean():+.1f}")
        return _labelled(new, axes, "gain in precision (percentage points)", "pages", 2, f"{len(values):,} pages")


def learning_curve(sizes: Sequence[int], values: Mapping[str, Sequence[Sequence[float]]], title: str) -> Figure:
    """The mean of each measure in per cent over the number of training pages, and the band of 5 to 95 % of the subsets.

    `values[measure][i]` has the measure for each subset of sizes[i] pages. The axis of pages is logarithmic if the
    sizes differ by a factor of 20 or more. NCleaner (Evert 2008), figure 4.
    """
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    x = [sizes[at] for at in order]
    with style():
        new, axes = figure(title, 1.1)
        for number, (measure, subsets) in enumerate(values.items()):
            low, high = np.array([np.percentile(subsets[at], [5, 95]) for at in order]).T
            line = _series(number)
            axes.plot(x, [np.mean(subsets[at]) for at in order], label=measure, zorder=3, **line)
            axes.fill_between(x, low, high, color=line["color"], alpha=0.18)
        if x[-1] >= 20 * x[0]:
            axes.set_xscale("log")
        return _labelled(new, axes, "training pages", "per cent", 3, "mean, and 5–95 % of the subsets")


def calibration(predicted: Sequence[float], actual: Sequence[float], title: str = "") -> Figure:
    """Actual over predicted precision of pages in per cent. A point is the mean of a bin of pages, with its standard
    error; bins have equal numbers of pages. The points of an unbiased prediction are on the diagonal."""
    x, y = np.array(predicted, dtype=float), np.array(actual, dtype=float)
    bins = [pages for pages in np.array_split(np.argsort(x, kind="stable"), CALIBRATION_BINS) if len(pages)]
    at, level, error = np.array(
        [(x[pages].mean(), y[pages].mean(), y[pages].std() / math.sqrt(len(pages))) for pages in bins]
    ).T
    low = min(at.min(), (level - error).min())
    with style():
        new, axes = figure(title, 1.2)
        axes.plot([low, 100], [low, 100], color=DARK, linestyle=LINES[1], label="as predicted")
        axes.errorbar(at, level, error, fmt="o-", color=PRIMARY, ecolor=DARK, capsize=3, label="mean, standard error")
        legend = f"mean absolute error: {abs(x - y).mean():.1f} points"
        return _labelled(new, axes, "predicted precision (per cent)", "actual precision (per cent)", 1, legend)


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
