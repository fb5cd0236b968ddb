"""Counts of a corpus in one pass, in memory that does not grow: documents, words, types, by site, language and year.

    counts = Statistics(); counts.add({"text": "It rained."}); counts.facts(10)["words"]    # 2

Words are those of `text.words`. Lengths are exact up to 1,000 words, above that within 0.5 per cent; types are
estimated.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..record import Record
from ..text.words import words
from .documents import language_of, site_of, text_of
from .rules import FIELD

# The most groups of a kind that are counted apart (sites: about 30 MB), and the most languages with types of their own.
MAX_GROUPS, MAX_TYPED = 100_000, 200
# The name of all groups beyond, and of documents without site, language or year.
OTHERS, NONE = "(others)", "(none)"
# Quantiles of lengths.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
# Bins of the histograms: of lengths, to a factor of 2; of quality.
_QUALITY_BINS = 20
_YEAR = re.compile(r"[0-9]{4}")

# Bits of a hash that choose one of the registers, of a byte each.
PRECISION = 14


@dataclass
class Tally:
    """What is counted of a group of documents."""

    documents: int = 0
    words: int = 0
    characters: int = 0
    duplicates: int = 0
    quality: float = 0.0  # the sum
    with_quality: int = 0  # documents that have it

    def add(self, words: int, characters: int, duplicate: bool, quality: float | None) -> None:
        self.documents += 1
        self.words += words
        self.characters += characters
        self.duplicates += duplicate
        if quality is not None:
            self.quality += quality
            self.with_quality += 1

    def facts(self) -> dict[str, Any]:
        """The counts, and the mean quality of those that have one."""
        mean = round(self.quality / self.with_quality, 4) if self.with_quality else None
        return {
            name: mean if name == "quality" else value for name, value in vars(self).items() if name != "with_quality"
        }


class Groups:
    """Tallies by the value of a field; values that come after MAX_GROUPS others are one group."""

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {}

    def __getitem__(self, name: str) -> Tally:
        tally = self.tallies.get(name)
        if tally is None:
            name = name if len(self.tallies) < MAX_GROUPS else OTHERS
            tally = self.tallies.setdefault(name, Tally())
        return tally

    def largest(self, number: int) -> Iterator[tuple[str, Tally]]:
        """The groups with the most words; then what all the rest has, as OTHERS."""
        named = sorted(
            ((name, tally) for name, tally in self.tallies.items() if name != OTHERS),
            key=lambda pair: (-pair[1].words, -pair[1].documents, pair[0]),
        )
        yield from named[:number]
        rest = [tally for _, tally in named[number:]] + [
            tally for name, tally in self.tallies.items() if name == OTHERS
        ]
        if rest:
            yield OTHERS, Tally(**{name: sum(getattr(tally, name) for tally in rest) for name in vars(Tally())})


class Statistics:
    def __init__(self) -> None:
        self.total = Tally()
        self.failed = 0  # records that are errors; whoever reads the stream counts them
        self._types, self._sites = HyperLogLog(), HyperLogLog()
        self._types_of: dict[str, HyperLogLog] = {}
        self._by = {"site": Groups(), "language": Groups(), "year": Groups()}
        self._duplicates, self._rules = Groups(), Groups()
        self._lengths: Counter[int] = Counter()
        self._qualities: Counter[int] = Counter()

    def add(self, document: Record) -> Record:
        """Counts a document, and returns it. Raises RecordError for one without text."""
        text = text_of(document)
        found = words(text)
        types = set(found)
        kind, quality = document.get("duplicate"), document.get("quality")
        if quality is not None and not 0 <= quality <= 1:  # of another program
            quality = None
        facts = len(found), len(text), bool(kind), quality
        language, site = language_of(document), site_of(document)
        self.total.add(*facts)
        for name, value in (("site", site), ("language", language), ("year", year_of(document))):
            self._by[name][value or NONE].add(*facts)
        self._types.add(types)
        if language in self._types_of or len(self._types_of) < MAX_TYPED:
            self._types_of.setdefault(language, HyperLogLog()).add(types)
        self._sites.add([site] if site else [])
        self._lengths[_rounded(len(found))] += 1
        if quality is not None:
            self._qualities[min(int(quality * _QUALITY_BINS), _QUALITY_BINS - 1)] += 1
        if kind:
            self._duplicates[kind if isinstance(kind, str) else "duplicate"].add(*facts)
        marks = document.get(FIELD)
        for rule in {
            mark["rule"]
            for mark in (marks if isinstance(marks, list) else ())
            if isinstance(mark, dict) and isinstance(mark.get("rule"), str)
        }:
            self._rules[rule].add(*facts)
        return document

    def facts(self, rows: int) -> dict[str, Any]:
        """All counts, as JSON; of sites, the *rows* largest."""
        sites = self._by["site"]
        languages = self._groups("language", self._by["language"], MAX_GROUPS)
        for row in languages:
            sketch = self._types_of.get("" if row["language"] == NONE else row["language"])
            row["types"] = sketch.count() if sketch else None
        years = sorted(
            self._groups("year", self._by["year"], MAX_GROUPS),
            key=lambda row: (row["year"] in (NONE, OTHERS), row["year"]),
        )
        exact = OTHERS not in sites.tallies
        return {
            **self.total.facts(),
            "failed": self.failed,
            "types": {"count": self._types.count(), "error": round(self._types.error, 4)},
            "sites": {
                "count": len(sites.tallies.keys() - {NONE}) if exact else self._sites.count(),
                "error": 0 if exact else round(self._sites.error, 4),
                "largest": self._groups("site", sites, rows),
            },
            "languages": languages,
            "years": years,
            "lengths": self._length_facts(),
            "qualities": [
                {"from": number / _QUALITY_BINS, "documents": self._qualities[number]}
                for number in (range(_QUALITY_BINS) if self._qualities else ())
            ],
            "duplicates_by_kind": self._groups("kind", self._duplicates, rows),
            "rules": self._groups("rule", self._rules, rows),
        }

    @staticmethod
    def _groups(kind: str, groups: Groups, rows: int) -> list[dict[str, Any]]:
        return [{kind: name, **tally.facts()} for name, tally in groups.largest(rows)]

    def _length_facts(self) -> dict[str, Any]:
        """Quantiles, and a histogram with bins of a factor of 2: 0, 1, 2–3, 4–7, … words."""
        bins: Counter[int] = Counter()
        for length, count in self._lengths.items():
            bins[length.bit_length()] += count
        histogram = [
            {"from": 1 << number - 1 if number else 0, "documents": bins[number]}
            for number in (range(min(bins), max(bins) + 1) if bins else ())
        ]
        return {"quantiles": self._quantiles(), "histogram": histogram}

    def _quantiles(self) -> dict[str, int]:
        if not self._lengths:
            return {}
        lengths, counts = zip(*sorted(self._lengths.items()))
        at = np.searchsorted(np.cumsum(counts), np.array(QUANTILES) * self.total.documents).tolist()
        return {f"{quantile:g}": lengths[place] for quantile, place in zip(QUANTILES, at)}


def year_of(document: Record) -> str:
    """The year of a document's date in its head; empty if it has none."""
    date = (document.get("head") or {}).get("date")
    found = _YEAR.match(date) if isinstance(date, str) else None
    return found[0] if found else ""


