"""Tables for people and programs."""

from __future__ import annotations

from ncfilters.evaluation.report.tables import Table, display_width, single_line, table_lines

TABLE = Table("Words", ["", "ours", "p"], [["F", "94.1", "0.1"], ["recall", "7.00 ± 1.5", ""]])


def written(table: Table, form: str) -> str:
    return "".join(table_lines(table, form))


def test_aligned_tables() -> None:
    assert written(TABLE, "table") == ("Words\n              ours    p\nF             94.1  0.1\nrecall  7.00 ± 1.5\n")


def test_markdown_tables() -> None:
    assert written(TABLE, "markdown") == (
        "### Words\n\n|  | ours | p |\n| --- | ---: | ---: |\n| F | 94.1 | 0.1 |\n| recall | 7.00 ± 1.5 |  |\n"
    )


def test_tsv_tables() -> None:
    assert written(TABLE, "tsv") == "\tours\tp\nF\t94.1\t0.1\nrecall\t7.00 ± 1.5\t\n"


def test_left_aligned_columns() -> None:
    table = Table("", ["a", "b"], [["x", "y"], ["long", "longer"]], frozenset((1,)))
    assert written(table, "table") == "   a  b\n   x  y\nlong  longer\n"
    assert written(table, "markdown").splitlines()[1] == "| ---: | --- |"


def test_a_table_without_rows_and_title() -> None:
    assert written(Table("", ["a", "b"], []), "table") == "a  b\n"


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
