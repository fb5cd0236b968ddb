"""The trainers that count words of clean text: of word n-gram models, and of stop lists.

model = train_word_model(["The first sentence.", "And the second."], word_parameters(2, "interpolated"))
model.perplexities(["The second sentence."])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.gold import clean_text
from ..dataset.labelled_pages import LabelledPage, label_page
from ..errors import RecordError
from ..record import Record
from ..scoring import registry
from ..scoring.justext import stoplist
from ..scoring.word_lm.interpolated import MAX_CODES, CodedCounts, InterpolatedModel, NgramCounts
from ..scoring.word_lm.ngram_trie import NgramTrie
from ..scoring.word_lm.parameters import DEFAULT_LIMIT, ESTIMATORS, WordModelParameters
from ..segmentation.sentences import split_text
from ..text.tokenizers import MAX_WORD_BYTES, Hashes, Places, hash_spans, tokenize
from .base import PageTrainer

Column = NDArray[Any]

# The text of a model of no single lines, as its header describes it.
SENTENCES = "sentences of texts, none of more than a line"
# Characters of text that are tokenized at a time.
BATCH_SIZE = 1 << 24
# The key of an n-gram: the rank of its history in the upper 32 bits, the rank of its last word in the lower.
HISTORY_SHIFT = np.uint64(32)
WORD_MASK = np.uint64((1 << 32) - 1)


def word_parameters(
    n: int = 2, estimator: str = "pyplexity", perplexity_limit: float = DEFAULT_LIMIT
) -> WordModelParameters:
    """The parameters of word models with n-grams of *n* words, by one of `ESTIMATORS`, which has its own tokens. Raises
    ValueError for values out of range."""
    tokens = ESTIMATORS[estimator].tokens if estimator in ESTIMATORS else ""
    return WordModelParameters(estimator, n, tokens, perplexity_limit)


class WordModelTrainer(PageTrainer):
    """Trains a word model on clean texts, which are counted as they come and not kept. Each of their *lines* is a
    sentence, or the rules of a *language* split them. With *keep_pages*, pages with gold text are kept for
    cross-validation."""

    def __init__(
        self, parameters: WordModelParameters, lines: bool = False, language: str = "", keep_pages: bool = False
    ) -> None:
        super().__init__(label_page, self._train, "one sentence a line" if lines else SENTENCES)
        self._parameters, self._lines, self._language, self._keep_pages = parameters, lines, language, keep_pages
        self._counter = NgramCounter(parameters)
        self._counts = Counter({"texts": 0, "characters": 0})

    def add(self, record: Record) -> None:
        """Counts the clean text of a record: its gold text, or the `text` of a record without. Raises RecordError."""
        if self._keep_pages and ("gold" in record or not isinstance(record.get("text"), str)):
            super().add(record)
        text = clean_text(record)
        sentences = self._sentences(text)
        self._counts.update(sentences=len(sentences))
        self._counter.add(sentences)
        self._counts.update(texts=1, characters=len(text))

    def counts(self) -> dict[str, int]:
        """The numbers of texts, of their characters and of their sentences."""
        return dict(self._counts)

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model of all texts; its header. Raises ValueError if there is no word, and OSError."""
        return registry.write_model(path, self._counter.model(), {**about, "normalised": self._normalised})

    def _train(self, pages: Sequence[LabelledPage]) -> InterpolatedModel:
        texts = (sentence for page in pages for sentence in self._sentences(page.gold.plain))
        return train_word_model(texts, self._parameters)

    def _sentences(self, text: str) -> list[str]:
        """The sentences of a text, each on one line."""
        lines = [line for line in text.splitlines() if line and not line.isspace()]
        return lines if self._lines else [part for line in lines for part in split_text(line, self._language)]


