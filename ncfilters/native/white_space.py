"""White space in text.

collapse_spaces(" It \\n rained. ")    # 'It rained.'
"""

from __future__ import annotations

import re

# Characters of a text that is split into words at once: the words of 50 MB take 500 MB.
MAX_SPLIT_CHARS = 1 << 20

_SPACE = re.compile(r"\s")


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
