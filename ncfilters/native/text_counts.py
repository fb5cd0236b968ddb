"""Counts over the characters of texts.

num_words(["It rained.", ""])    # [2, 0]
common_length("body/div", "body/p")    # 5
CharCounter("\\u0e00-\\u0eff").count("ฝน rain")    # 2
"""

from __future__ import annotations

import re
from os.path import commonprefix


def num_words(texts: list[str]) -> list[int]:
    """The number of strings between white space in each text, as `str.split` makes them."""
    return [len(text.split()) for text in texts]


def common_length(one: str, other: str) -> int:
    """The number of characters with which both texts begin."""
    return len(commonprefix([one, other]))


class CharCounter:
    """Counts the characters in *ranges*, which are in the notation of a character class of `re`: at most 16."""

    def __init__(self, ranges: str) -> None:
        self._pattern = re.compile(f"[{ranges}]")

    def count(self, text: str) -> int:
        """The number of characters of a text in the ranges."""
        return 0 if text.isascii() else len(self._pattern.findall(text))