def _rounded(length: int) -> int:
    """A length with three significant digits, so that there are few different ones."""
    unit: int = 10 ** max(len(str(length)) - 3, 0)
    return round(length / unit) * unit


class HyperLogLog:
    """A set that can be counted, not listed, of 2 to the power of *precision* bytes."""

    def __init__(self, precision: int = PRECISION) -> None:
        self._precision, self._size = precision, 1 << precision
        self._registers: NDArray[Any] = np.zeros(self._size, np.uint8)

    @property
    def error(self) -> float:
        """The standard deviation of the count, as a share of it."""
        return 1.04 / math.sqrt(self._size)

    def add(self, strings: Collection[str]) -> None:
        if not strings:
            return
        digest = xxhash.xxh3_64_intdigest
        hashes = np.array([digest(string.encode("utf-8", "surrogatepass")) for string in strings], np.uint64)
        places = hashes >> np.uint64(64 - self._precision)
        # one more than the number of zeros before the first one of the other bits; the last bit stands for all zeros
        rest = hashes << np.uint64(self._precision) | np.uint64(1 << (self._precision - 1))
        ranks = 64 - np.frexp(rest.astype(np.float64))[1] + 1
        # a float rounds numbers of many ones up to the next power of two
        ranks = np.maximum(ranks, 1)
        np.maximum.at(self._registers, places, ranks.astype(np.uint8))

    def count(self) -> int:
        longest = 64 - self._precision
        counts = np.bincount(self._registers, minlength=longest + 2).tolist()
        total = self._size * _tau(1 - counts[longest + 1] / self._size)
        for rank in range(longest, 0, -1):
            total = 0.5 * (total + counts[rank])
        total += self._size * _sigma(counts[0] / self._size)
        return round(self._size**2 / (2 * math.log(2) * total)) if math.isfinite(total) else 0


def _sigma(x: float) -> float:
    """Ertl's σ: x + Σ x^(2^k) 2^(k−1)."""
    if x == 1:
        return math.inf
    weight, total, before = 1.0, x, -1.0
    while total != before:
        x, before = x * x, total
        total, weight = total + x * weight, 2 * weight
    return total


def _tau(x: float) -> float:
    """Ertl's τ: (1 − x − Σ (1 − x^(2^−k))² 2^−k) / 3."""
    if x in (0, 1):
        return 0
    weight, total, before = 1.0, 1 - x, -1.0
    while total != before:
        x, before, weight = math.sqrt(x), total, weight / 2
        total -= (1 - x) ** 2 * weight
    return total / 3
