"""The plots of the papers: functions from data to matplotlib figures, and one that writes a figure as PNG and SVG.

    figure = plots.cross_entropy([0.2, 0.4, 0.6], {3: [2.9, 2.8, 2.9], 6: [3.1, 2.7, 2.5]}, "English, 158 pages")
    plots.save(figure, Path("plots"), "cross-entropy")    # plots/cross-entropy.png, plots/cross-entropy.svg

Plots are as wide as a column of a paper and readable in greyscale and by the colour-blind; equal data gives equal
bytes. Every function raises UsageError without matplotlib (extra `plots`), and ValueError for data that cannot be
drawn: none at all, lists of different lengths, values that are not numbers.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import plot_style
from .plot_style import ACCENT, DARK, GREY, LIGHT, LINES, PRIMARY

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[Any]

DPI = 150
# The least number of pages in a bin of a calibration, and the largest number of its bins.
MIN_BIN_PAGES, MAX_CALIBRATION_BINS = 10, 10
# Possible widths of the bins of a histogram, in percentage points, and the largest number of its bins.
BIN_WIDTHS, MAX_BINS = (0.5, 1.0, 2.0, 2.5, 5.0, 10.0), 36
# The least distance of two labels of a curve, in typographic points.
MIN_LABEL_DISTANCE = 22
# Multiples of the first units are labelled before others.
ROUND_UNITS = (10, 5, 2, 1, 0.5)
# The confidence level of intervals.
CONFIDENCE = 0.95


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
    x = _array(qs, "q")
    if not lines:
        raise ValueError("no n to draw")
    order = np.argsort(x, kind="stable")
    curves = {n: _array(values, f"n = {n}", gaps=True) for n, values in sorted(lines.items())}
    for n, y in curves.items():
        if len(y) != len(x):
            raise ValueError(f"n = {n}: {len(y)} values for {len(x)} values of q")
    best = max(curves, key=lambda n: float(np.nanmax(sign * curves[n])))
    at = int(np.nanargmax(sign * curves[best]))
    with plot_style.style():
        figure, (axes,) = plot_style.figure(title, 1.2)
        for i, (n, y) in enumerate(curves.items()):
            axes.plot(x[order], y[order], label=f"n = {n}", **plot_style.series(i))
        axes.plot(x[at], curves[best][at], "o", markersize=11, markerfacecolor="none", color=DARK, zorder=4)
        axes.margins(y=0.1)
        axes.set_xlabel("q (interpolation)")
        axes.set_ylabel(label)
        plot_style.legend(figure, axes, 3, f"○ {legend.format(curves[best][at], best, x[at])}")
        plot_style.freeze(figure)
    return figure


def precision_gains(gains: Sequence[float], system: str, baseline: str) -> Figure:
    """A histogram of the gains in precision of pages over the baseline, in percentage points, with the mean and zero.

    Bars of pages with a loss are hatched, those of unchanged pages are white. NCleaner (Evert 2008), figure 3.
    """
    values = _array(gains, "gains in precision")
    low, high = min(values.min(), 0), max(values.max(), 0)
    width = next((width for width in BIN_WIDTHS if (high - low) / width <= MAX_BINS), BIN_WIDTHS[-1])
    # zero is an edge, so that no bar has both gains and losses
    edges = np.arange(math.floor(low / width), math.floor(high / width) + 2) * width
    worse, same, better = values[values < 0], values[values == 0], values[values > 0]
    with plot_style.style():
        figure, (axes,) = plot_style.figure(f"{system} against {baseline}")
        under = np.zeros(len(edges) - 1)
        kinds = ("worse", worse, ACCENT, "//////"), ("as before", same, "white", ""), ("better", better, LIGHT, "")
        for name, gains_of_kind, colour, hatch in kinds:
            label, bins = f"{name}: {len(gains_of_kind):,}", edges.tolist()
            bars = axes.hist(
                gains_of_kind, bins, bottom=under, label=label, color=colour, hatch=hatch, edgecolor=DARK, linewidth=0.6
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
    """The mean of each measure in per cent over the number of training pages, and the band of 5 to 95 % of the subsets.

    `values[measure][i]` has the measure for each subset of sizes[i] pages. The axis of pages is logarithmic if the
    sizes differ by a factor of 20 or more. NCleaner (Evert 2008), figure 4.
    """
    x = _array(sizes, "training pages")
    if x.min() <= 0:
        raise ValueError(f"training pages: {x.min():g} cannot be drawn: at least one is necessary")
    if not values:
        raise ValueError("no measure to draw")
    order = np.argsort(x, kind="stable")
    with plot_style.style():
        figure, (axes,) = plot_style.figure(title, 1.1)
        for at, (measure, subsets) in enumerate(values.items()):
            if len(subsets) != len(x):
                raise ValueError(f"{measure}: subsets for {len(subsets)} of {len(x)} numbers of training pages")
            lists = [_array(subsets[i], f"{measure} with {sizes[i]} training pages") for i in order]
            low, high = np.array([np.percentile(subset, [5, 95]) for subset in lists]).T
            line = plot_style.series(at)
            axes.plot(x[order], [subset.mean() for subset in lists], label=measure, zorder=3, **line)
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
    """Precision over recall in per cent, a point for each threshold in bits; *chosen* is one of the thresholds.

    As many points have labels as are legible.
    """
    bits = _array(thresholds, "thresholds")
    x, y = _array(recalls, "recalls"), _array(precisions, "precisions")
    if not len(x) == len(y) == len(bits):
        raise ValueError(f"{len(x)} recalls, {len(y)} precisions, {len(bits)} thresholds: the numbers differ")
    order = np.argsort(bits, kind="stable")
    bits, x, y = bits[order], x[order], y[order]
    best = int(np.argmin(abs(bits - chosen)))
    if not np.isclose(bits[best], chosen):
        raise ValueError(f"the chosen threshold, {chosen:g}, is not among the thresholds")
    with plot_style.style():
        figure, (axes,) = plot_style.figure(title, 1.1)
        axes.plot(x, y, color=PRIMARY, marker="o", markerfacecolor="white", label="threshold (bits)")
        legend = f"chosen: {_bits(chosen)} bits, P {y[best]:.1f}, R {x[best]:.1f}"
        axes.plot(x[best], y[best], "D", color=ACCENT, markeredgecolor=DARK, markersize=8, label=legend)
        axes.margins(0.12)
        axes.set_xlabel("recall (per cent)")
        axes.set_ylabel("precision (per cent)")
        plot_style.legend(figure, axes, 1)
        plot_style.freeze(figure)
        by_roundness = sorted(
            range(len(bits)), key=lambda i: (i not in (best, 0, len(bits) - 1), _roundness(float(bits[i])))
        )
        places = axes.transData.transform(np.column_stack([x, y])) * 72 / figure.dpi
        for i in _labelled(places, [best, *by_roundness]):
            weight = "bold" if i == best else "normal"
            place: dict[str, Any] = {"xytext": (-6, -5), "textcoords": "offset points", "ha": "right", "va": "top"}
            axes.annotate(_bits(bits[i]), (x[i], y[i]), fontweight=weight, **place)
    return figure


def _roundness(threshold: float) -> int:
    """0 for multiples of the first of ROUND_UNITS, higher for others."""
    return next((i for i, unit in enumerate(ROUND_UNITS) if threshold % unit == 0), len(ROUND_UNITS))


def _labelled(places: Array, order: list[int]) -> list[int]:
    """The *places* (one per row) that get a label: in *order*, each that is far enough from those with a label."""
    out: list[int] = []
    for i in order:
        if all(math.dist(places[i], places[other]) >= MIN_LABEL_DISTANCE for other in out):
            out.append(i)
    return out


def calibration(predicted: Sequence[float], actual: Sequence[float], title: str = "") -> Figure:
    """Actual over predicted precision of pages in per cent, with a histogram of the predictions below.

    A point is the mean of a bin of pages with its 95 % confidence interval (Student's t). Bins have equal numbers of
    pages, as far as ties allow. The points of an unbiased prediction are on the diagonal.
    """
    x, y = _array(predicted, "predicted precision"), _array(actual, "actual precision")
    if len(x) != len(y):
        raise ValueError(f"{len(x)} predicted and {len(y)} actual values of precision: the numbers differ")
    for values, what in (x, "predicted"), (y, "actual"):
        if values.min() < 0 or values.max() > 100:
            raise ValueError(f"{what} precision: from {values.min():g} to {values.max():g}, not per cent")
    bins = equal_bins(x)
    at, level, half = np.array([(x[pages].mean(), y[pages].mean(), interval_half_width(y[pages])) for pages in bins]).T
    ends = np.clip([level - half, level + half], 0, 100)
    low = min(90, 10 * math.floor(min(x.min(), ends.min()) / 10))
    with plot_style.style():
        figure, (axes, below) = plot_style.figure(title, 1.5, (3, 1))
        axes.plot([low, 100], [low, 100], color=GREY, linestyle=LINES[1], label="as predicted")
        legend = f"mean of {_pages(round(len(x) / len(bins)))}, 95 % interval"
        axes.errorbar(at, level, abs(ends - level), fmt="o-", color=PRIMARY, ecolor=DARK, capsize=3, label=legend)
        axes.set_ylabel("actual precision (per cent)")
        below.hist(x, np.linspace(low, 100, 21).tolist(), color=PRIMARY, edgecolor=DARK, linewidth=0.6)
        below.set_xlabel("predicted precision (per cent)")
        plot_style.count_pages(below)
        plot_style.legend(figure, axes, 1, f"mean absolute error: {abs(x - y).mean():.1f} points")
        plot_style.freeze(figure)
    return figure


def equal_bins(values: Array) -> list[Array]:
    """The positions of the values in bins of about equal size, in order; equal values are in the same bin."""
    count = max(1, min(MAX_CALIBRATION_BINS, len(values) // MIN_BIN_PAGES))
    edges = np.unique(np.quantile(values, np.arange(1, count) / count))
    bins = np.searchsorted(edges, values, "right")
    return [np.flatnonzero(bins == number) for number in np.unique(bins)]


def interval_half_width(values: Array) -> float:
    """Half the width of the confidence interval of a mean, by Student's t; 0 for a single value."""
    from scipy import stats  # slow to import: only calibrations need it

    if len(values) < 2:
        return 0.0
    t = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1))
    return t * float(values.std(ddof=1)) / math.sqrt(len(values))


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Writes *name*.png and *name*.svg into the folder, which is created if necessary; returns their paths. Raises
    OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    # neither the date nor the version of matplotlib: equal data gives equal files
    no_metadata: dict[str, dict[str, Any]] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    for form, metadata in no_metadata.items():
        drawn = io.BytesIO()
        with plot_style.style():
            figure.savefig(drawn, format=form, dpi=DPI, metadata=metadata)
        out.append(folder / f"{name}.{form}")
        out[-1].write_bytes(drawn.getvalue())
    return out


def _array(values: Sequence[float], what: str, gaps: bool = False) -> Array:
    """The values as floats. With *gaps*, values that are not finite become NaN, but at least one must be finite. Raises
    ValueError, which names *what*."""
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
    """A threshold with a typographic minus sign."""
    return f"{value:g}".replace("-", "−")
