"""What parsers read back of each form is the text of the page and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")
pytest.importorskip("mdit_py_plugins", reason="markdown-it-py and mdit-py-plugins are not installed")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from markup_segments import documents  # noqa: E402
from read_back import differences, html_words, markdown_words, segment_words, xml_words  # noqa: E402

from ncfilters.page.profiles import PageOptions  # noqa: E402
from ncfilters.segmentation.segmenter import segment_record  # noqa: E402
from ncfilters.selection.forms.html import html  # noqa: E402
from ncfilters.selection.forms.markdown import markdown  # noqa: E402
from ncfilters.selection.forms.tei import tei  # noqa: E402

Segments = list[dict[str, Any]]
PAGES = sorted((Path(__file__).resolve().parents[2] / "data" / "markup").glob("*.html"))
CHECKED = settings(max_examples=60, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@CHECKED
@given(documents())
def test_markdown(page: Segments) -> None:
    assert markdown_words(markdown(page, {})) == segment_words(page)


@CHECKED
@given(documents().filter(lambda page: not any("table" in segment for segment in page)))
def test_markdown_in_parsers_of_commonmark(page: Segments) -> None:
    plain = [{**s, "spans": [span for span in s.get("spans", []) if span[2] not in ("del", "task")]} for s in page]
    assert markdown_words(markdown(plain, {}), full=False) == segment_words(plain)


@CHECKED
@given(documents())
def test_html(page: Segments) -> None:
    assert html_words(html(page, {"id": 'a"><script>', "url": "http://x/"})) == segment_words(page)


@CHECKED
@given(documents())
def test_tei(page: Segments) -> None:
    assert xml_words(tei(page, {"id": "]]>", "head": {"title": "<b>", "author": ["&", 7]}})) == segment_words(page)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
@pytest.mark.parametrize("markup", [True, False], ids=["markup", "text"])
def test_pages(path: Path, markup: bool) -> None:
    page = {"id": path.stem, "url": "https://x.y/z", "html": path.read_text(encoding="utf-8")}
    assert differences(segment_record(page, PageOptions(markup=markup))) == {}
