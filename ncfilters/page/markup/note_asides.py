"""Labels and links back in footnotes: they are no text of these.

asides = NoteAsides(marks)
asides.add(note, out)
# out.asides has the elements
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from ..present_selectors import PresentSelectors
from .note_marks import function_of, is_arrow, is_back_id, is_mark
from .unlinked_notes import BLOCKS, Footnotes, is_first

# Elements in notes that may be labels and links back.
MAX_ASIDES = 20_000
# Characters of a mark, and of text before the place in a note that a mark leads to.
MAX_MARK_CHARS, MAX_LABEL_CHARS = 20, 8
# Elements around a link that may have the id that a note links back to, or brackets around the mark; and what may stand
# beside it in one of them.
MAX_WRAPPERS, MAX_BESIDE = 3, 10

INLINE_WRAPPERS = frozenset("sup span b strong small em i font".split())
_LABELS = frozenset("label mw-cite-backlink footnote-back-link footnote-number footnote-label fn-label".split())
_IN_NOTES = PresentSelectors(", ".join(f".{name}" for name in sorted(_LABELS)), "a[href*='#']", "sup")


def target_of(link: Any) -> str:
    """The id that a link leads to; empty for other elements."""
    return (link.attributes.get("href") or "").partition("#")[2] if link.tag == "a" else ""


class NoteAsides:
    """Finds what is no text in the notes that *marks*, elements, lead to."""

    def __init__(self, marks: list[Any]) -> None:
        self._marks = marks

    @cached_property
    def _ids(self) -> set[str]:
        """The ids of all marks, which a note may lead back to."""
        return set().union(*map(ids_around, self._marks))

    def add(self, note: Any, out: Footnotes) -> int:
        """Adds the labels and the links back in a note. Returns the number of elements that were looked at."""
        nodes = list({node.mem_id: node for node in _IN_NOTES.nodes_in(note)}.values())
        for node in nodes:
            attributes = node.attributes
            is_label = not _LABELS.isdisjoint((attributes.get("class") or "").split())
            if is_label and len(node.text(deep=True)) <= MAX_MARK_CHARS and not _is_in_any(node, out.references, note):
                out.asides.put(node, True)
            if node.tag == "a" and "#" in (attributes.get("href") or ""):
                self._add_link_back(node, target_of(node), attributes, out)
        if (label := _label_at_start(note)) is not None and not _is_in_any(label, out.references, note):
            out.asides.put(label, True)
        first = next((node for node in nodes if node.tag == "sup"), None)
        if first is not None and is_mark(first.text(deep=True).strip()) and is_first(first, note):
            out.asides.put(first, True)
        return len(nodes)

    def _add_link_back(self, link: Any, target: str, attributes: dict[str, str | None], out: Footnotes) -> None:
        """Adds a link of a note, if it leads back to a mark."""
        text = link.text(deep=True).strip()
        if link.mem_id in out.references or len(text) > MAX_MARK_CHARS:
            return
        has_arrow = is_arrow(text)
        is_back = has_arrow or function_of(attributes)[1] or is_back_id(target)
        if not is_back and not any(map(str.isalnum, text)):  # an arrow that is an image
            is_back = target in self._ids
        if is_back and (has_arrow or is_mark(text) or len(text) <= 2):
            out.asides.put(_wrapped(link, text), True)


def _label_at_start(note: Any) -> Any | None:
    """The inline element that a note begins with, if it holds a label in brackets."""
    at = note.child
    while at is not None and (at.tag == "-comment" or at.tag == "-text" and not at.text_content.strip()):
        at = at.next
    if at is None or at.tag not in INLINE_WRAPPERS or not has_few(at):
        return None
    text = at.text(deep=True).strip()
    return at if text[:1] in ("[", "(") and len(text) <= MAX_LABEL_CHARS and is_mark(text) else None


def _wrapped(link: Any, text: str) -> Any:
    """A link, or the inline element that holds nothing else."""
    at = link
    while (
        (around := at.parent) is not None
        and around.tag in INLINE_WRAPPERS
        and has_few(around)
        and around.text(deep=True).strip() == text
    ):
        at = around
    return at


def _is_in_any(node: Any, elements: Iterable[int], outer: Any) -> bool:
    at = node
    while at is not None and at.mem_id != outer.mem_id:
        if at.mem_id in elements:
            return True
        at = at.parent
    return False


def ids_around(node: Any) -> set[str]:
    """The ids of a link, of the elements in it, and of the inline elements around it."""
    ids = {name for at in node.css("*") for name in ids_of(at)}
    at = node
    for _ in range(MAX_WRAPPERS):
        ids |= ids_of(at)
        before = at.prev
        if before is not None and before.tag in ("a", "span") and not before.text(deep=True).strip():
            ids |= ids_of(before)
        at = at.parent
        if at is None or at.tag in BLOCKS:
            break
    return ids


def ids_of(node: Any) -> set[str]:
    """What an element is called by links to it: its id, and the name of a link."""
    attributes = node.attributes
    return {*filter(None, (attributes.get("id"), attributes.get("name") if node.tag == "a" else None))}


def has_few(node: Any) -> bool:
    """Whether an element has few children: each link in a text with many links would read all of it."""
    at = node.child
    for _ in range(MAX_BESIDE):
        if at is None:
            return True
        at = at.next
    return at is None
