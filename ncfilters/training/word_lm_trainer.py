"""Trains word n-gram models: counts texts, and estimates probabilities from the counts.

model = train_word_model(["The first sentence.", "And the second."], WordModelOptions(n=2, estimator="interpolated"))
model.perplexities(["The second sentence."])
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..scoring.word_lm.backoff import BackoffModel
from ..scoring.word_lm.interpolated import InterpolatedModel, NgramCounts
from ..scoring.word_lm.parameters import (
    DEFAULT_LIMIT,
    ESTIMATORS,
    KNESER_NEY,
    SENTENCE_END,
    WordModelParameters,
    check_estimation,
)
from .kneser_ney import estimate
from .ngram_counter import Boundaries, NgramCounter
from .run_merger import MergedNgrams
from .trie_builder import build_trie


@dataclass(frozen=True)
class WordModelOptions:
    """How a word model is trained.

    *n* is the length of n-grams, *estimator* one of `ESTIMATORS`, *tokens* a tokenization (default: the estimator's).
    N-grams (and words, except by Kneser-Ney) seen less than *min_count* times are left out. Counting takes about
    *memory* bytes; what exceeds them goes to files in the folder *temp*. Raises ValueError for parameters out of range.
    """

    n: int = 2
    estimator: str = "pyplexity"
    tokens: str | None = None
    perplexity_limit: float = DEFAULT_LIMIT
    min_count: int = 1
    memory: int = 1 << 30
    temp: str | None = None

    def __post_init__(self) -> None:
        check_estimation(self.n, self.estimator, self.min_count)
        self.parameters()

    def parameters(self) -> WordModelParameters:
        """The parameters of the model."""
        return WordModelParameters(
            self.estimator, self.tokens or ESTIMATORS[self.estimator].tokens, self.perplexity_limit
        )


def train_word_model(texts: Iterable[str], options: WordModelOptions | None = None) -> InterpolatedModel | BackoffModel:
    """A model of well-formed texts, best one sentence each: boundaries surround each text. Raises ValueError where the
    texts contain no word."""
    options = options or WordModelOptions()
    with word_counter(options) as counter:
        counter.add(texts)
        return estimate_model(counter, options)


def word_counter(options: WordModelOptions) -> NgramCounter:
    """A counter of n-grams as the estimator needs them, to be used with `with`."""
    tokens, start = options.parameters().tokens, ESTIMATORS[options.estimator].boundary
    if options.estimator == KNESER_NEY:
        boundaries = Boundaries(start, 1, SENTENCE_END)
    else:
        boundaries = Boundaries(start, options.n - 1)
    return NgramCounter(options.n, tokens, boundaries, options.memory, options.temp)


def estimate_model(counter: NgramCounter, options: WordModelOptions) -> InterpolatedModel | BackoffModel:
    """The model of the counted texts. Its arrays may be temporary files of *counter*: write it before closing that.
    Raises ValueError where no word was counted."""
    merged = MergedNgrams(counter.finish())
    if not merged.words:
        raise ValueError("nothing to learn from: the texts contain no word")
    if options.estimator == KNESER_NEY:
        return _kneser_ney(merged, options)
    trie, tables = build_trie(merged, options.min_count)
    counts = NgramCounts(tables, merged.words, counter.texts, options.min_count)
    return InterpolatedModel(trie, counts, options.parameters())


def _kneser_ney(merged: MergedNgrams, options: WordModelOptions) -> BackoffModel:
    """The back-off model of counts; all words are kept."""
    tables = merged.tables()
    smoothed = estimate(merged.vocabulary(), tables, [1, *[options.min_count] * (len(tables) - 1)])
    about = {
        "min_count": options.min_count,
        "words": merged.words,
        "discounts": np.round(smoothed.discounts, 6).tolist(),
    }
    if smoothed.fallback:
        about["fallback discounts"] = (
            "for n-grams of " + ", ".join(map(str, smoothed.fallback)) + " words: too little text"
        )
    return BackoffModel.build(smoothed.words, smoothed.orders, options.parameters(), about)
