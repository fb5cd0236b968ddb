"""Measures of known-item search, by hand and by the paper's general definitions; phrases removed from texts."""

from __future__ import annotations

import math

import pytest

from bench.known_item import MEASURES, mean_measures, ndcg, precision_at_1, rank_of, reciprocal_rank, without_phrase

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


def test_means_worked_out_by_hand() -> None:
    assert [ndcg(place) for place in (1, 3, 10, 11, None)] == pytest.approx([1, 0.5, 1 / math.log2(11), 0, 0])
    assert mean_measures([1, 2, None, 4]) == pytest.approx(
        {"P@1": 0.25, "MRR": 1.75 / 4, "NDCG@10": (1 + 1 / math.log2(3) + 1 / math.log2(5)) / 4}
    )


def test_no_queries_are_an_error() -> None:
    with pytest.raises(ValueError, match="no queries"):
        mean_measures([])


def test_the_name_of_ndcg_has_its_depth() -> None:
    assert list(MEASURES) == ["P@1", "MRR", "NDCG@10"]
    assert ndcg(11, depth=20) > 0


def test_a_rank_is_the_place_of_the_page() -> None:
    assert [rank_of(page, [4, 7, 0]) for page in (4, 0, 5)] == [1, 3, None]
    assert rank_of(0, []) is None


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
def test_a_phrase_is_removed(text: str, phrase: str, left: str) -> None:
    assert without_phrase(text, phrase) == left
