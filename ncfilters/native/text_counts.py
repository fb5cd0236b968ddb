"""Counts over the characters of texts, white space, sets of characters and of words, and numbers of pairs of integers.

num_words(["It rained.", ""])    # [2, 0]
common_length("body/div", "body/p")    # 5
CharacterSet("\u0e00-\u0eff").count("ฝน rain")    # 2
words = WordSet({"bridge": 1, "river": 3}, (("\u4e00", "\u9fff"),))
out = array("i", [0, 0, 0])
words.overlap("The bridge, the river", out)    # True
out                                            # array('i', [3, 2, 1])
numbers = PairNumbers()
numbers.add(7, 1), numbers.add(-1, 2), numbers.add(7, 1), numbers.find(3, 3)    # (0, 1, 0, -1)

Words of a set are runs of letters and digits.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from os.path import commonprefix
from typing import Any

# Characters of a text that is split into words at once: the words of 50 MB take 500 MB.
MAX_SPLIT_CHARS = 1 << 20
# The most characters of a text that is compared with a set of words.
MAX_CHARS = 2000

_SPACE = re.compile(r"\s")


def num_words(texts: list[str]) -> list[int]:
    """The number of strings between white space in each text, as `str.split` makes them."""
    return [len(text.split()) for text in texts]


def common_length(one: str, other: str) -> int:
    """The number of characters with which both texts begin."""
    return len(commonprefix([one, other]))


def collapse_spaces(text: str) -> str:
    """*text* with every run of white space as one space, and none around it."""
    if len(text) <= MAX_SPLIT_CHARS:
        return " ".join(text.split())
    pieces = []
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + MAX_SPLIT_CHARS)
        end = space.start() if space else len(text)
        pieces.append(" ".join(text[start:end].split()))
        start = end
    return " ".join(filter(None, pieces))


class CharacterSet:
    """The characters of some ranges up to U+3FFFF, none of which is a backslash or a bracket."""

    def __init__(self, ranges: str) -> None:
        self._ranges = ranges

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile(f"[{self._ranges}]")

    @cached_property
    def _other(self) -> re.Pattern[str]:
        return re.compile(f"[^{self._ranges}]")

    def is_in(self, text: str) -> bool:
        """Whether a text has a character of the set."""
        return self._any.search(text) is not None

    def has_all(self, text: str) -> bool:
        """Whether all characters of a text are in the set."""
        return self._other.search(text) is None

    def count(self, text: str) -> int:
        """The number of characters of a text that are in the set."""
        return len(self._any.findall(text))


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
