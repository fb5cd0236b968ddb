"""The papers' figures: what is drawn where, as files that say what they show."""

from __future__ import annotations

import io
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ncfilters.errors import UsageError
from ncfilters.evaluation.report import plot_style, plots

pytest.importorskip("matplotlib")

QS = [0.2, 0.4, 0.6, 0.8]
BITS = {3: [2.9, 2.8, 2.85, 3.0], 6: [3.1, 2.7, 2.53, 2.6]}
F = {3: [90.1, 91.6, 91.2, 90.4], 6: [89.0, 90.5, 90.9, 90.0]}
CURVE = {"precision": [[94.0, 96.0], [95.0, 95.5]], "recall": [[80.0, 90.0], [88.0, 89.0]]}
PREDICTED = [60 + (7 * i) % 40 for i in range(200)]
ACTUAL = [min(100, max(0, value + 20 * math.sin(i))) for i, value in enumerate(PREDICTED)]

# each figure, and the words that must be in it
ALL: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "cross-entropy": (
        lambda: plots.cross_entropy(QS, BITS, "English, 158 pages"),
        [
            "English, 158 pages",
            "q (interpolation)",
            "(bits per character)",
            "n = 3",
            "n = 6",
            "2.530 bits at n = 6, q = 0.6",
        ],
    ),
    "task-f": (
        lambda: plots.task_f(QS, F, "Word F"),
        ["Word F", "F (per cent)", "n = 3", "91.60 per cent at n = 3, q = 0.4"],
    ),
    "gains": (
        lambda: plots.precision_gains([-3.0, 0, 0, 4, 5, 9], "ncleaner-en", "lynx"),
        ["ncleaner-en against lynx", "gain in precision (percentage points)", "pages", "6 pages"]
        + ["worse: 1", "as before: 2", "better: 3", "mean: +2.5"],
    ),
    "learning": (
        lambda: plots.learning_curve([10, 50], CURVE, "CleanEval"),
        ["CleanEval", "training pages", "per cent", "precision", "recall", "5–95 % of the subsets"],
    ),
    "precision-recall": (
        lambda: plots.precision_recall([99, 95, 80], [88, 94, 97], [-5, 0, 5.5], 0, "en"),
        ["en", "recall (per cent)", "precision (per cent)", "−5", "5.5", "chosen: 0 bits, P 94.0, R 95.0"],
    ),
    "calibration": (
        lambda: plots.calibration(PREDICTED, ACTUAL, "ten folds"),
        ["ten folds", "predicted precision (per cent)", "actual precision (per cent)", "pages", "mean of 20 pages"],
    ),
}


@pytest.mark.parametrize("name", ALL)
def test_a_figure_is_written_as_png_and_as_svg_with_its_words(name: str, tmp_path: Path) -> None:
    make, words = ALL[name]
    png, svg = plots.save(make(), tmp_path / "new" / "plots", name)
    assert png == tmp_path / "new" / "plots" / f"{name}.png"
    assert png.read_bytes().startswith(b"\x89PNG")
    texts = [
        "".join(text.itertext()).strip() for text in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")
    ]
    for word in words:
        assert any(word in text for text in texts), (word, texts)


@pytest.mark.parametrize("name", ALL)
def test_the_same_data_is_the_same_bytes(name: str, tmp_path: Path) -> None:
    make, _ = ALL[name]
    figure = make()
    first = [path.read_bytes() for path in plots.save(figure, tmp_path, "one")]
    assert [path.read_bytes() for path in plots.save(figure, tmp_path, "again")] == first
    assert [path.read_bytes() for path in plots.save(make(), tmp_path, "two")] == first
    assert not any(word in data for data in first for word in (b"date", b"Date", b"Matplotlib v", b"Software"))


def test_the_users_own_style_does_not_matter_and_stays(tmp_path: Path) -> None:
    import matplotlib

    make, _ = ALL["learning"]
    first = [path.read_bytes() for path in plots.save(make(), tmp_path, "one")]
    with matplotlib.rc_context({"font.size": 20, "lines.linewidth": 7, "savefig.bbox": "tight"}):
        assert [path.read_bytes() for path in plots.save(make(), tmp_path, "two")] == first
        assert matplotlib.rcParams["font.size"] == 20


