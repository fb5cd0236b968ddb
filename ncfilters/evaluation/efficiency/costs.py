"""What cleaning saves, as data: documents, bytes and words; an inverted index and its searches; energy and CO2.

    before, found, status = holdings.read("nc-eval", args, stored=True)
    facts = counts(before, found)       # [{"system": "ours", "figure": "words", "value": 1234, "of_text": 27.2, …}, …]
    indexed = measured([before.text, *found], queries=1000, seed=1, repeats=3)

Shares are per cent: `of_text` of the text that removing the tags leaves, `of_pages` of the pages' HTML.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...version import __version__
from ..results import Facts
from .carbon import CARBON, MANY, WATTS, Cost, break_even, emitted, energy
from .corpus_counts import Before, Holding

PAGES = "(pages)"
# Unless told otherwise: queries that are sampled, and how often an index is made and searched.
QUERIES, SEED, REPEATS = 1000, 1, 3
HOUR = 3600


@dataclass(frozen=True)
class Indexed:
    """What an index of a collection is: bytes on disk, and what it costs (medians)."""

    bytes: int
    cost: Cost


@dataclass(frozen=True)
class Measured:
    """The indexes of collections, in their order, and what made them: the engine, how many queries they answered, how
    often."""

    indexes: list[Indexed]
    engine: str
    queries: int
    seed: int
    repeats: int


@dataclass(frozen=True)
class Rates:
    """The constants of equation 9, kg of CO2 a kWh and watts; and CPU seconds that each system's cleaning took, if
    known."""

    carbon: float = CARBON
    watts: float = WATTS
    cleaning: Sequence[float] = ()


def measured(collections: Sequence[Holding], queries: int, seed: int, repeats: int) -> Measured:
    """An index of each collection, made *repeats* times in turn, and the same *queries* to each, sampled from the
    second collection: what stays is what people look for. The collections must be stored.

    Raises UsageError where the engine is not installed, OSError where there is no room.
    """
    from . import search_index

    engine = search_index.engine()
    texts = [collection.texts for collection in collections if collection.texts is not None]
    asked = search_index.sampled(texts[1], queries, seed)
    sizes: list[int] = []
    costs: list[list[Cost]] = [[] for _ in texts]
    for _ in range(repeats):
        sizes = []
        for some, of in zip(texts, costs):
            with search_index.Index(some) as made:
                of.append(Cost(made.seconds, made.time(asked) / len(asked) if asked else 0.0))
                sizes.append(made.bytes)
    return Measured(list(map(Indexed, sizes, map(_median, costs))), engine, len(asked), seed, repeats)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(statistics.median(cost.indexing for cost in costs), statistics.median(cost.query for cost in costs))


# ---- facts --------------------------------------------------------------------------------------------------


def counts(before: Before, found: Sequence[Holding]) -> Facts:
    """Documents, bytes and words of the pages, of their text, and of what each system left."""
    text = before.text
    out = [
        _fact(PAGES, "documents", before.documents, of_pages=before.documents),
        _fact(PAGES, "bytes", before.bytes, of_pages=before.bytes),
    ]
    for one in (text, *found):
        out += [
            _fact(one.name, "documents", one.documents, text.documents, before.documents),
            _fact(one.name, "bytes", one.bytes, text.bytes, before.bytes),
            _fact(one.name, "words", one.words, text.words),
        ]
    return out


def searching(names: Sequence[str], found: Measured) -> Facts:
    """Index size, CPU seconds to index, CPU milliseconds a query of each collection; the first is the pages' text."""
    out = []
    first = found.indexes[0]
    for name, one in zip(names, found.indexes):
        out.append(_fact(name, "index bytes", one.bytes, first.bytes))
        out.append(_fact(name, "indexing seconds", one.cost.indexing, first.cost.indexing))
        if found.queries:
            out.append(_fact(name, "query milliseconds", 1e3 * one.cost.query, 1e3 * first.cost.query))
    return out


def costs(names: Sequence[str], found: Measured, rates: Rates) -> Facts:
    """CPU hours, kWh and kg of CO2 (equation 9) of each collection: of cleaning, of indexing, of a million queries, and
    their sum; and how many queries pay for the cleaning (None: none do)."""
    out = []
    first = found.indexes[0].cost
    for place, (name, one) in enumerate(zip(names, found.indexes)):
        before, after = _works(first, 0.0, found.queries), one.cost
        cleaning = rates.cleaning[place - 1] if place and rates.cleaning else None
        for work, seconds in _works(after, cleaning or 0.0, found.queries).items():
            hours = seconds / HOUR
            of_text = before[work] / HOUR if work in before else None
            out += [
                _fact(name, f"{work}: CPU hours", hours, of_text),
                _fact(name, f"{work}: kWh", energy(hours, rates.watts)),
                _fact(name, f"{work}: kg CO2", emitted(hours, rates.carbon, rates.watts)),
            ]
        if cleaning is not None and found.queries:
            out.append(_fact(name, "break-even queries", break_even(cleaning, first, after)))
    return out


def _works(cost: Cost, cleaning: float, queries: int) -> dict[str, float]:
    """What there is to do for a collection, and the CPU seconds of it."""
    out = {"cleaning": cleaning} if cleaning else {}
    out["indexing"] = cost.indexing
    if queries:
        out["million queries"] = MANY * cost.query
        out["all"] = sum(out.values())
    return out


def _fact(
    system: str, figure: str, value: float | None, of_text: float | None = None, of_pages: float | None = None
) -> dict[str, Any]:
    shares = [100 * value / whole if value is not None and whole else None for whole in (of_text, of_pages)]
    return {"system": system, "figure": figure, "value": value, "of_text": shares[0], "of_pages": shares[1]}


def signatures(documents: int, found: Measured | None, rates: Rates, source: str) -> Facts:
    """What made the figures; *source* is the collection that queries were sampled from."""
    counted = f"words:white space|text:without tags|pages:{documents}|ncfilters:{__version__}"
    made = [{"what": "counts", "signature": counted}]
    if found:
        asked = f"queries:{found.queries}|seed:{found.seed}|from:{source}"
        how = f"by:{found.engine}|time:CPU, one thread|repeats:{found.repeats}"
        made.append({"what": "index", "signature": f"{how}|{asked}"})
        made.append({"what": "costs", "signature": f"kg/kWh:{rates.carbon:g}|watts:{rates.watts:g}"})
    return made


def signed(facts: Facts, made: Facts) -> Facts:
    """The facts, each with the signatures of what it comes from."""
    of = [one["signature"] for one in made]
    return [{**fact, "signature": "|".join(of[: _kind(fact["figure"])])} for fact in facts]


def _kind(figure: str) -> int:
    """How many of the signatures (counts, index, costs) a figure has."""
    if figure in ("documents", "bytes", "words"):
        return 1
    return 3 if ":" in figure or figure == "break-even queries" else 2
