"""Figures of the papers that no command draws: gains in precision, and the calibration of predicted precision.

plots.save(precision_gains([-3.0, 0, 4.5], "NCleaner", "text dump"), Path("plots"), "gains")
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ncfilters.evaluation import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The bins of a calibration, and the most bins of a histogram of gains.
CALIBRATION_BINS, MAX_BINS = 10, 36


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
    with plots.style():
        new, axes = plots.figure(f"{system} against {baseline}")
        under = np.zeros(len(edges) - 1)
        kinds = (
            ("worse", worse, plots.COLOURS[1], "//////"),
            ("as before", same, "white", ""),
            ("better", better, plots.LIGHT, ""),
        )
        for name, some, colour, hatch in kinds:
            looks: dict[str, Any] = {"color": colour, "hatch": hatch, "edgecolor": plots.DARK, "linewidth": 0.6}
            bars = axes.hist(some, edges.tolist(), bottom=under, label=f"{name}: {len(some):,}", **looks)
            under = under + np.asarray(bars[0])
        axes.locator_params(nbins=5, integer=True)
        axes.axvline(0, color=plots.DARK, linewidth=1.6)
        axes.axvline(values.mean(), color=plots.DARK, linestyle=plots.LINES[1], label=f"mean: {values.mean():+.1f}")
        return plots.labelled(new, axes, "gain in precision (percentage points)", "pages", 2, f"{len(values):,} pages")


def calibration(predicted: Sequence[float], actual: Sequence[float], title: str = "") -> Figure:
    """Actual over predicted precision of pages in per cent. A point is the mean of a bin of pages, with its standard
    error; bins have equal numbers of pages. The points of an unbiased prediction are on the diagonal."""
    x, y = np.array(predicted, dtype=float), np.array(actual, dtype=float)
    bins = [pages for pages in np.array_split(np.argsort(x, kind="stable"), CALIBRATION_BINS) if len(pages)]
    at, level, error = np.array(
        [(x[pages].mean(), y[pages].mean(), y[pages].std() / math.sqrt(len(pages))) for pages in bins]
    ).T
    low = min(at.min(), (level - error).min())
    with plots.style():
        new, axes = plots.figure(title, 1.2)
        axes.plot([low, 100], [low, 100], color=plots.DARK, linestyle=plots.LINES[1], label="as predicted")
        looks: dict[str, Any] = {"fmt": "o-", "color": plots.PRIMARY, "ecolor": plots.DARK, "capsize": 3}
        axes.errorbar(at, level, error, label="mean, standard error", **looks)
        legend = f"mean absolute error: {abs(x - y).mean():.1f} points"
        return plots.labelled(new, axes, "predicted precision (per cent)", "actual precision (per cent)", 1, legend)
