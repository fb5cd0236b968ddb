"""Log ratio and log-likelihood by hand and by SciPy, and which terms are key."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ncfilters.corpus.keyness import KeyOptions, keyness, log_likelihood, log_ratio
from ncfilters.corpus.term_counts import CorpusTerms


def corpus(*texts: str) -> CorpusTerms:
    terms = CorpusTerms(1_000)
    for text in texts:
        terms.add({"text": text})
    return terms


@pytest.mark.parametrize(
    ("a", "b", "total_a", "total_b", "ratio"),
    [
        (200, 100, 1_000, 1_000, 1.0),
        (100, 100, 1_000, 2_000, 1.0),
        (1, 8, 100, 100, -3.0),
        (8, 0, 100, 100, 4.0),
        (0, 0, 100, 100, 0.0),
    ],
)
def test_log_ratio(a: int, b: int, total_a: int, total_b: int, ratio: float) -> None:
    assert log_ratio(a, b, total_a, total_b) == pytest.approx(ratio)


@pytest.mark.oracle
@pytest.mark.parametrize(
    "counts", [(200, 100, 10_000, 20_000), (5, 0, 100, 100), (3, 3, 100, 100), (100, 1, 100, 50), (1, 9, 10**9, 10**6)]
)
def test_log_likelihood_is_that_of_scipy(counts: tuple[int, int, int, int]) -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    a, b, total_a, total_b = counts
    table = [[a, b], [total_a - a, total_b - b]]
    expected = stats.chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
    assert log_likelihood(*counts) == pytest.approx(expected, abs=1e-6)


def test_log_likelihood_of_a_term_that_is_nowhere_is_0() -> None:
    assert log_likelihood(0, 0, 100, 200) == 0
    assert not math.isnan(log_likelihood(100, 200, 100, 200))


def rows(found: dict[str, Any], kind: str, key_in: str) -> list[str]:
    return [row["term"] for row in found[kind]["key"] if row["key_in"] == key_in]


A = corpus(*["all rights reserved all rights reserved it rained"] * 4, "only here " * 6)
B = corpus(*["it rained and it rained in the town of rain"] * 4)


def test_terms_are_key_where_they_are_more_frequent() -> None:
    found = keyness(A, B, KeyOptions(min_likelihood=5))
    assert (found["documents_a"], found["documents_b"]) == (5, 4)
    assert rows(found, "words", "a") == ["all", "reserved", "rights"]  # "only" is in one document
    assert rows(found, "words", "b") == []
    assert rows(found, "bigrams", "a") == ["all rights", "rights reserved"]
    row = found["words"]["key"][0]
    assert (row["frequency_a"], row["frequency_b"], row["documents_a"], row["documents_b"]) == (8, 0, 4, 0)
    assert row["per_million_a"] == round(8e6 / A.words.total, 2)


def test_options_choose_terms() -> None:
    found = keyness(A, B, KeyOptions(min_likelihood=0, min_documents=1, min_frequency=6))
    assert rows(found, "words", "a") == ["all", "reserved", "rights", "here", "only"]
    found = keyness(A, B, KeyOptions(min_likelihood=0, number=1, min_frequency=1, order="log-likelihood"))
    assert rows(found, "words", "b") == ["and"]
    assert keyness(A, B, KeyOptions(min_likelihood=1_000))["words"]["key"] == []


def test_an_empty_corpus_has_no_key_terms() -> None:
    assert keyness(A, corpus(), KeyOptions(min_likelihood=0))["words"]["key"] == []


def test_the_order_of_documents_makes_no_difference() -> None:
    texts = [f"word{number % 7} and word{number % 5} are here" for number in range(50)]
    chosen = KeyOptions(min_likelihood=0, min_frequency=1)
    assert keyness(corpus(*texts), B, chosen) == keyness(corpus(*reversed(texts)), B, chosen)
