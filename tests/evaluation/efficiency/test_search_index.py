"""The inverted index: its ranking, size and queries, and the error without the engine."""

from __future__ import annotations

import os
import sys

import pytest

from ncfilters.errors import UsageError
from ncfilters.evaluation.efficiency import search_index
from ncfilters.evaluation.efficiency.corpus_counts import StoredTexts

TEXTS = ["The bridge is closed.", "The ferry goes every hour.", "Bridge, bridge: an old BRIDGE", ""]


def stored(texts: list[str]) -> StoredTexts:
    out = StoredTexts()
    for text in texts:
        out.append(text)
    return out


@pytest.fixture
def engine() -> str:
    pytest.importorskip("tantivy", reason="tantivy is not installed")
    return search_index.engine()


def test_rankings_are_by_relevance(engine: str) -> None:
    with search_index.Index(TEXTS) as index:
        assert len(index) == 4
        assert index.ranking(["bridge"]) == [2, 0]  # ordered by frequency in texts of similar length
        assert sorted(index.ranking(["the"])) == [0, 1]
        assert index.ranking(["Bridge"]) == []  # words are looked up as given
        assert index.ranking(search_index.index_words("BRIDGE!"))[0] == 2
        assert index.ranking(["nowhere"]) == index.ranking([]) == []


def test_query_syntax_has_no_meaning(engine: str) -> None:
    with search_index.Index(["and or not title colon", "quotes"]) as index:
        assert index.ranking(search_index.index_words('NOT title: "quotes AND (')) != []


@pytest.mark.slow
def test_text_numbers_are_right_in_several_index_parts(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "HEAP_BYTES", 15_000_000)  # the minimum of the engine: it writes several times
    texts = [f"number{n} " + " ".join(f"w{n}x{m}" for m in range(50)) for n in range(10_000)]
    with search_index.Index(texts) as index:
        assert len(list(index.path.glob("*.idx"))) > 1
        for n in (0, 1, 4_999, 9_999):
            assert index.ranking([f"number{n}"]) == [n]


def test_sizes_are_reproducible(engine: str) -> None:
    sizes = []
    for copies in (200, 200, 20):
        with search_index.Index([f"w{n} w{n + 1} w{n * n}" for n in range(copies)]) as index:
            sizes.append(index.bytes)
            assert index.seconds > 0
    assert sizes[0] == sizes[1] > 2 * sizes[2]


def test_a_closed_index_is_deleted(engine: str) -> None:
    with search_index.Index(TEXTS) as index:
        folder = index.path
        assert index.bytes == sum(os.path.getsize(file) for file in folder.iterdir()) > 0
    assert not folder.exists()


def test_an_index_of_no_texts_is_empty(engine: str) -> None:
    with search_index.Index([]) as index:
        assert (len(index), index.ranking(["a"])) == (0, [])
        assert index.time([["a"]]) >= 0


def test_words_are_runs_of_letters_and_digits(engine: str) -> None:
    assert search_index.index_words("Don't_X 2-Über " + "y" * 41) == ["don", "t", "x", "2", "über"]


def test_queries_are_sampled_from_the_text(engine: str) -> None:
    texts = stored(["one two three four five", "six", "—"])
    queries = search_index.sample_queries(texts, 200, 3)
    assert len(queries) == 200
    assert {len(query) for query in queries} == {1, 2, 3, 4}
    runs = "one two three four five six"
    assert all(" ".join(query) in runs for query in queries)
    assert {query[0] for query in queries} > {"one", "two", "three", "six"}
    assert queries == search_index.sample_queries(texts, 200, 3) != search_index.sample_queries(texts, 200, 4)


def test_texts_without_words_have_no_queries(engine: str) -> None:
    assert search_index.sample_queries(stored(["—", "!"]), 5, 1) == []
    assert search_index.sample_queries(stored([]), 5, 1) == []


def test_without_the_engine_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with pytest.raises(UsageError, match=r"tantivy, which is not installed: pip install 'ncfilters\[search\]'"):
        search_index.engine()
