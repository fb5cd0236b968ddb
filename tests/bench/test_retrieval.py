"""The retrieval benchmark: ranks of queries, and the texts of a page."""

from __future__ import annotations

import pytest

pytest.importorskip("tantivy", reason="tantivy is not installed")

from bench import retrieval
from bench.retrieval import Rates, SearchResult, break_even


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


# PyPlexity, table 4: hours of index building and seconds of 50 searches; table 5: kg of CO2 of the first, and of 10,000
# and a million searches.
PAPER = [
    ("baseline", (3, 24, 23), 45.15, (0.20, 0.15, 14.54)),
    ("bigrams 8K", (1, 1, 42), 23.11, (0.06, 0.07, 7.44)),
    ("bigrams 10K", (1, 7, 48), 25.22, (0.07, 0.08, 8.12)),
    ("trigrams 8K", (1, 0, 8), 23.59, (0.06, 0.08, 7.60)),
    ("trigrams 10K", (1, 4, 4), 24.82, (0.06, 0.08, 7.99)),
]


@pytest.mark.parametrize(("name", "indexing", "fifty", "expected"), PAPER, ids=[row[0] for row in PAPER])
def test_emissions_of_table_5(
    name: str, indexing: tuple[int, int, int], fifty: float, expected: tuple[float, ...]
) -> None:
    seconds = (3600 * indexing[0] + 60 * indexing[1] + indexing[2], 10_000 * fifty / 50, 1_000_000 * fifty / 50)
    assert tuple(map(Rates().emissions, seconds)) == pytest.approx(expected, abs=0.0051)


def test_emissions_of_cleaning_and_other_constants() -> None:
    assert Rates().emissions(15 * 0.75 * 3600) == pytest.approx(0.65, abs=0.005)  # 45 minutes on 15 nodes
    assert Rates(100, 0.5).energy(7200) == pytest.approx(0.2)
    assert Rates(100, 0.5).emissions(7200) == pytest.approx(0.1)


def test_break_even_by_hand() -> None:
    before, after = SearchResult([], 0, 10.0, 0.5), SearchResult([], 0, 4.0, 0.3)
    assert break_even(106.0, before, after) == pytest.approx(500)  # 106 + 4 - 10 = 100 seconds, 0.2 a query
    assert break_even(5.0, before, after) == 0  # the index alone saves as much
    assert break_even(100.0, before, SearchResult([], 0, 4.0, 0.5)) is None
    rates = Rates(cleaning=(("ours", 106.0),))
    table = list(retrieval.costs_table({retrieval.TAGS: before, "ours": after}, rates))
    assert table[-1].split("|")[-2].strip() == "500"
