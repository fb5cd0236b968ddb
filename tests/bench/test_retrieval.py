"""The retrieval benchmark: ranks of queries, and the texts of a page."""

from __future__ import annotations

import pytest

pytest.importorskip("tantivy", reason="tantivy, the extra search, is not installed")

from bench import retrieval


def test_pages_are_searched_by_queries() -> None:
    queries = [["old", "bridge"], ["ferry"], ["boots"]]
    results = retrieval.search(["the old bridge", "a bridge and a ferry", ""], queries)
    assert results.ranks == [1, 1, None]
    assert results.bytes > 0
    swapped = retrieval.search(["a bridge and a ferry", "the old bridge", "boots"], queries)
    assert swapped.ranks == [2, None, 1]
    rows = retrieval.quality_cells({retrieval.VISIBLE: results, "ours": swapped})
    assert rows[retrieval.VISIBLE] == ["66.7", "66.7", "66.7", "", ""]
    assert rows["ours"][0] == "33.3"
    assert rows["ours"][-1] == "1/2"


def test_page_texts_are_all_text_and_visible_text() -> None:
    html = "<title>A title</title><script>x()</script><p>Some <b>text</b><p style='display:none'>hidden"
    tags, visible = retrieval.page_texts({"html": html})
    assert tags.split() == ["A", "title", "Some", "text", "hidden"]
    assert visible.split() == ["Some", "text"]
