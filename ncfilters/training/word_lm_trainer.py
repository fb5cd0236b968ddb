"""Trains word n-gram models: counts texts, and estimates probabilities from the counts.

model = train_word_model(["The first sentence.", "And the second."], WordModelOptions(n=2, estimator="interpolated"))
model.perplexities(["The second sentence."])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..dataset.gold import clean_text
from ..dataset.labelled_pages import LabelledPage, LabelledPages, label_page
from ..record import Record
from ..scoring import registry
from ..scoring.word_lm.interpolated import InterpolatedModel, NgramCounts
from ..scoring.word_lm.parameters import DEFAULT_LIMIT, ESTIMATORS, WordModelParameters, check_estimation
from ..segmentation.sentences import split_text
from .ngram_counter import NgramCounter


@dataclass(frozen=True)
class WordModelOptions:
    """How a word model is trained.

    *n* is the length of n-grams, *estimator* one of `ESTIMATORS`. Raises ValueError for parameters out of range.
    """

    n: int = 2
    estimator: str = "pyplexity"
    perplexity_limit: float = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        check_estimation(self.n, self.estimator)
        self.parameters()

    def parameters(self) -> WordModelParameters:
        """The parameters of the model."""
        return WordModelParameters(self.estimator, ESTIMATORS[self.estimator].tokens, self.perplexity_limit)


@dataclass(frozen=True)
class SentenceOptions:
    """How texts are split into sentences: each of the *lines* is one, or the rules of a *language* split them."""

    lines: bool = False
    language: str = ""

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text, each on one line."""
        lines = [line for line in text.splitlines() if line and not line.isspace()]
        if self.lines:
            return lines
        return [sentence for line in lines for sentence in split_text(line, self.language)]


class WordModelTrainer:
    """Trains a word model on clean texts, which are counted as they come and not kept. With *keep_pages*, pages with
    gold text are kept for cross-validation."""

    def __init__(
        self, options: WordModelOptions, split_options: SentenceOptions | None = None, keep_pages: bool = False
    ) -> None:
        self._options, self._keep_pages = options, keep_pages
        self._split_options = split_options or SentenceOptions()
        self._counter = word_counter(options)
        self._counts = Counter({"texts": 0, "characters": 0})
        self.pages: list[LabelledPage] = []

    def add(self, record: Record) -> Record:
        """Counts the clean text of a record: its gold text, or the `text` of a record without. Raises RecordError."""
        if self._keep_pages and ("gold" in record or not isinstance(record.get("text"), str)):
            self.pages.append(label_page(record))
        text = clean_text(record)
        sentences = self._split_options.sentences(text)
        self._counts.update(sentences=len(sentences))
        self._counter.add(sentences)
        self._counts.update(texts=1, characters=len(text))
        return record

    def counts(self) -> dict[str, int]:
        """The numbers of texts, of their characters and of their sentences."""
        return dict(self._counts)

    def train(self, pages: LabelledPages) -> InterpolatedModel:
        """A model of the gold text of some pages. Raises ValueError if it contains no word."""
        golds = (page.gold.plain for page in pages.pages)
        texts = (sentence for gold in golds for sentence in self._split_options.sentences(gold))
        return train_word_model(texts, self._options)

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model of all texts; its header. Raises ValueError if there is no word, and OSError."""
        lines = self._split_options.lines
        normalised = "one sentence a line" if lines else "sentences of texts, none of more than a line"
        model = estimate_model(self._counter, self._options)
        return registry.write_model(path, model, {**about, "normalised": normalised})


def train_word_model(texts: Iterable[str], options: WordModelOptions | None = None) -> InterpolatedModel:
    """A model of well-formed texts, best one sentence each: boundaries precede each text. Raises ValueError where the
    texts contain no word."""
    options = options or WordModelOptions()
    counter = word_counter(options)
    counter.add(texts)
    return estimate_model(counter, options)


def word_counter(options: WordModelOptions) -> NgramCounter:
    """A counter of n-grams as the estimator needs them."""
    return NgramCounter(options.n, options.parameters().tokens, ESTIMATORS[options.estimator].boundary)


def estimate_model(counter: NgramCounter, options: WordModelOptions) -> InterpolatedModel:
    """The model of the counted texts. Raises ValueError where no word was counted."""
    trie, tables = counter.build_trie()
    counts = NgramCounts(tables, counter.words, counter.texts)
    return InterpolatedModel(trie, counts, options.parameters())
