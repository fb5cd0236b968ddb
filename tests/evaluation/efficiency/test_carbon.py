"""Energy and CO2 against tables 4 and 5 of PyPlexity 2023, and break-even by hand."""

from __future__ import annotations

import pytest

from ncfilters.evaluation.efficiency.carbon import CARBON, WATTS, Cost, break_even, emitted, energy

# Table 4, hours of index building and seconds of 50 searches; table 5, kg of CO2 of the first, and of 10,000 and a
# million searches.
PAPER = [
    ("baseline", (3, 24, 23), 45.15, (0.20, 0.15, 14.54)),
    ("bigrams 8K", (1, 1, 42), 23.11, (0.06, 0.07, 7.44)),
    ("bigrams 10K", (1, 7, 48), 25.22, (0.07, 0.08, 8.12)),
    ("trigrams 8K", (1, 0, 8), 23.59, (0.06, 0.08, 7.60)),
    ("trigrams 10K", (1, 4, 4), 24.82, (0.06, 0.08, 7.99)),
]


@pytest.mark.parametrize(("name", "indexing", "fifty", "wanted"), PAPER, ids=[row[0] for row in PAPER])
def test_table_5(name: str, indexing: tuple[int, int, int], fifty: float, wanted: tuple[float, ...]) -> None:
    hours = indexing[0] + indexing[1] / 60 + indexing[2] / 3600
    searching = fifty / 50 / 3600  # one search
    found = (emitted(hours), emitted(10_000 * searching), emitted(1_000_000 * searching))
    assert found == pytest.approx(wanted, abs=0.0051)


def test_cleaning_of_table_5() -> None:
    assert emitted(15 * 0.75) == pytest.approx(0.65, abs=0.005)  # 45 minutes on 15 nodes


def test_constants_are_options() -> None:
    assert energy(2, 100) == pytest.approx(0.2)
    assert emitted(2, 0.5, 100) == pytest.approx(0.1)
    assert emitted(1) == pytest.approx(WATTS * CARBON / 1000)


def test_break_even() -> None:
    before, after = Cost(10.0, 0.5), Cost(4.0, 0.3)
    assert break_even(106.0, before, after) == pytest.approx(500)  # 106 + 4 - 10 = 100 seconds, 0.2 a query
    assert break_even(5.0, before, after) == 0  # the index alone pays
    assert break_even(100.0, before, Cost(4.0, 0.5)) is None
    assert break_even(100.0, before, Cost(4.0, 0.6)) is None