def test_everything_fits_and_is_large_enough_to_read() -> None:
    """Nothing leaves the figure, no text is under 9 points, also with eight lines and a title of many words."""
    from matplotlib.text import Text

    made = [make() for make, _ in ALL.values()]
    many = {n: [4 / n + q for q in QS] for n in range(1, 9)}
    made.append(plots.cross_entropy(QS, many, "The development pages of many sites in seven page types " * 5))
    made.append(plots.precision_gains([-1.0] * 1999 + [2.0] * 12345, "/a/very/long/path" * 20, "b"))
    for figure in made:
        figure.canvas.draw()
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert width == plot_style.WIDTH
        assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01
        assert min(text.get_fontsize() for text in figure.findobj(Text) if text.get_text()) >= 9


def test_series_differ_in_more_than_colour() -> None:
    looks = [(line["linestyle"], line["marker"]) for line in map(plot_style.series, range(8))]
    assert len(set(looks)) == 8
    assert len({marker for _, marker in looks}) == 8


def test_the_best_n_and_q_are_marked_and_gaps_are_left_out() -> None:
    axes = plots.cross_entropy([0.6, 0.0, 0.3], {2: [3.0, math.inf, 3.2], 5: [math.nan, math.inf, 2.5]}, "").axes[0]
    (mark,) = [line for line in axes.lines if line.get_markersize() > 10]
    assert (list(mark.get_xdata()), list(mark.get_ydata())) == ([0.3], [2.5])
    assert [list(line.get_xdata()) for line in axes.lines[:2]] == [[0.0, 0.3, 0.6]] * 2
    highest = plots.task_f([0.1, 0.2], {2: [80, 90], 3: [85, 70]}, "").axes[0].lines[-1]
    assert (list(highest.get_xdata()), list(highest.get_ydata())) == ([0.2], [90])


def test_no_bar_of_gains_holds_better_and_worse() -> None:
    axes = plots.precision_gains([-40.2, -0.1, 0, 0.1, 33], "a", "b").axes[0]
    edges = sorted({round(bar.get_x(), 6) for bar in axes.patches})
    assert 0 in edges
    assert sum(bar.get_height() for bar in axes.patches) == 5
    assert [line.get_xdata()[0] for line in axes.lines] == pytest.approx([0, -7.2 / 5])


def test_a_learning_curve_has_means_and_the_band_of_its_subsets() -> None:
    values = [float(value) for value in range(101)]
    axes = plots.learning_curve([100, 1], {"F": [[50.0], values]}, "").axes[0]
    mean, low, high = (list(line.get_ydata()) for line in axes.lines)
    assert (mean, low, high) == ([50, 50], [5, 50], [95, 50])
    assert list(axes.lines[0].get_xdata()) == [1, 100]
    assert axes.get_xscale() == "log"
    assert plots.learning_curve([1, 10], {"F": [[1.0], [2.0]]}, "").axes[0].get_xscale() == "linear"


def test_labels_of_a_dense_curve_are_apart_and_the_chosen_one_is_among_them() -> None:
    bits = [i / 4 for i in range(-40, 41)]
    recalls, precisions = [95 - b for b in bits], [90 + b / 2 for b in bits]
    figure = plots.precision_recall(recalls, precisions, bits, -0.25)
    labels = list(figure.axes[0].texts)
    assert {"−0.25", "−10", "10", "5"} <= {text.get_text() for text in labels}
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in labels]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_bins_of_a_calibration_have_equal_numbers_and_do_not_part_equal_values() -> None:
    import numpy as np

    assert [len(some) for some in plots._equal_bins(np.arange(90.0))] == [10] * 9
    assert [len(some) for some in plots._equal_bins(np.arange(1000.0)[::-1])] == [100] * 10
    tied = plots._equal_bins(np.array([1.0] * 50 + [2.0] * 50))
    assert [len(some) for some in tied] == [50, 50]
    assert [len(some) for some in plots._equal_bins(np.array([7.0] * 30))] == [30]


