"""The words of a text, for alignment with gold text, for stop lists and for word models.

words("The BRIDGE's pier 2, 我的")    # ['the', 'bridge', 's', 'pier', '2', '我', '的']
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from .scripts import UNSPACED_SCRIPTS
from .western import characters, is_western

# A word in ASCII in lower case, as `word_pattern` has it.
_ASCII_WORD = re.compile("[a-z0-9_]+")


def words(text: str) -> list[str]:
    """The words of *text* in lower case."""
    lower = text.lower()
    pattern = _ASCII_WORD if text.isascii() else _western_word() if is_western(lower) else word_pattern()
    found: list[str] = pattern.findall(lower)
    return found


@cache
def _western_word() -> Any:
    """As `word_pattern`, for Western text."""
    return re.compile(f"[{characters('L', 'N', 'M')}_]+")


@cache
def word_pattern() -> Any:
    """The pattern of a word: a run of letters, digits, marks and `_`; one character, with its marks, of scripts without
    spaces between words."""
    import regex  # start-up: ASCII does without

    return regex.compile(rf"[{UNSPACED_SCRIPTS}]\p{{M}}*|[\p{{L}}\p{{N}}\p{{M}}_--{UNSPACED_SCRIPTS}]+", regex.VERSION1)
