"""Measures of known-item search: how well queries find the one page that each is about.

    precision_at_1(1), reciprocal_rank(2), ndcg(3)     # (1.0, 0.5, 0.5)
    mean_measures([1, 3, None])                        # {"P@1": 0.33…, "MRR": 0.44…, "NDCG@10": 0.5}

A rank is 1 for the best result, and None where the page is not found. The measures are those of PyPlexity (2023),
section 4.2, with one relevant page per query.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

Rank = int | None
# Results that NDCG considers.
NDCG_DEPTH = 10


def precision_at_1(rank: Rank) -> float:
    """1 if the page is first, else 0 (equation 3, n = 1)."""
    return float(rank == 1)


def reciprocal_rank(rank: Rank) -> float:
    """1 / rank; 0 where the page is not found. It is the average precision (equation 4) of one relevant page."""
    return 1 / rank if rank else 0.0


def ndcg(rank: Rank, depth: int = NDCG_DEPTH) -> float:
    """The normalised discounted cumulative gain of the first *depth* results (equations 5 and 6).

    The ideal, the page in first place, has a gain of 1.
    """
    return 1 / math.log2(rank + 1) if rank and rank <= depth else 0.0


MEASURES: Mapping[str, Callable[[Rank], float]] = {
    "P@1": precision_at_1,
    "MRR": reciprocal_rank,
    f"NDCG@{NDCG_DEPTH}": ndcg,
}


def mean_measures(ranks: Sequence[Rank]) -> dict[str, float]:
    """The mean of each measure over queries, in [0, 1]. Raises ValueError without queries."""
    if not ranks:
        raise ValueError("no queries")
    return {name: math.fsum(map(measure, ranks)) / len(ranks) for name, measure in MEASURES.items()}


def rank_of(page: int, results: Sequence[int]) -> Rank:
    """The rank of *page* in *results*; None where it is not among them."""
    try:
        return results.index(page) + 1
    except ValueError:
        return None


def without_phrase(text: str, phrase: str) -> str:
    """*text* without the occurrences of *phrase*, in any case and white space."""
    words = phrase.split()
    if not words:
        return text
    return re.sub(r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", " ", text, flags=re.IGNORECASE)
