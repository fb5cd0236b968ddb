"""What all perplexity models share: texts in batches, boundary words, and perplexity as fields of segments.

perplexity_fields(model.perplexities, 8000.0, [ModelInput.of_texts(["Some text."])])
# [{"perplexity": [512.0], "score": [3.97]}]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import ModelInput, running_texts

Positions = NDArray[np.int64]

# Characters scored at a time: a few passes over the arrays cost little, and the arrays fit the cache.
MAX_BATCH_CHARACTERS = 1 << 17


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


def with_boundaries(
    words: Positions, lengths: Positions, start: int, end: int | None = None
) -> tuple[Positions, Positions]:
    """The words of texts, *start* before each text and *end* (if any) after it; and the positions of the starts.

    *lengths* is the number of words of each text (shape: texts).
    """
    added = 1 if end is None else 2
    ends = np.cumsum(lengths + added)
    starts = ends - lengths - added
    run = np.full(len(words) + added * len(lengths), start, np.int64)
    run[np.arange(len(words)) + np.repeat(np.arange(len(lengths)) * added + 1, lengths)] = words
    if end is not None:
        run[ends - 1] = end
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
