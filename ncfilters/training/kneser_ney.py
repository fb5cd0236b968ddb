"""Interpolated modified Kneser-Ney smoothing of n-gram counts (Chen & Goodman 1998), with the results of KenLM's lmplz.

    ids, counts = np.array([[0, 2], [2, 1]]), np.array([1, 1])
    estimate(["<s>", "</s>", "word"], [(np.array([[0], [1], [2]]), np.array([1, 1, 1])), (ids, counts)]).orders

Sentences are counted with one <s> before and one </s> after them. The count of an n-gram shorter than the longest is
replaced by the number of different words before it (its adjusted count), unless it starts with <s>. A discount is
subtracted from each count (equation 26: one for counts of 1, of 2, and of 3 and more). The mass that the n-grams of a
history lose is the weight of the next shorter history: the back-off weight of the ARPA format. Below the unigrams is
the uniform distribution over the vocabulary, which includes <unk> but not <s>.

One detail differs from lmplz 0.3. Among the n-grams that end in the last new word of a corpus, lmplz uses the plain
count of one of them for the discount statistics. Where that word occurs once, as most last new words do, the result is
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..scoring.word_lm.arpa import BackoffOrder
from ..scoring.word_lm.parameters import SENTENCE_START, UNKNOWN_WORD

Doubles = NDArray[np.float64]
Places = NDArray[np.int64]
# Of one length: n-grams as rows of numbers of words, and how often each occurs.
CountTable = tuple[NDArray[Any], NDArray[Any]]

# Discounts of counts of 1, 2 and more where the counts of counts yield none (lmplz --discount_fallback).
FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)


class LinkedNgrams(NamedTuple):
    """Distinct n-grams of one length: the places of their histories (all but the last word) among the n-grams one word
    shorter, the numbers of their last words, and their counts. The place of a unigram is the number of the word."""

    histories: NDArray[Any]
    words: NDArray[Any]
    counts: NDArray[Any]


class SmoothedNgrams(NamedTuple):
    """A back-off model: the words by number, <unk> among them, and for each length its n-grams with log10 of their
    probabilities and back-off weights. Unigrams are in the order of the numbers.

    *discounts* has a row for each length (for counts of 1, of 2 and of more). The lengths in *fallback* have
    FALLBACK_DISCOUNTS.
    """

    words: list[str]
    orders: list[BackoffOrder]
    discounts: Doubles
    fallback: tuple[int, ...]


def estimate(words: Sequence[str], tables: Sequence[CountTable], min_counts: Sequence[int] = ()) -> SmoothedNgrams:
    """The model of counted n-grams: a table for each length, unigrams first, rows in any order.

    *words* are the spellings by number, <s> among them; <unk> is added where it is missing. log10 of the probability of
    <s> is 0, because it is never predicted. N-grams whose count is below *min_counts* are left out (a number for each
    length, 1 for unigrams; longer n-grams have the last one). This is lmplz --prune with numbers one smaller. Raises
    ValueError for tables that do not fit together, and for n-grams without entries for their histories or suffixes.
    """
    words = [*words, *([] if UNKNOWN_WORD in words else [UNKNOWN_WORD])]
    if SENTENCE_START not in words:
        raise ValueError(f"the words lack {SENTENCE_START}, which precedes each sentence")
    start, unknown = words.index(SENTENCE_START), words.index(UNKNOWN_WORD)
    counts = [np.zeros(len(words), np.int64)]
    np.add.at(counts[0], np.asarray(tables[0][0], np.int64).ravel(), np.asarray(tables[0][1], np.int64))
    counts[0][[start, unknown]] = 0
    if not counts[0].sum():
        raise ValueError("no training data: no word is counted")
    thresholds = _thresholds(min_counts, len(tables))
    longer, suffixes = _linked(len(words), tables[1:])
    counts += [grams.counts for grams in longer]
    kept = [of_length >= threshold for of_length, threshold in zip(counts, [0, *thresholds[1:]])]
    adjusted = _adjusted(counts, longer, suffixes, start)
    estimated = [discounts(of_length) for of_length in adjusted]
    fallback = tuple(order for order, triple in enumerate(estimated, 1) if triple is None)
    subtracted = np.array([FALLBACK_DISCOUNTS if triple is None else triple for triple in estimated])
    probabilities, weights = _Interpolation(adjusted, kept, longer, suffixes, start).estimates(subtracted)
    ids = [np.arange(len(words))[:, None], *(np.asarray(table[0]) for table in tables[1:])]
    orders = [
        (rows[keep], np.minimum(np.log10(probability[keep]), 0.0), np.log10(weight[keep]))
        for rows, keep, probability, weight in zip(ids, kept, probabilities, weights)
    ]
    return SmoothedNgrams(words, orders, subtracted, fallback)


def discounts(counts: NDArray[np.int64]) -> tuple[float, float, float] | None:
    """The discounts of counts of 1, of 2 and of more, estimated from adjusted counts (Chen & Goodman 1998, eq. 26).

    None where no n-gram has one of the counts 1, 2 and 3, or where a discount would be negative or exceed its count.
    """
    ngrams = np.bincount(counts[counts < 5], minlength=5).tolist()  # by count
    if not ngrams[1] or not ngrams[2] or not ngrams[3]:
        return None
    share = ngrams[1] / (ngrams[1] + 2 * ngrams[2])
    one, two, more = (count - (count + 1) * share * ngrams[count + 1] / ngrams[count] for count in (1, 2, 3))
    return (one, two, more) if 0 <= one <= 1 and 0 <= two <= 2 and 0 <= more <= 3 else None


def _thresholds(min_counts: Sequence[int], orders: int) -> list[int]:
    """The minimum count of each length. Raises ValueError."""
    out = [*min_counts, *[min_counts[-1] if min_counts else 1] * (orders - len(min_counts))]
    if len(out) > orders or out[0] != 1 or any(longer < shorter for shorter, longer in zip(out, out[1:])):
        raise ValueError(
            f"minimum counts {', '.join(map(str, min_counts))}: that of unigrams must be 1, and none may be below that "
            "of shorter n-grams"
        )
    return out


def _linked(words: int, tables: Sequence[CountTable]) -> tuple[list[LinkedNgrams], list[Places]]:
    """The n-grams of each length from 2; and the places of their suffixes (all but the first word) among the n-grams
    one word shorter. Raises ValueError."""
    longer: list[LinkedNgrams] = []
    suffixes: list[Places] = []
    lookups: list[_NgramLookup] = []  # for each length from 2
    for order, (ids, counts) in enumerate(tables, 2):
        ids = np.asarray(ids)
        if ids.ndim != 2 or ids.shape[1] != order or len(ids) != len(counts):
            raise ValueError(f"{order}-grams: an array of shape {ids.shape} with {len(counts)} counts")
        if len(ids) and not 0 <= ids.min() <= ids.max() < words:
            raise ValueError(f"{order}-grams: a word number is out of range")
        places = ids[:, 0].astype(np.int64)
        for at, lookup in enumerate(lookups, 1):
            places = lookup.find(places, ids[:, at], f"{order}-grams whose first {order - 1} words")
        last = ids[:, -1].astype(np.int64)
        if order > 2:
            shorter = suffixes[-1][places]
            suffixes.append(lookups[-1].find(shorter, last, f"{order}-grams whose last {order - 1} words"))
        else:
            suffixes.append(last)
        longer.append(LinkedNgrams(places, last, np.asarray(counts, np.int64)))
        lookups.append(_NgramLookup(places, last, words, order))
    return longer, suffixes


class _NgramLookup:
    """Looks up n-grams of one length by the places of their histories and their last words."""

    def __init__(self, histories: Places, last: Places, words: int, order: int) -> None:
        self._words, self._order = np.uint64(words), order
        keys = self._keys(histories, last)
        ascend = bool((keys[1:] > keys[:-1]).all())
        self._places = None if ascend else np.argsort(keys)
        self._ascending = keys if self._places is None else keys[self._places]
        if not ascend and (self._ascending[1:] == self._ascending[:-1]).any():
            raise ValueError(f"{order}-grams: one occurs twice")

    def _keys(self, histories: Places, last: NDArray[Any]) -> NDArray[np.uint64]:
        keys: NDArray[np.uint64] = histories.astype(np.uint64) * self._words + last.astype(np.uint64)
        return keys

    def find(self, histories: Places, last: NDArray[Any], whose: str) -> Places:
        """The place of each n-gram. Raises ValueError where one is missing; *whose* is the subject of its message."""
        keys = self._keys(histories, last)
        at = np.searchsorted(self._ascending, keys)
        ascending = self._ascending
        if len(keys) and (not len(ascending) or (ascending[np.minimum(at, len(ascending) - 1)] != keys).any()):
            raise ValueError(f"{whose} are no {self._order}-gram: the counts must be complete, before pruning")
        return at if self._places is None else self._places[at]


def _adjusted(
    counts: Sequence[NDArray[np.int64]], longer: Sequence[LinkedNgrams], suffixes: Sequence[Places], start: int
) -> list[NDArray[np.int64]]:
    """The adjusted counts: the number of different words before an n-gram; for the longest n-grams, and for those that
    start with <s>, their own count."""
    first = np.zeros(len(counts[0]), bool)
    first[start] = True
    out = []
    for at, own in enumerate(counts):
        if at:
            first = first[longer[at - 1].histories]
        if at == len(counts) - 1:
            out.append(own)
        else:
            before = np.bincount(suffixes[at], minlength=len(own))
            out.append(np.where(first, own, before))
    return out


class _Interpolation(NamedTuple):
    """Adjusted counts of n-grams of each length, and the links between lengths."""

    counts: Sequence[NDArray[np.int64]]
    kept: Sequence[NDArray[np.bool_]]
    longer: Sequence[LinkedNgrams]
    suffixes: Sequence[Places]
    start: int

    def estimates(self, subtracted: Doubles) -> tuple[list[Doubles], list[Doubles]]:
        """The probabilities of the n-grams of each length, and their back-off weights, given the discounts."""
        counts = self.counts
        words = len(counts[0]) - 1  # without <s>
        own, weight = _discounted(counts[0], self.kept[0], np.zeros(words + 1, np.int64), 1, subtracted[0])
        probabilities, weights = [own + weight[0] / words], []
        probabilities[0][self.start] = 1.0
        for at, ngrams in enumerate(self.longer, 1):
            shorter = len(counts[at - 1])
            own, weight = _discounted(counts[at], self.kept[at], ngrams.histories, shorter, subtracted[at])
            probabilities.append(own + weight[ngrams.histories] * probabilities[-1][self.suffixes[at - 1]])
            weights.append(weight)
        weights.append(np.ones(len(counts[-1])))
        return probabilities, weights


def _discounted(
    counts: NDArray[np.int64], kept: NDArray[np.bool_], histories: NDArray[Any], places: int, subtracted: Doubles
) -> tuple[Doubles, Doubles]:
    """For each n-gram, its discounted relative frequency after its history; and for each history, the back-off weight,
    1 where no word follows."""
    loss = np.concatenate([[0.0], subtracted])[np.minimum(counts, 3)]
    totals = np.bincount(histories, counts, places)
    own = (counts - loss) / np.maximum(totals, 1)[histories]
    weights = np.bincount(histories, np.where(kept, loss, counts), places)
    return own, np.divide(weights, totals, out=np.ones(places), where=totals > 0)
