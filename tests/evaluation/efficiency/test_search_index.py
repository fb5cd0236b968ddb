"""The inverted index: what it finds, that it is a real one, and what happens without the engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.evaluation.efficiency import search_index
from ncfilters.evaluation.efficiency.corpus_counts import Texts

TEXTS = ["The bridge is closed.", "The ferry goes every hour.", "Bridge, bridge: an old BRIDGE", ""]


def stored(texts: list[str]) -> Texts:
    out = Texts()
    for text in texts:
        out.add(text)
    return out


@pytest.fixture
def engine() -> str:
    pytest.importorskip("tantivy", reason="tantivy, the extra search, is not installed")
    return search_index.engine()


def test_ranking(engine: str) -> None:
    with search_index.Index(TEXTS) as some:
        assert len(some) == 4
        assert some.ranking(["bridge"]) == [2, 0]  # more often, in a text about as long
        assert some.ranking(["ferry", "closed"], 1) in ([0], [1])
        assert sorted(some.ranking(["the"])) == [0, 1]
        assert some.ranking(["Bridge"]) == []  # words are looked for as they are analysed
        assert some.ranking(search_index.analysed("BRIDGE!"))[0] == 2
        assert some.ranking(["nowhere"]) == some.ranking([]) == []


def test_syntax_of_queries_is_no_syntax(engine: str) -> None:
    with search_index.Index(["and or not title colon", "quotes"]) as some:
        assert some.ranking(search_index.analysed('NOT title: "quotes AND (')) != []


def test_numbers_are_those_of_the_texts_also_in_several_parts(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "HEAP", 15_000_000)  # the least that the engine accepts: it writes more than once
    texts = [f"number{n} " + " ".join(f"w{n}x{m}" for m in range(50)) for n in range(20_000)]
    with search_index.Index(texts) as some:
        assert some._searcher.num_segments > 1
        for n in (0, 1, 9_999, 19_999):
            assert some.ranking([f"number{n}"]) == [n]


def test_size_is_of_the_text_and_the_same_again(engine: str) -> None:
    sizes = []
    for copies in (200, 200, 20):
        with search_index.Index([f"w{n} w{n + 1} w{n * n}" for n in range(copies)]) as some:
            sizes.append(some.bytes)
            assert some.seconds > 0
    assert sizes[0] == sizes[1] > 2 * sizes[2]


def test_it_is_deleted(engine: str) -> None:
    with search_index.Index(TEXTS) as some:
        folder = Path(some._folder.name)
        assert some.bytes == sum(os.path.getsize(file) for file in folder.iterdir()) > 0
    assert not folder.exists()


def test_no_texts(engine: str) -> None:
    with search_index.Index([]) as some:
        assert (len(some), some.ranking(["a"])) == (0, [])
        assert some.time([["a"]]) >= 0


def test_words_are_runs_of_letters_and_digits(engine: str) -> None:
    assert search_index.analysed("Don't_X 2-Über " + "y" * 41) == ["don", "t", "x", "2", "über"]


def test_queries_are_sampled_from_the_text(engine: str) -> None:
    texts = stored(["one two three four five", "six", "—"])
    queries = search_index.sampled(texts, 200, 3)
    assert len(queries) == 200
    assert {len(query) for query in queries} == {1, 2, 3, 4}
    runs = "one two three four five six"
    assert all(" ".join(query) in runs for query in queries)
    assert {query[0] for query in queries} > {"one", "two", "three", "six"}
    assert queries == search_index.sampled(texts, 200, 3) != search_index.sampled(texts, 200, 4)


def test_texts_without_words_have_no_queries(engine: str) -> None:
    assert search_index.sampled(stored(["—", "!"]), 5, 1) == []
    assert search_index.sampled(stored([]), 5, 1) == []


def test_without_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with pytest.raises(UsageError, match=r"tantivy: pip install 'ncfilters\[search\]'"):
        search_index.engine()


def test_it_is_imported_only_where_it_is_wanted() -> None:
    code = "import sys, ncfilters.eval as e, ncfilters.index; e.options(); print('tantivy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