def test_the_interval_of_a_mean_is_students() -> None:
    import numpy as np

    # quantiles of t at 0.975: 9 degrees of freedom 2.262, 29 2.045
    for count, t in (10, 2.262), (30, 2.045):
        values = np.arange(float(count))
        assert plots._half_interval(values) == pytest.approx(t * values.std(ddof=1) / count**0.5, rel=2e-3)
    assert plots._half_interval(np.array([3.0])) == 0


def test_a_perfect_prediction_lies_on_the_diagonal_within_the_page() -> None:
    plots.calibration([100] * 40, [100] * 40)
    axes = plots.calibration(range(100), range(100)).axes[0]
    points = axes.lines[1]
    assert list(points.get_xdata()) == pytest.approx(list(points.get_ydata()))
    assert len(points.get_xdata()) == 10


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plots.cross_entropy([], {3: []}, ""), "q: nothing to draw"),
        (lambda: plots.cross_entropy(QS, {}, ""), "no n to draw: a line for each is wanted"),
        (lambda: plots.cross_entropy(QS, {3: [1.0]}, ""), "n = 3: 1 values for 4 values of q"),
        (lambda: plots.task_f([0.1], {3: [math.nan]}, ""), "n = 3: no value is a number"),
        (lambda: plots.precision_gains([], "a", "b"), "gains in precision: nothing to draw"),
        (lambda: plots.precision_gains([1, math.nan], "a", "b"), "gains in precision: value 2 is not a number"),
        (lambda: plots.learning_curve([], {"F": []}, ""), "training pages: nothing to draw"),
        (lambda: plots.learning_curve([5], {}, ""), "no measure to draw: a line for each is wanted"),
        (
            lambda: plots.learning_curve([0], {"F": [[1.0]]}, ""),
            "training pages: 0 cannot be drawn, there must be one or more",
        ),
        (lambda: plots.learning_curve([5, 6], {"F": [[1.0]]}, ""), "F: subsets for 1 of 2 numbers of training pages"),
        (lambda: plots.learning_curve([5], {"F": [[]]}, ""), "F with 5 training pages: nothing to draw"),
        (lambda: plots.precision_recall([], [], [], 0), "thresholds: nothing to draw"),
        (
            lambda: plots.precision_recall([1, 2], [1], [1], 1),
            "2 recalls, 1 precisions, 1 thresholds: not as many of each",
        ),
        (lambda: plots.precision_recall([1], [1], [1], 2), "the chosen threshold, 2, is not among the thresholds"),
        (lambda: plots.calibration([], []), "predicted precision: nothing to draw"),
        (lambda: plots.calibration([1], [1, 2]), "1 predicted and 2 actual values of precision: not as many of each"),
        (lambda: plots.calibration([50], [101]), "actual precision: from 101 to 101, not per cent"),
    ],
)
def test_what_cannot_be_drawn_is_said(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value) == message


@pytest.mark.parametrize("name", ALL)
def test_without_matplotlib_it_says_what_to_install(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"^plots need matplotlib: pip install 'ncfilters\[plots\]'$"):
        ALL[name][0]()


def test_what_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    figure = ALL["gains"][0]()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        plots.save(figure, tmp_path / "file", "gains")
    (tmp_path / "gains.png").mkdir()
    with pytest.raises(IsADirectoryError, match="gains.png"):
        plots.save(figure, tmp_path, "gains")


def test_importing_the_figures_imports_nothing_heavy() -> None:
    code = "import sys, ncfilters.figures; print(*{'numpy', 'matplotlib'} & set(sys.modules))"
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    )
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_dollars_and_brackets_in_a_name_are_themselves() -> None:
    figure = plots.precision_gains([1.0, 2.0], "$x_$ <a> & b", "_c$\\frac")
    drawn = io.BytesIO()
    with plot_style.style():
        figure.savefig(drawn, format="svg")
    assert "$x_$ &lt;a&gt; &amp; b against _c$\\frac" in drawn.getvalue().decode()
