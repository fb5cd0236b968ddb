"""Reports: tables, differences, exports, summaries, corpora."""

from __future__ import annotations

import json
import math
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ncfilters.corpus.statistics import Statistics
from ncfilters.dataset.gold import Gold
from ncfilters.errors import UsageError
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.report import corpus_html, export
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


def test_wide_characters_take_two_columns() -> None:
    assert (display_width("ab"), display_width("中文"), display_width("é±…")) == (2, 4, 3)
    assert written(Table("", ["x", "n"], [["中文", "1"], ["abcd", "22"]]), "table") == "x      n\n中文   1\nabcd  22\n"


def test_cells_are_one_line_without_control_characters() -> None:
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


def test_the_cleaneval_table_ends_with_the_pooled_total() -> None:
    head, *rows = [line.rstrip("\n").split("\t") for line in export.cleaneval_table(evaluation(OURS), unlabelled=False)]
    assert [row[0] for row in rows] == ["1", "2", "total"]
    assert len(head) == 13
    for column in range(7, 13):
        assert int(rows[-1][column]) == sum(int(row[column]) for row in rows[:-1])


def test_the_worst_pages_have_the_largest_differences() -> None:
    text = "".join(export.worst_pages(evaluation(OURS, THEIRS), 1))
    assert text == (
        "# 2 http://a.example/\n## ours: words F 0.00\n[-Other-] {+More+}\n## theirs: words F 100.00\nMore\n\n"
    )
    assert "".join(export.worst_pages(evaluation(OURS), 1)).startswith("# 2 ")


def test_alignments_are_in_a_folder_for_each_system(tmp_path: Path) -> None:
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


def plots(*documents: dict[str, Any]) -> dict[str, bytes]:
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
    found = plots(*MANY)
    assert len(found) == 7
    assert "Documents by year: 40 of 40 have a date." in found
    for svg in found.values():
        ElementTree.fromstring(svg)
    assert b"(none)" not in found["Words of the largest sites."]
    assert plots(*MANY) == plots(*MANY)
    assert plots() == {}
    assert list(plots({"text": "It rained.", "lang": "en"})) == ["Documents by their length, to a factor of 2."]
