"""The tokens of a text: words with their inner punctuation, numbers with their units, and punctuation marks.

tokens("It's 3.5 % of 90s, 我的")    # ["It's", '3.5', '%', 'of', '90s', ',', '我', '的']

`words` has the words alone, in lower case and without inner punctuation.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .scripts import UNSPACED_SCRIPTS

# Marks inside a token: `regex` keeps each repetition of a group, which for a token of 20 MB would take all memory.
MAX_MARKS = 1_000


def tokens(text: str) -> list[str]:
    """The tokens of *text*: all of it but white space. In scripts without spaces between words, each character with
    its marks is one."""
    found: list[str] = token_pattern().findall(text)
    return found


@cache
def token_pattern() -> Any:
    """The pattern of a token: a number with unit or suffix (1,000.50, 90s, 2nd-hand); a word with its inner
    punctuation, a run of full stops, and every other character alone."""
    import regex  # start-up: few commands need tokens

    word = rf"[\w\p{{M}}--{UNSPACED_SCRIPTS}]"
    letter = rf"[\p{{L}}\p{{M}}_--{UNSPACED_SCRIPTS}]"
    return regex.compile(
        rf"\d+(?:[.,:]\d+){{0,{MAX_MARKS}}}(?:[-'’]?{letter}{word}*(?:['’.&-]{word}+){{0,{MAX_MARKS}}})?"
        rf"|[{UNSPACED_SCRIPTS}]\p{{M}}*|{word}+(?:['’.&-]{word}+){{0,{MAX_MARKS}}}|\.{{2,}}|[^\w\s]",
        regex.VERSION1,
    )
