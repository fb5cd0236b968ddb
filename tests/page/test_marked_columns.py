"""Pages with markup in the core: head, embedded blocks, and pages that are for the reference."""

from __future__ import annotations

import pytest

from ncfilters.page import compiled_core, walks
from ncfilters.page.html_source import source_of
from ncfilters.page.marked_columns import marked_page_in_columns
from ncfilters.page.page_options import PageOptions

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


def test_formula_as_image_is_for_the_reference() -> None:
    html = "<p>If</p><img class=latex alt='x^2' src=/latex.png>"
    assert marked_page_in_columns(source_of(html), OPTIONS, None) is None
