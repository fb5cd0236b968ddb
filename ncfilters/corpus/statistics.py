"""Counts of a corpus in one pass, in memory that does not grow: documents, words, types, by site, language and year.
Key terms: what is much more frequent in one corpus than in another.

    counts = Statistics(); counts.add({"text": "It rained."}); counts.facts(10)["words"]    # 2
    log_ratio(200, 100, 1_000, 1_000)    # 1.0: twice as frequent in the first

Words are those of `text.words`. Lengths are exact up to 1,000 words, above that within 0.5 per cent; types are
estimated. The effect of a key term is Hardie's log ratio (2014, "Log ratio: an informal introduction"), the evidence is
Dunning's log-likelihood (1993, "Accurate methods for the statistics of surprise and coincidence").
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..record import Record
from ..text.words import words
from .documents import language_of, site_of, text_of
from .rules import marks_of

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


# What is counted of a group of documents: among others the sum of their qualities, and how many have one.
Tally = list[float]
_FIELDS = ("documents", "words", "characters", "duplicates", "quality", "with_quality")


class Groups:
    """Tallies by the value of a field; values that come after MAX_GROUPS others are one group."""

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {}

    def add(self, name: str, facts: Sequence[float]) -> None:
        if name not in self.tallies and len(self.tallies) >= MAX_GROUPS:
            name = OTHERS
        before = self.tallies.get(name) or [0] * len(_FIELDS)
        self.tallies[name] = [count + more for count, more in zip(before, facts)]

    def rows(self, kind: str, number: int) -> list[dict[str, Any]]:
        """The counts of the groups with the most words, as JSON; then what all the rest has, as OTHERS."""
        groups = sorted(self.tallies.items(), key=lambda row: (row[0] == OTHERS, -row[1][1], -row[1][0], row[0]))
        count = min(number, len(groups) - (OTHERS in self.tallies))
        if rest := [tally for _, tally in groups[count:]]:
            groups[count:] = [(OTHERS, list(map(sum, zip(*rest))))]
        return [{kind: name, **_facts(tally)} for name, tally in groups]


def _facts(tally: Tally) -> dict[str, Any]:
    """The counts, and the mean quality of those that have one."""
    out: dict[str, Any] = dict(zip(_FIELDS, tally))
    with_quality = out.pop("with_quality")
    out["quality"] = round(out["quality"] / with_quality, 4) if with_quality else None
    return out


class Statistics:
    def __init__(self) -> None:
        self._total = Groups()  # of one group
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
        facts = 1, len(found), len(text), bool(kind), quality or 0, quality is not None
        language, site = language_of(document), site_of(document)
        self._total.add("", facts)
        date = (document.get("head") or {}).get("date")
        year = _YEAR.match(date) if isinstance(date, str) else None
        for name, value in (("site", site), ("language", language), ("year", year and year[0])):
            self._by[name].add(value or NONE, facts)
        self._types.add(types)
        if language in self._types_of or len(self._types_of) < MAX_TYPED:
            self._types_of.setdefault(language, HyperLogLog()).add(types)
        self._sites.add([site] if site else [])
        unit: int = 10 ** max(len(str(len(found))) - 3, 0)  # three significant digits: few different lengths
        self._lengths[round(len(found) / unit) * unit] += 1
        if quality is not None:
            self._qualities[min(int(quality * _QUALITY_BINS), _QUALITY_BINS - 1)] += 1
        if kind:
            self._duplicates.add(kind if isinstance(kind, str) else "duplicate", facts)
        for rule in {mark["rule"] for mark in marks_of(document) if isinstance(mark.get("rule"), str)}:
            self._rules.add(rule, facts)
        return document

    def facts(self, rows: int) -> dict[str, Any]:
        """All counts, as JSON; of sites, the *rows* largest."""
        sites = self._by["site"]
        languages = self._by["language"].rows("language", MAX_GROUPS)
        for row in languages:
            sketch = self._types_of.get("" if row["language"] == NONE else row["language"])
            row["types"] = sketch.count() if sketch else None
        years = self._by["year"].rows("year", MAX_GROUPS)
        years.sort(key=lambda row: (row["year"] in (NONE, OTHERS), row["year"]))
        exact = OTHERS not in sites.tallies
        return {
            **_facts(self._total.tallies.get("", [0] * len(_FIELDS))),
            "failed": self.failed,
            "types": {"count": self._types.count(), "error": round(self._types.error, 4)},
            "sites": {
                "count": len(sites.tallies.keys() - {NONE}) if exact else self._sites.count(),
                "error": 0 if exact else round(self._sites.error, 4),
                "largest": sites.rows("site", rows),
            },
            "languages": languages,
            "years": years,
            "lengths": self._length_facts(),
            "qualities": [
                {"from": number / _QUALITY_BINS, "documents": self._qualities[number]}
                for number in (range(_QUALITY_BINS) if self._qualities else ())
            ],
            "duplicates_by_kind": self._duplicates.rows("kind", rows),
            "rules": self._rules.rows("rule", rows),
        }

    def _length_facts(self) -> dict[str, Any]:
        """Quantiles, and a histogram with bins of a factor of 2: 0, 1, 2–3, 4–7, … words."""
        bins: Counter[int] = Counter()
        for length, count in self._lengths.items():
            bins[length.bit_length()] += count
        histogram = [
            {"from": 1 << number - 1 if number else 0, "documents": bins[number]}
            for number in (range(min(bins), max(bins) + 1) if bins else ())
        ]
        quantiles: dict[str, int] = {}
        if self._lengths:
            lengths, counts = zip(*sorted(self._lengths.items()))
            at = np.searchsorted(np.cumsum(counts), np.array(QUANTILES) * sum(counts)).tolist()
            quantiles = {f"{quantile:g}": lengths[place] for quantile, place in zip(QUANTILES, at)}
        return {"quantiles": quantiles, "histogram": histogram}


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
        """The estimate of Ertl (2017, "New cardinality estimation algorithms for HyperLogLog sketches")."""
        longest = 64 - self._precision
        counts = np.bincount(self._registers, minlength=longest + 2).tolist()
        if counts[0] == self._size:
            return 0
        empty: float = counts[0] / self._size
        full: float = 1 - counts[longest + 1] / self._size
        # σ(x) = x + Σ x^(2^k) 2^(k−1), and τ(x) = (1 − x − Σ (1 − x^(2^−k))² 2^−k) / 3; later summands are 0
        sigma = empty + sum(empty ** (1 << k) * (1 << k - 1) for k in range(1, 64))
        tau = (1 - full - sum((1 - full ** (0.5**k)) ** 2 * 0.5**k for k in range(1, 64))) / 3 if full else 0
        total: float = self._size * tau
        for rank in range(longest, 0, -1):
            total = 0.5 * (total + counts[rank])
        return round(self._size**2 / (2 * math.log(2) * (total + self._size * sigma)))


# ---- key terms ----

# Log-likelihood of p < 0.0001 with one degree of freedom, the usual bound for key terms (Rayson, Berridge and Francis
# 2004).
MIN_LIKELIHOOD = 15.13
# A key term is so frequent, in so many documents, in the corpus where it is key.
MIN_FREQUENCY, MIN_DOCUMENTS = 5, 3
# Instead of a frequency of 0 in a ratio (Hardie).
_NONE = 0.5
ORDERS = ("log-ratio", "log-likelihood")

# The share of terms that are forgotten at once, at least.
_FORGOTTEN = 0.25


def log_ratio(a: int, b: int, total_a: int, total_b: int) -> float:
    """The binary logarithm of the ratio of relative frequencies in two corpora; a frequency of 0 counts as ½."""
    return math.log2((a or _NONE) / total_a) - math.log2((b or _NONE) / total_b)


def log_likelihood(a: int, b: int, total_a: int, total_b: int) -> float:
    """G² of the table of a term and all others in two corpora: 2 Σ observed × ln(observed / expected)."""
    total = total_a + total_b
    out = 0.0
    for count, size in ((a, total_a), (b, total_b)):
        for observed, row in ((count, a + b), (size - count, total - a - b)):
            if observed:
                out += observed * math.log(observed * total / (row * size))
    return max(2 * out, 0.0)


def keyness(
    a: CorpusTerms, b: CorpusTerms, number: int = 20, order: str = ORDERS[0], min_likelihood: float = MIN_LIKELIHOOD
) -> dict[str, Any]:
    """The sizes of two corpora, and their key words and bigrams with at least that log-likelihood, as JSON: of each
    corpus a *number*, in one of ORDERS."""
    out: dict[str, Any] = {"documents_a": a.documents, "documents_b": b.documents}
    by = order.replace("-", "_")
    for kind, first, second in (("words", a.words, b.words), ("bigrams", a.bigrams, b.bigrams)):
        key = []
        for sign, name, counts in ((1, "a", first), (-1, "b", second)):
            often = (term for term, count in counts.frequencies.items() if count >= MIN_FREQUENCY)
            terms = [term for term in often if counts.documents[term] >= MIN_DOCUMENTS]
            rows = [_row(term, first, second) for term in terms] if first.total and second.total else []
            rows = [row for row in rows if sign * row["log_ratio"] > 0 and row["log_likelihood"] >= min_likelihood]
            rows.sort(key=lambda row: (-abs(row[by]), -row["log_likelihood"], row["term"]))
            key += [{"key_in": name, **row} for row in rows[:number]]
        undercount = max(first.undercount, second.undercount)
        out[kind] = {"total_a": first.total, "total_b": second.total, "undercount": undercount, "key": key}
    return out


def _row(term: str, first: TermCounts, second: TermCounts) -> dict[str, Any]:
    a, b = first.frequencies[term], second.frequencies[term]
    return {
        "term": term,
        "log_ratio": round(log_ratio(a, b, first.total, second.total), 2),
        "log_likelihood": round(log_likelihood(a, b, first.total, second.total), 2),
        "frequency_a": a,
        "frequency_b": b,
        "per_million_a": round(1e6 * a / first.total, 2),
        "per_million_b": round(1e6 * b / second.total, 2),
        "documents_a": first.documents[term],
        "documents_b": second.documents[term],
    }


class TermCounts:
    """The terms of a stream of documents, at most *limit* of them after each document."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.frequencies: Counter[str] = Counter()
        self.documents: Counter[str] = Counter()
        self.total = self.undercount = 0

    def add(self, terms: Sequence[str]) -> None:
        self.total += len(terms)
        self.frequencies.update(terms)
        self.documents.update(set(terms))
        while len(self.frequencies) > self._limit:
            ordered = sorted(self.frequencies.values())
            most = ordered[int(len(ordered) * _FORGOTTEN)]
            self.undercount += most
            # new tables: what is deleted of a dict leaves its memory
            self.frequencies = Counter({term: count for term, count in self.frequencies.items() if count > most})
            self.documents = Counter({term: self.documents[term] for term in self.frequencies})


class CorpusTerms:
    """The words of a corpus and its bigrams, which do not go across lines."""

    def __init__(self, limit: int) -> None:
        self.documents = 0
        self.words, self.bigrams = TermCounts(limit), TermCounts(limit)

    def add(self, document: Record) -> Record:
        """Counts a document, and returns it. Raises RecordError for one without text."""
        lines = [words(line) for line in text_of(document).splitlines()]
        self.documents += 1
        self.words.add([word for line in lines for word in line])
        self.bigrams.add([f"{one} {other}" for line in lines for one, other in zip(line, line[1:])])
        return document
