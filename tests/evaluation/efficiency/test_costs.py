"""What cleaning saves, as data: shares, sums and break-even by hand; indexes that are measured."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.evaluation.efficiency import costs
from ncfilters.evaluation.efficiency.carbon import CARBON, WATTS, Cost
from ncfilters.evaluation.efficiency.corpus_counts import After, Before
from ncfilters.evaluation.efficiency.costs import Indexed, Measured, Rates

NAMES = ["text", "ours", "theirs"]
FOUND = Measured(
    [Indexed(1000, Cost(10.0, 0.004)), Indexed(250, Cost(4.0, 0.003)), Indexed(500, Cost(5.0, 0.004))],
    "an engine",
    100,
    1,
    3,
)


def values(facts: list[dict[str, Any]], which: str = "value") -> dict[tuple[str, str], Any]:
    return {(fact["system"], fact["figure"]): fact[which] for fact in facts}


def collections(pages: int = 3) -> tuple[Before, After]:
    before = Before(stored=True)
    for n in range(pages):
        before.take({"id": n, "html": f"<nav>Home</nav><p>page {n}"})
    after = After("ours", before, stored=True)
    for n in range(pages - 1):
        after.take({"id": n, "text": f"page {n}"})
    return before, after


def test_counts() -> None:
    before, after = collections()
    facts = costs.counts(before, [after])
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


def test_shares_of_nothing() -> None:
    before = Before()
    before.take({"id": 1, "html": ""})
    after = After("ours", before)
    assert set(values(costs.counts(before, [after]), "of_text").values()) == {None}


def test_searching() -> None:
    facts = costs.searching(NAMES, FOUND)
    assert values(facts)["ours", "query milliseconds"] == pytest.approx(3)
    assert values(facts, "of_text")["ours", "index bytes"] == 25
    assert values(facts, "of_text")["theirs", "indexing seconds"] == 50


def test_costs_add_up() -> None:
    found = values(costs.costs(NAMES, FOUND, Rates(cleaning=(100.0, 20.0))))
    hours = {name: found[name, "all: CPU hours"] for name in NAMES}
    assert hours == pytest.approx({"text": 4010 / 3600, "ours": 3104 / 3600, "theirs": 4025 / 3600})
    assert found["ours", "all: kWh"] == pytest.approx(hours["ours"] * WATTS / 1000)
    assert found["ours", "all: kg CO2"] == pytest.approx(hours["ours"] * WATTS / 1000 * CARBON)
    assert found["ours", "cleaning: CPU hours"] == pytest.approx(100 / 3600)
    assert ("text", "cleaning: CPU hours") not in found
    assert found["ours", "break-even queries"] == pytest.approx((100 + 4 - 10) / 0.001)
    assert found["theirs", "break-even queries"] is None
    assert ("text", "break-even queries") not in found


def test_rates_are_options() -> None:
    found = values(costs.costs(NAMES, FOUND, Rates(carbon=1.0, watts=1000.0)))
    assert found["ours", "indexing: kg CO2"] == pytest.approx(4 / 3600)
    assert not [figure for _, figure in found if figure.startswith(("cleaning", "break"))]


def test_cleaning_for_nothing_has_its_break_even() -> None:
    found = values(costs.costs(NAMES, FOUND, Rates(cleaning=(0.0, 0.0))))
    assert found["ours", "break-even queries"] == 0


def test_without_queries() -> None:
    found = Measured(FOUND.indexes, "an engine", 0, 1, 3)
    assert {figure for _, figure in values(costs.searching(NAMES, found))} == {"index bytes", "indexing seconds"}
    figures = {figure for _, figure in values(costs.costs(NAMES, found, Rates(cleaning=(1.0, 1.0))))}
    assert figures == {
        f"{work}: {unit}" for work in ("cleaning", "indexing") for unit in ("CPU hours", "kWh", "kg CO2")
    }


def test_every_figure_is_signed_with_what_it_comes_from() -> None:
    before, after = collections()
    facts = costs.counts(before, [after]) + costs.searching(NAMES, FOUND) + costs.costs(NAMES, FOUND, Rates(0.5, 100))
    made = costs.signatures(3, FOUND, Rates(0.5, 100), "ours")
    signed = values(costs.signed(facts, made), "signature")
    assert signed["ours", "words"] == made[0]["signature"]
    assert "engine" in signed["ours", "index bytes"]
    assert "watts" not in signed["ours", "index bytes"]
    assert "kg/kWh:0.5|watts:100" in signed["ours", "indexing: kWh"]
    assert "queries:100|seed:1|from:ours" in signed["ours", "indexing: kWh"]
    assert [one["what"] for one in costs.signatures(3, None, Rates(), "ours")] == ["counts"]


def test_an_index_of_each() -> None:
    pytest.importorskip("tantivy", reason="tantivy, the extra search, is not installed")
    before, after = collections(50)
    found = costs.measured([before.text, after], 20, 1, 2)
    whole, less = found.indexes
    assert found.engine.startswith("tantivy ")
    assert (found.queries, found.repeats) == (20, 2)
    assert 0 < less.bytes < whole.bytes
    assert all(one.cost.indexing > 0 and one.cost.query > 0 for one in found.indexes)
    again = costs.measured([before.text, after], 0, 1, 1)
    assert [one.bytes for one in again.indexes] == [whole.bytes, less.bytes]
    assert (again.queries, again.indexes[0].cost.query) == (0, 0)
