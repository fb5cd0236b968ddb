"""Who wrote a post, when, and which of its elements have its text.

marks = Marks()
marks.add(table, row, table.end[row])
fields = PostFields(table, row, [], marks)
fields.author, fields.date    # ('Ann', '2024-05-03')
"""

from __future__ import annotations

import re
from bisect import bisect_left

from ...native.element_names import CLASS, DATETIME, HREF, ID, ITEMPROP, TEXT, number_of_tag
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ...words.post_names import (
    AUTHOR,
    DAY,
    FURNITURE,
    MENU,
    NAME,
    PANEL,
    TEXT_PART,
    is_member,
    parts_of_class,
    parts_of_id,
)
from ..metadata.dates import iso_day, short_day, unix_day
from ..tree.survey import rows_with
from .post_rows import part_rows

# Bits of what an element declares: the properties of microdata, a time, a link to a member of a forum.
IS_AUTHOR, IS_TEXT, IS_DAY, TIME, MEMBER = 32, 64, 128, 256, 512
# Characters of the name of an author, and of a text that is read for a day; texts that are read.
MAX_NAME, MAX_DAY, MAX_DAY_TEXTS = 60, 90, 40
# Characters by which the texts of two posts are the same.
MAX_BEGINNING = 100
# Characters of a text that is no label.
MIN_LINE = 40
# Characters of a post without an element for its text.
MIN_TEXT = 20
Span = tuple[int, int]

_PROPERTIES = {
    "author": IS_AUTHOR, "creator": IS_AUTHOR, "text": IS_TEXT, "articlebody": IS_TEXT, "commenttext": IS_TEXT,
    "datepublished": IS_DAY, "datecreated": IS_DAY, "commenttime": IS_DAY,
}  # fmt: skip
_TIME, _A, _BLOCKQUOTE = map(number_of_tag, ("time", "a", "blockquote"))
_AUTHOR_ATTRIBUTES = ("data-author", "data-username", "data-user-name", "author", "data-author-name")
# What is shown beside "1 year ago" to who points at it, as `title` is.
_HOVER = ("data-tippy-content", "data-original-title", "data-bs-original-title", "aria-label")
_AROUND_NAME = lazy_pattern(
    r"^(?:by|posted by|written by|from|von|par|por|di|@|↑|»|·|-|–|—)[\s:]+|"
    r"[\s,]*(?:says|said|wrote|schrieb|writes)?\s*[:,·•»|–—-]*$",
    re.I,
)
_NO_NAME = lazy_pattern(
    r"#?\d+|https?://.*|(?:reply|quote|share|like|report|profile|view profile|more|edit|link|permalink)s?|"
    r"(?:guest|author|op)s?|(?:by|posted|written|from|von|par|por|di|says|said|wrote)(?: by)?",
    re.I,
)
_OTHER_DAY = lazy_pattern(
    r"join|regist|member|since|edit|modif|updat|last (?:seen|post|visit|active)|born|location", re.I
)


