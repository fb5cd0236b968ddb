"""Features that each segment has for itself: its characters, its position, repetitions, neighbours, windows, headings,
the distance from prose and from the main text.

    features = SegmentFeatures(table, shared)
    out = zero_floats(OWN * len(table))
    features.fill(out, OWN, 0, len(table))
    out[3 * OWN + NEIGHBOURS]    # the first of the features of the neighbours of segment 3

Sums over neighbours are sums of whole numbers, so they do not depend on what is summed up elsewhere.
"""

from __future__ import annotations

from array import array
from typing import Any

from ..native.sums import zero_doubles, zero_floats, zero_ints
from ..text import char_classes
from ..text.char_classes import (
    BRACKET,
    CHARS,
    COMMA,
    COMMAS,
    DIGIT,
    DIGITS,
    FIRST,
    FOREIGN,
    LAST,
    MARK,
    PLAIN,
    PUNCTUATION,
    SENTENCES,
    SIGN,
    STOP,
    SYMBOLS,
    TITLES,
    UPPER,
    UPPERS,
    WORDS,
)
from .schema import (
    AFTER,
    BEFORE,
    BESIDE_MAIN,
    CHARACTERS,
    DENSITY,
    EACH,
    H1,
    HEADING,
    KINDS,
    LANDMARKS,
    LINKS,
    LONG,
    NEIGHBOUR_DISTANCES,
    NEIGHBOURS,
    NUMBERS,
    OF_NEIGHBOUR,
    OF_WINDOW,
    POSITION,
    PROSE,
    REPEATS,
    RULED,
    SECTION,
    SIG,
    SINCE_FIRST,
    TYPE_H,
    TYPE_L,
    WINDOW_SIZES,
    WINDOWS,
)
from .segment_table import SegmentTable
from .shared_features import SharedFeatures, log_count, share
from .title_overlap import TitleOverlap

NO_DISTANCE = 5.0  # the log of a distance to what does not exist
MAX_OFFSET = 20  # from the first of a group, in lengths of the group
# Values in windows are rounded to multiples of 1 / WINDOW_UNITS, so that their sums are exact.
WINDOW_UNITS = 1024
# A number of this size has no bits after the point: adding it rounds, to an even number of two.
_ROUND = 2.0**52
_NO_DISTANCE, _MAX_OFFSET, _UNITS, _LAST_CLASS = NO_DISTANCE, MAX_OFFSET, WINDOW_UNITS, char_classes.CLASSES
_DISTANCES, _SIZES = array("i", NEIGHBOUR_DISTANCES), array("i", WINDOW_SIZES)


