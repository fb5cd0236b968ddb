"""Counts of a corpus, by hand and by another way of counting."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from ncfilters.corpus import statistics
from ncfilters.corpus.statistics import NONE, OTHERS, Statistics, year_of
from ncfilters.errors import RecordError

DOCUMENTS: list[dict[str, Any]] = [
    {"text": "It rained. It rained!", "url": "https://www.a.example/1", "lang": "en", "quality": 0.9},
    {"text": "Es regnete.", "url": "http://b.example/", "lang": "de", "head": {"date": "2024-05-06"}, "quality": 1},
    {"segments": [{"text": "It"}, {"text": "Menu", "keep": False}], "url": "http://A.example/2", "lang": "en-US"},
    {"text": "", "duplicate": "exact", "filter": [{"rule": "gopher.words", "value": 0}]},
]


def facts(documents: list[dict[str, Any]], rows: int = 10) -> dict[str, Any]:
    counts = Statistics()
    for document in documents:
        counts.add(document)
    return counts.facts(rows)


def rows_by(found: list[dict[str, Any]], kind: str, value: str = "documents") -> dict[str, Any]:
    return {row[kind]: row[value] for row in found}


def test_counts_of_a_small_corpus() -> None:
    found = facts(DOCUMENTS)
    assert {name: found[name] for name in ("documents", "words", "characters", "duplicates", "quality", "failed")} == {
        "documents": 4,
        "words": 7,
        "characters": 34,
        "duplicates": 1,
        "quality": 0.95,
        "failed": 0,
    }
    assert found["types"] == {"count": 4, "error": 0.0081}
    assert found["sites"]["count"] == 2
    assert rows_by(found["sites"]["largest"], "site", "words") == {"a.example": 5, "b.example": 2, NONE: 0}
    assert rows_by(found["languages"], "language", "types") == {"en": 2, "de": 2, NONE: 0}
    assert rows_by(found["years"], "year") == {"2024": 1, NONE: 3}
    assert found["years"][-1]["year"] == NONE
    assert found["lengths"]["histogram"] == [
        {"from": 0, "documents": 1},
        {"from": 1, "documents": 1},
        {"from": 2, "documents": 1},
        {"from": 4, "documents": 1},
    ]
    assert found["lengths"]["quantiles"] == {"0.05": 0, "0.25": 0, "0.5": 1, "0.75": 2, "0.95": 4}
    assert [row for row in found["qualities"] if row["documents"]] == [
        {"from": 0.9, "documents": 1},
        {"from": 0.95, "documents": 1},
    ]
    assert rows_by(found["duplicates_by_kind"], "kind") == {"exact": 1}
    assert rows_by(found["rules"], "rule") == {"gopher.words": 1}


def test_nothing_is_counted_of_an_empty_corpus() -> None:
    found = facts([])
    assert (found["documents"], found["types"]["count"], found["sites"]["count"], found["quality"]) == (0, 0, 0, None)
    assert found["lengths"] == {"quantiles": {}, "histogram": []}


def test_sites_are_ordered_by_words_and_the_rest_is_one_row() -> None:
    documents = [{"text": "a " * (number + 1), "url": f"http://{number}.example/"} for number in range(5)]
    found = facts(documents, 2)["sites"]
    assert rows_by(found["largest"], "site", "words") == {"4.example": 5, "3.example": 4, OTHERS: 6}
    assert (found["count"], found["error"]) == (5, 0)


def test_memory_is_bounded_and_the_count_of_sites_then_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MAX_GROUPS", 10)
    found = facts([{"text": "a", "url": f"http://{number % 50}.example/"} for number in range(500)], 20)["sites"]
    assert len(found["largest"]) == 11
    assert sum(rows_by(found["largest"], "site").values()) == 500
    assert found["count"] == pytest.approx(50, abs=2)
    assert found["error"] > 0


def test_long_lengths_are_rounded_to_few_values() -> None:
    assert [statistics._rounded(length) for length in (0, 7, 999, 1_004, 123_456, 99_999)] == [
        *(0, 7, 999, 1_000, 123_000, 100_000)
    ]


def test_counts_agree_with_sets_and_counters() -> None:
    rnd = random.Random(3)
    documents = [
        {
            "text": " ".join(f"w{rnd.randint(0, 5_000)}" for _ in range(rnd.randint(0, 300))),
            "url": f"http://site{rnd.randint(0, 30)}.example/",
            "lang": rnd.choice(["en", "de", "zh"]),
        }
        for _ in range(300)
    ]
    found = facts(documents, 100)
    texts = [document["text"].split() for document in documents]
    assert found["words"] == sum(map(len, texts))
    assert found["types"]["count"] == pytest.approx(len({word for text in texts for word in text}), rel=0.03)
    assert rows_by(found["languages"], "language") == Counter(document["lang"] for document in documents)
    assert found["sites"]["count"] == len({document["url"] for document in documents})
    assert found["lengths"]["quantiles"]["0.5"] == sorted(map(len, texts))[149]


def test_fields_of_other_programs_do_no_harm() -> None:
    found = facts([{"text": "a", "quality": 1e308, "duplicate": [1], "filter": [7, {"rule": 8}], "head": {"date": 7}}])
    assert (found["quality"], found["duplicates"], found["rules"]) == (None, 1, [])
    assert rows_by(found["duplicates_by_kind"], "kind") == {"duplicate": 1}
    with pytest.raises(RecordError):
        Statistics().add({"id": 1})


@pytest.mark.parametrize(
    ("head", "year"), [({"date": "2024"}, "2024"), ({"date": "May 2024"}, ""), ({}, ""), (None, "")]
)
def test_the_year_of_a_document(head: Any, year: str) -> None:
    assert year_of({"head": head}) == year
