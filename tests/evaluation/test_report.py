"""Reports: tables, differences, exports, summaries, corpora, plots."""

from __future__ import annotations

from pathlib import Path

from ncfilters.corpus.statistics import Statistics
from ncfilters.dataset.gold import Gold
from ncfilters.evaluation import report
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.report import CONTEXT_WORDS, cleaneval_diff, inline_diff
from ncfilters.evaluation.results import Evaluation
from ncfilters.evaluation.systems import System
from ncfilters.evaluation.tables import Table, corpus_tables, display_width, single_line, table_lines, tsv_lines

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
    assert list(tsv_lines(rows)) == ["name\tvalue\n", f"a b\t{1 / 3}\n", "c\t\n"]
    assert list(tsv_lines([])) == []
    results = evaluation(OURS, THEIRS)
    for fact in report.with_signatures(facts.figures(results), results):
        assert fact["signature"].startswith("measure:words|")
        assert f"|system:{fact['system']}|text:" in fact["signature"]


def test_pages_and_alignments_of_evaluations(tmp_path: Path) -> None:
    head, *rows = [line.rstrip("\n").split("\t") for line in report.cleaneval_table(evaluation(OURS), unlabelled=False)]
    assert [row[0] for row in rows] == ["1", "2", "total"]
    assert len(head) == 13
    for column in range(7, 13):
        assert int(rows[-1][column]) == sum(int(row[column]) for row in rows[:-1])
    text = "".join(report.worst_pages(evaluation(OURS, THEIRS), 1))
    assert text == (
        "# 2 http://a.example/\n## ours: words F 0.00\n[-Other-] {+More+}\n## theirs: words F 100.00\nMore\n\n"
    )
    assert "".join(report.worst_pages(evaluation(OURS), 1)).startswith("# 2 ")
    report.write_alignments(evaluation(OURS), str(tmp_path / "one"))
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["1.align", "2.align"]
    report.write_alignments(evaluation(OURS, THEIRS), str(tmp_path / "two"))
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == ["ours", "theirs"]
