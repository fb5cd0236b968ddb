"""The words of a text, for alignment with gold text, for stop lists and for word models.

words("The BRIDGE's pier 2, 我的")     # ['the', 'bridge', 's', 'pier', '2', '我', '的']
tokens("It's 3.5 % of 90s, 我的")    # ["It's", '3.5', '%', 'of', '90s', ',', '我', '的']

Western text has patterns of `re`, which knows no properties of characters: to import `regex` takes 9 ms.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from .scripts import UNSPACED_SCRIPTS

# A word in ASCII in lower case, as `word_pattern` has it.
_ASCII_WORD = re.compile("[a-z0-9_]+")

# The end of the Latin letters without marks of their own that Western languages use, all with fixed properties.
END, MARKS = 0x250, (0xFE0E, 0xFE0F)
# Other characters that Western text may have: punctuation, currency signs, arrows, symbols and emoji, which are neither
# letters nor numbers nor marks; and the marks behind emoji. To compile a pattern of them takes `re` some milliseconds.
_SIGNS = (
    ("\u2000", "\u206f"),
    ("\u20a0", "\u20bf"),
    ("\u2190", "\u21ff"),
    ("\u2500", "\u2767"),
    ("\ufe0e", "\ufe0f"),
    ("\U0001f300", "\U0001faff"),
)

# Marks inside a token: `regex` keeps each repetition of a group, which for a token of 20 MB would take all memory.
MAX_MARKS = 1_000


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


def is_western(text: str) -> bool:
    """Whether the letters, numbers and marks of *text* are below END, or MARKS."""
    others = [character for character in set(text) if character >= chr(END)]
    return all(any(first <= character <= last for first, last in _SIGNS) for character in others)


@cache
def characters(*categories: str) -> str:
    """The characters of Western text of some Unicode categories (`L`, `Lu`), for the brackets of a character class."""
    import unicodedata  # start-up: text in ASCII needs it not

    codes = [code for code in (*range(END), *MARKS) if unicodedata.category(chr(code)).startswith(categories)]
    return "".join(re.escape(chr(code)) for code in codes)


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
