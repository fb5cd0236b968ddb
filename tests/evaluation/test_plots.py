"""Plots: those of a corpus, and those of the papers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bench.paper_figures import calibration, precision_gains
from ncfilters.corpus.statistics import Statistics
from ncfilters.errors import UsageError
from ncfilters.evaluation import plots

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def test_the_page_loads_nothing_and_escapes_names() -> None:
    counts = Statistics()
    counts.add({"text": "It rained.", "lang": "<script>alert(1)</script>", "url": "http://a.example/"})
    counts.add({"text": "It rained.", "lang": "\ud800", "url": "http://b.example/"})
    page = plots.corpus_page(counts.facts(5))
    addresses = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag != "script"
            addresses.extend(value for name, value in attrs if name in ("src", "href"))

    Reader().feed(page)
    assert len(addresses) == 3
    assert all((address or "").startswith("data:image/svg+xml;base64,") for address in addresses)
    assert "&lt;script&gt;" in page


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        plots.write_corpus_page(Statistics().facts(5), str(tmp_path / "none" / "x.html"))


def plots_of(*documents: dict[str, Any]) -> dict[str, bytes]:
    counts = Statistics()
    for document in documents:
        counts.add(document)
    return dict(plots.corpus_plots(counts.facts(5)))


MANY = [
    {
        "text": "It rained. " * number,
        "url": f"http://{'x$<' * 9}{number}.example/",
        "lang": "en" if number % 3 else "zh",
        "quality": number / 40,
        "duplicate": "near" if number % 2 else None,
        "head": {"date": str(1_000 + 40 * number)},
        "filter": [{"rule": "gopher.words", "value": 1}],
    }
    for number in range(40)
]


def test_plots_of_a_corpus_are_equal_where_its_data_are() -> None:
    found = plots_of(*MANY)
    assert len(found) == 7
    assert "Documents by year: 40 of 40 have a date." in found
    for svg in found.values():
        ElementTree.fromstring(svg)
    assert b"(none)" not in found["Words of the largest sites."]
    assert plots_of(*MANY) == found
    assert plots_of() == {}
    assert list(plots_of({"text": "It rained.", "lang": "en"})) == ["Documents by their length, to a factor of 2."]


QS = [0.2, 0.4, 0.6, 0.8]
BITS = {3: [2.9, 2.8, 2.85, 3.0], 6: [3.1, 2.7, 2.53, 2.6]}
F = {3: [90.1, 91.6, 91.2, 90.4], 6: [89.0, 90.5, 90.9, 90.0]}
CURVE = {"precision": [[94.0, 96.0], [95.0, 95.5]], "recall": [[80.0, 90.0], [88.0, 89.0]]}
PREDICTED = [60 + (7 * i) % 40 for i in range(200)]
ACTUAL = [min(100, max(0, value + 20 * math.sin(i))) for i, value in enumerate(PREDICTED)]

# name → a function that draws the plot, and the words that must be in it
ALL: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "cross-entropy": (
        lambda: plots.tuning(QS, BITS, "English, 158 pages", "entropy"),
        [
            "English, 158 pages", "q (interpolation)", "(bits per character)", "n = 3", "n = 6",
            "2.530 bits at n = 6, q = 0.6",
        ],
    ),
    "task-f": (
        lambda: plots.tuning(QS, F, "Word F", "f"),
        ["Word F", "F (per cent)", "n = 3", "91.60 per cent at n = 3, q = 0.4"],
    ),
    "gains": (
        lambda: precision_gains([-3.0, 0, 0, 4, 5, 9], "ncleaner-en", "lynx"),
        ["ncleaner-en against lynx", "gain in precision (percentage points)", "pages", "6 pages"]
        + ["worse: 1", "as before: 2", "better: 3", "mean: +2.5"],
    ),
    "learning": (
        lambda: plots.learning_curve([10, 50], CURVE, "CleanEval"),
        ["CleanEval", "training pages", "per cent", "precision", "recall", "5–95 % of the subsets"],
    ),
    "calibration": (
        lambda: calibration(PREDICTED, ACTUAL, "ten folds"),
        ["ten folds", "predicted precision (per cent)", "actual precision (per cent)", "mean absolute error"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_plots_are_png_and_svg_with_text_and_equal_where_their_data_are(name: str, tmp_path: Path) -> None:
    make, words = ALL[name]
    png, svg = plots.save(make(), tmp_path / "new" / "plots", name)
    assert png == tmp_path / "new" / "plots" / f"{name}.png"
    assert png.read_bytes().startswith(b"\x89PNG")
    texts = [
        "".join(text.itertext()).strip() for text in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")
    ]
    for word in words:
        assert any(word in text for text in texts), (word, texts)
    found = [path.read_bytes() for path in (png, svg)]
    assert [path.read_bytes() for path in plots.save(make(), tmp_path, "again")] == found
    assert not any(word in data for data in found for word in (b"date", b"Date", b"Matplotlib v", b"Software"))


def test_all_text_fits_and_is_legible() -> None:
    """Nothing leaves the figure, no text is under 9 points, also with eight lines and a title of many words."""
    from matplotlib.text import Text

    made = [make() for make, _ in ALL.values()]
    many = {n: [4 / n + q for q in QS] for n in range(1, 9)}
    made.append(plots.tuning(QS, many, "The development pages of many sites in seven page types " * 5, "entropy"))
    made.append(precision_gains([-1.0] * 1999 + [2.0] * 12345, "/a/very/long/path" * 20, "b"))
    for figure in made:
        figure.canvas.draw()
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert width == plots.WIDTH
        assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01
        assert min(text.get_fontsize() for text in figure.findobj(Text) if text.get_text()) >= 9


def test_scales_and_marks_of_plots() -> None:
    axes = plots.tuning([0.0, 0.3, 0.6], {2: [3.1, 3.2, 3.0], 5: [2.6, 2.5, 2.7]}, "", "entropy").axes[0]
    (mark,) = [line for line in axes.lines if line.get_markersize() > 10]
    assert (list(mark.get_xdata()), list(mark.get_ydata())) == ([0.3], [2.5])
    assert [list(line.get_xdata()) for line in axes.lines[:2]] == [[0.0, 0.3, 0.6]] * 2
    highest = plots.tuning([0.1, 0.2], {2: [80, 90], 3: [85, 70]}, "", "f").axes[0].lines[-1]
    assert (list(highest.get_xdata()), list(highest.get_ydata())) == ([0.2], [90])
    axes = precision_gains([-40.2, -0.1, 0, 0.1, 33], "a", "b").axes[0]
    edges = sorted({round(bar.get_x(), 6) for bar in axes.patches})
    assert 0 in edges
    assert sum(bar.get_height() for bar in axes.patches) == 5
    assert [line.get_xdata()[0] for line in axes.lines] == pytest.approx([0, -7.2 / 5])
    values = [float(value) for value in range(101)]
    axes = plots.learning_curve([1, 100], {"F": [values, [50.0]]}, "").axes[0]
    assert list(axes.lines[0].get_ydata()) == [50, 50]
    edges = axes.collections[0].get_paths()[0].vertices
    assert {(float(x), float(y)) for x, y in edges} == {(1, 5), (1, 95), (100, 50)}
    assert list(axes.lines[0].get_xdata()) == [1, 100]
    assert axes.get_xscale() == "log"
    assert plots.learning_curve([1, 10], {"F": [[1.0], [2.0]]}, "").axes[0].get_xscale() == "linear"
    calibration([100] * 40, [100] * 40)
    axes = calibration(range(100), range(100)).axes[0]
    points = axes.lines[1]
    assert list(points.get_xdata()) == pytest.approx(list(points.get_ydata()))
    assert len(points.get_xdata()) == 10


@pytest.mark.parametrize("name", ALL)
def test_without_matplotlib_plots_are_usage_errors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        UsageError, match=r"^plots need matplotlib, which is not installed: pip install 'ncfilters\[plots\]'$"
    ):
        ALL[name][0]()


def test_figures_may_be_written_twice_and_what_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    figure = ALL["gains"][0]()
    one, two = ([path.read_bytes() for path in plots.save(figure, tmp_path, name)] for name in ("one", "two"))
    assert one == two
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        plots.save(figure, tmp_path / "file", "gains")
    (tmp_path / "gains.png").mkdir()
    with pytest.raises(IsADirectoryError, match="gains.png"):
        plots.save(figure, tmp_path, "gains")


def test_the_settings_of_the_user_are_ignored_and_kept(tmp_path: Path) -> None:
    import matplotlib

    first = [path.read_bytes() for path in plots.save(ALL["learning"][0](), tmp_path, "one")]
    with matplotlib.rc_context({"font.size": 20, "lines.linewidth": 7, "savefig.bbox": "tight"}):
        assert [path.read_bytes() for path in plots.save(ALL["learning"][0](), tmp_path, "two")] == first
        assert matplotlib.rcParams["font.size"] == 20


def test_dollars_and_brackets_in_names_are_literal() -> None:
    figure = precision_gains([1.0, 2.0], "$x_$ <a> & b", "_c$\\frac")
    assert "$x_$ &lt;a&gt; &amp; b against _c$\\frac" in plots.drawn(figure, "svg").decode()