class SegmentFeatures:
    """What the features of a page's segments are computed from.

    For each segment: the number of its section, a heading and the text below it, up to the next one; the last
    paragraph of prose before it and the next one after it (-1 for none). For each section the
    number of its segments, its characters and those of prose. Sums of windows: up to each segment.
    """

    def __init__(self, table: SegmentTable, shared: SharedFeatures) -> None:
        size = table.size
        self.table, self.shared, self.titles = table, shared, TitleOverlap(table)
        self._section: Any = zero_ints(size)
        self._sections: Any = zero_doubles(3 * size)
        self._prose_before: Any = zero_ints(size)
        self._prose_after: Any = zero_ints(size)
        self._equal: Any = zero_ints(size)
        self._windows: Any = zero_doubles(OF_WINDOW * (size + 1))
        self._neighbour: Any = zero_floats(OF_NEIGHBOUR * size)
        self._first_h1 = self._first_prose = self._last_prose = -1
        self._chars = self._prose = 0.0

    def survey(self) -> None:
        """Reads the page from above to below, and back."""
        table, sections, windows = self.table, self._sections, self._windows
        numbers, marks, same, neighbour = table.numbers, table.marks, table.same, self._neighbour
        prose = section = -1
        for at in range(table.size):
            mark, row = marks[at], at * NUMBERS
            chars, density = numbers[row + CHARS], numbers[row + DENSITY]
            log_chars = log_count(chars)
            self._equal[same[at]] += 1
            self._prose_before[at] = prose
            section += mark & HEADING != 0 or at == 0
            self._section[at] = section
            sections[3 * section] += 1
            sections[3 * section + 1] += chars
            if mark & H1 and self._first_h1 < 0:
                self._first_h1 = at
            to = (at + 1) * OF_WINDOW
            windows[to] = windows[to - 3] + ((log_chars * _UNITS + _ROUND) - _ROUND)
            windows[to + 1] = windows[to - 2] + ((density * _UNITS + _ROUND) - _ROUND)
            windows[to + 2] = windows[to - 1]
            if mark & PROSE:
                sections[3 * section + 2] += chars
                windows[to + 2] += _UNITS
                prose = at
                if self._first_prose < 0:
                    self._first_prose = at
            to = at * OF_NEIGHBOUR
            neighbour[to], neighbour[to + 1] = log_chars, density
            neighbour[to + 2], neighbour[to + 3] = mark & TYPE_H != 0, mark & TYPE_L != 0
            neighbour[to + 4], neighbour[to + 5] = numbers[row + LAST] == STOP, mark & RULED != 0
        self._last_prose = prose
        prose = -1
        for at in range(table.size - 1, -1, -1):
            self._prose_after[at] = prose
            if marks[at] & PROSE:
                prose = at
        self.titles.survey()

    def fill(self, out: Any, width: int, start: int, stop: int) -> None:
        """Writes the features of the segments from *start* to *stop* to *out* (floats, all 0), in rows of this *width*.
        Segments must come in order."""
        for at in range(start, stop):
            row = (at - start) * width
            self._fill_characters(out, row, at)
            self._fill_position(out, row, at)
            self._fill_neighbours(out, row, at)
            self._fill_windows(out, row, at)
            self._fill_landmarks(out, row, at)
            self.titles.fill(out, row, at)

    def _fill_characters(self, out: Any, row: int, at: int) -> None:
        numbers, place = self.table.numbers, at * NUMBERS
        chars, words, each = numbers[place + CHARS], numbers[place + WORDS], numbers[place + EACH]
        links, first, last = numbers[place + LINKS], int(numbers[place + FIRST]), int(numbers[place + LAST])
        row += CHARACTERS
        out[row] = log_count(chars)
        out[row + 1] = log_count((words + _ROUND) - _ROUND)
        words = words if words > 1 else 1
        length, commas, titles = chars / words, numbers[place + COMMAS] / words, numbers[place + TITLES] / words
        sentences = numbers[place + SENTENCES]
        out[row + 2] = length if length < 20 else 20
        out[row + 3] = links * each
        out[row + 4] = links >= chars and chars > 0
        out[row + 5] = numbers[place + UPPERS] * each
        out[row + 6] = numbers[place + DIGITS] * each
        out[row + 7] = numbers[place + PUNCTUATION] * each
        out[row + 8] = numbers[place + SYMBOLS] * each
        out[row + 9] = numbers[place + FOREIGN] * each
        out[row + 10] = sentences if sentences < 20 else 20
        out[row + 11] = commas if commas < 5 else 5
        out[row + 12] = titles if titles < 1 else 1
        out[row + 13] = last == STOP
        out[row + 14] = last == COMMA
        out[row + 15] = last >= MARK and last <= BRACKET
        out[row + 16] = first == UPPER
        out[row + 17] = first == PLAIN
        out[row + 18] = first == DIGIT
        out[row + 19] = first >= STOP and first <= SIGN

    def _fill_position(self, out: Any, row: int, at: int) -> None:
        table, shared = self.table, self.shared
        numbers, marks, same, groups = table.numbers, table.marks, table.same, table.places.groups
        mark, chars = marks[at], numbers[at * NUMBERS + CHARS]
        position, repeats, since = row + POSITION, row + REPEATS, row + SINCE_FIRST
        out[position] = at / table.size
        out[position + 1] = log_count(at)
        out[position + 2] = log_count(table.size - at - 1)
        out[position + 3] = share(self._chars, table.chars)
        out[position + 4] = share(self._prose, table.prose_chars)
        self._chars += chars
        if mark & PROSE:
            self._prose += chars
        if mark & LONG:
            out[repeats], out[repeats + 1] = mark & BEFORE != 0, mark & AFTER != 0
        else:
            out[repeats + 2] = mark & (BEFORE | AFTER) != 0
        out[repeats + 3] = log_count(self._equal[same[at]] - 1)
        if self._first_h1 >= 0:
            out[repeats + 4] = same[at] == same[self._first_h1]
        place = table.places.place[at] * KINDS
        for kind in range(KINDS):
            group = groups[place + kind]
            offset = at - shared.first[group]
            if offset:
                value = offset * shared.each[group]
                out[since + kind] = value if value < _MAX_OFFSET else _MAX_OFFSET

    def _fill_neighbours(self, out: Any, row: int, at: int) -> None:
        table, neighbour = self.table, self._neighbour
        place, groups, size = table.places.place, table.places.groups, table.size
        to = row + NEIGHBOURS
        for number in range(4):
            there = at + _DISTANCES[number]
            if there < 0 or there >= size:
                for column in range(OF_NEIGHBOUR - 1):
                    out[to + column] = -1
            else:
                start = there * OF_NEIGHBOUR
                for column in range(OF_NEIGHBOUR - 1):
                    out[to + column] = neighbour[start + column]
                out[to + OF_NEIGHBOUR - 1] = place[there] == place[at]
            to += OF_NEIGHBOUR
        alike = groups[place[at] * KINDS + SIG]
        if at > 0:
            out[to] = groups[place[at - 1] * KINDS + SIG] == alike
        if at + 1 < size:
            out[to + 1] = groups[place[at + 1] * KINDS + SIG] == alike

    def _fill_windows(self, out: Any, row: int, at: int) -> None:
        windows, last = self._windows, self.table.size - 1
        to, here = row + WINDOWS, at * OF_WINDOW
        for number in range(3):
            size = _SIZES[number]
            low = at - size if at > size else 0
            high = at + size if at + size < last else last
            before, after = at - low, high - at
            each_before, each_after = (
                1 / (_UNITS * before if before else _UNITS),
                1 / (_UNITS * after if after else _UNITS),
            )
            low, high = low * OF_WINDOW, (high + 1) * OF_WINDOW
            for column in range(OF_WINDOW):
                out[to + column] = (windows[here + column] - windows[low + column]) * each_before
                value = windows[high + column] - windows[here + OF_WINDOW + column]
                out[to + OF_WINDOW + column] = value * each_after
            to += 2 * OF_WINDOW

    def _fill_landmarks(self, out: Any, row: int, at: int) -> None:
        shared, sections = self.shared, self._sections
        to, before, after = row + LANDMARKS, self._prose_before[at], self._prose_after[at]
        out[to] = (_bound(at - self._first_h1, -50) if self._first_h1 >= 0 else -60) / 25.0
        out[to + 1] = (_bound(at - self._first_prose, -100) if self._first_prose >= 0 else 100) / 25.0
        out[to + 2] = (_bound(at - self._last_prose, -100) if self._last_prose >= 0 else 100) / 25.0
        out[to + 3] = log_count(after - at) if after >= 0 else _NO_DISTANCE
        out[to + 4] = log_count(at - before) if before >= 0 else _NO_DISTANCE
        section, to = 3 * self._section[at], row + SECTION
        out[to] = log_count(at - self.table.heading[at] - 1)
        out[to + 1] = log_count(sections[section])
        out[to + 2] = share(sections[section + 2], sections[section + 1])
        to = row + BESIDE_MAIN
        if shared.main_group >= 0:
            if at < shared.main_first:
                out[to] = log_count(shared.main_first - at)
            if at > shared.main_last:
                out[to + 1] = log_count(at - shared.main_last)


def _bound(value: int, low: int) -> int:
    """The value, from *low* to 100."""
    return low if value < low else 100 if value > 100 else value
