"""Markup without tags that are nested too deep.

limit_depth("<div>" * 20_000 + "text").count("<div>")    # 1000
"""

from __future__ import annotations

import re

from ..text.lazy_pattern import lazy_pattern
from .nesting import FLAT, FORMATTING, RAW, OpenElements

# Blink stops nesting at 512 elements. No page of the development sets is deeper than 67.
MAX_DEPTH = 1000
# lexbor searches the whole stack of open elements for many tags, and takes 4 ns for each element. Elements beyond
# FREE_DEPTH around each tag are added up. A page may have so many, and so many more for each of its characters; then no
# element is nested deeper than FREE_DEPTH. The development page with the most has 100,000, and may have 730,000.
FREE_DEPTH = 32
FREE_LOOKS, LOOKS = 100_000, 6

_NAME = lazy_pattern(r"<(/?)([a-zA-Z][^ \t\n\r\f/>]*)")
_COMMENT = lazy_pattern(r"<!--(?:-?>|.*?(?:--!?>|\Z))", re.S)
# What stands before an attribute, and the attribute (HTML standard, "tokenization"); a quote in its name is none.
_ATTRIBUTE = lazy_pattern(
    r"([ \t\n\r\f/]*)(?:[^ \t\n\r\f/>][^ \t\n\r\f/>=]*[ \t\n\r\f]*"
    r"(?:=[ \t\n\r\f]*(?:\"[^\"]*\"?|'[^']*'?|[^ \t\n\r\f>\"'][^ \t\n\r\f>]*)?)?)?"
)
_SCRIPT_TAG = lazy_pattern(r"<(/?)script(?=[ \t\n\r\f/>])", re.I | re.A)


def limit_depth(html: str, max_formatting: int = MAX_DEPTH) -> str:
    """*html* without tags nested deeper than MAX_DEPTH, or FREE_DEPTH where it has too many such, and without
    formatting elements if so many are open. Linear in the page."""
    utf8 = html.encode("utf-8", "surrogatepass")
    out = limit_depth_of_utf8(utf8, max_formatting)
    return html if out is utf8 else out.decode("utf-8", "surrogatepass")


def limit_depth_of_utf8(utf8: bytes, max_formatting: int = MAX_DEPTH) -> bytes:
    """The same of UTF-8; the same object if nothing changes."""
    markup = _Markup(utf8.decode("latin-1"), max_formatting, len(utf8.decode("utf-8", "surrogatepass")))
    return markup.limited().encode("latin-1") if markup.read() else utf8


def may_be_deep(num_tags: int, num_chars: int) -> bool:
    """Whether a page with so many `<` can have more open elements around its tags than it may."""
    return num_tags * (num_tags - 2 * FREE_DEPTH) > 2 * (FREE_LOOKS + LOOKS * num_chars)


