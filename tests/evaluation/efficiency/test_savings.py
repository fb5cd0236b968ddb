"""The savings of cleaning: counts alone, or with an index and its costs."""

from __future__ import annotations

import pytest

from ncfilters.evaluation.efficiency.corpus_counts import CleanedCorpus, RawCorpus
from ncfilters.evaluation.efficiency.costs import EnergyRates, IndexOptions
from ncfilters.evaluation.efficiency.savings import SavingsOptions, savings


def corpora(stored: bool) -> tuple[RawCorpus, CleanedCorpus]:
    raw = RawCorpus(stored)
    for number in range(20):
        raw.add({"id": number, "html": f"<nav>Home</nav><p>page {number}"})
    cleaned = CleanedCorpus("ours", raw, stored)
    for number in range(20):
        cleaned.add({"id": number, "text": f"page {number}"})
    return raw, cleaned


def test_without_an_index_there_are_only_counts() -> None:
    raw, cleaned = corpora(stored=False)
    facts, signatures = savings(raw, [cleaned], SavingsOptions())
    assert {fact["figure"] for fact in facts} == {"documents", "bytes", "words"}
    assert [one["what"] for one in signatures] == ["counts"]


def test_an_index_adds_sizes_times_and_costs() -> None:
    pytest.importorskip("tantivy", reason="tantivy is not installed")
    raw, cleaned = corpora(stored=True)
    options = SavingsOptions(IndexOptions(queries=5, repeats=1), EnergyRates(cleaning=(2.0,)))
    facts, signatures = savings(raw, [cleaned], options)
    figures = {fact["figure"] for fact in facts if fact["system"] == "ours"}
    assert {"index bytes", "query milliseconds", "cleaning: kg CO2", "all: kWh", "break-even queries"} <= figures
    assert [one["what"] for one in signatures] == ["counts", "index", "costs"]
