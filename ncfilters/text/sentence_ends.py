"""How sentences end: the signs, and the patterns that look for them.

    ends_with('He said "no."', FULL_STOPS)    # True

What needs whole sentences of running text takes the module `sentences`, which knows abbreviations. These patterns are
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
# Where a sentence or a clause that stands by itself may end: a heading ends with none of them. The longer set is for
# titles of pages; the other for lines of plain text.
CLAUSE_ENDS = ".!?:;,…。！？：；，"
ASCII_CLAUSE_ENDS = ".!?:;,"
# Where long text can be cut into windows.
WINDOW_ENDS = ".!?;…。！？；"

# What may stand between the end of a sentence and the space behind it.
CLOSING = "'\"”’)]"
# The same beyond ASCII: of three bytes in UTF-8, and of two.
WIDE_CLOSING, LATIN_CLOSING = "”’」』）", "»"

# The end of a sentence of gold text or extracted text, for ROUGE. No quantifier meets itself again after a failure:
# the time is linear.
ROUGE_END = re.compile(r"""[.!?]["'”’»)\]]*(?=\s)|[。！？](?![。！？])[”’»」』）]*""")
# How ends of sentences stand in JSON that nobody has parsed.
IN_JSON = (". ", ".<", ".\\n", '."', '.\\"', "。", "\\u3002")


def ends_with(text: str, signs: str) -> bool:
    """Whether one of *signs* ends *text*, closing quotes and brackets behind it aside.

    True for an empty text, since "" is in any string.
    """
    return text.rstrip(CLOSING)[-1:] in signs if text[-1:] in CLOSING else text[-1:] in signs


@cache
def cut_pattern() -> Any:
    """The pattern of the end of a sentence with the closing quotes and spaces behind it: a place to cut at."""
    import regex  # start-up: most commands cut nothing

    return regex.compile(r"[.!?…]['\"”’)\]]*\s+|[。！？]['\"”’」』）]*")


@cache
def prose_end_pattern() -> Any:
    """The pattern of any end of a sentence, colons included. In South East Asian scripts a space is one. Text with a
    match is likely to be prose."""
    import regex  # start-up: most commands look for no prose

    return regex.compile(rf"[.!?…:][\"'”’»)\]]*(?:\s|$)|[。！？]|[{SOUTH_EAST_ASIAN_SCRIPTS}] ")
