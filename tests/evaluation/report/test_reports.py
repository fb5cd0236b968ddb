"""Reports: tables, differences, exports, summaries, corpora, plots."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ncfilters.corpus.statistics import Statistics
from ncfilters.dataset.gold import Gold
from ncfilters.errors import UsageError
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.report import corpus_html, export, plots
from ncfilters.evaluation.report.export import CONTEXT_WORDS, cleaneval_diff, inline_diff
from ncfilters.evaluation.report.summary import evaluation_tables
from ncfilters.evaluation.report.tables import Table, corpus_tables, display_width, single_line, table_lines
from ncfilters.evaluation.results import Evaluation, System

TABLE = Table("Words", ["", "ours", "p"], [["F", "94.1", "0.1"], ["recall", "7.00 ± 1.5", ""]])


def written(table: Table, form: str) -> str:
    return "".join(table_lines(table, form))


def test_tables_in_each_form() -> None:
    assert written(TABLE, "table") == ("Words\n              ours    p\nF             94.1  0.1\nrecall  7.00 ± 1.5\n")
    assert written(TABLE, "markdown") == (
        "### Words\n\n|  | ours | p |\n| --- | ---: | ---: |\n| F | 94.1 | 0.1 |\n| recall | 7.00 ± 1.5 |  |\n"
    )
    assert written(TABLE, "tsv") == "\tours\tp\nF\t94.1\t0.1\nrecall\t7.00 ± 1.5\t\n"
    assert written(Table("", ["a", "b"], []), "table") == "a  b\n"
    table = Table("", ["a", "b"], [["x", "y"], ["long", "longer"]], frozenset((1,)))
    assert written(table, "table") == "   a  b\n   x  y\nlong  longer\n"
    assert written(table, "markdown").splitlines()[1] == "| ---: | --- |"


def test_tables_are_wide_and_on_one_line() -> None:
    assert (display_width("ab"), display_width("中文"), display_width("é±…")) == (2, 4, 3)
    assert written(Table("", ["x", "n"], [["中文", "1"], ["abcd", "22"]]), "table") == "x      n\n中文   1\nabcd  22\n"
    nasty = "a\tb\nc\r\x1b[31m\x85\u2028d|e"
    assert single_line(nasty) == "a b c [31m d|e"
    table = Table("", [nasty, "n"], [[nasty, "1"]])
    assert written(table, "tsv") == "a b c [31m d|e\tn\na b c [31m d|e\t1\n"
    assert len(written(table, "table").splitlines()) == 2
    assert written(table, "markdown").splitlines()[2] == "| a b c [31m d\\|e | 1 |"


def test_tables_of_a_corpus() -> None:
    counts = Statistics()
    counts.add({"text": "It rained.", "url": "http://a.example/", "lang": "en", "quality": 0.5})
    counts.add({"text": "Es regnete sehr.", "lang": "de", "duplicate": "near"})
    tables = {table.title: table for table in corpus_tables(counts.facts(5))}
    assert list(tables) == ["Counts", "By language", "By year", "Largest sites", "Duplicates"]
    assert tables["By language"].header == [
        "language", "documents", "words", "% of words", *("types", "quality", "duplicates"),
    ]  # fmt: skip
    assert tables["By language"].rows == [
        ["de", "1", "3", "60.0", "3", "–", "1"],
        ["en", "1", "2", "40.0", "2", "0.500", "0"],
    ]
    assert tables["Duplicates"].rows == [["near", "1", "3", "60.0", "1"]]
    (table,) = corpus_tables(Statistics().facts(5))
    assert ["words of a document, mean", "–"] in table.rows


DIFF = [("equal", ["", "<p>", "A", "title"]), ("delete", ["<h>", "Share", "this"]), ("insert", ["lost"])]


def test_formats_of_differences() -> None:
    assert cleaneval_diff(DIFF) == (
        "========================================\n"
        " <p> A title\n"
        "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<< (false positive)\n"
        "<h> Share this\n"
        ">>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>> (false negative)\n"
        "lost\n"
    )
    assert cleaneval_diff([]) == ""
    assert inline_diff(DIFF[1:]) == "[-\n<h> Share this-] {+lost+}"
    assert inline_diff([("equal", ["A", "title"]), ("delete", ["Share"])]) == "A title [-Share-]"
    assert inline_diff([]) == ""
    assert inline_diff([("equal", ["", "<p>", "a", "<L>", "b"])]) == "<p> a\n<L> b"


def test_only_long_correct_runs_are_shortened() -> None:
    words = [f"w{n}" for n in range(2 * CONTEXT_WORDS + 3)]
    text = inline_diff([("equal", words), ("delete", words), ("insert", words)])
    begin, _, rest = text.partition(" (… 3 words …) ")
    assert begin.split() == words[:CONTEXT_WORDS]
    right, wrong, missed = rest.replace("{+", "[-").split(" [-")
    assert right.split() == words[-CONTEXT_WORDS:]
    assert wrong.removesuffix("-]").split() == missed.removesuffix("+}").split() == words
    assert inline_diff([("equal", words[1:])]) == " ".join(words[1:])


GOLDS = {"1": Gold("<h>A title\n<p>Some text", True), "2": Gold("<p>More", True, fields={"url": "http://a.example/"})}


def evaluation(*systems: System) -> Evaluation:
    return Evaluation(systems, GOLDS, ["words"], jobs=1)


OURS = System("ours", {"1": "<h>A title\n<p>Some text", "2": "<p>Other"})
THEIRS = System("theirs", {"1": "<p>A title", "2": "<p>More"})


def test_figures_as_tsv_and_json_with_their_signatures() -> None:
    rows = [{"name": "a\tb", "value": 1 / 3}, {"name": "c", "value": None}]
    assert list(export.tsv_lines(rows)) == ["name\tvalue\n", f"a b\t{1 / 3}\n", "c\t\n"]
    assert list(export.tsv_lines([])) == []
    assert json.loads(export.json_text({"t": math.inf, "p": 0.5})) == {"t": None, "p": 0.5}
    results = evaluation(OURS, THEIRS)
    for fact in export.with_signatures(facts.figures(results), results):
        assert fact["signature"].startswith("measure:words|")
        assert f"|system:{fact['system']}|text:" in fact["signature"]


def test_pages_and_alignments_of_evaluations(tmp_path: Path) -> None:
    head, *rows = [line.rstrip("\n").split("\t") for line in export.cleaneval_table(evaluation(OURS), unlabelled=False)]
    assert [row[0] for row in rows] == ["1", "2", "total"]
    assert len(head) == 13
    for column in range(7, 13):
        assert int(rows[-1][column]) == sum(int(row[column]) for row in rows[:-1])
    text = "".join(export.worst_pages(evaluation(OURS, THEIRS), 1))
    assert text == (
        "# 2 http://a.example/\n## ours: words F 0.00\n[-Other-] {+More+}\n## theirs: words F 100.00\nMore\n\n"
    )
    assert "".join(export.worst_pages(evaluation(OURS), 1)).startswith("# 2 ")
    export.write_alignments(evaluation(OURS), str(tmp_path / "one"))
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["1.align", "2.align"]
    export.write_alignments(evaluation(OURS, THEIRS), str(tmp_path / "two"))
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == ["ours", "theirs"]


GOLDS_SUMMARY = {
    "1": Gold("a b c d", fields={"type": "news"}),
    "2": Gold("e f", fields={"type": "shop"}, required=("e", "z")),
    "3": Gold("<p>g h", True, fields={}),
}


def system(name: str, **texts: str) -> System:
    out = System(name)
    for key, text in texts.items():
        out.add({"id": key.removeprefix("_"), "text": text})
    return out


OUR_TEXTS = system("ours", _1="a b c d", _2="e x", _3="<p>g h")
THEIR_TEXTS = system("theirs", _1="a b x y", _2="e", _9="not of the gold")
NAMES = ("words", "cleaneval", "segments", "unlabelled", "similarity", "bag", "required", "forbidden")


def found(*systems: System, names: tuple[str, ...] = NAMES, **how: Any) -> Evaluation:
    return Evaluation(systems, GOLDS_SUMMARY, names, jobs=1, **how)


def predicted() -> Evaluation:
    """Twelve pages of ten words; page n has n right ones, and a predicted precision of (n + 1) / 20."""
    golds = {str(n): Gold(" ".join(f"w{n}" for n in range(10))) for n in range(12)}
    one = System("x")
    for n in range(12):
        right = [f"w{n}" for n in range(n)] if n < 11 else []
        one.add({"id": n, "text": " ".join([*right, "y " * (10 - len(right))]) if n < 11 else "", "quality": n / 20})
    one.add({"id": "no gold", "text": "a", "quality": 1.0})
    return Evaluation([one], golds, ["words"], jobs=1)


def test_tables_of_one_system() -> None:
    first, last = evaluation_tables(found(OUR_TEXTS, names=("words", "required")), None, [])
    assert first.title == "3 pages, per cent"
    assert first.header == ["measure", "F (or share)", "precision", "recall"]
    assert first.rows == [
        ["words, pooled", "87.50", "87.50", "87.50"],
        ["words, mean ± sd", "83.33 ± 28.87", "83.33 ± 28.87", "83.33 ± 28.87"],
        ["required, mean ± sd", "50.00", "", ""],
    ]
    assert last.title == "Signatures" and [row[0] for row in last.rows] == ["words", "required", "ours"]


def test_tables_of_groups_and_of_two_systems() -> None:
    some = {
        table.title: table for table in evaluation_tables(found(OUR_TEXTS, THEIR_TEXTS, names=("words",)), "type", [])
    }
    assert [row[:2] for row in some["3 pages, per cent"].rows] == [
        ["words, pooled", "ours"],
        ["words, pooled", "theirs"],
        ["words, mean ± sd", "ours"],
        ["words, mean ± sd", "theirs"],
    ]
    by = some["By type, per cent"]
    assert by.header[:4] == ["group", "pages", "measure", "system"]
    assert [row[:4] for row in by.rows][:2] == [
        ["(none)", "1", "words, mean ± sd", "ours"],
        ["(none)", "1", "words, mean ± sd", "theirs"],
    ]
    less = some["theirs less ours, points"]
    assert [row[0] for row in less.rows] == ["words F", "words P", "words R"]
    assert less.rows[2][1] == "-50.00" and less.rows[2][-3:] == ["0", "2", "1"]
    assert all(len(row) == len(table.header) for table in some.values() for row in table.rows)


def test_tables_of_predicted_quality() -> None:
    titles = [table.title for table in evaluation_tables(predicted(), None, [0.3, 0.4])]
    assert titles[1:3] == ["x: predicted quality and word precision", "x: nc-select --min-quality"]
    kept = list(evaluation_tables(predicted(), None, [0.3, 0.4]))[2]
    assert kept.rows == [
        ["0.3", "kept", "5", "0.800", "1"],
        ["0.3", "dropped", "6", "0.250", "6"],
        ["0.4", "kept", "3", "0.900", "0"],
        ["0.4", "dropped", "8", "0.350", "7"],
    ]


pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def test_the_page_loads_nothing_and_escapes_names() -> None:
    counts = Statistics()
    counts.add({"text": "It rained.", "lang": "<script>alert(1)</script>", "url": "http://a.example/"})
    counts.add({"text": "It rained.", "lang": "\ud800", "url": "http://b.example/"})
    page = corpus_html.corpus_page(counts.facts(5))
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
        corpus_html.write(Statistics().facts(5), str(tmp_path / "none" / "x.html"))


def plots_of(*documents: dict[str, Any]) -> dict[str, bytes]:
    counts = Statistics()
    for document in documents:
        counts.add(document)
    return dict(corpus_html.corpus_plots(counts.facts(5)))


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
    assert plots_of(*MANY) == plots_of(*MANY)
    assert plots_of() == {}
    assert list(plots_of({"text": "It rained.", "lang": "en"})) == ["Documents by their length, to a factor of 2."]


pytest.importorskip("matplotlib")

QS = [0.2, 0.4, 0.6, 0.8]
BITS = {3: [2.9, 2.8, 2.85, 3.0], 6: [3.1, 2.7, 2.53, 2.6]}
F = {3: [90.1, 91.6, 91.2, 90.4], 6: [89.0, 90.5, 90.9, 90.0]}
CURVE = {"precision": [[94.0, 96.0], [95.0, 95.5]], "recall": [[80.0, 90.0], [88.0, 89.0]]}
PREDICTED = [60 + (7 * i) % 40 for i in range(200)]
ACTUAL = [min(100, max(0, value + 20 * math.sin(i))) for i, value in enumerate(PREDICTED)]

# name → a function that draws the plot, and the words that must be in it
ALL: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "cross-entropy": (
        lambda: plots.cross_entropy(QS, BITS, "English, 158 pages"),
        [
            "English, 158 pages", "q (interpolation)", "(bits per character)", "n = 3", "n = 6",
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
        ["en", "recall (per cent)", "precision (per cent)", "-5", "5.5", "chosen: 0 bits, P 94.0, R 95.0"],
    ),
    "calibration": (
        lambda: plots.calibration(PREDICTED, ACTUAL, "ten folds"),
        ["ten folds", "predicted precision (per cent)", "actual precision (per cent)", "mean absolute error"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_plots_are_written_as_png_and_svg_with_text(name: str, tmp_path: Path) -> None:
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
def test_equal_data_gives_equal_bytes(name: str, tmp_path: Path) -> None:
    make, _ = ALL[name]
    figure = make()
    first = [path.read_bytes() for path in plots.save(figure, tmp_path, "one")]
    assert [path.read_bytes() for path in plots.save(figure, tmp_path, "again")] == first
    assert [path.read_bytes() for path in plots.save(make(), tmp_path, "two")] == first
    assert not any(word in data for data in first for word in (b"date", b"Date", b"Matplotlib v", b"Software"))


def test_all_text_fits_and_is_legible() -> None:
    """Nothing leaves the figure, no text is under 9 points, also with eight lines and a title of many words."""
    from matplotlib.text import Text

    made = [make() for make, _ in ALL.values()]
    many = {n: [4 / n + q for q in QS] for n in range(1, 9)}
    made.append(plots.cross_entropy(QS, many, "The development pages of many sites in seven page types " * 5))
    made.append(plots.precision_gains([-1.0] * 1999 + [2.0] * 12345, "/a/very/long/path" * 20, "b"))
    for figure in made:
        figure.canvas.draw()
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert width == plots.WIDTH
        assert box.x0 >= -0.01 and box.y0 >= -0.01 and box.x1 <= width + 0.01 and box.y1 <= height + 0.01
        assert min(text.get_fontsize() for text in figure.findobj(Text) if text.get_text()) >= 9


def test_scales_and_marks_of_plots() -> None:
    axes = plots.cross_entropy([0.6, 0.0, 0.3], {2: [3.0, math.inf, 3.2], 5: [math.nan, math.inf, 2.5]}, "").axes[0]
    (mark,) = [line for line in axes.lines if line.get_markersize() > 10]
    assert (list(mark.get_xdata()), list(mark.get_ydata())) == ([0.3], [2.5])
    assert [list(line.get_xdata()) for line in axes.lines[:2]] == [[0.0, 0.3, 0.6]] * 2
    highest = plots.task_f([0.1, 0.2], {2: [80, 90], 3: [85, 70]}, "").axes[0].lines[-1]
    assert (list(highest.get_xdata()), list(highest.get_ydata())) == ([0.2], [90])
    axes = plots.precision_gains([-40.2, -0.1, 0, 0.1, 33], "a", "b").axes[0]
    edges = sorted({round(bar.get_x(), 6) for bar in axes.patches})
    assert 0 in edges
    assert sum(bar.get_height() for bar in axes.patches) == 5
    assert [line.get_xdata()[0] for line in axes.lines] == pytest.approx([0, -7.2 / 5])
    values = [float(value) for value in range(101)]
    axes = plots.learning_curve([100, 1], {"F": [[50.0], values]}, "").axes[0]
    assert list(axes.lines[0].get_ydata()) == [50, 50]
    edges = axes.collections[0].get_paths()[0].vertices
    assert {(float(x), float(y)) for x, y in edges} == {(1, 5), (1, 95), (100, 50)}
    assert list(axes.lines[0].get_xdata()) == [1, 100]
    assert axes.get_xscale() == "log"
    assert plots.learning_curve([1, 10], {"F": [[1.0], [2.0]]}, "").axes[0].get_xscale() == "linear"
    plots.calibration([100] * 40, [100] * 40)
    axes = plots.calibration(range(100), range(100)).axes[0]
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


def test_files_that_cannot_be_written_are_os_errors(tmp_path: Path) -> None:
    figure = ALL["gains"][0]()
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
    figure = plots.precision_gains([1.0, 2.0], "$x_$ <a> & b", "_c$\\frac")
    assert "$x_$ &lt;a&gt; &amp; b against _c$\\frac" in plots.drawn(figure, "svg").decode()
