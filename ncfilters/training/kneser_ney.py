"""Interpolated modified Kneser-Ney smoothing of n-gram counts (Chen & Goodman 1998), with the figures of KenLM's lmplz.

    ids, counts = np.array([[0, 2], [2, 1]]), np.array([1, 1])
    estimate(["<s>", "</s>", "word"], [(np.array([[0], [1], [2]]), np.array([1, 1, 1])), (ids, counts)]).orders

Sentences are counted with one <s> before and one </s> behind. Counts of n-grams shorter than the longest become the
numbers of different words seen before them, but for those that begin with <s>. From each count a discount is taken
(equation 26: one for counts of 1, of 2, and of more); what a history's n-grams lose is the weight of the probability
after a history one word shorter, and the back-off weight of the ARPA format. The shortest is 1 / vocabulary, of which
<unk> is part, and <s> is none.

One thing is not as in lmplz 0.3: of the n-grams that end in the last new word of a corpus it takes one for the
statistics of discounts by its plain count. Where that word comes once, as most last new words do, this is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Places = NDArray[np.int64]
# Of one length: n-grams as rows of numbers of words, and how often each was seen.
Counts = tuple[NDArray[Any], NDArray[Any]]
# Of one length: n-grams as rows of numbers of words, log10 of their probabilities, log10 of their back-off weights.
Order = tuple[NDArray[Any], Doubles, Doubles]

START, UNKNOWN = "<s>", "<unk>"

# Discounts of counts of 1, 2 and more where the counts of counts make none (lmplz --discount_fallback).
FALLBACK = (0.5, 1.0, 1.5)


class Grams(NamedTuple):
    """N-grams of one length, each once: places of their histories (all but the last word) among those one shorter, the
    numbers of their last words, and counts. The place of a single word is its number."""

    histories: NDArray[Any]
    words: NDArray[Any]
    counts: NDArray[Any]


class Smoothed(NamedTuple):
    """A back-off model: the words by number, <unk> among them, and for each length its n-grams with log10 of their
    probabilities and back-off weights. Single words stand in the order of their numbers.

    *discounts* has a row for each length (for counts of 1, of 2 and of more), and *fallback* the lengths whose
    discounts are not from the counts but FALLBACK.
    """

    words: list[str]
    orders: list[Order]
    discounts: Doubles
    fallback: tuple[int, ...]


def estimate(words: Sequence[str], tables: Sequence[Counts], min_counts: Sequence[int] = ()) -> Smoothed:
    """The model of counted n-grams, those of single words first, each table one word longer, rows in any order.

    *words* are spelled by number, <s> among them; <unk> is added where it is not. Log10 probability of <s> is 0, for
    it is never predicted. Of each length only n-grams counted as often as *min_counts* says stay in the model (1 for
    single words; the last for what is longer than there are numbers), which is lmplz --prune with one less. Raises
    ValueError for tables that do not fit together, and where n-grams without their first or last word are missing.
    """
    words = [*words, *([] if UNKNOWN in words else [UNKNOWN])]
    if START not in words:
        raise ValueError(f"words without {START}: it stands before each sentence")
    start, unknown = words.index(START), words.index(UNKNOWN)
    counts = [np.zeros(len(words), np.int64)]
    np.add.at(counts[0], np.asarray(tables[0][0], np.int64).ravel(), np.asarray(tables[0][1], np.int64))
    counts[0][[start, unknown]] = 0
    if not counts[0].sum():
        raise ValueError("nothing to learn from: no word is counted")
    least = _least(min_counts, len(tables))
    longer, suffixes = _linked(len(words), tables[1:])
    counts += [grams.counts for grams in longer]
    kept = [some >= at_least for some, at_least in zip(counts, [0, *least[1:]])]
    adjusted = _adjusted(counts, longer, suffixes, start)
    found = [discounts(some) for some in adjusted]
    fallback = tuple(order for order, some in enumerate(found, 1) if some is None)
    taken = np.array([FALLBACK if some is None else some for some in found])
    probabilities, weights = _interpolated(adjusted, kept, longer, suffixes, taken, start)
    ids = [np.arange(len(words))[:, None], *(np.asarray(table[0]) for table in tables[1:])]
    orders = [
        (some[stay], np.minimum(np.log10(probability[stay]), 0.0), np.log10(weight[stay]))
        for some, stay, probability, weight in zip(ids, kept, probabilities, weights)
    ]
    return Smoothed(words, orders, taken, fallback)


def discounts(counts: NDArray[np.int64]) -> tuple[float, float, float] | None:
    """What is taken from counts of 1, of 2 and of more (Chen & Goodman 1998, equation 26), of these (adjusted) counts.

    None where no n-gram has one of the counts 1, 2 and 3, or a discount would be below 0 or above the count.
    """
    of = np.bincount(counts[counts < 5], minlength=5).tolist()
    if not of[1] or not of[2] or not of[3]:
        return None
    share = of[1] / (of[1] + 2 * of[2])
    one, two, more = (number - (number + 1) * share * of[number + 1] / of[number] for number in (1, 2, 3))
    return (one, two, more) if 0 <= one <= 1 and 0 <= two <= 2 and 0 <= more <= 3 else None


def _least(min_counts: Sequence[int], orders: int) -> list[int]:
    """The least count of each length. Raises ValueError."""
    least = [*min_counts, *[min_counts[-1] if min_counts else 1] * (orders - len(min_counts))]
    if len(least) > orders or least[0] != 1 or any(more < less for less, more in zip(least, least[1:])):
        raise ValueError(
            f"least counts {', '.join(map(str, min_counts))}: 1 for single words, and none below that of shorter ones"
        )
    return least


def _linked(words: int, tables: Sequence[Counts]) -> tuple[list[Grams], list[Places]]:
    """N-grams from 2 words by their histories; and where they stand, without their first words, among those one
    shorter. Raises ValueError."""
    longer: list[Grams] = []
    suffixes: list[Places] = []
    lookups: list[_Lookup] = []  # of the lengths from 2
    for order, (ids, counts) in enumerate(tables, 2):
        ids = np.asarray(ids)
        if ids.ndim != 2 or ids.shape[1] != order or len(ids) != len(counts):
            raise ValueError(f"{order}-grams: an array of shape {ids.shape} with {len(counts)} counts")
        if len(ids) and not 0 <= ids.min() <= ids.max() < words:
            raise ValueError(f"{order}-grams: the number of a word that is not there")
        places = ids[:, 0].astype(np.int64)
        for at, lookup in enumerate(lookups, 1):
            places = lookup.find(places, ids[:, at], f"{order}-grams whose first {order - 1} words")
        last = ids[:, -1].astype(np.int64)
        if order > 2:
            shorter = suffixes[-1][places]
            suffixes.append(lookups[-1].find(shorter, last, f"{order}-grams whose last {order - 1} words"))
        else:
            suffixes.append(last)
        longer.append(Grams(places, last, np.asarray(counts, np.int64)))
        lookups.append(_Lookup(places, last, words, order))
    return longer, suffixes


class _Lookup:
    """Finds n-grams of one length by the places of their histories and their last words."""

    def __init__(self, histories: Places, last: Places, words: int, order: int) -> None:
        self._words, self._order = np.uint64(words), order
        keys = self._keys(histories, last)
        ascend = bool((keys[1:] > keys[:-1]).all())
        self._places = None if ascend else np.argsort(keys)
        self._ascending = keys if self._places is None else keys[self._places]
        if not ascend and (self._ascending[1:] == self._ascending[:-1]).any():
            raise ValueError(f"{order}-grams that are there twice")

    def _keys(self, histories: Places, last: NDArray[Any]) -> NDArray[np.uint64]:
        keys: NDArray[np.uint64] = histories.astype(np.uint64) * self._words + last.astype(np.uint64)
        return keys

    def find(self, histories: Places, last: NDArray[Any], whose: str) -> Places:
        """The place of each n-gram. Raises ValueError where one is missing; *whose* is for the message."""
        wanted = self._keys(histories, last)
        at = np.searchsorted(self._ascending, wanted)
        there = self._ascending
        if len(wanted) and (not len(there) or (there[np.minimum(at, len(there) - 1)] != wanted).any()):
            raise ValueError(f"{whose} are no {self._order}-gram: counts are wanted before any is left out")
        return at if self._places is None else self._places[at]


def _adjusted(
    counts: Sequence[NDArray[np.int64]], longer: Sequence[Grams], suffixes: Sequence[Places], start: int
) -> list[NDArray[np.int64]]:
    """The counts that are smoothed: of words that stand before an n-gram, or, of the longest and where no word stands
    before, of the n-gram itself."""
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


def _interpolated(
    counts: Sequence[NDArray[np.int64]],
    kept: Sequence[NDArray[np.bool_]],
    longer: Sequence[Grams],
    suffixes: Sequence[Places],
    taken: Doubles,
    start: int,
) -> tuple[list[Doubles], list[Doubles]]:
    """The probabilities of n-grams of each length, from adjusted counts, and their weights as histories."""
    words = len(counts[0]) - 1  # <s> is none
    own, weight = _discounted(counts[0], kept[0], np.zeros(words + 1, np.int64), 1, taken[0])
    probabilities, weights = [own + weight[0] / words], []
    probabilities[0][start] = 1.0
    for at, grams in enumerate(longer, 1):
        own, weight = _discounted(counts[at], kept[at], grams.histories, len(counts[at - 1]), taken[at])
        probabilities.append(own + weight[grams.histories] * probabilities[-1][suffixes[at - 1]])
        weights.append(weight)
    weights.append(np.ones(len(counts[-1])))
    return probabilities, weights


def _discounted(
    counts: NDArray[np.int64], kept: NDArray[np.bool_], histories: NDArray[Any], places: int, taken: Doubles
) -> tuple[Doubles, Doubles]:
    """For each n-gram, its share of what follows its history, less the discount; and for each history, the weight of
    what is shorter: 1 where nothing followed."""
    loss = np.concatenate([[0.0], taken])[np.minimum(counts, 3)]
    totals = np.bincount(histories, counts, places)
    own = (counts - loss) / np.maximum(totals, 1)[histories]
    weights = np.bincount(histories, np.where(kept, loss, counts), places)
    return own, np.divide(weights, totals, out=np.ones(places), where=totals > 0)
