"""Costs: shares, sums and break-even by hand; energy and CO2 against PyPlexity 2023; measured indexes."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.evaluation.efficiency import costs
from ncfilters.evaluation.efficiency.corpus_counts import CleanedCorpus, RawCorpus
from ncfilters.evaluation.efficiency.costs import (
    KG_CO2_PER_KWH,
    WATTS,
    EnergyRates,
    IndexMeasurements,
    IndexOptions,
    IndexStats,
    SearchCost,
    break_even,
    emissions,
    energy,
)

NAMES = ["text", "ours", "theirs"]
FOUND = IndexMeasurements(
    [
        IndexStats(1000, SearchCost(10.0, 0.004)),
        IndexStats(250, SearchCost(4.0, 0.003)),
        IndexStats(500, SearchCost(5.0, 0.004)),
    ],
    "an engine",
    100,
    1,
    3,
)


def values(facts: list[dict[str, Any]], which: str = "value") -> dict[tuple[str, str], Any]:
    return {(fact["system"], fact["figure"]): fact[which] for fact in facts}


def collections(pages: int = 3) -> tuple[RawCorpus, CleanedCorpus]:
    before = RawCorpus(stored=True)
    for n in range(pages):
        before.add({"id": n, "html": f"<nav>Home</nav><p>page {n}"})
    after = CleanedCorpus("ours", before, stored=True)
    for n in range(pages - 1):
        after.add({"id": n, "text": f"page {n}"})
    return before, after


def test_counts_and_shares() -> None:
    before, after = collections()
    facts = costs.count_facts(before, [after])
    assert values(facts) == {
        ("(pages)", "documents"): 3,
        ("(pages)", "bytes"): 72,
        ("(text of the pages)", "documents"): 3,
        ("(text of the pages)", "bytes"): 33,
        ("(text of the pages)", "words"): 9,
        ("ours", "documents"): 2,
        ("ours", "bytes"): 12,
        ("ours", "words"): 4,
    }
    assert values(facts, "of_text")["ours", "words"] == pytest.approx(400 / 9)
    assert values(facts, "of_pages")["ours", "bytes"] == pytest.approx(1200 / 72)
    assert values(facts, "of_pages")["(text of the pages)", "documents"] == 100


def test_shares_of_zero_are_none() -> None:
    before = RawCorpus()
    before.add({"id": 1, "html": ""})
    after = CleanedCorpus("ours", before)
    assert set(values(costs.count_facts(before, [after]), "of_text").values()) == {None}


def test_index_facts() -> None:
    facts = costs.index_facts(NAMES, FOUND)
    assert values(facts)["ours", "query milliseconds"] == pytest.approx(3)
    assert values(facts, "of_text")["ours", "index bytes"] == 25
    assert values(facts, "of_text")["theirs", "indexing seconds"] == 50


def test_costs_add_up() -> None:
    result = values(costs.cost_facts(NAMES, FOUND, EnergyRates(cleaning=(100.0, 20.0))))
    hours = {name: result[name, "all: CPU hours"] for name in NAMES}
    assert hours == pytest.approx({"text": 4010 / 3600, "ours": 3104 / 3600, "theirs": 4025 / 3600})
    assert result["ours", "all: kWh"] == pytest.approx(hours["ours"] * WATTS / 1000)
    assert result["ours", "all: kg CO2"] == pytest.approx(hours["ours"] * WATTS / 1000 * KG_CO2_PER_KWH)
    assert result["ours", "cleaning: CPU hours"] == pytest.approx(100 / 3600)
    assert ("text", "cleaning: CPU hours") not in result
    assert result["ours", "break-even queries"] == pytest.approx((100 + 4 - 10) / 0.001)
    assert result["theirs", "break-even queries"] is None
    assert ("text", "break-even queries") not in result


def test_energy_rates_are_options() -> None:
    result = values(costs.cost_facts(NAMES, FOUND, EnergyRates(carbon=1.0, watts=1000.0)))
    assert result["ours", "indexing: kg CO2"] == pytest.approx(4 / 3600)
    assert not [figure for _, figure in result if figure.startswith(("cleaning", "break"))]


def test_free_cleaning_breaks_even_at_once() -> None:
    result = values(costs.cost_facts(NAMES, FOUND, EnergyRates(cleaning=(0.0, 0.0))))
    assert result["ours", "break-even queries"] == 0


def test_without_queries_there_are_no_query_costs() -> None:
    result = IndexMeasurements(FOUND.indexes, "an engine", 0, 1, 3)
    assert {figure for _, figure in values(costs.index_facts(NAMES, result))} == {"index bytes", "indexing seconds"}
    figures = {figure for _, figure in values(costs.cost_facts(NAMES, result, EnergyRates(cleaning=(1.0, 1.0))))}
    assert figures == {
        f"{work}: {unit}" for work in ("cleaning", "indexing") for unit in ("CPU hours", "kWh", "kg CO2")
    }


def test_figures_have_the_signatures_they_depend_on() -> None:
    before, after = collections()
    facts = (
        costs.count_facts(before, [after])
        + costs.index_facts(NAMES, FOUND)
        + costs.cost_facts(NAMES, FOUND, EnergyRates(0.5, 100))
    )
    made = costs.cost_signatures(3, FOUND, EnergyRates(0.5, 100), "ours")
    signed = values(costs.with_signatures(facts, made), "signature")
    assert signed["ours", "words"] == made[0]["signature"]
    assert "engine" in signed["ours", "index bytes"]
    assert "watts" not in signed["ours", "index bytes"]
    assert "kg/kWh:0.5|watts:100" in signed["ours", "indexing: kWh"]
    assert "queries:100|seed:1|from:ours" in signed["ours", "indexing: kWh"]
    assert [one["what"] for one in costs.cost_signatures(3, None, EnergyRates(), "ours")] == ["counts"]


def test_indexes_are_measured() -> None:
    pytest.importorskip("tantivy", reason="tantivy is not installed")
    before, after = collections(50)
    result = costs.measure_indexes([before.text, after], IndexOptions(20, 1, 2))
    whole, less = result.indexes
    assert result.engine.startswith("tantivy ")
    assert (result.queries, result.repeats) == (20, 2)
    assert 0 < less.bytes < whole.bytes
    assert all(one.cost.indexing > 0 and one.cost.query > 0 for one in result.indexes)
    again = costs.measure_indexes([before.text, after], IndexOptions(0, 1, 1))
    assert [one.bytes for one in again.indexes] == [whole.bytes, less.bytes]
    assert (again.queries, again.indexes[0].cost.query) == (0, 0)


# ---- energy and CO2 -----------------------------------------------------------------------------------------

# Table 4, hours of index building and seconds of 50 searches; table 5, kg of CO2 of the first, and of 10,000 and a
# million searches.
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
    hours = indexing[0] + indexing[1] / 60 + indexing[2] / 3600
    searching = fifty / 50 / 3600  # one search
    result = (emissions(hours), emissions(10_000 * searching), emissions(1_000_000 * searching))
    assert result == pytest.approx(expected, abs=0.0051)


def test_emissions_of_cleaning_in_table_5() -> None:
    assert emissions(15 * 0.75) == pytest.approx(0.65, abs=0.005)  # 45 minutes on 15 nodes


def test_constants_are_options() -> None:
    assert energy(2, 100) == pytest.approx(0.2)
    assert emissions(2, 0.5, 100) == pytest.approx(0.1)
    assert emissions(1) == pytest.approx(WATTS * KG_CO2_PER_KWH / 1000)


def test_break_even_by_hand() -> None:
    before, after = SearchCost(10.0, 0.5), SearchCost(4.0, 0.3)
    assert break_even(106.0, before, after) == pytest.approx(500)  # 106 + 4 - 10 = 100 seconds, 0.2 a query
    assert break_even(5.0, before, after) == 0  # the index alone saves as much
    assert break_even(100.0, before, SearchCost(4.0, 0.5)) is None
    assert break_even(100.0, before, SearchCost(4.0, 0.6)) is None
