"""Footnotes without links: superscripts, and the paragraphs that begin with the same ones.

notes = Footnotes({}, {}, {}, set())
add_unlinked_notes(parse_html("<p>Rain falls<sup>1</sup>.<p><sup>1</sup> Or snow."), notes)
list(notes.definitions.values())    # ['note-1']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ...text.lazy_pattern import lazy_pattern
from ..element_map import ElementMap
from ..present_selectors import PresentSelectors

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

BLOCKS = frozenset(
    "p li div td tr dd dt aside section blockquote table article main body figure ol ul dl footer center "
    "address".split()
)
# Elements that hold more than a note.
NO_NOTES = frozenset("h1 h2 h3 h4 h5 h6 main article body html nav header form ol ul dl tbody section".split())
BRACKETS = lazy_pattern(r"[\s\[\]().,:]+")

_SUPERSCRIPTS = PresentSelectors("sup")
_NUMBER_MARK = lazy_pattern(r"[\[(]?\d{1,3}[\])]?|[*§¶]{1,3}")
_DAGGERS = str.maketrans("†‡", "**")  # start-up: a set with them takes 0.2 ms to compile
# A word or a full stop; not a number, a unit or a variable.
_WORD = lazy_pattern(r"[^\W\d_]{3}")
_STOPS = frozenset('.,;:!?"”’)]')


class Footnotes(NamedTuple):
    """The footnotes of a page, each by its id: the marks in the text (*references*), the notes (*definitions*), and the
    places in paragraphs where one of several notes begins (*starts*). *asides* are the labels of notes and their links
    back."""

    references: ElementMap[str]
    definitions: ElementMap[str]
    starts: ElementMap[str]
    asides: ElementMap[bool]


def no_footnotes() -> Footnotes:
    """The footnotes of a page without any."""
    return Footnotes(ElementMap(), ElementMap(), ElementMap(), ElementMap())


def may_be_unlinked(superscripts: Iterable[Any]) -> bool:
    """Whether two superscripts may be a mark and the beginning of its note."""
    marks = (node for node in superscripts if _is_number_mark(node.text(deep=True).strip()))
    return next(marks, None) is not None and next(marks, None) is not None


def _is_number_mark(text: str) -> bool:
    return _NUMBER_MARK.fullmatch(text.translate(_DAGGERS)) is not None


def add_unlinked_notes(tree: LexborHTMLParser, out: Footnotes, superscripts: Iterable[Any] | None = None) -> None:
    """Adds superscripts without links, and the paragraphs below that begin with the same ones, to *out*.
    *superscripts*: those of the page, if they are known."""
    marks: dict[str, list[Any]] = {}
    notes: dict[str, list[Any]] = {}
    for node in _SUPERSCRIPTS.nodes(tree) if superscripts is None else superscripts:
        child = node.child
        if child is None or child.tag == "a":  # for speed: those of linked notes
            continue
        text = node.text(deep=True).strip()
        is_text = child.tag == "-text" and child.next is None  # for speed: most
        if not _is_number_mark(text) or not is_text and node.css_first("a") is not None:
            continue
        block = node.parent
        while block is not None and block.tag not in BLOCKS:
            block = block.parent
        if block is None or block.tag in NO_NOTES:
            continue
        name = BRACKETS.sub("", text)
        if is_first(node, block):
            if name in marks:  # a note is below its marks
                notes.setdefault(name, []).append((node, block))
        elif _is_after_word(node):
            marks.setdefault(name, []).append(node)
    for name, found in notes.items():
        node, block = found[0]
        if len(found) > 1 or block.mem_id in out.definitions:
            continue
        if any(mark.mem_id in out.references for mark in marks[name]):
            continue
        out.definitions.put(block, f"note-{name}")
        out.asides.put(node, True)
        for mark in marks[name]:
            out.references.put(mark, f"note-{name}")


def _is_after_word(node: Any) -> bool:
    before = node.prev
    text = (before.text_content if before.tag == "-text" else before.text(deep=True)) if before is not None else ""
    end = (text or "").rstrip()[-3:]
    return end[-1:] in _STOPS or _WORD.fullmatch(end) is not None


def is_first(node: Any, block: Any) -> bool:
    """Whether nothing but white space is before *node* in *block*."""
    at = node
    while at is not None and at.mem_id != block.mem_id:
        step = at.prev
        while step is not None:
            text = "" if step.tag == "-comment" else step.text_content if step.tag == "-text" else step.text(deep=True)
            if (text or "").strip():
                return False
            step = step.prev
        at = at.parent
    return True
