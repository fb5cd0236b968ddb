"""The report on faults has the parts that are asked for."""

from __future__ import annotations

from bench import faults


def test_a_report_of_some_parts() -> None:
    text = faults.report(flips=0, records=100, kills=0)
    assert text.startswith("# Faults\n\nWhat is tried") and text.endswith(" |\n")
    assert "## Records" in text and "| JSON lines, -j 1 | 100 | 1 | 0 | 0 | 0 | 0 |" in text
    assert "## Archives" not in text and "## Processes" not in text
