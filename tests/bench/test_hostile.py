"""Hostile pages: work and output grow in proportion to the page, or the page is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from operations import num_calls

from bench import hostile
from bench.hostile import FAMILIES
from ncfilters.errors import RecordError
from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.streams.writers import json_line

# Characters of the smaller page.
SIZE = 8_000


# the reader of jusText's paragraphs is a small one: a sixth of the families is enough
@pytest.mark.parametrize(
    ("name", "profile"), [*((name, "visual") for name in FAMILIES), *((name, "justext") for name in [*FAMILIES][::6])]
)
def test_work_and_output_are_in_proportion_to_the_page(name: str, profile: str) -> None:
    options = PageOptions(profile=profile, markup=profile == "visual")
    figures: list[tuple[int, int]] = []
    for times in (1, 2, 4, 8, 16):
        page = {"html": hostile.page_of(FAMILIES[name], times * SIZE), "url": "http://a.example/"}
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
