"""What models of perplexity share: texts in batches, and perplexity as evidence.

fields(model.perplexities, 8000.0, [Document.of_texts(["Some text."])])    # [{"perplexity": [512.0], "score": [3.97]}]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.document import Document

Places = NDArray[np.int64]

# Characters scored at a time: enough for a few passes over arrays to be cheap, little enough for the cache.
BATCH = 1 << 17


def checked_limit(limit: Any) -> float:
    """A perplexity that may be a limit. Raises ValueError."""
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not (limit > 0 and math.isfinite(limit)):
        raise ValueError(f"limit is {limit}: a perplexity above 0")
    return float(limit)


def batches(texts: Sequence[str]) -> Iterator[slice]:
    """The texts in runs of about so many characters."""
    start = size = 0
    for at, text in enumerate(texts):
        size += len(text) + 1
        if size >= BATCH:
            yield slice(start, at + 1)
            start, size = at + 1, 0
    if start < len(texts):
        yield slice(start, len(texts))


def inserted(words: Places, lengths: Places, start: int, end: int | None = None) -> tuple[Places, Places]:
    """The words of texts with *start* before each text, and *end* after it if any; and where the starts are."""
    more = 1 if end is None else 2
    ends = np.cumsum(lengths + more)
    edges = ends - lengths - more
    run = np.full(len(words) + more * len(lengths), start, np.int64)
    run[np.arange(len(words)) + np.repeat(np.arange(len(lengths)) * more + 1, lengths)] = words
    if end is not None:
        run[ends - 1] = end
    return run, edges


def fields(
    perplexities: Callable[[Sequence[str]], NDArray[np.float64]], limit: float, documents: Sequence[Document]
) -> list[dict[str, list[Any]]]:
    """For each document, the `perplexity` of its segments, to seven digits, and the `score`: log2 of limit /
    perplexity (bits), to two decimals."""
    found = perplexities([segment["text"] for document in documents for segment in document.segments])
    power = np.power(10.0, np.clip(6 - np.floor(np.log10(found)), 0, 6))
    rounded = (np.round(found * power) / power).tolist()
    scores = (np.round(np.log2(limit / found), 2) + 0.0).tolist()
    out = []
    at = 0
    for document in documents:
        to = at + len(document)
        out.append({"perplexity": rounded[at:to], "score": scores[at:to]})
        at = to
    return out