class _Markup:
    """A page in UTF-8, each byte as a character, of which one tag is read after the other."""

    def __init__(self, html: str, max_formatting: int, num_chars: int) -> None:
        self._html, self._max_formatting, self._max_depth = html, max_formatting, MAX_DEPTH
        self._opened, self._formatting = OpenElements(), 0
        self._dropped: list[str] = []  # names of the start tags left out, whose end tags go, too
        self._kept: list[str] = []
        self._done = 0
        self._looks = FREE_LOOKS + LOOKS * num_chars
        # Where a part ends that may be text or not, in which start tags count and end tags do not, and how many
        # characters may be read once more for that.
        self._unsure_to, self._rereads = 0, len(html)

    def read(self) -> bool:
        """Reads all tags. Whether something is too deep."""
        at = 0
        while (at := self._html.find("<", at)) >= 0:
            at = self._read(at)
        return bool(self._kept)

    def limited(self) -> str:
        """The page without what is too deep."""
        return "".join([*self._kept, self._html[self._done :]])

    def _read(self, start: int) -> int:
        """Reads what begins at a `<`. Returns where the search goes on."""
        html = self._html
        if html.startswith("<!--", start):
            comment = None if self._is_lost(start) else _COMMENT.match(html, start)
            return self._pass(start, comment.end() if comment else start)
        if self._opened.is_unsure and html.startswith("<![CDATA[", start):
            if not self._is_lost(start):
                self._doubt(start, _end_of(html, "]]>", start))
            return start + 1
        tag = _NAME.match(html, start)
        if tag is None:
            if html[start + 1 : start + 2] not in ("!", "?", "/") or self._is_lost(start):
                return start + 1
            return self._pass(start, _end_of(html, ">", start))
        name = _lower(tag[2])
        self._opened.pass_drawing(name, bool(tag[1]))
        if start < self._unsure_to:
            if not self._is_lost(start):
                self._doubt(start, _tag_end(html, tag.end())[0])
            self._look(start)
            return tag.end() if tag[1] else self._start(name, start, tag.end(), False)
        end, ends_itself = _tag_end(html, tag.end())
        if end > len(html):  # the parser drops it
            return len(html)
        self._look(start)
        return self._end(name, start, end) if tag[1] else self._start(name, start, end, ends_itself)

    def _is_lost(self, start: int) -> bool:
        """Whether nothing is sure from here on."""
        return start < self._unsure_to == len(self._html)

    def _pass(self, start: int, end: int) -> int:
        """Reads over what has no tags, if that is sure."""
        if start >= self._unsure_to:
            return end
        self._doubt(start, end)
        return start + 1

    def _doubt(self, start: int, end: int) -> None:
        """It is not sure whether what is between two places is text."""
        self._rereads -= end - start
        self._unsure_to = len(self._html) if self._rereads < 0 else max(self._unsure_to, min(end, len(self._html)))

    def _look(self, start: int) -> None:
        """Counts the open elements around a tag, and closes those that are too deep once they are too many."""
        if len(self._opened) <= FREE_DEPTH:
            return
        self._looks -= len(self._opened) - FREE_DEPTH
        if self._looks < 0:
            names = self._opened.from_place(FREE_DEPTH)
            self._kept += [self._html[self._done : start], *(f"</{name}>" for name in reversed(names))]
            self._done, self._max_depth = start, FREE_DEPTH
            self._dropped += names
            self._opened.close(FREE_DEPTH)

    def _start(self, name: str, start: int, end: int, ends_itself: bool) -> int:
        opened = self._opened
        is_sure = start >= self._unsure_to
        if name in FLAT and opened.is_flat(name):
            opened.pass_flat(name, False)
            return end
        if ends_itself and opened.is_closed(name):
            return end
        if name in RAW:
            text_end = end if self._is_lost(start) else _text_end(self._html, name, end)
            if is_sure and not opened.is_unsure:
                return text_end
            self._doubt(start, text_end)
        is_formatting = name in FORMATTING
        if len(opened) >= self._max_depth or is_formatting and self._formatting >= self._max_formatting:
            self._dropped.append(name)
            return self._drop(start, end)
        opened.start(name)
        self._formatting += is_formatting
        return end

    def _end(self, name: str, start: int, end: int) -> int:
        if name in FLAT and self._opened.is_flat(name):
            self._opened.pass_flat(name, True)
        elif self._dropped and self._dropped[-1] == name:
            self._dropped.pop()
            return self._drop(start, end)
        else:
            self._opened.end(name)
            self._formatting -= name in FORMATTING and self._formatting > 0
        return end

    def _drop(self, start: int, end: int) -> int:
        self._kept.append(self._html[self._done : start])
        self._done = end
        return end


def _lower(name: str) -> str:
    """A name as the parser compares it."""
    return name.lower() if name.isascii() else name.encode("latin-1").lower().decode("latin-1")


def _end_of(html: str, sign: str, start: int) -> int:
    """The end of the next *sign*; that of the page if there is none."""
    found = html.find(sign, start)
    return len(html) if found < 0 else found + len(sign)


def _tag_end(html: str, at: int) -> tuple[int, bool]:
    """The end of a tag, whose name ends at *at*, and whether it ends with `/>`; beyond the page if it has none."""
    while at < len(html):
        part = _ATTRIBUTE.match(html, at)
        before = part.end(1) if part else at
        if html.startswith(">", before):
            return before + 1, html[at:before].endswith("/")
        at = part.end() if part else at + 1
    return len(html) + 1, False


def _text_end(html: str, name: str, at: int) -> int:
    """Where the text ends of an element whose start tag ends at *at*."""
    if name == "plaintext":
        return len(html)
    if name == "script":
        return _script_end(html, at)
    found = re.compile(rf"</{name}(?=[ \t\n\r\f/>])", re.I | re.A).search(html, at)
    return found.start() if found else len(html)


def _script_end(html: str, at: int) -> int:
    """Where a script ends. In a comment, one more may be open in it (HTML standard, "script data double escaped")."""
    comment_end, is_open = at, False
    for tag in _SCRIPT_TAG.finditer(html, at):
        while (comment := html.find("<!--", max(at, comment_end), tag.start())) >= 0:
            comment_end, is_open = _end_of(html, "-->", comment + 2), False
        at = tag.start()
        is_in_comment = at < comment_end
        if tag[1]:
            if not (is_open and is_in_comment):
                return at
            is_open = False
        else:
            is_open = is_in_comment
    return len(html)
