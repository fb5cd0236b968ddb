"""Repeated n-grams of a text, as Gopher (Rae et al. 2021, table A1) counts them, with datatrove's definitions.

    Repetition("it rained and it rained again".split()).top_chars(2)    # 18

N-grams are compared by 64-bit hashes, of which two in a text of 200,000 tokens are equal by chance with a
probability of 10⁻⁹.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..text.hash_table import MIXERS
from .word_ngrams import ngrams

Array = NDArray[Any]

# A factor of splitmix64, with which numbers of tokens become hashes.
_MIX = np.uint64(MIXERS[0])


class Repetition:
    """The n-grams of *tokens*."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens

    @cached_property
    def _hashes(self) -> Array:
        numbers: dict[str, int] = {}
        ids = np.array([numbers.setdefault(token, len(numbers) + 1) for token in self._tokens], np.uint64)
        mixed: Array = ids * _MIX
        mixed ^= mixed >> np.uint64(29)
        mixed *= _MIX
        return mixed

    @cached_property
    def _ends(self) -> Array:
        """For each token the number of characters before it, and at the end that of all tokens."""
        return np.cumsum([0, *map(len, self._tokens)])

    def _ngrams(self, n: int) -> Array:
        """The hash of each n-gram."""
        return ngrams(self._hashes, n)[: max(len(self._tokens) - n + 1, 0)]

    def top_chars(self, n: int) -> int:
        """The characters of all occurrences of the most frequent n-gram (of several, the first), with spaces between
        its tokens."""
        if len(self._tokens) < n:
            return 0
        _, first, counts = np.unique(self._ngrams(n), return_index=True, return_counts=True)
        most = int(counts.max())
        at = int(first[counts == most].min())
        return most * (int(self._ends[at + n] - self._ends[at]) + n - 1)

    def repeated_chars(self, n: int) -> int:
        """The characters of n-grams that occurred before; after one, the search goes on behind it, so that none counts
        twice."""
        hashes = self._ngrams(n)
        _, first = np.unique(hashes, return_index=True)
        if len(first) == len(hashes):
            return 0
        ngrams: list[int] = hashes.tolist()
        seen: set[int] = set()
        at = chars = 0
        while at < len(ngrams):
            if ngrams[at] in seen:
                chars += int(self._ends[at + n] - self._ends[at])
                at += n
            else:
                seen.add(ngrams[at])
                at += 1
        return chars
