"""The word n-gram kind of model: how much a model of well-formed text is at a loss with a segment (PyPlexity 2023).

    model = train(["The first sentence.", "And the second."], n=2)      # see `estimation`
    model.perplexities(["The second sentence."])

Perplexity is that of equation 1, in base 2, over the words of a text. The probability of a word is interpolated with
fixed weights from those of equation 2, counts over counts (PyPlexity's weights, which its paper does not print), and
1e-6 is added: an unknown word costs 20 bits, and no perplexity is above a million. There are several estimators:

- `pyplexity`: as PyPlexity's program, which is given the same counts. For n = 2 it takes the unigram of the word before
  instead of that of the word itself. For n = 3, the words as they should be, which the program has not.
- `pyplexity-misaligned`: n = 3 as the program has it: each word in the place of the two last ones, and the last word
  of a text in none.
- `interpolated`: as the paper's text suggests, with the unigram of the word itself.
- `kneser-ney`: see `backoff` and `kneserney`.

A text begins after the word `#`, as in the program (`interpolated`: after <s>, which no text has). That is a history,
and no word: the unigram of `#` is that of the mark in the texts. Else any text of one word would be likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import Document
from ...text.hash_table import CODES, coded
from ...text.tokenizers import TOKENS, cut
from ...text.word_hash import numbers
from .backoff import Backoff
from .ngram_trie import Ids, Trie
from .perplexity import batches, checked_limit, fields, inserted

Doubles = NDArray[np.float64]
Places = NDArray[np.int64]
# Counts of n-grams by place, one for no place behind them: numbers in a book of counts, or counts, where there are too
# many for a book.
Values = tuple[NDArray[Any], "NDArray[Any] | None"]

# Weights of the probabilities for each n, those of the longest history last, and what is added to their sum.
WEIGHTS = {2: (0.2, 0.8), 3: (0.1, 0.3, 0.6)}
FLOOR = 1e-6
# The cut-off of perplexity that the paper settles on (section 5.1.1).
LIMIT = 8000.0
# What the header says of values that are not counted here.
GIVEN = "probabilities"


class Word:
    """Perplexity of texts by counts of n-grams, n from 2 to 3.

    *counts* are those of the trie's n-grams of each length; *words* is the number of running words counted. A text of
    perplexity *limit* has a score of 0. Where probabilities are *given*, they are in the place of counts.
    """

    kind = "word"
    mapped = True

    def __init__(
        self,
        trie: Trie,
        counts: Sequence[Values],
        words: int,
        estimator: str = "pyplexity",
        tokens: str = "pyplexity",
        limit: float = LIMIT,
        min_count: int = 1,
        given: bool = False,
        texts: int = 0,
    ) -> None:
        check(trie.n, estimator, tokens, limit, min_count)
        self.given, self.texts = given, texts
        self.trie, self.words = trie, words
        self.counts = [(codes, None if book is None else book.astype(np.float64)) for codes, book in counts]
        self.estimator, self.tokens, self.limit, self.min_count = estimator, tokens, float(limit), min_count
        self._edge = trie.vocabulary.place(EDGES[estimator])
        # the n-grams of edges alone, which histories reach into: there is one of all lengths but the longest
        edges = [int(trie.places(np.full((1, order), self._edge))[0]) for order in range(2, trie.n)]
        self._edges = [*edges, trie.sizes()[-1]]

    @classmethod
    def of_probabilities(
        cls,
        words: Sequence[str],
        orders: Sequence[tuple[Ids, Doubles]],
        estimator: str = "pyplexity",
        limit: float = LIMIT,
    ) -> Word:
        """The model of n-grams of one word, of two and so on, rows of numbers of words, and the probabilities of their
        last words after the others; exact where up to 65,536 of a length differ, to 7 digits where more do. Raises
        ValueError as `check` and `Trie.of` do."""
        single = np.zeros(len(words))
        single[orders[0][0].ravel()] = orders[0][1]
        trie, places = Trie.of(words, [ids for ids, _ in orders[1:]])
        ordered = [values[at] for values, at in zip([single, *(values for _, values in orders[1:])], places)]
        return cls(trie, [_given(values) for values in ordered], 1, estimator, "pyplexity", limit, given=True)

    @property
    def n(self) -> int:
        """The length of the longest n-grams."""
        return self.trie.n

    def unigrams(self, words: Places, counts: Doubles) -> Doubles:
        """The shares of words, so often counted, among all; beginnings are not counted."""
        out = counts / self.words
        if self.texts:
            edges = words == self._edge
            out[edges] = np.maximum(counts[edges] - self.texts, 0.0) / self.words
        return out

    def share(self, counts: Doubles, of: Doubles) -> Doubles:
        """Counts over those of their histories (without one there is no count); what is given is that already."""
        if self.given:
            return counts
        out: Doubles = counts / np.maximum(of, 1.0)
        return out

    def perplexities(self, texts: Sequence[str]) -> Doubles:
        """The perplexity of each text (equation 1; shape: texts). One without words has the limit: it says nothing."""
        out = np.full(len(texts), self.limit)
        for part in batches(texts):
            found = cut(texts[part], self.tokens)
            places = self.trie.vocabulary.find(numbers(found.data, found.starts, found.ends))
            run, edges = inserted(places, found.lengths, self._edge)
            bits = np.log2(PROBABILITIES[self.estimator](self, run, edges))
            bits[edges] = 0.0  # they are no words
            if self.estimator == "pyplexity-misaligned":
                bits[edges + found.lengths] = 0.0
            sums = np.add.reduceat(bits, edges)
            there = found.lengths > 0
            perplexity = np.full(len(found.lengths), self.limit)
            perplexity[there] = np.exp2(-sums[there] / found.lengths[there])
            out[part] = perplexity
        return out

    def counted(self, order: int, places: Places) -> Doubles:
        """The counts of n-grams of a length at places; 0 for those that are not there."""
        codes, book = self.counts[order - 1]
        found = codes.take(places, mode="clip")
        return found.astype(np.float64) if book is None else book.take(found, mode="clip")

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """For each document, the `perplexity` of its segments and the `score`, log2 of limit / perplexity (bits)."""
        return fields(self.perplexities, self.limit, documents)

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        fixed = {"estimator": self.estimator, "n": self.n, "tokens": self.tokens, "limit": self.limit}
        learned = {"min_count": self.min_count, "words": self.words, "texts": self.texts}
        counted = {"values": GIVEN} if self.given else learned
        return {**fixed, **counted, "n-grams": self.trie.sizes()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        out = self.trie.arrays()
        for order, (codes, book) in enumerate(self.counts, 1):
            out[f"counts{order}"] = codes
            if book is not None:
                whole = np.uint32 if book[-1] <= np.iinfo(np.uint32).max else np.uint64
                out[f"book{order}"] = book if self.given else book.astype(whole)
        return out

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Word:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        given = header.get("values") == GIVEN
        n, words, least = header["n"], 1 if given else header["words"], 1 if given else header["min_count"]
        texts = 0 if given else header["texts"]
        check(n, header["estimator"], header["tokens"], header["limit"], least)
        if not isinstance(words, int) or words < 1:
            raise ValueError(f"learned from {words} words")
        if not isinstance(texts, int) or not 0 <= texts <= words:
            raise ValueError(f"learned from {texts} texts")
        trie = Trie.from_parts(n, arrays)
        counts = [_values(arrays, order, trie.sizes()[order - 1], given) for order in range(1, n + 1)]
        return cls(trie, counts, words, header["estimator"], header["tokens"], header["limit"], least, given, texts)


def _values(arrays: dict[str, NDArray[Any]], order: int, size: int, given: bool) -> Values:
    """The counts, or probabilities, of n-grams of a length in a file. Raises KeyError or ValueError."""
    codes, book = arrays[f"counts{order}"], arrays.get(f"book{order}")
    plain = (np.float32, np.float64) if given else (np.uint32, np.uint64)
    if codes.dtype not in (plain if book is None else (np.uint16,)) or (book is not None and book.dtype not in plain):
        raise ValueError(f"values of type {codes.dtype}{'' if book is None else f', {book.dtype}'}")
    if len(codes) != size + 1 or (book is not None and not 0 < len(book) <= CODES):
        raise ValueError(f"values of {len(codes) - 1} n-grams where there are {size}")
    return codes, book


def _given(values: Doubles) -> Values:
    """Probabilities as a model has them. Raises ValueError for what is none."""
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"{values[~((values >= 0) & (values <= 1))][0]} is no probability")
    if len(np.unique(values)) >= CODES:
        return np.append(values, 0.0).astype(np.float32), None
    return coded(values, 0.0)


# ---- probabilities --------------------------------------------------------------------------------------------


def _interpolated(of: Word, run: Places, edges: Places) -> Doubles:
    """That of each word after those before it: shares of the counts of their histories, weighed."""
    ones, *longer = of.trie.ending(run, edges, of._edges)
    before = of.counted(1, ones)
    total = WEIGHTS[of.n][0] * of.unigrams(ones, before) + FLOOR
    for order, (weight, ending) in enumerate(zip(WEIGHTS[of.n][1:], longer), 2):
        counts = of.counted(order, ending)
        total += weight * of.share(counts, _before(before))
        before = counts
    return total


def _pyplexity(of: Word, run: Places, edges: Places) -> Doubles:
    """As the program for bigrams: with the unigram of the word before."""
    if of.n > 2:
        return _interpolated(of, run, edges)
    ones, pairs = of.trie.ending(run, edges)
    return _with_unigram(of, WEIGHTS[2], ones, of.counted(2, pairs))


def _misaligned(of: Word, run: Places, edges: Places) -> Doubles:
    """As the program for trigrams: of the word before, a word, and that word again."""
    ones, pairs, _ = of.trie.ending(run, edges)
    both = of.counted(2, pairs)
    triples = of.counted(3, of.trie.tables[1].find(pairs, run))
    out = _with_unigram(of, WEIGHTS[3], ones, both)
    out += WEIGHTS[3][2] * of.share(triples, both)
    return out


def _with_unigram(of: Word, weights: Sequence[float], ones: Places, pairs: Doubles) -> Doubles:
    """Shares of pairs of words among those of the word before, and of that word among all, weighed."""
    unigram, bigram, *_ = weights
    counts = of.counted(1, ones)
    out = bigram * of.share(pairs, _before(counts))
    out += unigram * _before(of.unigrams(ones, counts))
    out += FLOOR
    return out


def _before(counts: Doubles) -> Doubles:
    """As a history, a count is that of the word after it."""
    out = np.empty_like(counts)
    out[:1] = 0.0
    out[1:] = counts[:-1]
    return out


PROBABILITIES: dict[str, Callable[[Word, Places, Places], Doubles]] = {
    "pyplexity": _pyplexity,
    "pyplexity-misaligned": _misaligned,
    "interpolated": _interpolated,
}

# ---- estimators -----------------------------------------------------------------------------------------------

KNESER_NEY = "kneser-ney"
# How texts are cut into words for each estimator, unless told otherwise.
CUT_AS = {"pyplexity": "pyplexity", "pyplexity-misaligned": "pyplexity", "interpolated": "words", KNESER_NEY: "words"}
# What stands before a text.
EDGES = {"pyplexity": "#", "pyplexity-misaligned": "#", "interpolated": "<s>", KNESER_NEY: "<s>"}


def check(n: Any, estimator: Any, tokens: Any, limit: Any, min_count: Any) -> None:
    """Raises ValueError for parameters that make no model."""
    if not isinstance(estimator, str) or estimator not in CUT_AS:
        raise ValueError(f"estimator is {estimator!r}: {', '.join(CUT_AS)}")
    if not isinstance(n, int) or n not in WEIGHTS:
        raise ValueError(f"n is {n}: 2 or 3")
    if estimator == "pyplexity-misaligned" and n != 3:
        raise ValueError(f"n is {n}: pyplexity-misaligned is for 3")
    if not isinstance(tokens, str) or tokens not in TOKENS:
        raise ValueError(f"tokens are {tokens!r}: {', '.join(TOKENS)}")
    checked_limit(limit)
    if isinstance(min_count, bool) or not isinstance(min_count, int) or min_count < 1:
        raise ValueError(f"min_count is {min_count}: at least 1")


def from_parts(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Word | Backoff:
    """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
    return (Word if header["estimator"] in PROBABILITIES else Backoff).from_parts(header, arrays)
