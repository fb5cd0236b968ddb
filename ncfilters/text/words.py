"""The words of a text, for alignment with gold text, for stop lists and for word models.

words("The BRIDGE's pier 2, 我的")    # ['the', 'bridge', 's', 'pier', '2', '我', '的']
"""

from __future__ import annotations

import regex

from .scripts import UNSPACED_SCRIPTS

# A run of letters, digits, marks and `_`; one character, with its marks, of scripts that put no spaces between words.
WORD = regex.compile(rf"[{UNSPACED_SCRIPTS}]\p{{M}}*|[\p{{L}}\p{{N}}\p{{M}}_--{UNSPACED_SCRIPTS}]+", regex.VERSION1)


def words(text: str) -> list[str]:
    """The words of *text* in lower case."""
    found: list[str] = WORD.findall(text.lower())
    return found
