"""What computing costs: energy, CO2, and how many searches pay for the cleaning (PyPlexity 2023, section 5.1.3).

emitted(2.5)                     # 0.145: kg of CO2 of 2.5 hours
break_even(8100, Cost(0.74, 0.90), Cost(0.22, 0.47))
"""

from __future__ import annotations

from dataclasses import dataclass

# C_e of equation 9: kg of CO2 equivalent a kWh, where the paper's cluster stands.
CARBON = 0.341
# W_cpu: the thermal design power of a node of theirs, which has two Xeon E5-2630 v4 of 85 watts each. With it the times
# of table 4 give table 5, but for 10,000 searches: at 45 seconds for 50 they take 2.5 hours, as table 5 counts, and not
# the 125 of table 4.
WATTS = 170.0
# Searches that costs are scaled to, as in table 5.
MANY = 1_000_000


@dataclass(frozen=True)
class Cost:
    """What a collection costs a search engine: CPU seconds to index all of it, and for one query."""

    indexing: float
    query: float


def energy(hours: float, watts: float = WATTS) -> float:
    """kWh that *hours* of computing take at *watts*."""
    return hours * watts / 1000


def emitted(hours: float, carbon: float = CARBON, watts: float = WATTS) -> float:
    """kg of CO2 equivalent of *hours* of computing (equation 9); *carbon* is kg a kWh."""
    return energy(hours, watts) * carbon


def break_even(cleaning: float, before: Cost, after: Cost) -> float | None:
    """The number of queries after which *cleaning* (CPU seconds, of the whole collection) is paid by what is saved.

    0 if the faster indexing alone pays it, None if no number does. Energy and CO2 break even at the same number, for
    equation 9 is linear in time.
    """
    owed = cleaning + after.indexing - before.indexing
    saved = before.query - after.query
    if owed <= 0:
        return 0.0
    return owed / saved if saved > 0 else None
