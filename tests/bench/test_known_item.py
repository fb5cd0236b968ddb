"""Known-item measures by hand and against the paper's general definitions; titles taken out of texts."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any

import pytest
from ncfilters.retrieval import figures, ndcg, precision_at_1, rank, reciprocal_rank, without

from ncfilters import retrieval

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
def test_equations(place: int | None) -> None:
    relevant = ranking(place, 1200)
    assert precision_at_1(place) == relevant[0]
    assert reciprocal_rank(place) == pytest.approx(average_precision(relevant))
    assert ndcg(place) == pytest.approx(discounted(relevant[:10]) / discounted([1] + [0] * 9))


def test_by_hand() -> None:
    assert [ndcg(place) for place in (1, 3, 10, 11, None)] == pytest.approx([1, 0.5, 1 / math.log2(11), 0, 0])
    assert figures([1, 2, None, 4]) == pytest.approx(
        {"P@1": 0.25, "MRR": 1.75 / 4, "NDCG@10": (1 + 1 / math.log2(3) + 1 / math.log2(5)) / 4}
    )


def test_no_queries() -> None:
    with pytest.raises(ValueError, match="no queries"):
        figures([])


def test_ndcg_names_its_depth() -> None:
    assert list(retrieval.MEASURES) == ["P@1", "MRR", "NDCG@10"]
    assert ndcg(11, depth=20) > 0


def test_rank() -> None:
    assert [rank([4, 7, 0], wanted) for wanted in (4, 0, 5)] == [1, 3, None]
    assert rank([], 0) is None


@pytest.mark.parametrize(
    ("text", "phrase", "left"),
    [
        ("The Bridge\nThe bridge  is closed. the\nBRIDGE!", "The bridge", " \n   is closed.  !"),
        ("bridges and abridged", "bridge", "bridges and abridged"),
        ("What? (2025) C++", "What? (2025) C++", " "),
        ("same", "", "same"),
        ("same", " \n", "same"),
    ],
)
def test_without(text: str, phrase: str, left: str) -> None:
    assert without(text, phrase) == left


# ---- the benchmark ------------------------------------------------------------------------------------------


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("tantivy", reason="tantivy, the extra search, is not installed")
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "bench")
    return importlib.import_module("retrieval")


def test_pages_are_searched_by_their_titles(bench: Any) -> None:
    queries = [["old", "bridge"], ["ferry"], ["boots"]]
    found = bench.searched(["the old bridge", "a bridge and a ferry", ""], queries)
    assert found.ranks == [1, 1, None]
    assert found.bytes > 0
    swapped = bench.searched(["a bridge and a ferry", "the old bridge", "boots"], queries)
    assert swapped.ranks == [2, None, 1]
    rows = bench.quality({bench.VISIBLE: found, "ours": swapped})
    assert rows[bench.VISIBLE] == ["66.7", "66.7", "66.7", "", ""]
    assert rows["ours"][0] == "33.3"
    assert rows["ours"][-1] == "1/2"


def test_text_of_pages(bench: Any) -> None:
    html = "<title>A title</title><script>x()</script><p>Some <b>text</b><p style='display:none'>hidden"
    tags, visible = bench.page_texts({"html": html})
    assert tags.split() == ["A", "title", "Some", "text", "hidden"]
    assert visible.split() == ["Some", "text"]
