"""Long texts in pieces that are aligned one by one, because difflib's time grows faster than the square of the length.

    pieces(text, gold)    # [(slice(0, 9_870), slice(0, 10_112)), …], one pair if the texts are not long

The pieces begin at phrases that occur once in each text, in the same order in both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

# Words of both texts that are aligned at once. The longest of the development sets have 95,000.
MAX_WORDS = 100_000
# Words of both texts of a piece, about, and words of a phrase.
PIECE_WORDS, PHRASE_WORDS = 10_000, 5

Places = list[tuple[int, int]]


def pieces(text: Sequence[str], gold: Sequence[str]) -> list[tuple[slice, slice]]:
    """The pieces of two texts, in order. They cover both."""
    if len(text) + len(gold) <= MAX_WORDS:
        return [(slice(0, len(text)), slice(0, len(gold)))]
    cuts: Places = [(0, 0)]
    before = (0, 0)
    for place in [*_anchors(text, gold), (len(text), len(gold))]:
        if _distance(cuts[-1], place) > PIECE_WORDS and before != cuts[-1]:
            cuts.append(before)
        before = place
        cuts += _between(cuts[-1], place)
    cuts.append((len(text), len(gold)))
    return [(slice(i, k), slice(j, m)) for (i, j), (k, m) in zip(cuts, cuts[1:])]


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return other[0] - one[0] + other[1] - one[1]


def _between(start: tuple[int, int], end: tuple[int, int]) -> Places:
    """Places in proportion, where there is no phrase for long."""
    number = _distance(start, end) // (2 * PIECE_WORDS)
    return [
        (start[0] + (end[0] - start[0]) * part // (number + 1), start[1] + (end[1] - start[1]) * part // (number + 1))
        for part in range(1, number + 1)
    ]


def _anchors(text: Sequence[str], gold: Sequence[str]) -> Places:
    """Where phrases are that occur once in each text: the longest series of them that ascends in both."""
    in_gold = _single_phrases(gold)
    common = [(at, in_gold[phrase]) for phrase, at in _single_phrases(text).items() if at >= 0]
    common = sorted((at, place) for at, place in common if place >= 0)
    ends: list[int] = []  # the smallest last place of a series of each length
    numbers: list[int] = []  # of the common phrases that these are
    previous: list[int] = []
    for number, (_, place) in enumerate(common):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        numbers[length : length + 1] = [number]
        previous.append(numbers[length - 1] if length else -1)
    out: Places = []
    at = numbers[-1] if numbers else -1
    while at >= 0:
        out.append(common[at])
        at = previous[at]
    return out[::-1]


class _Phrases(dict[tuple[str, ...], int]):
    """Phrases and their places; -1 for one that is not there, or more than once."""

    def __missing__(self, phrase: tuple[str, ...]) -> int:
        return -1


def _single_phrases(words: Sequence[str]) -> _Phrases:
    out = _Phrases()
    for at, phrase in enumerate(zip(*(words[start:] for start in range(PHRASE_WORDS)))):
        out[phrase] = -1 if phrase in out else at
    return out
