"""Word n-gram models whose probabilities are interpolated with fixed weights: PyPlexity's (2023), and corrected forms.

    model = train(["The first sentence.", "And the second."], word_parameters(n=2))    # see `word_trainers`
    model.perplexities(["The second sentence."])

Perplexity is that of the paper's equation 1, over the words of a text. Equation 2 interpolates the relative frequencies
of n-grams of all lengths; the weights are those of PyPlexity's program, for the paper does not print them. 1e-6 is
added to each probability: an unknown word costs 20 bits, and no perplexity exceeds a million. The estimators:

- `pyplexity`: what PyPlexity's program computes from the same counts. For n = 2 it uses the unigram probability of the
  preceding word instead of that of the word itself. For n = 3 the words are aligned, which they are not in the program.
- `pyplexity-misaligned`: n = 3 as the program computes it: each word takes the place of the last two words of the
  trigram, and no trigram ends in the last word of a text.
- `interpolated`: what the paper's text suggests, with the unigram probability of the word itself.

The boundary word `#` precedes each text, as in the program (`interpolated`: <s>, which no text contains). It serves as
a history only: its unigram probability is that of the mark `#` in the texts. Otherwise each text of one word would be
likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import ModelInput, running_texts
from ...text.tokenizers import hash_spans, tokenize
from ..base import Model
from .ngram_trie import NgramRows, NgramTrie
from .parameters import ESTIMATORS, WordModelParameters

Doubles = NDArray[np.float64]
Places = NDArray[np.int64]
# Counts of n-grams by place, and one more for unknown n-grams: indices into a codebook of counts, or the counts
# themselves where there are too many different ones for a codebook.
CodedCounts = tuple[NDArray[Any], "NDArray[Any] | None"]

# Interpolation weights for each n, that of the unigram first.
WEIGHTS = {2: (0.2, 0.8), 3: (0.1, 0.3, 0.6)}
# Added to each probability.
FLOOR = 1e-6
# The maximum number of values in a codebook: as many as two bytes can index.
MAX_CODES = 1 << 16
# The field `values` of the header, for models that hold probabilities instead of counts.
PROBABILITY_VALUES = "probabilities"
# Characters scored at a time: a few passes over the arrays cost little, and the arrays fit the cache.
MAX_BATCH_CHARACTERS = 1 << 17


@dataclass(frozen=True)
class NgramCounts:
    """Counts of n-grams, *tables* for each length: of *words* running words in *texts* texts.
    Where they *are_probabilities*, each value is the probability of the last word after the others."""

    tables: Sequence[CodedCounts]
    words: int
    texts: int = 0
    are_probabilities: bool = False


class InterpolatedModel(Model):
    """Perplexity of texts by n-gram counts, n from 2 to 3. A text of perplexity *limit* has a score of 0."""

    kind = "word"
    mapped = True
    limit: float

    def __init__(self, trie: NgramTrie, counts: NgramCounts, parameters: WordModelParameters) -> None:
        self.trie, self.counts, self.n = trie, counts, parameters.n
        self.estimator, self.tokens, self.limit = parameters.estimator, parameters.tokens, parameters.limit
        self._tables = [(codes, None if book is None else book.astype(np.float64)) for codes, book in counts.tables]
        self._boundary = trie.place(ESTIMATORS[self.estimator].boundary)
        # the n-grams of boundary words alone, which histories extend into: one of each length but the longest
        repeated = [int(trie.find(np.full((1, order), self._boundary))[0]) for order in range(2, trie.n)]
        self.boundary_places = [*repeated, trie.sizes()[-1]]

    @classmethod
    def of_probabilities(
        cls, words: Sequence[str], orders: Sequence[tuple[NgramRows, Doubles]], parameters: WordModelParameters
    ) -> InterpolatedModel:
        """The model of n-grams of one word, of two and so on, and the probabilities of their last words after the
        others. Probabilities are exact where a length has up to 65,536 different ones, otherwise they have 7 digits.

        Raises ValueError as `NgramTrie.build` does.
        """
        unigrams = np.zeros(len(words))
        unigrams[orders[0][0].ravel()] = orders[0][1]
        trie, order_of_length = NgramTrie.build(words, [rows for rows, _ in orders[1:]])
        values = [unigrams, *(probabilities for _, probabilities in orders[1:])]
        tables = [_coded_probabilities(some[order]) for some, order in zip(values, order_of_length)]
        return cls(trie, NgramCounts(tables, 1, are_probabilities=True), parameters)

    def unigram_probabilities(self, words: Places, counts: Doubles) -> Doubles:
        """The relative frequencies of words, given their places and counts; boundaries are not counted."""
        out = counts / self.counts.words
        if self.counts.texts:
            boundaries = words == self._boundary
            out[boundaries] = np.maximum(counts[boundaries] - self.counts.texts, 0.0) / self.counts.words
        return out

    def conditional_probabilities(self, counts: Doubles, of_histories: Doubles) -> Doubles:
        """The relative frequencies of n-grams among those with the same history; 0 where a history is unknown."""
        if self.counts.are_probabilities:
            return counts
        out: Doubles = counts / np.maximum(of_histories, 1.0)
        return out

    def counts_at(self, order: int, places: Places) -> Doubles:
        """The counts of n-grams of a length by place; 0 for unknown n-grams."""
        codes, book = self._tables[order - 1]
        values = codes.take(places, mode="clip")
        return values.astype(np.float64) if book is None else book.take(values, mode="clip")

    def perplexities(self, texts: Sequence[str]) -> Doubles:
        """The perplexity of each text (equation 1; shape: texts). That of a text without words is the limit."""
        out = np.full(len(texts), self.limit)
        for part in text_batches(texts):
            words = tokenize(texts[part], self.tokens)
            places = self.trie.tables[0].find(hash_spans(words.data, words.starts, words.ends))
            run, starts = with_boundaries(places, words.lengths, self._boundary)
            bits = np.log2(PROBABILITIES[self.estimator](self, run, starts))
            bits[starts] = 0.0  # boundaries are not predicted
            if self.estimator == "pyplexity-misaligned":
                bits[starts + words.lengths] = 0.0
            sums = np.add.reduceat(bits, starts)
            has_words = words.lengths > 0
            perplexity = np.full(len(words.lengths), self.limit)
            perplexity[has_words] = np.exp2(-sums[has_words] / words.lengths[has_words])
            out[part] = perplexity
        return out

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        """For each document, the `perplexity` and the `score` of its segments (see `perplexity_fields`)."""
        return perplexity_fields(self.perplexities, self.limit, documents)

    def header(self) -> dict[str, Any]:
        fixed = {"estimator": self.estimator, "n": self.n, "tokens": self.tokens, "limit": self.limit}
        counts = self.counts
        learned = {"words": counts.words, "texts": counts.texts}
        values = {"values": PROBABILITY_VALUES} if counts.are_probabilities else learned
        return {**fixed, **values, "n-grams": self.trie.sizes()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        out = self.trie.arrays()
        for order, (codes, book) in enumerate(self._tables, 1):
            out[f"counts{order}"] = codes
            if book is not None:
                whole = np.uint32 if book[-1] <= np.iinfo(np.uint32).max else np.uint64
                out[f"book{order}"] = book if self.counts.are_probabilities else book.astype(whole)
        return out

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> InterpolatedModel:
        """The model of a file's parameters and arrays. Raises KeyError, TypeError or ValueError where they do not
        fit together."""
        probabilities = header.get("values") == PROBABILITY_VALUES
        words, texts = (1, 0) if probabilities else (header["words"], header["texts"])
        parameters = WordModelParameters(header["estimator"], header["n"], header["tokens"], header["limit"])
        if not isinstance(words, int) or words < 1:
            raise ValueError(f"words: expected a number above 0, got {words}")
        if not isinstance(texts, int) or not 0 <= texts <= words:
            raise ValueError(f"texts: expected a number from 0 to that of words, got {texts}")
        trie = NgramTrie.from_parts(parameters.n, arrays)
        tables = [_checked_table(arrays, order, size, probabilities) for order, size in enumerate(trie.sizes(), 1)]
        return cls(trie, NgramCounts(tables, words, texts, probabilities), parameters)


def _checked_table(arrays: Mapping[str, NDArray[Any]], order: int, size: int, probabilities: bool) -> CodedCounts:
    """The values of n-grams of a length in a file. Raises KeyError or ValueError."""
    codes, book = arrays[f"counts{order}"], arrays.get(f"book{order}")
    types = (np.float32, np.float64) if probabilities else (np.uint32, np.uint64)
    if codes.dtype not in (types if book is None else (np.uint16,)) or (book is not None and book.dtype not in types):
        raise ValueError(f"values of type {codes.dtype}{'' if book is None else f', {book.dtype}'}")
    if len(codes) != size + 1 or (book is not None and codes.max() >= len(book)):
        raise ValueError(f"values of {len(codes) - 1} n-grams; there are {size} n-grams")
    values = codes if book is None else book
    if probabilities and not ((values >= 0) & (values <= 1)).all():
        raise ValueError("a value that is not a probability")
    return codes, book


def _coded_probabilities(values: Doubles) -> CodedCounts:
    """Probabilities as a model stores them. Raises ValueError for values outside 0 to 1."""
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"{values[~((values >= 0) & (values <= 1))][0]} is not a probability")
    if len(np.unique(values)) >= MAX_CODES:
        return np.append(values, 0.0).astype(np.float32), None
    book, codes = np.unique(values, return_inverse=True)
    return np.append(codes, len(book)).astype(np.uint16), np.append(book, 0.0)


# ---- texts ------------------------------------------------------------------------------------------------------


def text_batches(texts: Sequence[str]) -> Iterator[slice]:
    """Slices of *texts* that hold about MAX_BATCH_CHARACTERS characters each."""
    start = size = 0
    for at, text in enumerate(texts):
        size += len(text) + 1
        if size >= MAX_BATCH_CHARACTERS:
            yield slice(start, at + 1)
            start, size = at + 1, 0
    if start < len(texts):
        yield slice(start, len(texts))


def with_boundaries(words: Places, lengths: Places, boundary: int) -> tuple[Places, Places]:
    """The words of texts with *boundary* before each text, and the positions of the boundaries.

    *lengths* is the number of words of each text (shape: texts).
    """
    starts = np.cumsum(lengths + 1) - lengths - 1
    run = np.full(len(words) + len(lengths), boundary, np.int64)
    run[np.arange(len(words)) + np.repeat(np.arange(len(lengths)) + 1, lengths)] = words
    return run, starts


def perplexity_fields(
    perplexities: Callable[[Sequence[str]], NDArray[np.float64]], limit: float, documents: Sequence[ModelInput]
) -> list[dict[str, list[Any]]]:
    """For each document, the `perplexity` of its segments, to seven digits, and their `score`: log2(limit /
    perplexity), in bits, to two decimals."""
    values = perplexities(running_texts(documents))
    power = np.power(10.0, np.clip(6 - np.floor(np.log10(values)), 0, 6))
    rounded = (np.round(values * power) / power).tolist()
    scores = (np.round(np.log2(limit / values), 2) + 0.0).tolist()  # adding 0 turns -0.0 into 0.0
    out = []
    start = 0
    for document in documents:
        end = start + len(document.segments)
        out.append({"perplexity": rounded[start:end], "score": scores[start:end]})
        start = end
    return out


# ---- estimators: the probability of each word of a run (texts, with a boundary at each of *starts*) -------------


def _interpolated(model: InterpolatedModel, run: Places, starts: Places) -> Doubles:
    """The probability of each word after the words before it (equation 2)."""
    unigrams, *longer = model.trie.ending_places(run, starts, model.boundary_places)
    weights = WEIGHTS[model.n]
    shorter = model.counts_at(1, unigrams)
    total = weights[0] * model.unigram_probabilities(unigrams, shorter) + FLOOR
    for order, (weight, places) in enumerate(zip(weights[1:], longer), 2):
        counts = model.counts_at(order, places)
        total += weight * model.conditional_probabilities(counts, _shifted(shorter))
        shorter = counts
    return total


def _pyplexity(model: InterpolatedModel, run: Places, starts: Places) -> Doubles:
    """As PyPlexity's program: bigrams are interpolated with the unigram of the preceding word."""
    if model.n > 2:
        return _interpolated(model, run, starts)
    unigrams, bigrams = model.trie.ending_places(run, starts)
    return _with_preceding_unigram(model, WEIGHTS[2], unigrams, model.counts_at(2, bigrams))


