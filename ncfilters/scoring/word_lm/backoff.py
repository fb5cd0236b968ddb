"""Back-off models of words: Kneser-Ney's, and those of ARPA files. How much they are at a loss with a text.

    model = Backoff.of(words, orders, tokens="words")
    model.perplexities(["The second sentence."])

The probability of a word is that of the longest n-gram that ends in it and is known; for each longer one that is not,
it is multiplied with the back-off weight of its history. A text stands between <s> and </s>, unknown words are <unk>,
and perplexity counts </s> as a word, all as in KenLM.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import Document
from ...text.hash_table import coded
from ...text.tokenizers import TOKENS, cut
from ...text.word_hash import numbers
from .ngram_trie import Ids, Trie
from .perplexity import batches, checked_limit, fields, inserted

Doubles = NDArray[np.float64]
# Of one length: n-grams as rows of numbers of words, log10 of their probabilities, log10 of their back-off weights.
Order = tuple[Ids, NDArray[Any], NDArray[Any]]

# By place, numbers in a book, and the book.
Values = tuple[NDArray[np.uint16], NDArray[Any]]

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
# Of an unknown word where a model has none: as KenLM.
NEVER = -100.0
MOST = 5


class Backoff:
    """Perplexity of texts by a back-off model of n-grams up to 5 words.

    *probabilities* and *weights* are codes and codebooks (log10) for each length; the longest has no weights.
    """

    kind = "word"
    mapped = True

    def __init__(
        self,
        trie: Trie,
        probabilities: Sequence[Values],
        weights: Sequence[Values],
        estimator: str,
        tokens: str,
        limit: float,
        about: dict[str, Any],
    ) -> None:
        if tokens not in TOKENS:
            raise ValueError(f"tokens are {tokens!r}: {', '.join(TOKENS)}")
        self.limit = checked_limit(limit)
        self.trie = trie
        self.probabilities, self.weights = (
            [(codes, book.astype(np.float64)) for codes, book in values] for values in (probabilities, weights)
        )
        self.estimator, self.tokens, self.about = estimator, tokens, about
        places = [trie.vocabulary.place(word) for word in (START, END, UNKNOWN)]
        if max(places) == len(trie.vocabulary):
            raise ValueError(f"a vocabulary without {START}, {END} or {UNKNOWN}")
        self._start, self._end, self._unknown = places

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        orders: Sequence[Order],
        estimator: str = "kneser-ney",
        tokens: str = "words",
        limit: float = 8000.0,
        about: dict[str, Any] | None = None,
        exact: bool = False,
    ) -> Backoff:
        """The model of n-grams of each length in any order, those of one word first; *about* is for the header. What is
        *exact* may be no model for a file (see `hash_table.coded`).

        Raises ValueError for more than 5 lengths, words without an n-gram of their own, and as `Trie.of` does.
        """
        if not 1 <= len(orders) <= MOST:
            raise ValueError(f"n-grams of {len(orders)} lengths: from 1 to {MOST}")
        ids, probability, weight = (np.asarray(part) for part in orders[0])
        ids = ids.ravel()
        if sorted(ids.tolist()) != list(range(len(words))):
            raise ValueError("words without a probability of their own")
        one = [np.empty(len(words), np.float32) for _ in range(2)]
        one[0][ids], one[1][ids] = probability, weight
        for word in (START, END, UNKNOWN):
            if word not in words:
                words, one = [*words, word], [np.append(one[0], np.float32(NEVER)), np.append(one[1], np.float32(0))]
        trie, places = Trie.of(words, [order[0] for order in orders[1:]])
        values = [one, *([np.asarray(part, np.float32) for part in order[1:]] for order in orders[1:])]
        probabilities = [coded(some[0][place], NEVER, exact) for some, place in zip(values, places)]
        weights = [coded(some[1][place], 0.0, exact) for some, place in zip(values[:-1], places)]
        return cls(trie, probabilities, weights, estimator, tokens, limit, about or {})

    def ngrams(self) -> tuple[list[str], list[Order]]:
        """The words, and the n-grams of each length as `of` takes them. Raises ValueError where it is damaged."""
        orders: list[Order] = []
        for order, ids in enumerate(self.trie.listed()):
            every = np.arange(len(ids))
            longest = order >= len(self.weights)
            weights = np.zeros(len(ids)) if longest else _of(self.weights[order], every)
            orders.append((ids, _of(self.probabilities[order], every), weights))
        return self.trie.vocabulary.words(), orders

    def logs(self, texts: Sequence[str]) -> list[Doubles]:
        """For each text, log10 of the probability of each of its words, and of its end."""
        log, lengths = self._logs(texts)
        return [part[1:] for part in np.split(log, np.cumsum(lengths + 2)[:-1])]

    def perplexities(self, texts: Sequence[str]) -> Doubles:
        """The perplexity of each text, base 2, its end counted. One without words has the limit: it says nothing."""
        out = np.full(len(texts), self.limit)
        for part in batches(texts):
            log, lengths = self._logs(texts[part])
            if not len(lengths):
                continue
            ends = np.cumsum(lengths + 2)
            sums = np.add.reduceat(log, ends - lengths - 2)
            with np.errstate(over="ignore"):
                found = np.power(10.0, -sums / (lengths + 1))
            out[part] = np.where(lengths > 0, np.minimum(found, np.finfo(float).max), self.limit)
        return out

    def _logs(self, texts: Sequence[str]) -> tuple[Doubles, NDArray[np.int64]]:
        """log10 of the probability of each word of all texts, each between <s> (of 0) and </s>; words of each."""
        found = cut(texts, self.tokens)
        places = self.trie.vocabulary.find(numbers(found.data, found.starts, found.ends))
        places[places == len(self.trie.vocabulary)] = self._unknown
        run, edges = inserted(places, found.lengths, self._start, self._end)
        ending = self.trie.ending(run, edges)
        log = _of(self.probabilities[0], run)
        for order in range(1, self.trie.n):
            log[1:] += _of(self.weights[order - 1], ending[order - 1][:-1])
            there = ending[order] < len(self.trie.tables[order - 1])
            log = np.where(there, _of(self.probabilities[order], ending[order]), log)
        log[edges] = 0.0
        return log, found.lengths

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """For each document, the `perplexity` of its segments and the `score`, log2 of limit / perplexity (bits)."""
        return fields(self.perplexities, self.limit, documents)

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        fixed = {"estimator": self.estimator, "n": self.trie.n, "tokens": self.tokens, "limit": self.limit}
        return {**fixed, **self.about, "n-grams": self.trie.sizes()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        out = self.trie.arrays()
        for name, values in (("probability", self.probabilities), ("weight", self.weights)):
            for order, (codes, book) in enumerate(values, 1):
                out |= {f"{name}{order}": codes, f"{name}-book{order}": book.astype(np.float32)}
        return out

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Backoff:
        """The model of a file's header and arrays. Raises KeyError or ValueError where they do not fit."""
        fixed = ("estimator", "n", "tokens", "limit", "n-grams")
        n = header["n"]
        if not isinstance(n, int) or not 1 <= n <= MOST:
            raise ValueError(f"n is {n}: from 1 to {MOST}")
        trie = Trie.from_parts(n, arrays)
        values = {
            name: [_checked(arrays, name, order, trie.sizes()[order - 1]) for order in range(1, most + 1)]
            for name, most in (("probability", n), ("weight", n - 1))
        }
        about = {key: value for key, value in header.items() if key not in fixed}
        return cls(
            trie, values["probability"], values["weight"], header["estimator"], header["tokens"], header["limit"], about
        )


def _checked(arrays: dict[str, NDArray[Any]], name: str, order: int, size: int) -> Values:
    codes, book = arrays[f"{name}{order}"], arrays[f"{name}-book{order}"]
    if codes.dtype != np.uint16 or book.dtype != np.float32 or len(codes) != size + 1 or not 0 < len(book) <= 1 << 16:
        raise ValueError(f"values of n-grams of {order} words that do not fit")
    if not np.isfinite(book).all() or book.max() > math.log10(np.finfo(float).max):
        raise ValueError(f"values of n-grams of {order} words that are no logarithms")
    return codes, book


def _of(values: Values, places: NDArray[np.int64]) -> Doubles:
    """The values at places."""
    codes, book = values
    found: Doubles = book.take(codes.take(places, mode="clip"), mode="clip")
    return found
