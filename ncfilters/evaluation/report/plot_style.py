"""How the project's figures look: one style, series that differ in more than colour, titles, legends, axes.

    with drawing.style():
        figure, (axes,) = drawing.figure("English, 158 pages")
        axes.plot(x, y, label="P", **drawing.series(0))
        drawing.legend(figure, axes, columns=2)

matplotlib is an extra, imported only when something is drawn, without pyplot: nothing outlives the figure.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ...errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches: a column of a conference paper; characters of a title that fit into it, and lines of a title that may be.
WIDTH, HEIGHT = 3.5, 2.9
TITLE, TITLE_LINES = 42, 3

# Each series has a colour, a line and a marker of its own, so that any one of them tells it from the others. The
# colours are those of Okabe and Ito (2008, "Color universal design"), without the yellow, which is too light for lines.
COLOURS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"
LINES = (0, ()), (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)), (0, (9, 2)), (0, (3, 1, 1, 1, 1, 1))
MARKERS = "o", "s", "^", "D", "v", "P", "X", "*"
PLAIN, OTHER, LIGHT, DARK, GREY = COLOURS[0], COLOURS[1], COLOURS[6], "#222222", "#888888"

STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.labelsize": 9,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9,
    "legend.title_fontsize": 9,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "legend.columnspacing": 1.2,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "hatch.linewidth": 0.6,
    "text.parse_math": False,  # a system may have a dollar in its name
    "svg.fonttype": "none",
    "svg.hashsalt": "ncfilters",
}


def style() -> AbstractContextManager[None]:
    """The style while something is drawn or saved, whatever the user's own is. Raises UsageError without matplotlib."""
    try:
        import matplotlib
        from matplotlib import style as styles
    except ImportError:
        raise UsageError("plots need matplotlib: pip install 'ncfilters[plots]'") from None
    assert matplotlib  # first, so that a matplotlib that has gone is missed
    context: AbstractContextManager[None] = styles.context(["default", STYLE])
    return context


def figure(title: str, tall: float = 1.0, ratios: tuple[float, ...] = (1,)) -> tuple[Figure, list[Axes]]:
    """A new figure as wide as a column, that many heights tall; its axes, one below the other, over the same x."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    new = Figure(figsize=(WIDTH, HEIGHT * tall), layout="constrained")
    FigureCanvasAgg(new)
    grid = new.subplots(len(ratios), sharex=True, squeeze=False, height_ratios=ratios)
    if title:
        new.suptitle(fill(title, TITLE, max_lines=TITLE_LINES, placeholder=" …"), fontsize=9, fontweight="bold")
    return new, list(grid[:, 0])


def series(at: int) -> dict[str, Any]:
    """Colour, line and marker of series *at*: lines with the same colour have other markers."""
    colour = COLOURS[at % len(COLOURS)]
    return {"color": colour, "linestyle": LINES[at % len(LINES)], "marker": MARKERS[at % len(MARKERS)]}


def legend(figure: Figure, axes: Axes, columns: int, title: str | None = None) -> None:
    """A legend below the axes, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, title=title, alignment="left")


def freeze(figure: Figure) -> None:
    """Lays the figure out, once: it is the same however often it is saved."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def logarithmic(axes: Axes) -> None:
    """A logarithmic x axis with plain numbers, 1 2 5 10 20 50 …"""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(10, (1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 1e4 else f"{value / 1e3:g}k"))
    axes.xaxis.set_minor_locator(NullLocator())


def count_pages(axes: Axes) -> None:
    """A y axis that counts pages, in whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axes.set_ylabel("pages")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.grid(visible=False, axis="x")
