"""Pages with markup in the core: head, embedded blocks, and pages that are for the reference."""

from __future__ import annotations

import orjson
import pytest

from ncfilters.page import compiled_core, walks
from ncfilters.page.html_source import source_of
from ncfilters.page.marked_columns import marked_page_in_columns
from ncfilters.page.markup import markup_walks
from ncfilters.page.markup.page_details import Details
from ncfilters.page.page_options import PageOptions
from ncfilters.segmentation.line_segmenter import segment_line
from ncfilters.segmentation.segmenter import segment_record

OPTIONS = PageOptions(markup=True)

pytestmark = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)


def test_head_has_metadata() -> None:
    page = marked_page_in_columns(source_of("<title>Rain</title><p>It <em>rained</em>."), OPTIONS, "http://a.example/")
    assert page is not None
    assert page.head["title"] == "Rain"
    assert walks.core_of_walk().column_text(page.columns, True) == "It rained."


def test_embedded_blocks_have_their_place() -> None:
    html = "<p>It rained.<noscript><p>The whole page is long enough to be shown in another way.</noscript><p>End."
    page = marked_page_in_columns(source_of(html), OPTIONS, None)
    assert page is not None
    assert "The whole page" in walks.core_of_walk().column_text(page.columns, True)


def test_images_that_are_formulas_are_in_their_places() -> None:
    html = (
        f"<p>{'It rained all day in the town, and nobody went out. ' * 25}</p><img class=latex alt='x^2'>"
        "<p>If <img class=latex alt='$y$' src=/a.png> is<table><tr><td><img class=latex alt=z^3>one<td>two</table>"
        "<img class=latex alt=w><img src=/b.png alt=b><h2>End</h2>"
    )
    line = segment_line(orjson.dumps({"html": html}), OPTIONS)
    assert line is not None
    segments = segment_record({"html": html}, OPTIONS)["segments"]
    assert orjson.loads(line)["segments"] == segments
    found = [span[3] for segment in segments for span in segment.get("spans", ()) if span[2] == "math"]
    assert found == ["x^2", "y", "z^3", "w"]


def test_page_of_little_text_is_read_once_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(markup_walks, "details_of_page", lambda tree, *_: read.append(tree) or Details())
    html = "<script type=application/json>{}</script>" + "<p>a</p> " * 200
    assert marked_page_in_columns(source_of(html), OPTIONS, None) is not None
    assert len(read) == 1
