"""Results in other formats: TSV, JSON, cleaneval.py's table, the worst pages, alignments."""

from __future__ import annotations

import json
import math
from pathlib import Path

from ncfilters.dataset.gold import Gold
from ncfilters.evaluation import results as facts
from ncfilters.evaluation.report import export
from ncfilters.evaluation.results import Evaluation, System

GOLDS = {"1": Gold("<h>A title\n<p>Some text", True), "2": Gold("<p>More", True, fields={"url": "http://a.example/"})}


def evaluation(*systems: System) -> Evaluation:
    return Evaluation(systems, GOLDS, ["words"], jobs=1)


OURS = System("ours", {"1": "<h>A title\n<p>Some text", "2": "<p>Other"})
THEIRS = System("theirs", {"1": "<p>A title", "2": "<p>More"})


def test_tsv_has_all_digits_and_one_line_per_fact() -> None:
    rows = [{"name": "a\tb", "value": 1 / 3}, {"name": "c", "value": None}]
    assert list(export.tsv_lines(rows)) == ["name\tvalue\n", f"a b\t{1 / 3}\n", "c\t\n"]
    assert list(export.tsv_lines([])) == []


def test_json_has_null_for_infinity() -> None:
    assert json.loads(export.json_text({"t": math.inf, "p": 0.5})) == {"t": None, "p": 0.5}


def test_figures_have_the_signatures_of_metric_and_system() -> None:
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
