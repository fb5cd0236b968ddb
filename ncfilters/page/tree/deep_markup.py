"""Markup without tags that are nested too deep.

limit_depth(b"<div>" * 20_000 + b"text").count(b"<div>")    # 1000
"""

from __future__ import annotations

import re
from string import ascii_letters

from ...native.markup_bytes import ends_itself, find_byte, name_at, name_end, tag_end
from ...text.lazy_pattern import lazy_pattern
from .nesting import IS_FLAT, IS_FORMATTING, IS_RAW, OpenElements
from .tag_counts import TagCounts

# Blink stops nesting at 512 elements. No page of the development sets is deeper than 67.
MAX_DEPTH = 1000
# lexbor searches the whole stack of open elements for many tags, and takes 4 ns for each element. Elements beyond
# FREE_DEPTH around each tag are added up. A page may have so many, and so many more for each of its characters; then no
# element is nested deeper than FREE_DEPTH. The development page with the most has 100,000, and may have 730,000.
FREE_DEPTH = 32
FREE_LOOKS, LOOKS = 100_000, 6

_FLAT, _FORMATTING, _RAW = IS_FLAT, IS_FORMATTING, IS_RAW
_LETTERS = bytearray([chr(byte) in ascii_letters for byte in range(256)])
_LESS, _GREATER, _SLASH, _BANG, _QUESTION, _DASH = map(ord, "<>/!?-")
_SCRIPT_TAG = lazy_pattern(rb"<(/?)script(?=[ \t\n\r\f/>])", re.I)


def limit_depth(utf8: bytes, num_chars: int, max_formatting: int = MAX_DEPTH) -> bytes:
    """A page in UTF-8, with so many characters, without tags nested deeper than MAX_DEPTH, or FREE_DEPTH where it has
    too many such, and without formatting elements if so many are open. The same object if nothing changes. Linear in
    the page."""
    markup = Markup(utf8, num_chars, max_formatting)
    return markup.limited() if markup.read() else utf8


def may_be_deep(counts: TagCounts, num_chars: int) -> bool:
    """Whether a page of so many characters can have more open elements around its tags than it may."""
    most = FREE_LOOKS + LOOKS * num_chars
    if counts.tags * (counts.tags - 2 * FREE_DEPTH) <= 2 * most:
        return False
    return counts.starts > MAX_DEPTH or counts.around > most


