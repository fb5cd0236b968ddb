"""Back-off models of word n-grams: those that Kneser-Ney smoothing makes, and those of ARPA files.

    model = BackoffModel.build(words, orders, WordModelParameters("arpa", "words"))
    model.perplexities(["The second sentence."])

The probability of a word is that of the longest known n-gram that ends in it, times the back-off weights of the
histories of the longer, unknown ones. A text stands between <s> and </s>, unknown words count as <unk>, and perplexity
counts </s> as a word, all as in KenLM.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import ModelInput
from ...text.hash_table import quantize
from ...text.tokenizers import tokenize
from ...text.word_hash import hash_spans
from .arpa import BackoffOrder
from .ngram_trie import NgramTrie
from .parameters import SENTENCE_END, SENTENCE_START, UNKNOWN_WORD, WordModelParameters
from .perplexity import perplexity_fields, text_batches, with_boundaries

Doubles = NDArray[np.float64]
# Logarithms of n-grams by place, and one more for unknown n-grams: indices into a codebook, and the codebook.
CodedLogs = tuple[NDArray[np.uint16], NDArray[Any]]

# log10 of the probability of unknown words in a model without <unk>, as in KenLM.
UNKNOWN_LOG = -100.0
MAX_ORDER = 5


class BackoffModel:
    """Perplexity of texts by a back-off model of n-grams up to 5 words.

    *probabilities* and *weights* are log10, coded, for each length; the longest n-grams have no weights. *about* is
    written to the header.
    """

    kind = "word"
    mapped = True

    def __init__(
        self,
        trie: NgramTrie,
        probabilities: Sequence[CodedLogs],
        weights: Sequence[CodedLogs],
        parameters: WordModelParameters,
        about: dict[str, Any],
    ) -> None:
        self.trie, self.about = trie, about
        self.estimator, self.tokens, self.limit = parameters.estimator, parameters.tokens, parameters.limit
        self.probabilities, self.weights = (
            [(codes, book.astype(np.float64)) for codes, book in coded_logs] for coded_logs in (probabilities, weights)
        )
        places = [trie.vocabulary.place(word) for word in (SENTENCE_START, SENTENCE_END, UNKNOWN_WORD)]
        if max(places) == len(trie.vocabulary):
            raise ValueError(f"the vocabulary lacks {SENTENCE_START}, {SENTENCE_END} or {UNKNOWN_WORD}")
        self._start, self._end, self._unknown = places

    @classmethod
    def build(
        cls,
        words: Sequence[str],
        orders: Sequence[BackoffOrder],
        parameters: WordModelParameters,
        about: dict[str, Any] | None = None,
        exact: bool = False,
    ) -> BackoffModel:
        """The model of n-grams of each length in any order, single words first. Values are quantised where a length has
        more than 65,535 different ones, unless they are to be *exact*; then the model may not be written to a file.

        Raises ValueError for more than 5 lengths, for words that are no unigrams, and as `NgramTrie.build` does.
        """
        if not 1 <= len(orders) <= MAX_ORDER:
            raise ValueError(f"n-grams of {len(orders)} lengths; 1 to {MAX_ORDER} are supported")
        ids, probability, weight = (np.asarray(part) for part in orders[0])
        ids = ids.ravel()
        if sorted(ids.tolist()) != list(range(len(words))):
            raise ValueError("some words have no unigram probability")
        unigrams = [np.empty(len(words), np.float32) for _ in range(2)]
        unigrams[0][ids], unigrams[1][ids] = probability, weight
        for word in (SENTENCE_START, SENTENCE_END, UNKNOWN_WORD):
            if word not in words:
                words = [*words, word]
                unigrams = [np.append(unigrams[0], np.float32(UNKNOWN_LOG)), np.append(unigrams[1], np.float32(0))]
        trie, places = NgramTrie.build(words, [order[0] for order in orders[1:]])
        values = [unigrams, *([np.asarray(part, np.float32) for part in order[1:]] for order in orders[1:])]
        probabilities = [quantize(some[0][place], UNKNOWN_LOG, exact) for some, place in zip(values, places)]
        weights = [quantize(some[1][place], 0.0, exact) for some, place in zip(values[:-1], places)]
        return cls(trie, probabilities, weights, parameters, about or {})

    def ngrams(self) -> tuple[list[str], list[BackoffOrder]]:
        """The words, and the n-grams of each length, as `build` takes them. Raises ValueError for damaged tables."""
        orders: list[BackoffOrder] = []
        for order, ids in enumerate(self.trie.ngrams()):
            places = np.arange(len(ids))
            longest = order >= len(self.weights)
            weights = np.zeros(len(ids)) if longest else _logs_at(self.weights[order], places)
            orders.append((ids, _logs_at(self.probabilities[order], places), weights))
        return self.trie.vocabulary.words(), orders

    def word_logs(self, texts: Sequence[str]) -> list[Doubles]:
        """For each text, log10 of the probability of each word, and of </s> (shape: words + 1)."""
        logs, lengths = self._logs(texts)
        return [part[1:] for part in np.split(logs, np.cumsum(lengths + 2)[:-1])]

    def perplexities(self, texts: Sequence[str]) -> Doubles:
        """The perplexity of each text, </s> included (shape: texts). That of a text without words is the limit."""
        out = np.full(len(texts), self.limit)
        for part in text_batches(texts):
            logs, lengths = self._logs(texts[part])
            if not len(lengths):
                continue
            ends = np.cumsum(lengths + 2)
            sums = np.add.reduceat(logs, ends - lengths - 2)
            with np.errstate(over="ignore"):
                perplexities = np.power(10.0, -sums / (lengths + 1))
            out[part] = np.where(lengths > 0, np.minimum(perplexities, np.finfo(float).max), self.limit)
        return out

    def _logs(self, texts: Sequence[str]) -> tuple[Doubles, NDArray[np.int64]]:
        """log10 of the probability of each word of all texts in a row, each text between <s> (whose log is 0) and </s>;
        and the number of words of each text."""
        words = tokenize(texts, self.tokens)
        places = self.trie.vocabulary.find(hash_spans(words.data, words.starts, words.ends))
        places[places == len(self.trie.vocabulary)] = self._unknown
        run, starts = with_boundaries(places, words.lengths, self._start, self._end)
        ending = self.trie.ending_places(run, starts)
        logs = _logs_at(self.probabilities[0], run)
        for order in range(1, self.trie.n):
            logs[1:] += _logs_at(self.weights[order - 1], ending[order - 1][:-1])
            known = ending[order] < len(self.trie.tables[order - 1])
            logs = np.where(known, _logs_at(self.probabilities[order], ending[order]), logs)
        logs[starts] = 0.0
        return logs, words.lengths

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        """For each document, the `perplexity` and the `score` of its segments (see `perplexity_fields`)."""
        return perplexity_fields(self.perplexities, self.limit, documents)

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        fixed = {"estimator": self.estimator, "n": self.trie.n, "tokens": self.tokens, "limit": self.limit}
        return {**fixed, **self.about, "n-grams": self.trie.sizes()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file."""
        out = self.trie.arrays()
        for name, coded_logs in (("probability", self.probabilities), ("weight", self.weights)):
            for order, (codes, book) in enumerate(coded_logs, 1):
                out |= {f"{name}{order}": codes, f"{name}-book{order}": book.astype(np.float32)}
        return out

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> BackoffModel:
        """The model of a file's parameters and arrays. Raises KeyError or ValueError where they do not fit together."""
        n = header["n"]
        if not isinstance(n, int) or not 1 <= n <= MAX_ORDER:
            raise ValueError(f"n is {n}; it must be 1 to {MAX_ORDER}")
        trie = NgramTrie.from_parts(n, arrays)
        probabilities, weights = (
            [_checked_logs(arrays, name, order, trie.sizes()[order - 1]) for order in range(1, longest + 1)]
            for name, longest in (("probability", n), ("weight", n - 1))
        )
        own = ("estimator", "n", "tokens", "limit", "n-grams")
        about = {key: value for key, value in header.items() if key not in own}
        parameters = WordModelParameters(header["estimator"], header["tokens"], header["limit"])
        return cls(trie, probabilities, weights, parameters, about)


def _checked_logs(arrays: dict[str, NDArray[Any]], name: str, order: int, size: int) -> CodedLogs:
    codes, book = arrays[f"{name}{order}"], arrays[f"{name}-book{order}"]
    if codes.dtype != np.uint16 or book.dtype != np.float32 or len(codes) != size + 1 or codes.max() >= len(book):
        raise ValueError(f"values of n-grams of {order} words do not fit the n-grams")
    if not np.isfinite(book).all() or book.max() > math.log10(np.finfo(float).max):
        raise ValueError(f"values of n-grams of {order} words are not logarithms")
    return codes, book


def _logs_at(coded_logs: CodedLogs, places: NDArray[np.int64]) -> Doubles:
    """The logarithms of n-grams by place."""
    codes, book = coded_logs
    out: Doubles = book.take(codes.take(places, mode="clip"), mode="clip")
    return out
