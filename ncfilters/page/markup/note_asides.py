"""Labels and links back in footnotes: they are no text of these.

NoteAsides(page, marks).add(note, out)    # the rows of the elements, in out.asides
"""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property

from ...native.element_names import BLANK, CLASS, COMMENT, HREF, ID, NAME, UNKNOWN, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ..tree.table_rows import next_row
from .note_marks import function_of, is_arrow, is_back_id, is_mark
from .unlinked_notes import BLOCKS, Footnotes, is_first

# Elements in notes that may be labels and links back.
MAX_ASIDES = 20_000
# Characters of a mark, and of text before the place in a note that a mark leads to.
MAX_MARK_CHARS, MAX_LABEL_CHARS = 20, 8
# Elements around a link that may have the id that a note links back to, or brackets around the mark; and what may stand
# beside it in one of them.
MAX_WRAPPERS, MAX_BESIDE = 3, 10

INLINE_WRAPPERS = tag_groups({1: "sup span b strong small em i font"})
_LABELS = frozenset("label mw-cite-backlink footnote-back-link footnote-number footnote-label fn-label".split())
_LINK, _SUPERSCRIPT, _SPAN = map(number_of_tag, ("a", "sup", "span"))


def target_of(page: PageTable, link: int) -> str:
    """The id that a link leads to; empty for other elements."""
    return (page.attribute_of(link, "href") or "").partition("#")[2] if page.tag[link] == _LINK else ""


class NoteAsides:
    """Finds what is no text in the notes that *marks*, elements, lead to."""

    def __init__(self, page: PageTable, marks: list[int]) -> None:
        self._page = page
        self._marks = marks

    @cached_property
    def _ids(self) -> set[str]:
        """The ids of all marks, which a note may lead back to."""
        return set().union(*(ids_around(self._page, mark) for mark in self._marks))

    def add(self, note: int, out: Footnotes) -> int:
        """Adds the labels and the links back in a note. Returns the number of elements that were looked at."""
        page, looked_at, first = self._page, 0, -1
        for row in range(note, page.end[note]):
            tag = page.tag[row]
            if tag < UNKNOWN:
                continue
            is_label = page.flags[row] & CLASS and not _LABELS.isdisjoint(
                (page.attribute_of(row, "class") or "").split()
            )
            is_link = tag == _LINK and page.flags[row] & HREF and "#" in (page.attribute_of(row, "href") or "")
            looked_at += bool(is_label or is_link or tag == _SUPERSCRIPT)
            if (
                is_label
                and len(page.text_below(row)) <= MAX_MARK_CHARS
                and not self._is_in_any(row, out.references, note)
            ):
                out.asides.add(row)
            if is_link:
                self._add_link_back(row, out)
            if tag == _SUPERSCRIPT and first < 0:
                first = row
        if (label := self._label_at_start(note)) >= 0 and not self._is_in_any(label, out.references, note):
            out.asides.add(label)
        if first >= 0 and is_mark(page.text_below(first).strip()) and is_first(page, first, note):
            out.asides.add(first)
        return looked_at

    def _add_link_back(self, link: int, out: Footnotes) -> None:
        """Adds a link of a note, if it leads back to a mark."""
        page, target = self._page, target_of(self._page, link)
        text = page.text_below(link).strip()
        if link in out.references or len(text) > MAX_MARK_CHARS:
            return
        has_arrow = is_arrow(text)
        is_back = has_arrow or function_of(page.attributes_of(link))[1] or is_back_id(target)
        if not is_back and not any(map(str.isalnum, text)):  # an arrow that is an image
            is_back = target in self._ids
        if is_back and (has_arrow or is_mark(text) or len(text) <= 2):
            out.asides.add(self._wrapped(link, text))

    def _label_at_start(self, note: int) -> int:
        """The inline element that a note begins with, if it holds a label in brackets; else -1."""
        page = self._page
        at = note + 1 if page.end[note] > note + 1 else -1
        while at >= 0 and (page.tag[at] == COMMENT or page.flags[at] & BLANK):
            at = next_row(page, at)
        if at < 0 or page.tag[at] < UNKNOWN or not INLINE_WRAPPERS[page.tag[at]] or not has_few(page, at):
            return -1
        text = page.text_below(at).strip()
        return at if text[:1] in ("[", "(") and len(text) <= MAX_LABEL_CHARS and is_mark(text) else -1

    def _wrapped(self, link: int, text: str) -> int:
        """A link, or the inline element that holds nothing else."""
        page, at = self._page, link
        while (around := page.parent[at]) >= 0 and INLINE_WRAPPERS[page.tag[around]] and has_few(page, around):
            if page.text_below(around).strip() != text:
                break
            at = around
        return at

    def _is_in_any(self, row: int, elements: Container[int], outer: int) -> bool:
        at = row
        while at >= 0 and at != outer:
            if at in elements:
                return True
            at = self._page.parent[at]
        return False


def ids_around(page: PageTable, row: int) -> set[str]:
    """The ids of a link, of the elements in it, and of the inline elements around it."""
    ids = {name for at in range(row, page.end[row]) if page.tag[at] >= UNKNOWN for name in ids_of(page, at)}
    at = row
    for _ in range(MAX_WRAPPERS):
        ids |= ids_of(page, at)
        before = page.before[at]
        if before >= 0 and page.tag[before] in (_LINK, _SPAN) and not page.has_text(before):
            ids |= ids_of(page, before)
        at = page.parent[at]
        if at < 0 or BLOCKS[page.tag[at]]:
            break
    return ids


def ids_of(page: PageTable, row: int) -> set[str]:
    """What an element is called by links to it: its id, and the name of a link."""
    own = page.attribute_of(row, "id") if page.flags[row] & ID else None
    name = page.attribute_of(row, "name") if page.tag[row] == _LINK and page.flags[row] & NAME else None
    return {*filter(None, (own, name))}


def has_few(page: PageTable, row: int) -> bool:
    """Whether an element has few children: each link in a text with many links would read all of it."""
    at, end = row + 1, page.end[row]
    for _ in range(MAX_BESIDE):
        if at >= end:
            return True
        at = page.end[at]
    return at >= end
