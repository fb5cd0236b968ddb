"""Footnotes whose text stands in the sentence, beside their mark: sidenotes of Tufte CSS, Distill and LaTeXML.

notes = sidenotes(parse_html("<p>It rains.<span class=sidenote>Or snows.</span>"), no_footnotes())
list(notes.values())    # ['sidenote-1']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...text.lazy_pattern import lazy_pattern
from ..element_map import ElementMap
from ..page_search import SIDENOTES, search_page
from ..present_selectors import Search
from .unlinked_notes import BLOCKS, Footnotes

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# Notes of a page, and characters of one.
MAX_NOTES, MAX_CHARS = 1_000, 5_000

_MARK = lazy_pattern(r"[\[(]?(?:\d{1,3}|[*†‡§⊕‣]+|&#8853;)[\])]?")
# Elements around a note that its mark may stand before.
MAX_WRAPPERS = 3


def sidenotes(tree: LexborHTMLParser, notes: Footnotes, search: Search | None = None) -> ElementMap[str]:
    """The elements of notes in sentences, with the id of each. Adds their marks to the references of *notes*, and their
    labels to the asides. *search*: that of the page, if it is known."""
    found: ElementMap[str] = ElementMap()
    for node in (search or search_page(tree)).nodes(SIDENOTES):
        if node.tag in BLOCKS or len(found) >= MAX_NOTES or node.mem_id in found:
            continue
        text = (node.text(deep=True) or "").strip()
        if not text or len(text) > MAX_CHARS or node.css_first("p, div, ul, ol") is not None:
            continue
        name = f"sidenote-{len(found) + 1}"
        found.put(node, name)
        mark = _mark_before(node)
        if mark is not None:
            notes.references.put(mark, name)
        for label in node.css("sup, .ltx_tag_note, .sidenote-number")[:2]:
            if _MARK.fullmatch(label.text(deep=True).strip()):
                notes.asides.put(label, True)
    return found


def _mark_before(note: Any) -> Any | None:
    """The superscript or label right before a note."""
    at = note
    for _ in range(MAX_WRAPPERS):
        before = at.prev
        while before is not None and (
            before.tag == "input" or before.tag == "-text" and not before.text_content.strip()
        ):
            before = before.prev
        if before is not None:
            is_mark = before.tag in ("sup", "label", "a", "span") and _MARK.fullmatch(before.text(deep=True).strip())
            return before if is_mark else None
        at = at.parent
        if at is None or at.tag in BLOCKS:
            break
    return None
