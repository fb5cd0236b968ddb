"""Footnotes: the marks in the text, the notes that they lead to, and the links back.

    html = "<p>Rain<sup><a href='#n1' id=r1>1</a></sup>.<ol><li id=n1>Or snow. <a href='#r1'>↩</a></ol>"
    page = table_of(parse_html(html).root)
    notes = footnotes(page, candidates_of(page).superscripts, candidates_of(page).links)
    list(notes.references.values()), list(notes.definitions.values())    # (['n1'], ['n1'])

A mark is a link within the page to a note below it, named by attributes or by the look of both; or a superscript that
a paragraph below begins with. What has no counterpart on the page is no footnote.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache
from typing import NamedTuple

from ...native.element_names import BLANK, CLASS, COMMENT, HREF, ID, NAME, UNKNOWN, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ..tree.elements import name_at, next_row
from .note_marks import (
    BLOCKS,
    BRACKETS,
    NO_NOTES,
    Footnotes,
    add_unlinked_notes,
    function_of,
    is_arrow,
    is_back_id,
    is_first,
    is_mark,
    is_note_id,
    is_of_formula,
    is_year,
    no_footnotes,
)

# Notes of a page, and characters of one. More, and longer ones, are left as they are.
MAX_NOTES, MAX_NOTE_CHARS = 5_000, 20_000
# Characters of an id that a mark leads to.
MAX_TARGET_CHARS = 100
# Nodes before the place in a note that a mark leads to; development pages have one at most.
MAX_BEFORE = 6

_LINK, _BREAK, _ITEM, _PARAGRAPH = map(number_of_tag, "a br li p".split())
# Elements that hold a note with what is beside it, and those that are a place in one.
_AROUND, _PLACES = tag_groups({1: "div li aside"}), tag_groups({1: "li dt td p"})

# Elements in notes that may be labels and links back.
MAX_ASIDES = 20_000
# Characters of a mark, and of text before the place in a note that a mark leads to.
MAX_MARK_CHARS, MAX_LABEL_CHARS = 20, 8
# Elements around a link that may have the id that a note links back to, or brackets around the mark; and what may stand
# beside it in one of them.
MAX_WRAPPERS, MAX_BESIDE = 3, 10

INLINE_WRAPPERS = tag_groups({1: "sup span b strong small em i font"})
_LABELS = frozenset("label mw-cite-backlink footnote-back-link footnote-number footnote-label fn-label".split())
_SUPERSCRIPT, _SPAN = map(number_of_tag, ("sup", "span"))


def footnotes(page: PageTable, superscripts: list[int], links: list[int]) -> Footnotes:
    """The footnotes of a page with these *superscripts*, and *links* to places. Linear in the page."""
    out = no_footnotes()
    leading, targets = _leading_links(page, links)
    if leading and (candidates := _candidates(page, leading)):  # few pages have any
        _link(page, candidates, targets, out)
    add_unlinked_notes(page, out, superscripts)
    return out


class _Reference(NamedTuple):
    """A link that may be the mark of a note: its element, the id that it leads to, its text, and whether attributes say
    what it is."""

    row: int
    target: str
    text: str
    is_named: bool


def _leading_links(page: PageTable, links: list[int]) -> tuple[list[tuple[int, str]], dict[str, int]]:
    """The links that lead to an element below them, each with the id of that; and the first element that has an id, for
    those that links lead to."""
    named = [(row, name) for row in links if (name := target_of(page, row)) and len(name) <= MAX_TARGET_CHARS]
    wanted = {name for _, name in named}
    targets: dict[str, int] = {}
    for row in range(page.size if wanted else 0):
        if page.tag[row] >= UNKNOWN and page.flags[row] & (ID | NAME):
            for name in ids_of(page, row) & wanted:
                targets.setdefault(name, row)
    return [(row, name) for row, name in named if targets.get(name, -1) > row], targets


def _candidates(page: PageTable, links: list[tuple[int, str]]) -> list[_Reference]:
    """Those of *links*, each with its target, that look like the mark of a note."""
    out = []
    for row, target in links:
        text = page.text_below(row).strip()
        if not text or len(text) > MAX_MARK_CHARS:
            continue
        attributes = page.attributes_of(row)
        is_reference, is_back = function_of(attributes)
        if is_back or not is_reference and not is_mark(text) or is_arrow(text):
            continue
        if not is_reference and is_year(text) and not target.endswith(text):
            continue
        is_named = is_reference or is_note_id(target)
        if is_named or (attributes.get("href") or "").startswith("#"):
            out.append(_Reference(row, target, text, is_named))
            if len(out) == MAX_NOTES:
                break
    return out


def _link(page: PageTable, candidates: list[_Reference], targets: dict[str, int], out: Footnotes) -> None:
    """Adds the candidates that lead to notes, with these. *targets*: the elements that they lead to."""
    notes: dict[str, int] = {}
    texts: dict[int, str] = {}
    skipped: set[str] = set()
    marks: list[int] = []
    for reference in candidates:
        if reference.target in skipped:
            continue
        if reference.target not in notes:
            target = targets[reference.target]
            note = _note_at(page, target)
            if note >= 0 and note not in texts:  # it may be that of many targets
                texts[note] = page.text_below(note).strip()
            if note < 0 or not _is_note(page, reference, target, note, texts[note]):
                skipped.add(reference.target)
                continue
            notes[reference.target] = note
        out.references[_wrapped(page, reference.row, reference.text)] = reference.target
        marks.append(reference.row)
    _add_definitions(page, notes, targets, marks, out)


def _note_at(page: PageTable, target: int) -> int:
    """The element that holds the note whose place is *target*; -1 if that is no note."""
    at = target
    while at >= 0 and not BLOCKS[page.tag[at]]:
        if NO_NOTES[page.tag[at]]:
            return -1
        at = page.parent[at]
    if at < 0:
        return -1
    if name_at(page, at) == "dt":
        following = _next_element(page, at)
        return following if name_at(page, following) == "dd" else -1
    if name_at(page, at) == "td":
        at = page.parent[at]
    around = page.parent[at]
    if around >= 0 and _AROUND[page.tag[around]]:
        # as in bibliographies
        begins_item = page.tag[around] == _ITEM and page.tag[at] == _PARAGRAPH and _is_first_child(page, at)
        if begins_item or is_note_id(page.attribute_of(around, "id") or ""):
            at = around
    return -1 if NO_NOTES[page.tag[at]] else at


def _is_note(page: PageTable, reference: _Reference, target: int, note: int, text: str) -> bool:
    """Whether attributes say that a note with this *text* is that of a mark; or it links back, is an item, or begins
    with it."""
    if not text or len(text) > MAX_NOTE_CHARS or note <= reference.row < page.end[note]:
        return False
    if target != note and not _PLACES[page.tag[target]] and not _is_near_start(page, target, note):
        return False
    if reference.is_named or page.tag[note] == _ITEM:
        return True
    if is_of_formula(page.attributes_of(target)) or is_of_formula(page.attributes_of(note)):
        return False
    own = BRACKETS.sub("", reference.text).lower()
    label = page.text_below(target).strip() or text
    if own and BRACKETS.sub("", label[: len(reference.text) + MAX_LABEL_CHARS]).lower().startswith(own):
        return True
    ids = ids_around(page, reference.row)
    links = (at for at in range(note, page.end[note]) if page.tag[at] == _LINK and page.flags[at] & HREF)
    return any("#" in (href := page.attribute_of(at, "href") or "") and href.partition("#")[2] in ids for at in links)


def _is_first_child(page: PageTable, row: int) -> bool:
    """Whether nothing but white space is before an element in the one around it."""
    at = page.before[row]
    for _ in range(MAX_BEFORE):
        if at < 0:
            return True
        if page.tag[at] != COMMENT and not page.flags[at] & BLANK:
            return False
        at = page.before[at]
    return False


def _is_near_start(page: PageTable, target: int, note: int) -> bool:
    """Whether at most a label is before *target* in its line of the note."""
    before = steps = 0
    at = target
    while at >= 0 and at != note:
        step = page.before[at]
        while step >= 0 and before <= MAX_LABEL_CHARS:
            steps += 1
            if steps > MAX_BEFORE:
                return False
            if page.tag[step] == _BREAK:
                return True
            before += len(page.text_below(step).strip())
            step = page.before[step]
        at = page.parent[at]
    return before <= MAX_LABEL_CHARS


def _wrapped(page: PageTable, row: int, text: str) -> int:
    """The outermost inline element that holds an element with this *text* and brackets alone."""
    own = BRACKETS.sub("", text)
    while (around := page.parent[row]) >= 0 and INLINE_WRAPPERS[page.tag[around]] and has_few(page, around):
        if BRACKETS.sub("", page.text_below(around)) != own:
            break
        row = around
    return row


def _add_definitions(
    page: PageTable, notes: dict[str, int], targets: dict[str, int], marks: list[int], out: Footnotes
) -> None:
    by_element: dict[int, list[str]] = {}
    for name, note in notes.items():
        by_element.setdefault(note, []).append(name)
    for name, note in notes.items():
        target = targets[name]
        if len(by_element[note]) > 1 and target != note:
            out.starts[target] = name
        else:
            out.definitions[note] = name
        if target != note and not BLOCKS[page.tag[target]] and is_mark(page.text_below(target).strip()):
            out.asides.add(target)
    left = MAX_ASIDES

    @cache
    def ids() -> set[str]:
        return set().union(*(ids_around(page, mark) for mark in marks))

    for note in by_element:
        if left > 0:  # notes may be in notes
            left -= add_asides(page, note, ids, out)


def _next_element(page: PageTable, row: int) -> int:
    at = next_row(page, row)
    while at >= 0 and page.tag[at] < UNKNOWN:
        at = next_row(page, at)
    return at


def target_of(page: PageTable, link: int) -> str:
    """The id that a link leads to; empty for other elements."""
    return (page.attribute_of(link, "href") or "").partition("#")[2] if page.tag[link] == _LINK else ""


def add_asides(page: PageTable, note: int, ids: Callable[[], set[str]], out: Footnotes) -> int:
    """Adds what is no text in a note: its labels, and its links back to marks, which have these *ids*. Returns the
    number of elements that were looked at."""
    looked_at = 0
    labels = [at] if (at := _label_at_start(page, note)) >= 0 else []
    for row in range(note, page.end[note]):
        tag, flags = page.tag[row], page.flags[row]
        if tag < UNKNOWN:
            continue
        is_label = flags & CLASS and not _LABELS.isdisjoint((page.attribute_of(row, "class") or "").split())
        is_link = tag == _LINK and flags & HREF and "#" in (page.attribute_of(row, "href") or "")
        looked_at += bool(is_label or is_link or tag == _SUPERSCRIPT)
        if is_label and len(page.text_below(row)) <= MAX_MARK_CHARS:
            labels.append(row)
        if is_link:
            _add_link_back(page, row, ids, out)
    out.asides.update(row for row in labels if not _is_in_any(page, row, out.references, note))
    superscripts = (row for row in range(note, page.end[note]) if page.tag[row] == _SUPERSCRIPT)
    first = next(superscripts, -1)
    if first >= 0 and is_mark(page.text_below(first).strip()) and is_first(page, first, note):
        out.asides.add(first)
    return looked_at


def _add_link_back(page: PageTable, link: int, ids: Callable[[], set[str]], out: Footnotes) -> None:
    """Adds a link of a note, if it leads back to a mark."""
    target, text = target_of(page, link), page.text_below(link).strip()
    if link in out.references or len(text) > MAX_MARK_CHARS:
        return
    has_arrow = is_arrow(text)
    is_back = has_arrow or function_of(page.attributes_of(link))[1] or is_back_id(target)
    if not is_back and not any(map(str.isalnum, text)):  # an arrow that is an image
        is_back = target in ids()
    if is_back and (has_arrow or is_mark(text) or len(text) <= 2):
        out.asides.add(_wrapped(page, link, text))


def _label_at_start(page: PageTable, note: int) -> int:
    """The inline element that a note begins with, if it holds a label in brackets; else -1."""
    at = note + 1 if page.end[note] > note + 1 else -1
    while at >= 0 and (page.tag[at] == COMMENT or page.flags[at] & BLANK):
        at = next_row(page, at)
    if at < 0 or page.tag[at] < UNKNOWN or not INLINE_WRAPPERS[page.tag[at]] or not has_few(page, at):
        return -1
    text = page.text_below(at).strip()
    return at if text[:1] in ("[", "(") and len(text) <= MAX_LABEL_CHARS and is_mark(text) else -1


def _is_in_any(page: PageTable, row: int, elements: Container[int], outer: int) -> bool:
    while row >= 0 and row != outer:
        if row in elements:
            return True
        row = page.parent[row]
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