class Markup:
    """A page in UTF-8, of which one tag is read after the other."""

    def __init__(self, html: bytes, num_chars: int, max_formatting: int) -> None:
        self._html, self._max_formatting, self._max_depth = html, max_formatting, MAX_DEPTH
        self._free_depth = FREE_DEPTH
        self._size = len(html)
        self._opened, self._formatting = OpenElements(), 0
        self._dropped: list[int] = []  # names of the start tags left out, whose end tags go, too
        self._kept: list[bytes] = []
        self._done = 0
        self._looks = FREE_LOOKS + LOOKS * num_chars
        # Where a part ends that may be text or not, in which start tags count and end tags do not, and how many
        # characters may be read once more for that.
        self._unsure_to, self._rereads = 0, len(html)

    def read(self) -> bool:
        """Reads all tags. Whether something is too deep."""
        at = find_byte(self._html, _LESS, 0, self._size)
        while at >= 0:
            at = find_byte(self._html, _LESS, self._read(at), self._size)
        return len(self._kept) > 0

    def limited(self) -> bytes:
        """The page without what is too deep."""
        return b"".join([*self._kept, self._html[self._done :]])

    def _read(self, start: int) -> int:
        """Reads what begins at a `<`. Returns where the search goes on."""
        if start + 2 >= self._size:
            return self._size
        first = self._html[start + 1]
        is_end = first == _SLASH
        name = start + 1 + is_end
        if not _LETTERS[self._html[name]]:
            return self._read_other(start, first)
        end = name_end(self._html, name)
        number = self._opened.number_of(self._html, name, end)
        self._opened.pass_drawing(number, is_end)
        if start < self._unsure_to:
            if not self._is_lost(start):
                self._doubt(start, tag_end(self._html, end))
            if self._opened.depth > self._free_depth:
                self._look(start)
            return end if is_end else self._start(number, start, name, end, False)
        after = end + 1 if end < self._size and self._html[end] == _GREATER else tag_end(self._html, end)
        if after > self._size:  # the parser drops it
            return self._size
        if self._opened.depth > self._free_depth:
            self._look(start)
        if is_end:
            return self._end(number, start, after)
        is_closed = self._html[after - 2] == _SLASH and ends_itself(self._html, end, after)
        return self._start(number, start, name, after, is_closed)

    def _read_other(self, start: int, first: int) -> int:
        """Reads what begins at a `<` that begins no tag."""
        if first == _BANG and self._html.startswith(b"<!--", start):
            return self._pass(start, start if self._is_lost(start) else _comment_end(self._html, start))
        if first == _BANG and self._opened.is_unsure() and self._html.startswith(b"<![CDATA[", start):
            if not self._is_lost(start):
                self._doubt(start, _end_of(self._html, b"]]>", start))
            return start + 1
        if first not in (_BANG, _QUESTION, _SLASH) or self._is_lost(start):
            return start + 1
        return self._pass(start, _end_of(self._html, b">", start))

    def _is_lost(self, start: int) -> bool:
        """Whether nothing is sure from here on."""
        return start < self._unsure_to == self._size

    def _pass(self, start: int, end: int) -> int:
        """Reads over what has no tags, if that is sure."""
        if start >= self._unsure_to:
            return end
        self._doubt(start, end)
        return start + 1

    def _doubt(self, start: int, end: int) -> None:
        """It is not sure whether what is between two places is text."""
        self._rereads -= end - start
        self._unsure_to = self._size if self._rereads < 0 else max(self._unsure_to, min(end, self._size))

    def _look(self, start: int) -> None:
        """Counts the open elements around a tag, and closes those that are too deep once they are too many."""
        self._looks -= self._opened.depth - self._free_depth
        if self._looks < 0:
            names = self._opened.names_from(self._free_depth)
            ends = [b"</%b>" % self._opened.name_of(number) for number in reversed(names)]
            self._kept += [self._html[self._done : start], *ends]
            self._done, self._max_depth = start, self._free_depth
            self._dropped += names
            self._opened.close(self._free_depth)

    def _start(self, number: int, start: int, name: int, end: int, is_closed: bool) -> int:
        opened = self._opened
        kinds = opened.kinds_of(number)
        is_sure = start >= self._unsure_to
        if kinds & _FLAT and opened.is_flat(number):
            opened.pass_flat(number, False)
            return end
        if is_closed and opened.is_closed(number):
            return end
        if kinds & _RAW:
            text_end = end if self._is_lost(start) else _text_end(self._html, name_at(self._html, name), end)
            if is_sure and not opened.is_unsure():
                return text_end
            self._doubt(start, text_end)
        is_formatting = kinds & _FORMATTING != 0
        if opened.depth >= self._max_depth or is_formatting and self._formatting >= self._max_formatting:
            self._dropped.append(number)
            return self._drop(start, end)
        opened.start(number)
        self._formatting += is_formatting
        return end

    def _end(self, number: int, start: int, end: int) -> int:
        kinds = self._opened.kinds_of(number)
        if kinds & _FLAT and self._opened.is_flat(number):
            self._opened.pass_flat(number, True)
        elif self._dropped and self._dropped[-1] == number:
            self._dropped.pop()
            return self._drop(start, end)
        else:
            self._opened.end(number)
            if kinds & _FORMATTING and self._formatting:
                self._formatting -= 1
        return end

    def _drop(self, start: int, end: int) -> int:
        self._kept.append(self._html[self._done : start])
        self._done = end
        return end


def _end_of(html: bytes, sign: bytes, start: int) -> int:
    """The end of the next *sign*; that of the page if there is none."""
    found = html.find(sign, start)
    return len(html) if found < 0 else found + len(sign)


def _comment_end(html: bytes, start: int) -> int:
    """The end of a comment, which begins with `<!--`; `<!-->` is one."""
    at = find_byte(html, _GREATER, start + 4, len(html))
    while at >= 0:
        last = at - 1 if html[at - 1] == _BANG and at > start + 6 else at  # `--!>` ends it, too
        if html[last - 1] == _DASH and html[last - 2] == _DASH:
            return at + 1
        at = find_byte(html, _GREATER, at + 1, len(html))
    return len(html)


def _text_end(html: bytes, name: bytes, at: int) -> int:
    """Where the text ends of an element whose start tag ends at *at*."""
    if name == b"plaintext":
        return len(html)
    start, last = at, len(html) - 2
    at = find_byte(html, _LESS, at, last)
    while at >= 0:
        if html[at + 1] == _SLASH:
            behind = at + 2 + len(name)  # not of any name: a page may have one that goes on to its end
            if name_end(html, at + 2, behind + 1) == behind <= last + 1 and html[at + 2 : behind].lower() == name:
                return at
        elif html[at + 1] == _BANG and name == b"script" and html.startswith(b"<!--", at):
            return _script_end(html, start)
        at = find_byte(html, _LESS, at + 1, last)
    return len(html)


def _script_end(html: bytes, at: int) -> int:
    """Where a script ends. In a comment, one more may be open in it (HTML standard, "script data double escaped")."""
    comment_end, is_open = at, False
    for tag in _SCRIPT_TAG.finditer(html, at):
        while (comment := html.find(b"<!--", max(at, comment_end), tag.start())) >= 0:
            comment_end, is_open = _end_of(html, b"-->", comment + 2), False
        at = tag.start()
        is_in_comment = at < comment_end
        if tag[1]:
            if not (is_open and is_in_comment):
                return at
            is_open = False
        else:
            is_open = is_in_comment
    return len(html)
