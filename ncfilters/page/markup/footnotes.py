"""Footnotes: the marks in the text, the notes that they lead to, and the links back.

    tree = parse_html("<p>Rain<sup><a href='#n1' id=r1>1</a></sup>.<ol><li id=n1>Or snow. <a href='#r1'>↩</a></ol>")
    notes = footnotes(tree)
    list(notes.references.values()), list(notes.definitions.values())    # (['n1'], ['n1'])

A mark is a link within the page to a note below it, named by attributes or by the look of both; or a superscript that
a paragraph below begins with. What has no counterpart on the page is no footnote.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .note_asides import (
    INLINE_WRAPPERS,
    MAX_ASIDES,
    MAX_LABEL_CHARS,
    MAX_MARK_CHARS,
    MAX_WRAPPERS,
    NoteAsides,
    has_few,
    ids_around,
    ids_of,
    target_of,
)
from .note_marks import function_of, is_arrow, is_mark, is_note_id, is_of_formula, is_year
from .unlinked_notes import BLOCKS, BRACKETS, NO_NOTES, Footnotes, add_unlinked_notes, no_footnotes

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Notes of a page, and characters of one. More, and longer ones, are left as they are.
MAX_NOTES, MAX_NOTE_CHARS = 5_000, 20_000
# Characters of an id that a mark leads to.
MAX_TARGET_CHARS = 100
# Nodes before the place in a note that a mark leads to; development pages have one at most.
MAX_BEFORE = 6

_LINKS, _TARGETS = 'a[href*="#"]', "[id], a[name]"


def footnotes(
    tree: LexborHTMLParser, superscripts: Iterable[Any] | None = None, links: list[Any] | None = None
) -> Footnotes:
    """The footnotes of a page. *superscripts* and *links*: those of the page, if they are known; links that
    `present_selectors` has left out are no marks. Linear in the page."""
    out = no_footnotes()
    leading, targets = _leading_links(tree, tree.css(_LINKS) if links is None else links)
    if leading and (candidates := _candidates(leading)):  # few pages have any
        _link(candidates, targets, out)
    add_unlinked_notes(tree, out, superscripts)
    return out


class _Reference:
    """A link that may be the mark of a note: its element, the id that it leads to, its text, and whether attributes say
    what it is."""

    __slots__ = ("is_named", "node", "target", "text")

    def __init__(self, node: Any, target: str, text: str, is_named: bool) -> None:
        self.node, self.target, self.text, self.is_named = node, target, text, is_named


def _leading_links(tree: LexborHTMLParser, links: list[Any]) -> tuple[list[tuple[Any, str]], dict[str, Any]]:
    """The links that lead to an element below them, each with the id of that; and the first element that has an id, for
    those that links lead to."""
    named = [(node, name) for node in links if (name := target_of(node)) and len(name) <= MAX_TARGET_CHARS]
    wanted = {name for _, name in named}
    places: dict[int, int] = {}
    targets: dict[str, tuple[int, Any]] = {}
    for place, node in enumerate(tree.css(f"{_LINKS}, {_TARGETS}")):
        places[node.mem_id] = place
        for name in ids_of(node) & wanted:
            targets.setdefault(name, (place, node))
    leading = [(node, name) for node, name in named if targets.get(name, (-1,))[0] > places[node.mem_id]]
    return leading, {name: node for name, (_, node) in targets.items()}


def _candidates(links: list[tuple[Any, str]]) -> list[_Reference]:
    """Those of *links*, each with its target, that look like the mark of a note."""
    out = []
    for node, target in links:
        text = node.text(deep=True).strip()
        if not text or len(text) > MAX_MARK_CHARS:
            continue
        attributes = node.attributes
        is_reference, is_back = function_of(attributes)
        if is_back or not is_reference and not is_mark(text) or is_arrow(text):
            continue
        if not is_reference and is_year(text) and not target.endswith(text):
            continue
        is_named = is_reference or is_note_id(target)
        if is_named or (attributes.get("href") or "").startswith("#"):
            out.append(_Reference(node, target, text, is_named))
            if len(out) == MAX_NOTES:
                break
    return out


def _link(candidates: list[_Reference], targets: dict[str, Any], out: Footnotes) -> None:
    """Adds the candidates that lead to notes, with these. *targets*: the elements that they lead to."""
    notes: dict[str, Any] = {}
    texts: dict[int, str] = {}
    skipped: set[str] = set()
    marks: list[Any] = []
    for reference in candidates:
        if reference.target in skipped:
            continue
        if reference.target not in notes:
            target = targets[reference.target]
            note = _note_at(target)
            if note is not None and note.mem_id not in texts:  # it may be that of many targets
                texts[note.mem_id] = note.text(deep=True).strip()
            if note is None or not _is_note(reference, target, note, texts[note.mem_id]):
                skipped.add(reference.target)
                continue
            notes[reference.target] = note
        out.references.put(_with_brackets(reference), reference.target)
        marks.append(reference.node)
    _add_definitions(notes, targets, marks, out)


def _note_at(target: Any) -> Any | None:
    """The element that holds the note whose place is *target*; None if that is no note."""
    at = target
    while at is not None and at.tag not in BLOCKS:
        if at.tag in NO_NOTES:
            return None
        at = at.parent
    if at is None:
        return None
    if at.tag == "dt":
        following = _next_element(at)
        return following if following is not None and following.tag == "dd" else None
    if at.tag == "td":
        at = at.parent
    around = at.parent
    if around is not None and around.tag in ("div", "li", "aside"):
        begins_item = around.tag == "li" and at.tag == "p" and _is_first_child(at)  # as in bibliographies
        if begins_item or is_note_id(around.attributes.get("id") or ""):
            at = around
    return None if at.tag in NO_NOTES else at


def _is_note(reference: _Reference, target: Any, note: Any, text: str) -> bool:
    """Whether attributes say that a note with this *text* is that of a mark; or it links back, is an item, or begins
    with it."""
    if not text or len(text) > MAX_NOTE_CHARS or _is_in(reference.node, note):
        return False
    if target.mem_id != note.mem_id and target.tag not in ("li", "dt", "td", "p") and not _is_near_start(target, note):
        return False
    if reference.is_named or note.tag == "li":
        return True
    if is_of_formula(target.attributes) or is_of_formula(note.attributes):
        return False
    own = BRACKETS.sub("", reference.text).lower()
    label = target.text(deep=True).strip() or text
    if own and BRACKETS.sub("", label[: len(reference.text) + MAX_LABEL_CHARS]).lower().startswith(own):
        return True
    ids = ids_around(reference.node)
    return any((node.attributes.get("href") or "").partition("#")[2] in ids for node in _links_in(note))


def _is_first_child(node: Any) -> bool:
    """Whether nothing but white space is before an element in the one around it."""
    at = node.prev
    for _ in range(MAX_BEFORE):
        if at is None:
            return True
        if at.tag != "-comment" and (at.tag != "-text" or at.text_content.strip()):
            return False
        at = at.prev
    return False


def _is_in(node: Any, outer: Any) -> bool:
    """Whether an element is in another one, or is it."""
    at = node
    while at is not None:
        if at.mem_id == outer.mem_id:
            return True
        at = at.parent
    return False


def _is_near_start(target: Any, note: Any) -> bool:
    """Whether at most a label is before *target* in its line of the note."""
    before = steps = 0
    at = target
    while at is not None and at.mem_id != note.mem_id:
        step = at.prev
        while step is not None and before <= MAX_LABEL_CHARS:
            steps += 1
            if steps > MAX_BEFORE:
                return False
            if step.tag == "br":
                return True
            if step.tag != "-comment":
                before += len((step.text_content if step.tag == "-text" else step.text(deep=True)).strip())
            step = step.prev
        at = at.parent
    return before <= MAX_LABEL_CHARS


def _links_in(note: Any) -> list[Any]:
    links: list[Any] = note.css('a[href*="#"]')
    return links


def _with_brackets(reference: _Reference) -> Any:
    """The element of a mark with the brackets around it."""
    at = reference.node
    own = BRACKETS.sub("", reference.text)
    for _ in range(MAX_WRAPPERS):
        around = at.parent
        if around is None or around.tag not in INLINE_WRAPPERS or not has_few(around):
            break
        if BRACKETS.sub("", around.text(deep=True)) != own:
            break
        at = around
    return at


def _add_definitions(notes: dict[str, Any], targets: dict[str, Any], marks: list[Any], out: Footnotes) -> None:
    by_element: dict[int, list[str]] = {}
    for name, note in notes.items():
        by_element.setdefault(note.mem_id, []).append(name)
    for name, note in notes.items():
        target = targets[name]
        if len(by_element[note.mem_id]) > 1 and target.mem_id != note.mem_id:
            out.starts.put(target, name)
        else:
            out.definitions.put(note, name)
        if target.mem_id != note.mem_id and target.tag not in BLOCKS and is_mark(target.text(deep=True).strip()):
            out.asides.put(target, True)
    left, asides = MAX_ASIDES, NoteAsides(marks)
    for note in {note.mem_id: note for note in notes.values()}.values():
        if left > 0:  # notes may be in notes
            left -= asides.add(note, out)


def _next_element(node: Any) -> Any | None:
    at = node.next
    while at is not None and (at.tag or "-")[0] == "-":
        at = at.next
    return at
