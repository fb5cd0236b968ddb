"""Sets of words that are compared with the words of many short texts, and numbers of pairs of integers.

    words = WordSet({"bridge": 1, "river": 3}, (("\u4e00", "\u9fff"),))
    out = array("i", [0, 0, 0])
    words.overlap("The bridge, the river", out)    # True
    out                                            # array('i', [3, 2, 1])
    numbers = PairNumbers()
    numbers.add(7, 1), numbers.add(-1, 2), numbers.add(7, 1), numbers.find(3, 3)    # (0, 1, 0, -1)

Words are runs of letters and digits.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

# The most characters of a text.
MAX_CHARS = 2000


class WordSet:
    """Words with bits, 1 or 2 or both. *singles*: first and last ones of characters, beyond U+2E80, that are words by
    themselves."""

    def __init__(self, words: dict[str, int], singles: tuple[tuple[str, str], ...]) -> None:
        self._words, self._pattern, self.size = words, _word(singles), len(words)

    def overlap(self, text: str, out: Any) -> bool:
        """Whether a text, in which only ASCII letters may be capitals, has any of the words. Writes the number of its
        different words, if it has, and how many of them have bit 1 and bit 2. Raises ValueError for more than
        MAX_CHARS."""
        if len(out) < 3 or len(text) > MAX_CHARS:
            raise ValueError("a text that is too long, or no room for three numbers")
        own = set(self._pattern.findall(text.lower()))
        bits = [self._words[word] for word in own if word in self._words]
        out[0], out[1], out[2] = len(own) if bits else 0, sum(bit & 1 for bit in bits), sum(bit >> 1 for bit in bits)
        return bool(bits)


@lru_cache(1)
def _word(singles: tuple[tuple[str, str], ...]) -> Any:
    ranges = "".join(f"{first}-{last}" for first, last in singles)
    return re.compile(rf"[{ranges}]|[^\W_{ranges}]+")


class PairNumbers:
    """The numbers of pairs of integers of 32 bits; *size*: how many there are."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self.size = 0

    def find(self, first: int, second: int) -> int:
        """The number of a pair, -1 for one that is not there."""
        return self._numbers.get((first, second), -1)

    def add(self, first: int, second: int) -> int:
        """The number of a pair, which is added if it is new: then its number is the size so far."""
        number = self._numbers.setdefault((first, second), self.size)
        self.size = len(self._numbers)
        return number
