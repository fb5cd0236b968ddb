"""The costs that cleaning saves, as data: index size, CPU time of indexing and queries, energy, CO2 (PyPlexity 2023).

    indexes = measure_indexes([raw.text, *systems], IndexOptions(queries=1000))
    cost_facts(["raw", "ours"], indexes, EnergyRates())    # [{"system": "raw", "figure": "indexing: kWh", …}, …]

Shares are per cent: `of_text` of the text of the pages without tags, `of_pages` of their HTML.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...installed import __version__
from ..results import Facts
from . import search_index
from .corpus_counts import CorpusCounts, RawCorpus

# The name of the pages before cleaning, in the results.
PAGES = "(pages)"
SECONDS_PER_HOUR = 3600
# C_e of equation 9 (PyPlexity 2023, section 5.1.3): kg of CO2 equivalent per kWh where the authors' cluster is.
KG_CO2_PER_KWH = 0.341
# W_cpu of equation 9: the thermal design power of a node of that cluster, with two Xeon E5-2630 v4 of 85 watts each. It
# leads from the times of table 4 to table 5, except for 10,000 searches: at 45 seconds for 50 they take 2.5 hours, as
# in table 5, and not the 125 of table 4.
WATTS = 170.0
# The number of queries that costs are given for, as in table 5.
SCALED_QUERIES = 1_000_000


@dataclass(frozen=True)
class SearchCost:
    """The cost of a collection to a search engine, in CPU seconds: to index all of it, and for one query."""

    indexing: float
    query: float


@dataclass(frozen=True)
class IndexStats:
    """The index of a collection: bytes on disk, and the median costs."""

    bytes: int
    cost: SearchCost


@dataclass(frozen=True)
class IndexOptions:
    """How indexes are measured."""

    queries: int = 1000  # sampled from the texts of the first system
    seed: int = 1
    repeats: int = 3  # times are medians of so many runs


@dataclass(frozen=True)
class IndexMeasurements:
    """The indexes of collections, in their order, with the search engine and the number of queries it answered."""

    indexes: list[IndexStats]
    engine: str
    queries: int
    seed: int
    repeats: int


@dataclass(frozen=True)
class EnergyRates:
    """The constants of equation 9, and the CPU seconds that cleaning took for each system, if known."""

    carbon: float = KG_CO2_PER_KWH
    watts: float = WATTS
    cleaning: Sequence[float] = ()


def energy(hours: float, watts: float = WATTS) -> float:
    """The energy of *hours* of computing at *watts*, in kWh."""
    return hours * watts / 1000


def emissions(hours: float, carbon: float = KG_CO2_PER_KWH, watts: float = WATTS) -> float:
    """The kg of CO2 equivalent of *hours* of computing (equation 9); *carbon* is in kg per kWh."""
    return energy(hours, watts) * carbon


def break_even(cleaning: float, before: SearchCost, after: SearchCost) -> float | None:
    """The number of queries after which the savings equal the cost of *cleaning* (CPU seconds for the collection).

    0 if faster indexing alone saves as much; None if no number of queries does. Energy and CO2 break even at the same
    number, since equation 9 is linear in time.
    """
    owed = cleaning + after.indexing - before.indexing
    saved = before.query - after.query
    if owed <= 0:
        return 0.0
    return owed / saved if saved > 0 else None


def measure_indexes(collections: Sequence[CorpusCounts], options: IndexOptions) -> IndexMeasurements:
    """The index of each collection, built `repeats` times, the collections alternating, and queried each time.

    The queries are the same for all. They are sampled from the second collection, since users search for the text that
    cleaning keeps. The texts of the collections must be stored. Raises UsageError if the search engine is not
    installed, OSError if there is no disk space.
    """
    engine = search_index.engine()
    texts = [collection.texts for collection in collections if collection.texts is not None]
    queries = search_index.sample_queries(texts[1], options.queries, options.seed)
    sizes: list[int] = []
    costs: list[list[SearchCost]] = [[] for _ in texts]
    for _ in range(options.repeats):
        sizes = []
        for stored, of_collection in zip(texts, costs):
            with search_index.Index(stored) as index:
                query = index.time(queries) / len(queries) if queries else 0.0
                of_collection.append(SearchCost(index.seconds, query))
                sizes.append(index.bytes)
    stats = list(map(IndexStats, sizes, map(_median, costs)))
    return IndexMeasurements(stats, engine, len(queries), options.seed, options.repeats)


def _median(costs: Sequence[SearchCost]) -> SearchCost:
    return SearchCost(
        statistics.median(cost.indexing for cost in costs), statistics.median(cost.query for cost in costs)
    )


# ---- facts --------------------------------------------------------------------------------------------------


def count_facts(raw: RawCorpus, systems: Sequence[CorpusCounts]) -> Facts:
    """The documents, bytes and words of the pages, of their text, and of the texts of each system."""
    text = raw.text
    out = [
        _fact(PAGES, "documents", raw.documents, of_pages=raw.documents),
        _fact(PAGES, "bytes", raw.bytes, of_pages=raw.bytes),
    ]
    for one in (text, *systems):
        out += [
            _fact(one.name, "documents", one.documents, text.documents, raw.documents),
            _fact(one.name, "bytes", one.bytes, text.bytes, raw.bytes),
            _fact(one.name, "words", one.words, text.words),
        ]
    return out


def index_facts(names: Sequence[str], measured: IndexMeasurements) -> Facts:
    """The index size, CPU seconds of indexing and CPU milliseconds per query of each collection; the first is the text
    of the pages."""
    out = []
    first = measured.indexes[0]
    for name, one in zip(names, measured.indexes):
        out.append(_fact(name, "index bytes", one.bytes, first.bytes))
        out.append(_fact(name, "indexing seconds", one.cost.indexing, first.cost.indexing))
        if measured.queries:
            out.append(_fact(name, "query milliseconds", 1e3 * one.cost.query, 1e3 * first.cost.query))
    return out


def cost_facts(names: Sequence[str], measured: IndexMeasurements, rates: EnergyRates) -> Facts:
    """The CPU hours, kWh and kg of CO2 (equation 9) of each collection: for cleaning, indexing, a million queries, and
    all of these; and the number of queries to break even (None if no number does)."""
    out = []
    first = measured.indexes[0].cost
    for place, (name, one) in enumerate(zip(names, measured.indexes)):
        before, after = _work_seconds(first, 0.0, measured.queries), one.cost
        cleaning = rates.cleaning[place - 1] if place and rates.cleaning else None
        for work, seconds in _work_seconds(after, cleaning or 0.0, measured.queries).items():
            hours = seconds / SECONDS_PER_HOUR
            of_text = before[work] / SECONDS_PER_HOUR if work in before else None
            out += [
                _fact(name, f"{work}: CPU hours", hours, of_text),
                _fact(name, f"{work}: kWh", energy(hours, rates.watts)),
                _fact(name, f"{work}: kg CO2", emissions(hours, rates.carbon, rates.watts)),
            ]
        if cleaning is not None and measured.queries:
            out.append(_fact(name, "break-even queries", break_even(cleaning, first, after)))
    return out


def _work_seconds(cost: SearchCost, cleaning: float, queries: int) -> dict[str, float]:
    """The CPU seconds of each kind of work on a collection."""
    out = {"cleaning": cleaning} if cleaning else {}
    out["indexing"] = cost.indexing
    if queries:
        out["million queries"] = SCALED_QUERIES * cost.query
        out["all"] = sum(out.values())
    return out


def _fact(
    system: str, figure: str, value: float | None, of_text: float | None = None, of_pages: float | None = None
) -> dict[str, Any]:
    shares = [100 * value / whole if value is not None and whole else None for whole in (of_text, of_pages)]
    return {"system": system, "figure": figure, "value": value, "of_text": shares[0], "of_pages": shares[1]}


def cost_signatures(documents: int, measured: IndexMeasurements | None, rates: EnergyRates, source: str) -> Facts:
    """How the figures are produced (see `evaluation.signatures`); *source* is the collection that queries are sampled
    from."""
    counted = f"words:white space|text:without tags|pages:{documents}|ncfilters:{__version__}"
    out = [{"what": "counts", "signature": counted}]
    if measured:
        asked = f"queries:{measured.queries}|seed:{measured.seed}|from:{source}"
        how = f"by:{measured.engine}|time:CPU, one thread|repeats:{measured.repeats}"
        out.append({"what": "index", "signature": f"{how}|{asked}"})
        out.append({"what": "costs", "signature": f"kg/kWh:{rates.carbon:g}|watts:{rates.watts:g}"})
    return out


def with_signatures(facts: Facts, signatures: Facts) -> Facts:
    """The facts, each with the signatures of the measurements that it depends on."""
    parts = [one["signature"] for one in signatures]
    return [{**fact, "signature": "|".join(parts[: _signature_count(fact["figure"])])} for fact in facts]


def _signature_count(figure: str) -> int:
    """How many of the signatures (counts, index, costs) apply to a figure."""
    if figure in ("documents", "bytes", "words"):
        return 1
    return 3 if ":" in figure or figure == "break-even queries" else 2
