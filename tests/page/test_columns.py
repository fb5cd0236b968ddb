"""Blocks in the core are those that become dicts."""

from __future__ import annotations

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import compiled_core, profiles
from ncfilters.page.columns import page_in_columns
from ncfilters.page.html_source import source_of
from ncfilters.page.profiles import DEFAULT_OPTIONS

needs_core = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)
LINKED = '<script type=application/ld+json>{"@type":"Article","articleBody":"It snowed. Nobody came."}</script>'
REPEATED = "<p>A sentence that the page has twice, once without scripts.</p>"


@needs_core
def test_head_and_embedded_blocks() -> None:
    html = f"<title>Rain</title>{LINKED}<p>It rained.<template><p>{'It hailed on all of us. ' * 9}</template><p>More."
    page = page_in_columns(source_of(html), DEFAULT_OPTIONS)
    head, blocks = profiles.head_and_blocks(html)
    assert page is not None
    assert page.head == head == {"title": "Rain", "kinds": ["ld:Article"]}
    assert [(at, own["origin"]) for at, own in page.embedded] == [(1, "template"), (2, "json-ld:articleBody")]
    assert [block for _, block in page.embedded] == [block for block in blocks if "origin" in block]


@needs_core
def test_repeated_text_in_noscript() -> None:
    html = f"<p>One.{REPEATED}<noscript>{REPEATED}<p>Another sentence, which only the noscript has.</noscript>"
    page = page_in_columns(source_of(html), DEFAULT_OPTIONS)
    assert page is not None
    assert page.repeated == [2]
    without = page_in_columns(source_of(html), DEFAULT_OPTIONS._replace(embedded=False))
    assert without is not None
    assert (without.repeated, without.embedded) == ([], [])


@needs_core
def test_dense_pages() -> None:
    tags, blocks = source_of("<p>x" * 20_000), source_of("<p>some text x" * 9_500)
    with pytest.raises(RecordError, match="whose tree takes"):
        page_in_columns(tags, DEFAULT_OPTIONS)
    with pytest.raises(OverflowError):
        page_in_columns(blocks, DEFAULT_OPTIONS)
    assert page_in_columns(tags, DEFAULT_OPTIONS._replace(dense=True)) is not None
