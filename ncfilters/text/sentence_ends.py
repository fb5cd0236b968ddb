"""Ends of sentences: characters and patterns.

    ends_with('He said "no."', FULL_STOPS)    # True

Whole sentences of running text are for the module `sentences`, which knows abbreviations. These patterns are
for what needs less: whether text looks like prose, where it can be cut without harm. They differ in what they ask for,
and outputs depend on each.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from .scripts import SOUTH_EAST_ASIAN_SCRIPTS

ASCII_STOPS = ".!?"
WIDE_STOPS = "。！？"  # of Chinese and Japanese, full width: no space follows
FULL_STOPS = ASCII_STOPS + WIDE_STOPS
# Full stops of scripts beyond ASCII: Chinese and Japanese, Devanagari, Ethiopic, Arabic, Urdu.
FOREIGN_STOPS = WIDE_STOPS + "．｡।॥\u1362؟۔"
# Characters that may end a sentence or an independent clause, and that do not end a heading. The longer set is for
# titles of pages; the other for lines of plain text.
CLAUSE_ENDS = ".!?:;,…。！？：；，"
ASCII_CLAUSE_ENDS = ".!?:;,"
# Where long text can be cut into windows.
WINDOW_ENDS = ".!?;…。！？；"

# Characters that may stand between the end of a sentence and the space after it.
CLOSING = "'\"”’)]"
# The same beyond ASCII: of three bytes in UTF-8, and of two.
WIDE_CLOSING, LATIN_CLOSING = "”’」』）", "»"

# White space as Unicode has it: what `\s` is for the library regex, not for re.
_WHITE = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
# Ends of sentences in JSON that is not yet parsed.
IN_JSON = (". ", ".<", ".\\n", '."', '.\\"', "。", "\\u3002")


def ends_with(text: str, signs: str) -> bool:
    """Whether *text* ends with one of *signs*, before closing quotes and brackets.

    True for an empty text, since "" is in any string.
    """
    return text.rstrip(CLOSING)[-1:] in signs if text[-1:] in CLOSING else text[-1:] in signs


@cache
def cut_pattern() -> Any:
    """The pattern of the end of a sentence with the closing quotes and spaces after it, where text can be split."""
    return re.compile(rf"[.!?…]['\"”’)\]]*{_WHITE}+|[。！？]['\"”’」』）]*")


@cache
def western_prose_end_pattern() -> Any:
    """As `prose_end_pattern`, for text without South East Asian scripts."""
    return re.compile(r"[.!?…:][\"'”’»)\]]*(?:(?![\x1c-\x1f])\s|$)|[。！？]")


@cache
def prose_end_pattern() -> Any:
    """The pattern of any end of a sentence, colons included. In South East Asian scripts a space is one. Text with a
    match is likely to be prose."""
    import regex  # start-up: most commands do not search for prose

    return regex.compile(rf"[.!?…:][\"'”’»)\]]*(?:\s|$)|[。！？]|[{SOUTH_EAST_ASIAN_SCRIPTS}] ")
