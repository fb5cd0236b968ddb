"""Counts over the characters of texts, sets of characters, and white space.

num_words(["It rained.", ""])    # [2, 0]
common_length("body/div", "body/p")    # 5
CharacterSet("\u0e00-\u0eff").count("ฝน rain")    # 2
"""

from __future__ import annotations

import re
from functools import cached_property
from os.path import commonprefix

# Characters of a text that is split into words at once: the words of 50 MB take 500 MB.
MAX_SPLIT_CHARS = 1 << 20

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
