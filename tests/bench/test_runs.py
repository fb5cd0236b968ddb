"""Runs over made and hostile pages: speed, duplicates, metadata."""

from __future__ import annotations

import io
import json
import random
import sys
from collections import Counter
from pathlib import Path

import orjson
import pytest
from archives import archived, http
from operations import num_calls

from bench import dedup, hostile, metadata, speed, speed_worker
from bench.hostile import FAMILIES
from bench.made_pages import LineMaker, PageMaker
from ncfilters.errors import RecordError
from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.streams.writers import json_line

PAGES = ["<title>a</title><p>One <b>two</b><table><tr><td>3<td>4</table>" * 5]


def test_a_seed_makes_the_same_pages_and_most_lines_are_records() -> None:
    pages = [PageMaker(1, PAGES).page() for _ in range(2)]
    assert pages[0] == pages[1] != PageMaker(2, PAGES).page()
    maker = LineMaker(1, PAGES)
    found = 0
    for _ in range(100):
        line = maker.line()
        assert line.count(b"\n") == 1
        try:
            found += "html" in orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
    assert found > 80


# Characters of the smallest page, if one part of the family is not longer.
SIZE = 4_000


# the reader of jusText's paragraphs is a small one: a sixth of the families is enough
@pytest.mark.parametrize(
    ("name", "profile"), [*((name, "visual") for name in FAMILIES), *((name, "justext") for name in [*FAMILIES][::6])]
)
def test_work_and_output_are_in_proportion_to_the_page(name: str, profile: str) -> None:
    options = PageOptions(profile=profile, markup=profile == "visual")
    figures: list[tuple[int, int]] = []
    size = max(SIZE, len(FAMILIES[name](1)))
    for times in (1, 2, 4, 8, 16):
        page = {"html": hostile.page_of(FAMILIES[name], times * size), "url": "http://a.example/"}
        try:
            figures.append((num_calls(segment_record, page, options), len(json_line(segment_record(page, options)))))
        except RecordError as error:
            assert "the limit for a page of this size" in str(error)
            return
        if len(figures) > 1 and all(large < 2.4 * small + 2_000 for small, large in zip(*figures[-2:])):
            return
    pytest.fail(str(figures))


def test_ordinary_pages_are_not_refused() -> None:
    assert len(segment_record({"html": hostile.ORDINARY * 500})["segments"]) > 1_000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_time_and_memory_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = hostile.measure(FAMILIES["one line"], 200_000, PageOptions())
    assert found.seconds > 0 and found.memory >= 0 and found.refused == found.failed == ""
    assert "bytes in the parser" in hostile.measure(FAMILIES["paragraphs"], 200_000, PageOptions()).refused
    hostile.main(["--only", "one word", "--bytes", "20000", "-o", str(tmp_path / "report.md")])
    assert (tmp_path / "report.md").read_text().splitlines()[-1].startswith("| one word | ")
    assert capsys.readouterr().out == ""


def test_reports_of_speed() -> None:
    assert speed.ratio([2.0, 9.0, 4.0], [1.0, 3.0, 4.0]) == "2.00 (1.00–3.00)"
    assert speed.spread([0.2, 0.1, 0.4], 100) == ["2.00", "1.00", "4.00"]
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


def test_similarities_and_copies_of_made_documents() -> None:
    made = random.Random(1)
    found = [dedup.jaccard(*dedup.pair(made, 0.7)) for _ in range(20)]
    assert all(0.65 < one < 0.75 for one in found)
    made = [json.loads(line) for line in dedup.made_documents_of_2_kb(200, 0.5)]
    texts = [one["text"] for one in made]
    assert len({one["id"] for one in made}) == 200
    assert 80 < len(set(texts)) < 160
    assert 1500 < sum(map(len, texts)) / 200 < 2500


def test_tables(tmp_path: Path) -> None:
    [[count, kept]] = dedup.chain(tmp_path, 1, count=100)
    assert int(count) == 100 and 20 < int(kept) < 100
    for row in dedup.ngrams(tmp_path, 0):
        assert int(row[2]) > 10 and row[-1] == "0"


PAGE = {
    "id": "wcxb-dev/1",
    "html": "<html lang=en><title>Rain - Puddle</title><h1>Rain</h1><p>By Ann Lee, 3 May 2024</p>",
    "gold": {"title": "RAIN!", "author": "Ann Lee and Bo", "date": "2024-05-03T10:00"},
}


def test_fields_of_metadata_are_judged() -> None:
    counts = metadata.judged(PAGE, metadata.ours(PAGE))
    assert (counts["title"], counts["author"], counts["wrong"], counts["date"]) == (1, 0, 0, 1)
    assert metadata.judged(PAGE, {"author": ["Bo", "Ann Lee"]})["author"] == 1
    assert metadata.judged(PAGE, {"author": "Somebody"})["wrong"] == 1
    assert metadata.judged({**PAGE, "gold": {"title": "x"}}, {"author": "Somebody"})["unasked"] == 1
    page = {"id": "daniel/20120106_www.a.org_1", "lang": "ru", "gold": {}}
    assert metadata.judged(page, {"date": "2012-01-05", "language": "ru-RU"})["press date"] == 1
    later = metadata.judged(page, {"date": "2013-01-05", "language": "en"})
    assert (later["press date"], later["press date false"], later["language"]) == (0, 1, 0)


def test_table_and_systems() -> None:
    systems = {metadata.OURS: metadata.ours, "dates": lambda page: {"date": "2024-05-03"}}
    counts, times = metadata.measure([PAGE], systems)
    table = "".join(metadata.accuracy_table({"pages": counts}))
    assert "| pages, ours | 100.0 | 0.0 | 0.0 | – | 100.0 |" in table
    assert "| pages, dates | – | – | – | – | 100.0 |" in table
    assert set(times) == set(systems) and isinstance(counts["dates"], Counter)
    assert list(metadata.readers())[0] == metadata.OURS
