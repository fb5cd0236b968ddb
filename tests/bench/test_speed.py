"""The report of the benchmark of speed, and the pages that it makes."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from archives import archived, http

from bench import speed, speed_worker
from ncfilters.segmentation.segmenter import segment_record


def test_ratios_are_taken_within_rounds() -> None:
    assert speed.ratio([2.0, 9.0, 4.0], [1.0, 3.0, 4.0]) == "2.00 (1.00–3.00)"
    assert speed.spread([0.2, 0.1, 0.4], 100) == ["2.00", "1.00", "4.00"]


def test_the_report_has_a_table_of_ratios_before_that_of_times() -> None:
    programs = {name: [0.5] for name in (*speed.PROGRAMS, *speed.STAGES, "trafilatura")}
    calls = {name: [0.25] for name in (*speed.CALLS, "lexbor", "trafilatura")}
    lines = [line.rstrip("\n") for line in speed.report(programs, calls, 100)]
    assert lines.count("| the pipe, en over | 1.00 (1.00–1.00) |") == 1
    assert lines.index("| the pipe, en over | 1.00 (1.00–1.00) |") < lines.index(
        "| the pipe, en | 5.00 | 5.00 | 5.00 |"
    )
    assert "| Pipeline.clean over | 1.00 (1.00–1.00) | 1.00 (1.00–1.00) |" in lines


@pytest.mark.parametrize("kilobytes", [1, 100, 1_000])
def test_pages_of_a_size(kilobytes: int) -> None:
    page = speed.page_of(kilobytes)
    assert 0.5 < len(page) / (kilobytes * 1000) < 1.5
    assert len(segment_record({"html": page})["segments"]) > kilobytes / 2


def test_the_worker_measures_its_calls_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = b'{"html": "<h1>Rain</h1><p>It rained all day in the town, and nobody went out before the evening."}\n' * 3
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    speed_worker.main(["--calls", "records"])
    seconds, chars = capsys.readouterr().out.split()
    assert float(seconds) > 0 and int(chars) > 100


def test_nc_warc_is_measured_beside_fastwarc(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc"
    path.write_bytes(archived(1, http("<p>It rained.")))
    title, _, *table = (line.rstrip("\n") for line in speed.archives([path], speed.SpeedOptions(path, rounds=1)))
    assert title == "## Archives: nc-warc over fastwarc, which decodes nothing"
    name, ratio, size, ours, theirs = table[2].strip("| ").split(" | ")
    assert (name, size) == ("crawl.warc", "0.0")
    assert float(ratio.split()[0]) == pytest.approx(float(ours) / float(theirs), rel=0.5)


def test_the_worker_reads_all_records_of_an_archive() -> None:
    assert speed_worker.read_archive(io.BytesIO(archived(1, http("<p>It rained.")) * 3)) > 3 * len("<p>It rained.")
