"""The style of plots: series that differ in more than colour, titles, legends, axes.

    with plot_style.style():
        figure, (axes,) = plot_style.figure("English, 158 pages")
        axes.plot(x, y, label="P", **plot_style.series(0))
        plot_style.legend(figure, axes, columns=2)

matplotlib is optional (extra `plots`) and imported only to draw; pyplot is not used, so that no state is global.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ...errors import require_library

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches: the column of a conference paper.
WIDTH, HEIGHT = 3.5, 2.9
# The number of characters that fit into a line of a title, and the largest number of lines.
TITLE_CHARACTERS, MAX_TITLE_LINES = 42, 3

# Each series has its own colour, line style and marker, so that each of these alone identifies it. The colours are
# those of Okabe and Ito (2008, "Color universal design") without yellow, which is too light for lines.
COLOURS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"
LINES = (0, ()), (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)), (0, (9, 2)), (0, (3, 1, 1, 1, 1, 1))
MARKERS = "o", "s", "^", "D", "v", "P", "X", "*"
PRIMARY, ACCENT, LIGHT, DARK, GREY = COLOURS[0], COLOURS[1], COLOURS[6], "#222222", "#888888"

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
    "text.parse_math": False,  # the name of a system may contain a dollar
    "svg.fonttype": "none",
    "svg.hashsalt": "ncfilters",
}


def style() -> AbstractContextManager[None]:
    """A context with this style, independent of the user's settings. Raises UsageError without matplotlib."""
    require_library("matplotlib", "plots need", "plots")
    from matplotlib import style as styles  # optional

    context: AbstractContextManager[None] = styles.context(["default", STYLE])
    return context


def figure(title: str, tall: float = 1.0, ratios: tuple[float, ...] = (1,)) -> tuple[Figure, list[Axes]]:
    """A new figure with the width of a column and *tall* times the usual height, and its axes, one below the other with
    a common x axis."""
    # optional
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    new = Figure(figsize=(WIDTH, HEIGHT * tall), layout="constrained")
    FigureCanvasAgg(new)
    grid = new.subplots(len(ratios), sharex=True, squeeze=False, height_ratios=ratios)
    if title:
        new.suptitle(
            fill(title, TITLE_CHARACTERS, max_lines=MAX_TITLE_LINES, placeholder=" …"), fontsize=9, fontweight="bold"
        )
    return new, list(grid[:, 0])


def series(at: int) -> dict[str, Any]:
    """The colour, line style and marker of the series number *at*; series of one colour differ in the marker."""
    colour = COLOURS[at % len(COLOURS)]
    return {"color": colour, "linestyle": LINES[at % len(LINES)], "marker": MARKERS[at % len(MARKERS)]}


def legend(figure: Figure, axes: Axes, columns: int, title: str | None = None) -> None:
    """A legend below the axes, where it covers nothing."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, title=title, alignment="left")


def freeze(figure: Figure) -> None:
    """Computes the layout once, so that saving twice gives equal files."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def logarithmic(axes: Axes) -> None:
    """A logarithmic x axis with the labels 1 2 5 10 20 50 …"""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # optional

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(10, (1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 1e4 else f"{value / 1e3:g}k"))
    axes.xaxis.set_minor_locator(NullLocator())


def count_pages(axes: Axes) -> None:
    """A y axis for numbers of pages, with integer labels."""
    from matplotlib.ticker import MaxNLocator  # optional

    axes.set_ylabel("pages")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.grid(visible=False, axis="x")
