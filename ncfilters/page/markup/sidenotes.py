"""Footnotes whose text stands in the sentence, beside their mark: sidenotes of Tufte CSS, Distill and LaTeXML.

page = table_of(parse_html("<p>It rains.<span class=sidenote>Or snows.</span>").root)
notes = sidenotes(page, candidates_of(page).sidenotes, no_footnotes())
list(notes.values())    # ['sidenote-1']
"""

from __future__ import annotations

from ...native.element_names import tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.table_rows import elements_of, has_element, is_blank, name_at
from .unlinked_notes import BLOCKS, Footnotes

# Notes of a page; nodes and characters of one.
MAX_NOTES, MAX_NODES, MAX_CHARS = 1_000, 400, 5_000

_MARK = lazy_pattern(r"[\[(]?(?:\d{1,3}|[*†‡§⊕‣]+|&#8853;)[\])]?")
# Elements around a note that its mark may stand before.
MAX_WRAPPERS = 3


_BLOCKS_IN = tag_groups({1: "p div ul ol"})
_LABELS, _LABEL_CLASSES = tag_groups({1: "sup"}), frozenset(("ltx_tag_note", "sidenote-number"))
_MARKS = frozenset(("sup", "label", "a", "span"))


def sidenotes(page: PageTable, candidates: list[int], notes: Footnotes) -> dict[int, str]:
    """The elements of notes in sentences, with the id of each, of *candidates*. Adds their marks to the references of
    *notes*, and their labels to the asides."""
    found: dict[int, str] = {}
    for row in candidates:
        if BLOCKS[page.tag[row]] or len(found) >= MAX_NOTES or page.end[row] - row > MAX_NODES:
            continue
        text = page.text_below(row).strip()
        if not text or len(text) > MAX_CHARS or has_element(page, row, _BLOCKS_IN):
            continue
        name = f"sidenote-{len(found) + 1}"
        found[row] = name
        mark = _mark_before(page, row)
        if mark >= 0:
            notes.references[mark] = name
        for label in elements_of(page, row, _LABELS, _LABEL_CLASSES)[:2]:
            if _MARK.fullmatch(page.text_below(label).strip()):
                notes.asides.add(label)
    return found


def _mark_before(page: PageTable, note: int) -> int:
    """The superscript or label right before a note; -1 if there is none."""
    at = note
    for _ in range(MAX_WRAPPERS):
        before = page.before[at]
        while before >= 0 and (name_at(page, before) == "input" or is_blank(page, before)):
            before = page.before[before]
        if before >= 0:
            is_mark = name_at(page, before) in _MARKS and _MARK.fullmatch(page.text_below(before).strip())
            return before if is_mark else -1
        at = page.parent[at]
        if at < 0 or BLOCKS[page.tag[at]]:
            break
    return -1
