"""What is read of single elements for the metadata of a page.

heading = parse_html("<header class=top><h1>Rain<br>again <a href=/>Log</a></h1></header>").css_first("h1")
read_heading(heading)    # ('Rain again  Log', '/')
names_around(heading, "top|bottom")    # [('', 'top ', '')]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Ancestors of an element that are looked at.
MAX_ANCESTORS = 24
# Elements whose content is beside the page's own, and those that end the search for them.
FOREIGN_TAGS = frozenset(("aside", "footer", "nav", "blockquote"))
_ENDS = frozenset(("body", "html", "main"))


def read_heading(node: LexborNode) -> tuple[str, str | None]:
    """The text of a heading without buttons, labels and notes, with spaces between its parts if these are lines or
    blocks, and the address that its first link leads to."""
    is_apart = node.css_first("br,div,p,small,h2") is not None
    link = node.css_first("a[href]")
    text = (" " if is_apart else "").join(_texts_in(node))
    return text, link.attributes.get("href") if link is not None else None


def names_around(node: LexborNode, words: str) -> list[tuple[str, str, str]]:
    """Of the elements around another, below `<body>`: the name if it is of FOREIGN_TAGS, the class and the id, and the
    item type; from the inside out. Elements are left out that have neither such a name nor a type, and whose class and
    id cannot have one of *words*, which are in lower case with "|" between two."""
    out = []
    around, left = node.parent, MAX_ANCESTORS
    while around is not None and left > 0 and around.tag not in _ENDS:
        attributes, tag = around.attributes, around.tag or ""
        name = tag if tag in FOREIGN_TAGS else ""
        own = attributes.get("class") or "", attributes.get("id") or ""
        item_type = attributes.get("itemtype") or ""
        if name or item_type or any(may_have_word(text, words.split("|")) for text in own):
            out.append((name, " ".join(own), item_type))
        around, left = around.parent, left - 1
    return out


def may_have_word(text: str, words: Iterable[str]) -> bool:
    """Whether *text* may have one of *words*: always, if it is beyond ASCII."""
    return not text.isascii() or any(map(text.lower().__contains__, words))


def _texts_in(node: LexborNode) -> Iterator[str]:
    """The texts below an element, without those that are none of it. A loop, because markup may be nested deeply."""
    at = node.child
    while at is not None and at.mem_id != node.mem_id:
        if at.tag == "-text":
            yield at.text_content or ""
        if at.child is not None and not _is_beside(at):
            at = at.child
            continue
        while at.mem_id != node.mem_id and at.next is None and at.parent is not None:
            at = at.parent
        if at.mem_id != node.mem_id:
            at = at.next


def _is_beside(node: LexborNode) -> bool:
    """Whether an element in a heading is none of it: a button, the label of a thread, a note of LaTeXML."""
    return node.tag == "button" or (node.attributes.get("class") or "").startswith(("label ", "ltx_note "))
