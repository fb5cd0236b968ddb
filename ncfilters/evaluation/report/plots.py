"""The figures of the papers: functions of data that give a matplotlib figure, and one that writes it as PNG and SVG.

    figure = figures.cross_entropy([0.2, 0.4, 0.6], {3: [2.9, 2.8, 2.9], 6: [3.1, 2.7, 2.5]}, "English, 158 pages")
    figures.save(figure, Path("plots"), "cross-entropy")    # plots/cross-entropy.png, plots/cross-entropy.svg

They are as wide as a column of a paper, read in grey and by the colour-blind, and the same data gives the same bytes.
Without matplotlib, an extra, every function raises stream.UsageError. Data that cannot be drawn (none at all, lists
of different lengths, a value that is not a number) raises ValueError and says which.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import plot_style
from .plot_style import DARK, GREY, LIGHT, LINES, OTHER, PLAIN

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    Array = NDArray[Any]

DPI = 150
# Pages a bin of a calibration has at least, and how many bins there are at most.
BIN_PAGES, BINS = 10, 10
# Widths of a histogram's bins, in points, and how many bins it may have.
BIN_WIDTHS, MOST_BINS = (0.5, 1.0, 2.0, 2.5, 5.0, 10.0), 36
# Points of a print between two labels of a curve, at least. Round thresholds have theirs before others.
LABEL_GAP, ROUND = 22, (10, 5, 2, 1, 0.5)


def cross_entropy(qs: Sequence[float], bits: Mapping[int, Sequence[float]], title: str) -> Figure:
    """Cross-entropy in bits per character over the interpolation parameter q, a line for each n; the lowest is marked.

    *bits* has a value for each q; one that is not finite is a gap. NCleaner (Evert 2008), figure 2.
    """
    return _tuning(
        qs, bits, title, "cross-entropy\n(bits per character)", "lowest: {:.3f} bits at n = {}, q = {:g}", -1
    )


def task_f(qs: Sequence[float], f: Mapping[int, Sequence[float]], title: str) -> Figure:
    """F in per cent over the interpolation parameter q, a line for each n; the highest is marked.

    *f* has a value for each q; one that is not finite is a gap. NCleaner (Evert 2008), section 3: tuned on the task.
    """
    return _tuning(qs, f, title, "F (per cent)", "highest: {:.2f} per cent at n = {}, q = {:g}", 1)


def _tuning(
    qs: Sequence[float], lines: Mapping[int, Sequence[float]], title: str, label: str, says: str, sign: int
) -> Figure:
    """A line for each n over q. The best value (with *sign* 1 the highest, -1 the lowest) is marked and told."""
    import numpy as np

    x = _array(qs, "q")
    if not lines:
        raise ValueError("no n to draw: a line for each is wanted")
    order = np.argsort(x, kind="stable")
    found = {n: _array(values, f"n = {n}", gaps=True) for n, values in sorted(lines.items())}
    for n, y in found.items():
        if len(y) != len(x):
            raise ValueError(f"n = {n}: {len(y)} values for {len(x)} values of q")
    best = max(found, key=lambda n: float(np.nanmax(sign * found[n])))
    at = int(np.nanargmax(sign * found[best]))
    with plot_style.style():
        figure, (axes,) = plot_style.figure(title, 1.2)
        for i, (n, y) in enumerate(found.items()):
            axes.plot(x[order], y[order], label=f"n = {n}", **plot_style.series(i))
        axes.plot(x[at], found[best][at], "o", markersize=11, markerfacecolor="none", color=DARK, zorder=4)
        axes.margins(y=0.1)
        axes.set_xlabel("q (interpolation)")
        axes.set_ylabel(label)
        plot_style.legend(figure, axes, 3, f"○ {says.format(found[best][at], best, x[at])}")
        plot_style.freeze(figure)
    return figure


def precision_gains(gains: Sequence[float], system: str, baseline: str) -> Figure:
    """A histogram of each page's gain in precision over the baseline, in percentage points, with the mean and zero.

    Pages that got worse are hatched, pages as before are white. NCleaner (Evert 2008), figure 3.
    """
    import numpy as np

    values = _array(gains, "gains in precision")
    low, high = min(values.min(), 0), max(values.max(), 0)
    width = next((width for width in BIN_WIDTHS if (high - low) / width <= MOST_BINS), BIN_WIDTHS[-1])
    # zero is an edge, so that no bar holds better and worse
    edges = np.arange(math.floor(low / width), math.floor(high / width) + 2) * width
    worse, same, better = values[values < 0], values[values == 0], values[values > 0]
    with plot_style.style():
        figure, (axes,) = plot_style.figure(f"{system} against {baseline}")
        under = np.zeros(len(edges) - 1)
        kinds = ("worse", worse, OTHER, "//////"), ("as before", same, "white", ""), ("better", better, LIGHT, "")
        for name, some, colour, hatch in kinds:
            label, bins = f"{name}: {len(some):,}", edges.tolist()
            bars = axes.hist(
                some, bins, bottom=under, label=label, color=colour, hatch=hatch, edgecolor=DARK, linewidth=0.6
            )
            under = under + np.asarray(bars[0])
        axes.axvline(0, color=DARK, linewidth=1.6)
        axes.axvline(values.mean(), color=DARK, linestyle=LINES[1], label=f"mean: {values.mean():+.1f}")
        axes.set_xlabel("gain in precision (percentage points)")
        plot_style.count_pages(axes)
        plot_style.legend(figure, axes, 2, _pages(len(values)))
        plot_style.freeze(figure)
    return figure


def learning_curve(sizes: Sequence[int], values: Mapping[str, Sequence[Sequence[float]]], title: str) -> Figure:
    """The mean of each measure, in per cent, over the number of training pages; a band from 5 to 95 % of the subsets.

    `values[measure][i]` has the measure for each subset of sizes[i] pages. The pages are on a logarithmic axis when
    there are many sizes of them. NCleaner (Evert 2008), figure 4.
    """
    import numpy as np

    x = _array(sizes, "training pages")
    if x.min() <= 0:
        raise ValueError(f"training pages: {x.min():g} cannot be drawn, there must be one or more")
    if not values:
        raise ValueError("no measure to draw: a line for each is wanted")
    order = np.argsort(x, kind="stable")
    with plot_style.style():
        figure, (axes,) = plot_style.figure(title, 1.1)
        for at, (measure, subsets) in enumerate(values.items()):
            if len(subsets) != len(x):
                raise ValueError(f"{measure}: subsets for {len(subsets)} of {len(x)} numbers of training pages")
            lists = [_array(subsets[i], f"{measure} with {sizes[i]} training pages") for i in order]
            low, high = np.array([np.percentile(some, [5, 95]) for some in lists]).T
            line = plot_style.series(at)
            axes.plot(x[order], [some.mean() for some in lists], label=measure, zorder=3, **line)
            axes.fill_between(x[order], low, high, color=line["color"], alpha=0.18, linewidth=0)
            for edge in low, high:
                axes.plot(x[order], edge, color=line["color"], linestyle=line["linestyle"], linewidth=0.6)
        if x.max() >= 20 * x.min():
            plot_style.logarithmic(axes)
        axes.set_xlabel("training pages")
        axes.set_ylabel("per cent")
        plot_style.legend(figure, axes, 3, "mean, and 5–95 % of the subsets")
        plot_style.freeze(figure)
    return figure


def precision_recall(
    recalls: Sequence[float], precisions: Sequence[float], thresholds: Sequence[float], chosen: float, title: str = ""
) -> Figure:
    """Precision over recall, in per cent, a point for each threshold, in bits; *chosen* is one of the thresholds.

    As many points are labelled as can be read.
    """
    import numpy as np

    bits = _array(thresholds, "thresholds")
    x, y = _array(recalls, "recalls"), _array(precisions, "precisions")
    if not len(x) == len(y) == len(bits):
        raise ValueError(f"{len(x)} recalls, {len(y)} precisions, {len(bits)} thresholds: not as many of each")
    order = np.argsort(bits, kind="stable")
    bits, x, y = bits[order], x[order], y[order]
    best = int(np.argmin(abs(bits - chosen)))
    if not np.isclose(bits[best], chosen):
        raise ValueError(f"the chosen threshold, {chosen:g}, is not among the thresholds")
    with plot_style.style():
        figure, (axes,) = plot_style.figure(title, 1.1)
        axes.plot(x, y, color=PLAIN, marker="o", markerfacecolor="white", label="threshold (bits)")
        says = f"chosen: {_bits(chosen)} bits, P {y[best]:.1f}, R {x[best]:.1f}"
        axes.plot(x[best], y[best], "D", color=OTHER, markeredgecolor=DARK, markersize=8, label=says)
        axes.margins(0.12)
        axes.set_xlabel("recall (per cent)")
        axes.set_ylabel("precision (per cent)")
        plot_style.legend(figure, axes, 1)
        plot_style.freeze(figure)
        by_roundness = sorted(
            range(len(bits)), key=lambda i: (i not in (best, 0, len(bits) - 1), _roundness(float(bits[i])))
        )
        places = axes.transData.transform(np.column_stack([x, y])) * 72 / figure.dpi
        for i in _apart(places, [best, *by_roundness]):
            weight = "bold" if i == best else "normal"
            place: dict[str, Any] = {"xytext": (-6, -5), "textcoords": "offset points", "ha": "right", "va": "top"}
            axes.annotate(_bits(bits[i]), (x[i], y[i]), fontweight=weight, **place)
    return figure


def _roundness(threshold: float) -> int:
    """0 for a threshold that is the roundest of numbers, more for others."""
    return next((i for i, unit in enumerate(ROUND) if threshold % unit == 0), len(ROUND))


def _apart(places: Array, order: list[int]) -> list[int]:
    """Which of the places, one a row, have labels: each in turn that is far enough from those that have one."""
    out: list[int] = []
    for i in order:
        if all(math.dist(places[i], places[other]) >= LABEL_GAP for other in out):
            out.append(i)
    return out


def calibration(predicted: Sequence[float], actual: Sequence[float], title: str = "") -> Figure:
    """Actual over predicted precision of pages, in per cent, and below it how many pages were predicted what.

    A point is the mean of a bin of pages with its 95 % interval (Student's t); bins have equal numbers of pages, as
    far as equal predictions let them. A good prediction has its points on the diagonal.
    """
    import numpy as np

    x, y = _array(predicted, "predicted precision"), _array(actual, "actual precision")
    if len(x) != len(y):
        raise ValueError(f"{len(x)} predicted and {len(y)} actual values of precision: not as many of each")
    for values, what in (x, "predicted"), (y, "actual"):
        if values.min() < 0 or values.max() > 100:
            raise ValueError(f"{what} precision: from {values.min():g} to {values.max():g}, not per cent")
    bins = _equal_bins(x)
    at, level, half = np.array([(x[some].mean(), y[some].mean(), _half_interval(y[some])) for some in bins]).T
    ends = np.clip([level - half, level + half], 0, 100)
    low = min(90, 10 * math.floor(min(x.min(), ends.min()) / 10))
    with plot_style.style():
        figure, (axes, below) = plot_style.figure(title, 1.5, (3, 1))
        axes.plot([low, 100], [low, 100], color=GREY, linestyle=LINES[1], label="as predicted")
        says = f"mean of {_pages(round(len(x) / len(bins)))}, 95 % interval"
        axes.errorbar(at, level, abs(ends - level), fmt="o-", color=PLAIN, ecolor=DARK, capsize=3, label=says)
        axes.set_ylabel("actual precision (per cent)")
        below.hist(x, np.linspace(low, 100, 21).tolist(), color=PLAIN, edgecolor=DARK, linewidth=0.6)
        below.set_xlabel("predicted precision (per cent)")
        plot_style.count_pages(below)
        plot_style.legend(figure, axes, 1, f"mean absolute error: {abs(x - y).mean():.1f} points")
        plot_style.freeze(figure)
    return figure


def _equal_bins(values: Array) -> list[Array]:
    """Which values fall into bins of about equal number, in order; equal values are never parted."""
    import numpy as np

    count = max(1, min(BINS, len(values) // BIN_PAGES))
    edges = np.unique(np.quantile(values, np.arange(1, count) / count))
    bins = np.searchsorted(edges, values, "right")
    return [np.flatnonzero(bins == some) for some in np.unique(bins)]


def _half_interval(values: Array) -> float:
    """Half the 95 % interval of a mean: Student's t by Abramowitz and Stegun (1964), 26.7.5. Of one value, 0."""
    if len(values) < 2:
        return 0.0
    z, free = 1.959964, len(values) - 1
    t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    return float(t * values.std(ddof=1) / math.sqrt(len(values)))


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Writes *name*.png and *name*.svg into the folder, made if need be, and returns their paths. OSError passes."""
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    # no date, and not the version of what drew it: the same data is the same file
    nothing: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    for form, metadata in nothing.items():
        drawn = io.BytesIO()
        with plot_style.style():
            figure.savefig(drawn, format=form, dpi=DPI, metadata=metadata)
        out.append(folder / f"{name}.{form}")
        out[-1].write_bytes(drawn.getvalue())
    return out


def _array(values: Sequence[float], what: str, gaps: bool = False) -> Array:
    """The values; with *gaps* those that are not finite as NaN, but one must be. ValueError names *what*."""
    import numpy as np

    out = np.array(values, dtype=float)
    if not len(out):
        raise ValueError(f"{what}: nothing to draw")
    finite = np.isfinite(out)
    if gaps and not finite.any():
        raise ValueError(f"{what}: no value is a number")
    if not gaps and not finite.all():
        raise ValueError(f"{what}: value {int(np.argmin(finite)) + 1} is not a number")
    out[~finite] = math.nan
    return out


def _pages(count: int) -> str:
    return f"{count:,} page{'s' * (count != 1)}"


def _bits(value: float) -> str:
    """A threshold with the minus of typography."""
    return f"{value:g}".replace("-", "−")
