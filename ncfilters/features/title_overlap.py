"""Features of the overlap of segments with the title and the description of their page.

    overlap = TitleOverlap(table)
    overlap.survey()
    overlap.fill(out, 0, 3)    # those of segment 3, in a row of all its features

They help to find the page's own text: a short article among teasers and legal notices is hard to tell by its length or
position, but it shares words with the title and begins below it.
"""

from __future__ import annotations

from array import array
from typing import Any

from ..native.sums import zero_floats, zero_ints
from ..native.text_counts import WordSet
from ..text.char_classes import CHARS, WORDS
from ..text.scripts import EAST_ASIAN
from .document import Head
from .schema import EMBEDDED, H1, HEAD, LINKS, NUMBERS, OF_TITLE, TYPE_H
from .segment_table import SegmentTable
from .shared_features import log_count, share

# The characters of a text whose words are read.
MAX_TEXT_CHARS = 200
# A segment may be the title (or the description) if it shares at least so many distinct words with it, this share of
# its own, and this share of those of the title (or the description).
MIN_SHARED, MIN_SHARE_OF_SEGMENT, MIN_SHARE_OF_HEAD = (2, 5), (0.6, 0.2), (0.3, 0.4)
# Shorter words of a description do not count: they are too frequent.
MIN_WORD_LETTERS = 4
# Of several candidates, h1 and headings are preferred; links are not: those with this share of linked characters.
H1_BONUS, HEADING_BONUS, LINK_PENALTY, LINKED_SHARE = 0.25, 0.15, 0.1, 0.8
_H1_BONUS, _HEADING_BONUS, _LINK_PENALTY, _LINKED_SHARE = H1_BONUS, HEADING_BONUS, LINK_PENALTY, LINKED_SHARE
_MAX_TEXT_CHARS = MAX_TEXT_CHARS
# The log of a distance to a title that does not exist, and the place of one that is far.
_NO_DISTANCE, _NO_PLACE = 5.0, -2.4
# The first and the last one of characters that are words by themselves: those of Chinese and Japanese.
_FIRST, _LAST = EAST_ASIAN[::3], EAST_ASIAN[2::3]
_SINGLES = tuple(zip(_FIRST, _LAST))
# Of each segment: shares of its words, of those of the title and of both; the same of the description.
_SHARES = 6


class TitleOverlap:
    """The overlap of each segment with the title and the description, and which segments these are (-1: none is)."""

    def __init__(self, table: SegmentTable) -> None:
        self.table = table
        words = head_words(table.head)
        self.words: Any = WordSet(words, _SINGLES)
        self.sizes = (sum(bits & 1 for bits in words.values()), sum(bits >> 1 for bits in words.values()))
        self.title = self.description = -1
        self._shares: Any = zero_floats(_SHARES * table.size if words else 0)
        self._candidates = bytearray(table.size if words else 0)
        # room for a number in single precision
        self._sum: Any = array("f", [0.0])

    def survey(self) -> None:
        """Finds the title and the description."""
        if not self.sizes[0] and not self.sizes[1]:
            return
        table = self.table
        found = zero_ints(3)
        for at in range(table.size):
            if table.same[at] == at and table.numbers[at * NUMBERS + WORDS] > 1:
                text = table.texts[at][:_MAX_TEXT_CHARS]
                if not text.isascii():
                    text = text.lower()
                if self.words.overlap(text, found):
                    self._set_shares(at, 0, found[1], found[0], self.sizes[0])
                    self._set_shares(at, 1, found[2], found[0], self.sizes[1])
        self.title, self.description = self._best(0), self._best(1)

    def _set_shares(self, at: int, which: int, shared: int, own: int, size: int) -> None:
        """Sets what a text shares with the title or the description; *own* and *size*: of their distinct words."""
        to = at * _SHARES + 3 * which
        self._shares[to] = shared / own
        self._shares[to + 1] = share(shared, size)
        self._shares[to + 2] = 2.0 * shared / (own + size)
        if (
            shared >= MIN_SHARED[which]
            and shared >= MIN_SHARE_OF_SEGMENT[which] * own
            and shared >= MIN_SHARE_OF_HEAD[which] * size
        ):
            self._candidates[at] |= 1 << which

    def _best(self, which: int) -> int:
        """The best visible candidate for the title or the description, the first of several; -1 if there is none."""
        table, shares, candidates = self.table, self._shares, self._candidates
        best, highest = -1, 0.0
        for at in range(table.size):
            same = table.same[at]
            mark = table.marks[at]
            if not candidates[same] & (1 << which) or mark & EMBEDDED:
                continue
            row = at * NUMBERS
            chars = table.numbers[row + CHARS]
            place = same * _SHARES + 3 * which
            self._sum[0] = shares[place]
            self._sum[0] += shares[place + 2]
            value = self._sum[0] + (_H1_BONUS if mark & H1 else _HEADING_BONUS if mark & TYPE_H else 0.0)
            if chars > 0 and table.numbers[row + LINKS] / chars > _LINKED_SHARE:
                value -= _LINK_PENALTY
            if best < 0 or value > highest:
                best, highest = at, value
        return best

    def fill(self, out: Any, row: int, at: int) -> None:
        """Writes the features of a segment: of the title, then those of the description."""
        to = row + HEAD
        if len(self._shares):
            place = self.table.same[at] * _SHARES
            for column in range(3):
                out[to + column] = self._shares[place + column]
                out[to + OF_TITLE + column] = self._shares[place + 3 + column]
        self._fill_place(out, to + 3, at, self.title)
        self._fill_place(out, to + OF_TITLE + 3, at, self.description)

    def _fill_place(self, out: Any, to: int, at: int, found: int) -> None:
        """Writes where a segment is, before or after the title or the description."""
        since = at - found
        if found < 0:
            out[to + 2], out[to + 3] = _NO_PLACE, _NO_DISTANCE
        else:
            out[to], out[to + 1], out[to + 4] = 1, since == 0, since < 0
            out[to + 2] = (-50 if since < -50 else 100 if since > 100 else since) / 25.0
            out[to + 3] = log_count(since) if since >= 0 else _NO_DISTANCE


def distinct_words(text: str) -> set[str]:
    """The distinct words of a text: runs of letters and digits; in Chinese and Japanese, single characters."""
    text = text.lower()
    words = set()
    start = 0
    for at in range(len(text)):
        char = text[at]
        single = char >= "\u2e80" and _is_single(char)
        if char.isalnum() and not single:
            continue
        if at > start:
            words.add(text[start:at])
        if single:
            words.add(text[at : at + 1])
        start = at + 1
    if start < len(text):
        words.add(text[start:])
    return words


def _is_single(char: str) -> bool:
    for at in range(len(_FIRST)):
        if _FIRST[at] <= char <= _LAST[at]:
            return True
    return False


def head_words(head: Head) -> dict[str, int]:
    """The words of the title (1) and of the description (2) of a page."""
    words = dict.fromkeys(distinct_words(head.title), 1)
    for word in distinct_words(head.description):
        if len(word) >= MIN_WORD_LETTERS or word > "\u3000":  # East Asian words are single characters
            words[word] = words.get(word, 0) | 2
    return words