class StoplistTrainer:
    """Counts the words of clean texts, and lists the most frequent: at most *size*, and as few as cover the share
    *coverage* (0 to 1) of all running words. *name* is the English name of the language. A record may be a row of a
    frequency table, with a word as `text` and its `count`. Raises ValueError for values out of range."""

    def __init__(self, size: int | None = 500, coverage: float | None = None, name: str = "") -> None:
        stoplist.most_frequent_words({"a": 1}, size, coverage)
        self._size, self._coverage, self._name = size, coverage, name
        self._counts = Counter({"texts": 0, "characters": 0})
        self._words: Counter[str] = Counter()

    def add(self, record: Record) -> None:
        """Adds the clean text of a record, weighted by its `count`. Raises RecordError."""
        times = record.get("count", 1)
        if not isinstance(times, int) or isinstance(times, bool) or times < 1:
            raise RecordError("count: expected a whole number, at least 1: the occurrences of the text")
        text = clean_text(record)
        self._words.update(stoplist.count_words([text], [times]))
        self._counts.update(texts=1, characters=len(text))

    def counts(self) -> dict[str, int]:
        """The numbers of texts and of their characters."""
        return dict(self._counts)

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the list; its header. Raises ValueError if there is no word, and OSError."""
        words = stoplist.most_frequent_words(self._words, self._size, self._coverage)
        header = {
            **about,
            "name": self._name,
            "credits": "\n".join(about["credits"]),
            "seen": ", ".join(f"{number} {what}" for what, number in about["seen"].items()),
            "words counted": self._words.total(),
            "words": len(words),
            "coverage": round(stoplist.coverage_of(self._words, words), 4),
        }
        stoplist.write_stoplist(path, words, {"kind": "stoplist", **header})
        return header


def train_word_model(texts: Iterable[str], parameters: WordModelParameters) -> InterpolatedModel:
    """A model of well-formed texts, best one sentence each: boundaries precede each text. Raises ValueError where the
    texts contain no word."""
    counter = NgramCounter(parameters)
    counter.add(texts)
    return counter.model()


# ---- counts -----------------------------------------------------------------------------------------------------


class NgramCounter:
    """Counts the n-grams of texts up to n words in memory. The estimator's boundary precedes each text n - 1 times.

    N-grams shorter than n may end in the last boundary word, because they are histories; the longest n-grams may not.
    Words are ordered by their hashes (see `hash_spans`), n-grams by the ranks of their histories and last words: the
    tables do not depend on the order of texts. A running word takes about 100 bytes while they are built.
    """

    def __init__(self, parameters: WordModelParameters) -> None:
        self._parameters = parameters
        self._boundary = ESTIMATORS[parameters.estimator].boundary.encode()
        self._hashes: list[Hashes] = []  # of the running words
        self._lengths: list[Places] = []  # the numbers of words of texts
        self._spellings: dict[int, bytes] = {}
        self._batch: list[str] = []
        self._batch_size = 0
        self.words = self.texts = 0

    def add(self, texts: Iterable[str]) -> None:
        """Counts texts, each after boundaries."""
        for text in texts:
            self._batch.append(text)
            self._batch_size += len(text) + 1
            if self._batch_size >= BATCH_SIZE:
                self._count_batch()

    def model(self) -> InterpolatedModel:
        """The model of the counted texts. Raises ValueError where no word was counted."""
        trie, tables = self.build_trie()
        return InterpolatedModel(trie, NgramCounts(tables, self.words, self.texts), self._parameters)

    def build_trie(self) -> tuple[NgramTrie, list[CodedCounts]]:
        """The trie of n-grams, and their counts for each length. Raises ValueError where no word was counted."""
        self._count_batch()
        if not self.words:
            raise ValueError("no training data: the texts contain no word")
        (words, counts), *longer = self._counted()
        spelled = [self._spellings[word] for word in words.tolist()]
        trie, order = NgramTrie.of_words(spelled, counts)
        tables = [_coded(counts, order)]
        first = places = np.argsort(order)  # by rank
        for keys, counts in longer:
            histories, last = (keys >> HISTORY_SHIFT).astype(np.int64), (keys & WORD_MASK).astype(np.int64)
            order = trie.add(places[histories], first[last], counts)
            tables.append(_coded(counts, order))
            places = np.argsort(order)
        return trie, tables

    def _count_batch(self) -> None:
        """Adds the words of the batch."""
        texts, self._batch, self._batch_size = self._batch, [], 0
        words = tokenize(texts, self._parameters.tokens) if texts else None
        if not words or not len(words.starts):
            return
        self._lengths.append(words.lengths[words.lengths > 0])
        self.texts += len(self._lengths[-1])
        self.words += len(words.starts)
        self._hashes.append(hash_spans(words.data, words.starts, words.ends))
        distinct, first = np.unique(self._hashes[-1], return_index=True)
        data, starts = words.data.tobytes(), words.starts[first]
        ends = np.minimum(words.ends[first], starts + MAX_WORD_BYTES)
        for word, start, end in zip(distinct.tolist(), starts.tolist(), ends.tolist()):
            self._spellings.setdefault(word, data[start:end])

    def _counted(self) -> Iterator[tuple[Hashes, Column]]:
        """For each length, the keys of all n-grams, ascending (of words: their hashes), and their counts."""
        special = hash_spans(np.frombuffer(self._boundary, np.uint8), np.array([0]), np.array([len(self._boundary)]))
        self._spellings.setdefault(int(special[0]), self._boundary)
        distinct, ids = np.unique(np.concatenate([*self._hashes, special]), return_inverse=True)
        lengths, added = np.concatenate(self._lengths), self._parameters.n - 1
        text_starts = np.cumsum(lengths + added) - lengths - added
        run = np.full(self.words + added * len(lengths), ids[-1])
        run[np.arange(self.words) + np.repeat(np.arange(1, len(lengths) + 1) * added, lengths)] = ids[:-1]
        # the position of each word in its text, boundaries included
        position = np.arange(len(run)) - np.repeat(text_starts, lengths + added)
        yield distinct, np.bincount(run[position >= added - 1], minlength=len(distinct)).astype(np.uint64)
        ranks = run
        for order in range(2, added + 2):
            at = np.flatnonzero(position >= max(order - 1, added - (order <= added)))
            keys = (ranks[at - 1].astype(np.uint64) << HISTORY_SHIFT) | run[at].astype(np.uint64)
            ngrams, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
            yield ngrams, counts.astype(np.uint64)
            ranks = np.zeros(len(run), np.int64)
            ranks[at] = inverse


def _coded(counts: Column, order: Places) -> CodedCounts:
    """The counts of n-grams by place, and 0 for unknown ones: indices into a codebook, if it has room."""
    values = np.append(counts[order], np.uint64(0))
    book = np.unique(values)
    if len(book) > MAX_CODES:
        return values, None
    return np.searchsorted(book, values).astype(np.uint16), book
