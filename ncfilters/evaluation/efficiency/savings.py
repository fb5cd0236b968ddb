"""The savings of cleaning: the remaining corpus, and the cost of indexing and searching it before and after.

    facts, signatures = savings(raw, systems, SavingsOptions(IndexOptions(queries=100)))
    facts[0]    # {"system": "(pages)", "figure": "documents", "value": 1234, "of_pages": 100.0, …}

This is not about the quality of the text, which `evaluation.results` measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..results import Facts
from .corpus_counts import CleanedCorpus, RawCorpus
from .costs import EnergyRates, IndexOptions, cost_facts, cost_signatures, count_facts, index_facts, measure_indexes


@dataclass(frozen=True)
class SavingsOptions:
    """The measurements in addition to the counts."""

    index: IndexOptions | None = None  # None: no index; the texts need not be stored
    rates: EnergyRates = EnergyRates()


def savings(raw: RawCorpus, systems: Sequence[CleanedCorpus], options: SavingsOptions) -> tuple[Facts, Facts]:
    """The facts, and the signatures that describe how they are produced.

    Raises UsageError if there is no search engine for the index, OSError if there is no disk space.
    """
    facts = count_facts(raw, systems)
    measured = None
    if options.index is not None:
        measured = measure_indexes([raw.text, *systems], options.index)
        names = [one.name for one in (raw.text, *systems)]
        facts += index_facts(names, measured) + cost_facts(names, measured, options.rates)
    return facts, cost_signatures(raw.documents, measured, options.rates, systems[0].name)