class Marks:
    """The elements of a part of a page that say what they are of a post: their rows, and bits."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.bits: list[int] = []
        self.end = 0  # the row up to which they are known

    def add(self, table: PageTable, first: int, last: int) -> None:
        """Adds the marks of the rows from *first* to *last*, as far as these are after the ones that it has."""
        first, self.end = max(first, self.end), max(last, self.end)
        tag_of, flags_of = table.tag, table.flags
        for row in part_rows(table, first, last):
            tag, flags = tag_of[row], flags_of[row]
            bits = parts_of_class(table.attribute_of(row, "class") or "") if flags & CLASS else 0
            if flags & ID:
                bits |= parts_of_id(table.attribute_of(row, "id") or "")
            if flags & ITEMPROP:
                for name in (table.attribute_of(row, "itemprop") or "").lower().split():
                    bits |= _PROPERTIES.get(name, 0)
            if tag == _TIME or flags & DATETIME:
                bits |= TIME
            if flags & HREF and tag == _A and is_member(table.attribute_of(row, "href") or ""):
                bits |= MEMBER
            if bits:
                self.rows.append(row)
                self.bits.append(bits)

    def between(self, spans: list[Span], bits: int) -> list[tuple[int, int]]:
        """The rows in *spans* with one of the *bits*, and all of theirs."""
        out = []
        for start, end in spans:
            first = bisect_left(self.rows, start)
            for at in range(first, bisect_left(self.rows, end, first)):
                if self.bits[at] & bits:
                    out.append((self.rows[at], self.bits[at]))
        return out


class PostFields:
    """What the element in a *row* says as a post, apart from the posts in it, in the rows *inner*: its author and day,
    empty where these are not known; the rows of its *texts*, whether elements are *named* as such, and what is none in
    them (*holes*); the rows of its *byline*; whether it is the comment of a reader, and not of a thread."""

    def __init__(self, table: PageTable, row: int, inner: list[int], marks: Marks) -> None:
        self.table, self.row, self.end, self.marks = table, row, table.end[row], marks
        self.own = _without([(row + 1, self.end)], [(at, table.end[at]) for at in inner])
        self.has_inner = bool(inner)
        self.is_comment = False
        self.is_member_link = False  # whether the author is but a link to a member of the forum
        self.texts = _outermost(table, [at for at, _ in marks.between(self.own, IS_TEXT) if table.has_text(at)])
        self.author, self.author_row = self._author()
        self.date, self.day_row = self._day()
        self.texts = self.texts or self._named_texts()
        self.is_named = bool(self.texts)
        self.byline: list[Span] = []
        self.holes: list[Span] = []

    @property
    def has_text(self) -> bool:
        """Whether there is a text beside the byline."""
        if self.is_named or self.has_inner:
            return self.is_named
        size = 0
        for start, end in self.own:
            for at in rows_with(self.table, TEXT, 0, start, end):
                size += len(self.table.text_of(at).strip())
                if size >= MIN_TEXT + len(self.author):
                    return True
        return False

    def begins_as(self, other: PostFields) -> bool:
        """Whether the text of another post is that of this one."""
        return bool(self.texts and other.texts) and self._beginning() == other._beginning()

    def _beginning(self) -> str:
        return "".join(self.table.text_below(self.texts[0][0]).split())[:MAX_BEGINNING]

    def find_parts(self) -> None:
        """Finds the `byline`, and the `holes` in the texts, which are all that it has if no element is named as one."""
        table = self.table
        self.byline = [(at, table.end[at]) for at in (self.author_row, self.day_row) if at >= 0]
        furniture = self.marks.between(self.texts or self.own, FURNITURE)
        self.holes = [(at, table.end[at]) for at, bits in furniture if not bits & (TEXT_PART | IS_TEXT)]
        if not self.is_named:
            authors = self.marks.between(self.own, AUTHOR | IS_AUTHOR)
            self.holes += [(at, table.end[at]) for at, bits in authors if not bits & TEXT_PART]
            self.texts = self.own

    def _author(self) -> tuple[str, int]:
        """The name of the author, empty if there is none, and the row of the element that has it, or -1."""
        for at, _ in self.marks.between(self.own, IS_AUTHOR):
            if name := self._name_in(at):
                return name, at
        attributes = self.table.attributes_of(self.row)
        named = next((value for name in _AUTHOR_ATTRIBUTES if (value := attributes.get(name))), "")
        found = [
            (at, bits)
            for at, bits in self.marks.between(self.own, NAME | AUTHOR | MEMBER)
            if not bits & (FURNITURE | TEXT_PART) and not self._is_in_text(at)
        ]
        for wanted in (NAME | MEMBER, NAME, AUTHOR, MEMBER):
            for at, bits in found:
                if bits & wanted == wanted and (name := self._name_in(at)):
                    self.is_member_link = wanted == MEMBER
                    return (named or name), at
        return _clean_name(named), -1

    def _name_in(self, row: int) -> str:
        """The name in an element that has one."""
        table = self.table
        if content := table.attribute_of(row, "content"):
            return _clean_name(content)
        first_link = named = -1
        for at in range(row, table.end[row]):
            if table.tag[at] < 0:
                continue
            flags = table.flags[at]
            if flags & ITEMPROP and "name" in (table.attribute_of(at, "itemprop") or "").lower().split():
                return _clean_name(table.attribute_of(at, "content") or table.text_below(at))
            if (
                named < 0
                and flags & CLASS
                and at > row
                and parts_of_class(table.attribute_of(at, "class") or "") & NAME
            ):
                named = at if table.has_text(at) else named
            if first_link < 0 and table.tag[at] == _A and table.has_text(at):
                first_link = at
        for at in (named, first_link):
            if at >= 0 and (name := _clean_name(table.text_below(at))):
                return name
        texts = map(table.text_of, rows_with(table, TEXT, 0, row, table.end[row]))
        return next((name for text in texts if (name := _clean_name(text))), "")

    def _day(self) -> tuple[str, int]:
        """The day of the post, empty if there is none, and the row of the element that has it, or -1: outside of what
        is known of the author, such as since when, if there is one."""
        panels = _outermost(self.table, [at for at, _ in self.marks.between(self.own, PANEL)])
        found = self._day_in_spans(_without(self.own, panels)) if panels else ("", -1)
        return found if found[0] else self._day_in_spans(self.own)

    def _day_in_spans(self, spans: list[Span]) -> tuple[str, int]:
        found = self.marks.between(spans, IS_DAY | TIME | DAY)
        # that of the last reply may stand above a thread, before the author of its first post
        found.sort(key=lambda mark: mark[0] < self.author_row)
        for wanted in (IS_DAY, TIME, DAY):
            for at, bits in found:
                if bits & wanted and not self._is_in_text(at) and (day := self._day_in(at)):
                    return day, at
        count, before = 0, ""
        for start, end in spans:
            for at in rows_with(self.table, TEXT, 0, start, end):
                if self._is_in_text(at) or not (text := self.table.text_of(at).strip()):
                    continue
                count += 1
                if count > MAX_DAY_TEXTS:
                    return "", -1
                if len(text) <= MAX_DAY and not _OTHER_DAY.search(f"{before} {text}") and (day := _read_day(text)):
                    return day, self.table.parent[at]
                before = text[:MAX_DAY]
        return "", -1

    def _day_in(self, row: int) -> str:
        """The day that an element has as an attribute or as its text."""
        attributes = self.table.attributes_of(row)
        for name in ("datetime", "content", "title", "data-time", "data-timestamp", "data-date", "created", *_HOVER):
            if (value := attributes.get(name)) and (day := _read_day(value) or unix_day(value)):
                return day
        if self.table.end[row] - row > MAX_DAY:
            return ""
        text = " ".join(self.table.text_below(row).split())
        return _read_day(text) if len(text) <= MAX_DAY and not _OTHER_DAY.search(text) else ""

    def _is_in_text(self, row: int) -> bool:
        return any(start <= row < end for start, end in self.texts)

    def _named_texts(self) -> list[Span]:
        """The elements that are texts by their names: the outermost ones without the byline, and neither in quotations
        nor in menus."""
        table, out = self.table, []
        byline, again = [self.author_row, self.day_row], []
        if self.date:  # it may be there again, for windows of another width
            again = [at for at, _ in self.marks.between(self.own, TIME) if self._day_in(at) == self.date]
        menu_end = -1
        for at, bits in self.marks.between(self.own, TEXT_PART | MENU):
            end = table.end[at]
            if bits & MENU:
                menu_end = max(menu_end, end)
            if bits & FURNITURE or at < menu_end or any(at <= row < end for row in byline):
                continue
            if any(at <= row < end and not self._has_text_between(at, row) for row in again):
                continue
            if table.has_text(at) and not self._is_quoted(at):
                out.append(at)
        return _outermost(table, out)

    def _is_quoted(self, row: int) -> bool:
        """Whether an element is in a quotation in the post."""
        above = self.table.parent[row]
        while above > self.row and self.table.tag[above] != _BLOCKQUOTE:
            above = self.table.parent[above]
        return above > self.row

    def _has_text_between(self, first: int, last: int) -> bool:
        """Whether a text of some length is between two rows, as before the day of a change."""
        table = self.table
        return any(len(table.text_of(at).strip()) >= MIN_LINE for at in rows_with(table, TEXT, 0, first, last))


def _clean_name(text: str) -> str:
    """A name without what is around it; empty if it is none, but a day, say."""
    name = " ".join(text[: 4 * MAX_NAME].split())
    name = _AROUND_NAME.sub("", name).strip()
    is_name = 0 < len(name) <= MAX_NAME and not _NO_NAME.fullmatch(name) and not iso_day(name, True)
    return name if is_name else ""


def _read_day(text: str) -> str:
    return iso_day(text, True) or short_day(text, True)


def _without(spans: list[Span], holes: list[Span]) -> list[Span]:
    """*spans* without *holes*, which are in order and in one of them each."""
    out: list[Span] = []
    for start, end in spans:
        for first, last in holes:
            if start <= first < end:
                if first > start:
                    out.append((start, first))
                start = last
        if start < end:
            out.append((start, end))
    return out


def _outermost(table: PageTable, rows: list[int]) -> list[Span]:
    """The rows that are in none of the others, each with its end."""
    out: list[Span] = []
    for row in rows:
        if not out or row >= out[-1][1]:
            out.append((row, table.end[row]))
    return out
