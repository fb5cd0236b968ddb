"""The pages of html5lib's tests of tree construction: nothing fails, and both parsers give the same text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncfilters.page.profiles import PageOptions
from ncfilters.page.tidy import tidy_html
from ncfilters.segmentation.segmenter import segment_html, segment_record

DATA = Path(__file__).resolve().parents[1] / "data" / "tree-construction"
PAGES: dict[str, str] = dict(map(json.loads, (DATA / "inputs.jsonl").read_text(encoding="utf-8").splitlines()))
DIFFERENCES: dict[str, str] = json.loads((DATA / "differences.json").read_text(encoding="utf-8"))


def texts(html: str, parser: str) -> list[str]:
    return [segment["text"] for segment in segment_html(html, PageOptions(parser))]


def test_both_parsers_give_the_same_text() -> None:
    assert len(PAGES) > 1_600
    different = {name for name, html in PAGES.items() if texts(html, "lexbor") != texts(html, "html5lib")}
    assert different == set(DIFFERENCES)
    assert all(DIFFERENCES.values())


@pytest.mark.parametrize("parser", ["lexbor", "html5lib"])
@pytest.mark.parametrize(("profile", "markup"), [("visual", True), ("justext", False)])
def test_no_page_fails(parser: str, profile: str, markup: bool) -> None:
    for html in PAGES.values():
        document = segment_record(
            {"html": html, "url": "http://a.example/"}, PageOptions(parser, profile, True, markup)
        )
        assert isinstance(document["segments"], list)


def test_tidy_pages_have_the_same_text() -> None:
    different = [name for name, html in PAGES.items() if texts(html, "lexbor") != texts(tidy_html(html), "lexbor")]
    # elements in elements that markup does not give: <a> in <a>, <a> in <plaintext>
    assert different == ["tests1/78", "tests19/99"]
