"""Footnotes without links: superscripts, and the paragraphs that begin with the same ones.

notes, page = no_footnotes(), table_of(parse_html("<p>Rain falls<sup>1</sup>.<p><sup>1</sup> Or snow.").root)
add_unlinked_notes(page, notes, candidates_of(page).superscripts)
list(notes.definitions.values())    # ['note-1']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...native.element_names import BLANK, TEXT, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.table_rows import has_element

BLOCKS = tag_groups(
    {1: "p li div td tr dd dt aside section blockquote table article main body figure ol ul dl footer center address"}
)
# Elements that hold more than a note.
NO_NOTES = tag_groups({1: "h1 h2 h3 h4 h5 h6 main article body html nav header form ol ul dl tbody section"})
BRACKETS = lazy_pattern(r"[\s\[\]().,:]+")

# A mark has at most so many nodes, and so many elements between it and its block.
MAX_NODES, MAX_WRAPPERS = 8, 20
_LINK, _LINKS = number_of_tag("a"), tag_groups({1: "a"})
_NUMBER_MARK = lazy_pattern(r"[\[(]?\d{1,3}[\])]?|[*§¶]{1,3}")
_DAGGERS = str.maketrans("†‡", "**")  # start-up: a set with them takes 0.2 ms to compile
# A word or a full stop; not a number, a unit or a variable.
_WORD = lazy_pattern(r"[^\W\d_]{3}")
_STOPS = frozenset('.,;:!?"”’)]')


class Footnotes(NamedTuple):
    """The footnotes of a page by the rows of elements, each with its id: the marks in the text (*references*), the
    notes (*definitions*), and the places in paragraphs where one of several notes begins (*starts*). *asides* are the
    labels of notes and their links back."""

    references: dict[int, str]
    definitions: dict[int, str]
    starts: dict[int, str]
    asides: set[int]


def no_footnotes() -> Footnotes:
    """The footnotes of a page without any."""
    return Footnotes({}, {}, {}, set())


def may_be_unlinked(page: PageTable, superscripts: Iterable[int]) -> bool:
    """Whether two superscripts may be a mark and the beginning of its note."""
    marks = (row for row in superscripts if _is_number_mark(_text_of_mark(page, row)))
    return next(marks, None) is not None and next(marks, None) is not None


def _text_of_mark(page: PageTable, row: int) -> str:
    """The text of a superscript; empty if it has more than a mark."""
    return page.text_below(row).strip() if page.end[row] - row <= MAX_NODES else ""


def _is_number_mark(text: str) -> bool:
    return _NUMBER_MARK.fullmatch(text.translate(_DAGGERS)) is not None


def add_unlinked_notes(page: PageTable, out: Footnotes, superscripts: Iterable[int]) -> None:
    """Adds *superscripts* without links, and the paragraphs below that begin with the same ones, to *out*."""
    marks: dict[str, list[int]] = {}
    notes: dict[str, list[tuple[int, int]]] = {}
    for row in superscripts:
        size = page.end[row] - row
        if size == 1 or page.tag[row + 1] == _LINK:  # for speed: those of linked notes
            continue
        text = _text_of_mark(page, row)
        if not _is_number_mark(text) or has_element(page, row, _LINKS):
            continue
        block, wrappers = page.parent[row], 0
        while block >= 0 and not BLOCKS[page.tag[block]] and wrappers < MAX_WRAPPERS:
            block, wrappers = page.parent[block], wrappers + 1
        if block < 0 or not BLOCKS[page.tag[block]] or NO_NOTES[page.tag[block]]:
            continue
        name = BRACKETS.sub("", text)
        if is_first(page, row, block):
            if name in marks:  # a note is below its marks
                notes.setdefault(name, []).append((row, block))
        elif _is_after_word(page, row):
            marks.setdefault(name, []).append(row)
    for name, found in notes.items():
        row, block = found[0]
        if len(found) > 1 or block in out.definitions:
            continue
        if any(mark in out.references for mark in marks[name]):
            continue
        out.definitions[block] = f"note-{name}"
        out.asides.add(row)
        for mark in marks[name]:
            out.references[mark] = f"note-{name}"


def _is_after_word(page: PageTable, row: int) -> bool:
    before = page.before[row]
    end = page.text_below(before).rstrip()[-3:] if before >= 0 else ""
    return end[-1:] in _STOPS or _WORD.fullmatch(end) is not None


def is_first(page: PageTable, row: int, block: int) -> bool:
    """Whether nothing but white space is before an element in the *block* that it is in."""
    return not any(page.tag[at] == TEXT and not page.flags[at] & BLANK for at in range(block + 1, row))
