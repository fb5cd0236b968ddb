"""The benchmark of memory: what it measures, and its report."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import memory
from bench.hostile_pages import FAMILIES
from bench.support import json_line


@pytest.mark.parametrize("is_input", [False, True])
def test_the_peak_is_that_of_the_filter(is_input: bool, tmp_path: Path) -> None:
    source, result = tmp_path / "pages", tmp_path / "result"
    source.write_bytes(json_line({"id": "a", "html": "<p>It rained."}))
    small = memory.peak("nc-segment", source, result, is_input)
    assert b'"It rained."' in result.read_bytes()
    source.write_bytes(json_line({"id": "a", "html": "<p>It rained.", "other": "x" * 50_000_000}))
    assert 10 < small < memory.peak("nc-segment", source, result, is_input) - 50


def test_a_filter_that_fails_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="nc-score -m none: exit status 2"):
        memory.peak("nc-score -m none", Path(__file__), tmp_path / "result")


def test_the_report_has_ratios_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, out = tmp_path / "pages.jsonl", tmp_path / "memory.md"
    pages.write_bytes(json_line({"id": "a", "lang": "en", "html": "<p>It rained all day."}))
    monkeypatch.setattr(memory, "TAGS", ("items",))
    monkeypatch.setattr(sys, "argv", ["memory.py", str(pages), "--rounds", "1", "--megabytes", "1", "-o", str(out)])
    memory.main()
    rows = [line.strip("| ").split(" | ") for line in out.read_text().splitlines() if line.startswith("| n")]
    assert [row[0] for row in rows] == [f"{one.command}{' <' * one.is_input}" for one in memory.STREAMED]
    for _, ratio, most, least in rows:
        assert float(ratio) == pytest.approx(float(most) / memory.MAX_STREAM, abs=0.02) and most == least
    assert out.read_text().splitlines()[-1].startswith("| items | 0.0")


def test_families_of_tags_are_those_of_hostile_pages() -> None:
    assert set(memory.TAGS) <= FAMILIES.keys()
