"""Retrieval: the index of a search, topics, known items."""

from __future__ import annotations

import math
import os

import pytest

from bench import retrieval
from bench.retrieval import (
    MEASURES,
    Rates,
    SearchResult,
    break_even,
    mean_measures,
    ndcg,
    precision_at_1,
    rank_of,
    reciprocal_rank,
    without_phrase,
)

pytest.importorskip("tantivy", reason="tantivy is not installed")


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


def test_emissions_and_break_even_by_hand() -> None:
    assert Rates().emissions(15 * 0.75 * 3600) == pytest.approx(0.65, abs=0.005)  # 45 minutes on 15 nodes
    assert Rates(100, 0.5).energy(7200) == pytest.approx(0.2)
    assert Rates(100, 0.5).emissions(7200) == pytest.approx(0.1)
    before, after = SearchResult([], 0, 10.0, 0.5), SearchResult([], 0, 4.0, 0.3)
    assert break_even(106.0, before, after) == pytest.approx(500)  # 106 + 4 - 10 = 100 seconds, 0.2 a query
    assert break_even(5.0, before, after) == 0  # the index alone saves as much
    assert break_even(100.0, before, SearchResult([], 0, 4.0, 0.5)) is None
    rates = Rates(cleaning=(("ours", 106.0),))
    table = list(retrieval.costs_table({retrieval.TAGS: before, "ours": after}, rates))
    assert table[-1].split("|")[-2].strip() == "500"


TEXTS = ["The bridge is closed.", "The ferry goes every hour.", "Bridge, bridge: an old BRIDGE", ""]


def test_rankings_are_by_relevance_without_syntax() -> None:
    with retrieval.Index(TEXTS) as index:
        assert len(index) == 4
        assert index.ranking(["bridge"]) == [2, 0]  # ordered by frequency in texts of similar length
        assert sorted(index.ranking(["the"])) == [0, 1]
        assert index.ranking(["Bridge"]) == []  # words are looked up as given
        assert index.ranking(retrieval.index_words("BRIDGE!"))[0] == 2
        assert index.ranking(["nowhere"]) == index.ranking([]) == []
    with retrieval.Index(["and or not title colon", "quotes"]) as index:
        assert index.ranking(retrieval.index_words('NOT title: "quotes AND (')) != []
    assert retrieval.index_words("Don't_X 2-Über " + "y" * 41) == ["don", "t", "x", "2", "über"]


@pytest.mark.slow
def test_text_numbers_are_right_in_several_index_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "HEAP_BYTES", 15_000_000)  # the minimum of the engine: it writes several times
    texts = [f"number{n} " + " ".join(f"w{n}x{m}" for m in range(50)) for n in range(5_000)]
    with retrieval.Index(texts) as index:
        assert len(list(index.path.glob("*.idx"))) > 1
        for n in (0, 1, 2_499, 4_999):
            assert index.ranking([f"number{n}"]) == [n]


def test_an_index_is_measured_and_deleted() -> None:
    sizes = []
    for copies in (200, 200, 20):
        with retrieval.Index([f"w{n} w{n + 1} w{n * n}" for n in range(copies)]) as index:
            sizes.append(index.bytes)
            assert index.seconds > 0
    assert sizes[0] == sizes[1] > 2 * sizes[2]
    with retrieval.Index(TEXTS) as index:
        folder = index.path
        assert index.bytes == sum(os.path.getsize(file) for file in folder.iterdir()) > 0
    assert not folder.exists()
    with retrieval.Index([]) as index:
        assert (len(index), index.ranking(["a"])) == (0, [])
        assert index.time([["a"]]) >= 0


RANKS = [1, 2, 3, 10, 11, 1000, None]


def ranking(place: int | None, results: int) -> list[int]:
    """rel(p) of a list of results."""
    return [int(p == place) for p in range(1, results + 1)]


def average_precision(relevant: list[int]) -> float:
    """Equation 4, of one relevant page."""
    return sum(sum(relevant[:n]) / n * relevant[n - 1] for n in range(1, len(relevant) + 1))


def discounted(relevant: list[int]) -> float:
    """Equation 6."""
    return sum((2**rel - 1) / math.log2(p + 1) for p, rel in enumerate(relevant, 1))


@pytest.mark.parametrize("place", RANKS)
def test_measures_follow_the_equations(place: int | None) -> None:
    relevant = ranking(place, 1200)
    assert precision_at_1(place) == relevant[0]
    assert reciprocal_rank(place) == pytest.approx(average_precision(relevant))
    assert ndcg(place) == pytest.approx(discounted(relevant[:10]) / discounted([1] + [0] * 9))


def test_means_and_ranks_worked_out_by_hand() -> None:
    assert [ndcg(place) for place in (1, 3, 10, 11, None)] == pytest.approx([1, 0.5, 1 / math.log2(11), 0, 0])
    assert mean_measures([1, 2, None, 4]) == pytest.approx(
        {"P@1": 0.25, "MRR": 1.75 / 4, "NDCG@10": (1 + 1 / math.log2(3) + 1 / math.log2(5)) / 4}
    )
    with pytest.raises(ValueError, match="no queries"):
        mean_measures([])
    assert list(MEASURES) == ["P@1", "MRR", "NDCG@10"]
    assert ndcg(11, depth=20) > 0
    assert [rank_of(page, [4, 7, 0]) for page in (4, 0, 5)] == [1, 3, None]
    assert rank_of(0, []) is None


@pytest.mark.parametrize(("text", "phrase", "left"), [
    ("The Bridge\nThe bridge  is closed. the\nBRIDGE!", "The bridge", " \n   is closed.  !"),
    ("bridges and abridged", "bridge", "bridges and abridged"), ("What? (2025) C++", "What? (2025) C++", " "),
    ("same", "", "same"), ("same", " \n", "same"),
])  # fmt: skip
def test_a_phrase_is_removed(text: str, phrase: str, left: str) -> None:
    assert without_phrase(text, phrase) == left
