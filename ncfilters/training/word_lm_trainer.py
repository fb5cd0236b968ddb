"""Texts counted, and counts made into word models by one of the estimators (see `word`).

model = train(["The first sentence.", "And the second."], n=2, estimator="interpolated")
model.perplexities(["The second sentence."])
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..scoring.word_lm.backoff import END, Backoff
from ..scoring.word_lm.interpolated import CUT_AS, EDGES, KNESER_NEY, LIMIT, Word, check
from .ngram_counter import Counting
from .run_merger import Merged, built


def train(
    texts: Iterable[str],
    n: int = 2,
    estimator: str = "pyplexity",
    tokens: str | None = None,
    limit: float = LIMIT,
    min_count: int = 1,
    memory: int = 1 << 30,
    folder: str | None = None,
) -> Word | Backoff:
    """A model of well-formed texts, best sentences: each has its beginning as its first history.

    N-grams seen less than *min_count* times are left out, single words too. About *memory* bytes are used, and
    what does not fit in them is kept in a temporary folder in *folder*. Raises ValueError as `check` does, and
    where there is no word to learn from.
    """
    tokens = tokens or CUT_AS[estimator]
    check(n, estimator, tokens, limit, min_count)
    with counting(n, estimator, tokens, memory, folder) as counts:
        counts.add(texts)
        return trained(counts, estimator, tokens, limit, min_count)


def counting(n: int, estimator: str, tokens: str, memory: int, folder: str | None) -> Counting:
    """What counts texts for an estimator."""
    if estimator == KNESER_NEY:
        return Counting(n, tokens, EDGES[estimator], 1, END, memory, folder)
    return Counting(n, tokens, EDGES[estimator], n - 1, None, memory, folder)


def trained(counts: Counting, estimator: str, tokens: str, limit: float, min_count: int) -> Word | Backoff:
    """The model of what was counted; its arrays may be files that go with the counts. Raises ValueError where that is
    nothing."""
    merged = counts.merged()
    if not merged.words:
        raise ValueError("nothing to learn from: no word in the texts")
    if estimator != KNESER_NEY:
        trie, values = built(merged, min_count)
        return Word(trie, values, merged.words, estimator, tokens, limit, min_count, texts=counts.texts)
    return _kneser_ney(merged, tokens, limit, min_count)


def _kneser_ney(merged: Merged, tokens: str, limit: float, min_count: int) -> Backoff:
    """The back-off model of counts; words are all kept."""
    from .kneser_ney import estimate

    tables = merged.tables()
    found = estimate(merged.vocabulary(), tables, [1, *[min_count] * (len(tables) - 1)])
    about = {"min_count": min_count, "words": merged.words, "discounts": np.round(found.discounts, 6).tolist()}
    if found.fallback:
        about["fallback discounts"] = (
            "for n-grams of " + ", ".join(map(str, found.fallback)) + " words: too little text"
        )
    return Backoff.of(found.words, found.orders, KNESER_NEY, tokens, limit, about)
