"""Hostile pages: work and output grow in proportion to the page, and what is too dense is an error."""

from __future__ import annotations

import re
import sys

import pytest
from operations import num_calls
from uncompiled import is_compiled

from bench import hostile, regex_bait
from bench.hostile import FAMILIES
from ncfilters.errors import RecordError
from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.streams.writers import json_line

# Characters of the smaller page.
SIZE = 8_000
# Each cell of a table is a dict, and so is each of its marks: up to 80 times the page (docs/security.md).
TABLES_OF_CELLS = ("rows of data", "rows of a tree as large as may be")


@pytest.mark.parametrize("profile", ["visual", "justext"])
@pytest.mark.parametrize("name", FAMILIES)
def test_work_and_output_are_in_proportion_to_the_page(name: str, profile: str) -> None:
    options = PageOptions(profile=profile, markup=profile == "visual", dense=True)
    figures = [_figures(name, times * SIZE, options) for times in (1, 2)]
    for times in (4, 8, 16):  # a limit on large pages may begin between two sizes
        if _is_linear(*figures[-2:]):
            break
        figures.append(_figures(name, times * SIZE, options))
    assert _is_linear(*figures[-2:]), figures


def _figures(name: str, size: int, options: PageOptions) -> tuple[int, int]:
    """The calls for a page of a family, and the bytes of the record."""
    page = {"html": hostile.page_of(FAMILIES[name], size), "url": "http://a.example/"}
    return num_calls(segment_record, page, options), len(json_line(segment_record(page, options)))


def _is_linear(half: tuple[int, int], whole: tuple[int, int]) -> bool:
    return all(large < 2.4 * small + 2_000 for small, large in zip(half, whole))


@pytest.mark.parametrize("name", ["paragraphs", "items", "rules", "nested definition lists", "paths that all differ"])
def test_dense_pages_are_errors(name: str) -> None:
    with pytest.raises(RecordError, match="the limit for this size is"):
        segment_record({"html": hostile.page_of(FAMILIES[name], 200_000)})


@pytest.mark.skipif(
    not is_compiled("ncfilters.native.page_table") or not sys.platform.startswith("linux"), reason="compiled; /proc"
)
@pytest.mark.parametrize(
    ("name", "stage"),
    [
        (name, stage)
        for name in FAMILIES
        for stage in ("segment", "markup")
        if name.startswith("rows of") or "as many" in name
    ],
)
def test_large_tables_and_many_paragraphs_take_less_than_forty_times_their_size(name: str, stage: str) -> None:
    found = hostile.measure(FAMILIES[name], [stage], 500_000)[stage]  # the least of two: a process may take more
    assert found.failed == "" and len(found.sizes) == len(hostile.SIZES)
    assert found.times_memory < (90 if stage == "markup" and name in TABLES_OF_CELLS else 40)


def test_ordinary_pages_are_not_dense() -> None:
    assert len(segment_record({"html": hostile.ORDINARY * 500})["segments"]) > 1_000


@pytest.mark.parametrize("stage", ["markdown", "justext decision"])
def test_stages_that_read_the_output_of_others(stage: str) -> None:
    assert hostile.work_of(stage)(hostile.work_of(hostile.STAGES[stage][0])(_input(hostile.STAGES[stage][0])))


def _input(stage: str) -> bytes:
    """An ordinary page as a stage reads it."""
    before = hostile.STAGES[stage][0]
    page = {"id": "a", "url": "http://a.example/", "html": hostile.ORDINARY}
    return hostile.work_of(before)(_input(before)) if before else json_line(page)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_time_and_memory_of_a_stage_are_measured() -> None:
    size = 2_000_000  # more than a tick of a coarse clock
    found = hostile.measure(FAMILIES["one line"], ["segment"], size, 1)["segment"]
    assert found.failed == ""
    assert [round(bytes_of_page / size) for bytes_of_page in found.sizes] == [1, 2, 4]
    assert min(found.seconds) > 0
    assert min(found.memory) >= 0
    refused = hostile.measure(FAMILIES["paragraphs"], ["segment", "score"], 200_000, 1)
    assert "the limit for this size" in refused["segment"].failed
    assert refused["score"].sizes == []


def test_bait_is_made_of_the_pieces_of_a_pattern() -> None:
    assert regex_bait.pieces(re.compile(r"by\s+(?:[A-Z]\d|x*)$"))[:4] == ["by", " ", "A", "1"]
    assert len(dict(regex_bait.patterns())) > 250
    assert regex_bait.page("ab", 3).count("ababab") > 15


def test_patterns_are_those_of_all_supported_versions_of_python() -> None:
    # `re` reads possessive quantifiers and atomic groups from Python 3.11 on; mypy checks all but patterns
    newer = []
    for name, pattern in regex_bait.patterns():
        parsed = repr(regex_bait.parser.parse(pattern.pattern)) if isinstance(pattern, re.Pattern) else ""
        if "POSSESSIVE_REPEAT" in parsed or "ATOMIC_GROUP" in parsed:
            newer.append(name)
    assert newer == []
