"""Where positions of a text are in the same text with other white space.

word_positions(" One\\n two ", "One two", [1, 4, 6, 9])    # [0, 3, 4, 7]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ...text.lazy_pattern import lazy_pattern

_WORD = lazy_pattern(r"\S+")


def word_positions(old: str, new: str, positions: Iterable[int]) -> list[int]:
    """For each of *positions* in *old*, the position in *new*; between words, the end of the word before.

    The texts must have the same words (`split()`).
    """
    if old == new:
        return list(positions)
    if (indent := old.find(new)) >= 0:  # only white space around the text differs
        return [min(max(at - indent, 0), len(new)) for at in positions]
    starts = [word.start() for word in _WORD.finditer(old)]
    words = [word.span() for word in _WORD.finditer(new)]
    out = []
    for at in positions:
        number = bisect_right(starts, at) - 1
        if number < 0:
            out.append(0)
        else:
            start, end = words[min(number, len(words) - 1)]
            out.append(min(start + at - starts[number], end))
    return out