def _misaligned(model: InterpolatedModel, run: Places, starts: Places) -> Doubles:
    """As PyPlexity's program for n = 3: the trigram is the preceding word, the word, and the word again."""
    unigrams, bigrams, _ = model.trie.ending_places(run, starts)
    bigram_counts = model.counts_at(2, bigrams)
    trigram_counts = model.counts_at(3, model.trie.find_longer(3, bigrams, run))
    out = _with_preceding_unigram(model, WEIGHTS[3], unigrams, bigram_counts)
    out += WEIGHTS[3][2] * model.conditional_probabilities(trigram_counts, bigram_counts)
    return out


def _with_preceding_unigram(
    model: InterpolatedModel, weights: Sequence[float], unigrams: Places, bigram_counts: Doubles
) -> Doubles:
    """Bigram probabilities, interpolated with the unigram probabilities of the preceding words."""
    unigram_weight, bigram_weight, *_ = weights
    counts = model.counts_at(1, unigrams)
    out = bigram_weight * model.conditional_probabilities(bigram_counts, _shifted(counts))
    out += unigram_weight * _shifted(model.unigram_probabilities(unigrams, counts))
    out += FLOOR
    return out


def _shifted(values: Doubles) -> Doubles:
    """The value of the preceding word for each word; 0 for the first."""
    out = np.empty_like(values)
    out[:1] = 0.0
    out[1:] = values[:-1]
    return out


PROBABILITIES: dict[str, Callable[[InterpolatedModel, Places, Places], Doubles]] = {
    "pyplexity": _pyplexity,
    "pyplexity-misaligned": _misaligned,
    "interpolated": _interpolated,
}
