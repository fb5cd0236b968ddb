"""The style of plots: independent of the user's settings, distinguishable series, literal text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from ncfilters.evaluation.report import plot_style, plots

pytest.importorskip("matplotlib")


def plot() -> Any:
    return plots.learning_curve([10, 50], {"F": [[94.0, 96.0], [95.0, 95.5]]}, "CleanEval")


def test_the_settings_of_the_user_are_ignored_and_kept(tmp_path: Path) -> None:
    import matplotlib

    first = [path.read_bytes() for path in plots.save(plot(), tmp_path, "one")]
    with matplotlib.rc_context({"font.size": 20, "lines.linewidth": 7, "savefig.bbox": "tight"}):
        assert [path.read_bytes() for path in plots.save(plot(), tmp_path, "two")] == first
        assert matplotlib.rcParams["font.size"] == 20


def test_series_differ_in_more_than_colour() -> None:
    looks = [(line["linestyle"], line["marker"]) for line in map(plot_style.series, range(8))]
    assert len(set(looks)) == 8
    assert len({marker for _, marker in looks}) == 8


def test_dollars_and_brackets_in_names_are_literal() -> None:
    figure = plots.precision_gains([1.0, 2.0], "$x_$ <a> & b", "_c$\\frac")
    drawn = io.BytesIO()
    with plot_style.style():
        figure.savefig(drawn, format="svg")
    assert "$x_$ &lt;a&gt; &amp; b against _c$\\frac" in drawn.getvalue().decode()


def test_long_titles_are_shortened() -> None:
    figure, (axes,) = plot_style.figure("a long title " * 30)
    lines = figure.get_suptitle().splitlines()
    assert len(lines) == plot_style.MAX_TITLE_LINES and lines[-1].endswith("…")
    assert axes.figure is figure
