"""The inverted index: its ranking, size and queries."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("tantivy", reason="tantivy is not installed")

from bench import search_index

TEXTS = ["The bridge is closed.", "The ferry goes every hour.", "Bridge, bridge: an old BRIDGE", ""]


def test_rankings_are_by_relevance() -> None:
    with search_index.Index(TEXTS) as index:
        assert len(index) == 4
        assert index.ranking(["bridge"]) == [2, 0]  # ordered by frequency in texts of similar length
        assert sorted(index.ranking(["the"])) == [0, 1]
        assert index.ranking(["Bridge"]) == []  # words are looked up as given
        assert index.ranking(search_index.index_words("BRIDGE!"))[0] == 2
        assert index.ranking(["nowhere"]) == index.ranking([]) == []


def test_query_syntax_has_no_meaning() -> None:
    with search_index.Index(["and or not title colon", "quotes"]) as index:
        assert index.ranking(search_index.index_words('NOT title: "quotes AND (')) != []


@pytest.mark.slow
def test_text_numbers_are_right_in_several_index_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "HEAP_BYTES", 15_000_000)  # the minimum of the engine: it writes several times
    texts = [f"number{n} " + " ".join(f"w{n}x{m}" for m in range(50)) for n in range(10_000)]
    with search_index.Index(texts) as index:
        assert len(list(index.path.glob("*.idx"))) > 1
        for n in (0, 1, 4_999, 9_999):
            assert index.ranking([f"number{n}"]) == [n]


def test_sizes_are_reproducible() -> None:
    sizes = []
    for copies in (200, 200, 20):
        with search_index.Index([f"w{n} w{n + 1} w{n * n}" for n in range(copies)]) as index:
            sizes.append(index.bytes)
            assert index.seconds > 0
    assert sizes[0] == sizes[1] > 2 * sizes[2]


def test_a_closed_index_is_deleted() -> None:
    with search_index.Index(TEXTS) as index:
        folder = index.path
        assert index.bytes == sum(os.path.getsize(file) for file in folder.iterdir()) > 0
    assert not folder.exists()


def test_an_index_of_no_texts_is_empty() -> None:
    with search_index.Index([]) as index:
        assert (len(index), index.ranking(["a"])) == (0, [])
        assert index.time([["a"]]) >= 0


def test_words_are_runs_of_letters_and_digits() -> None:
    assert search_index.index_words("Don't_X 2-Über " + "y" * 41) == ["don", "t", "x", "2", "über"]
