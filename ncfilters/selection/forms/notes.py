"""Footnotes whose reference and text are both in the output, and their labels; links from headings to themselves, and
from footnotes back, which are no text.

note_labels([{"text": "So he said.1", "type": "p", "spans": [[11, 12, "note", "fn-1"]]},
             {"text": "In a letter.", "type": "l", "note": {"id": "fn-1"}}])    # {'fn-1': '1'}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...page.dom_path import MAX_NAME_CHARS
from ...record import Record
from .spans import LINKS, STYLES, Node, Nodes, is_anchor, lstrip, text_of
from .tables import table_of

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_BRACKETS = "[](){}^ "

# The text of links to the heading itself, and of links back from a footnote: at its end, and at its start.
_PERMALINK = re.compile(r"\s*(?:#|¶|§|🔗|⚓|∞|◆)?\ufe0e?\ufe0f?\s*")
_BACK_AT_END = re.compile(r"\s*[\[(]?(?:[↩⏎↵↑⤴⮌^][\ufe0e\ufe0f]?\d*|back|return|jump up)[\])]?\s*", re.IGNORECASE)
_BACK_AT_START = re.compile(r"\s*[\[(]?(?:[\^↑↩*†‡§]|\d{1,4}|[a-z]{1,2})[\ufe0e\ufe0f]?[\])]?[.:]?\s*", re.IGNORECASE)
# The ids of the last elements in a path, up to a point in them, and so many characters at its end.
_IDS = re.compile(r"/[\w:-]+#([^/.]+)")
MAX_OWN_PATH = 120
_NOTE_LABEL = re.compile(r"[\[(]?(\d{1,4}|[a-zA-Z])(?:[\])][.:]?|[.:)])\s+(?=\S)")
_SIGN = re.compile(r"[*†‡§]{1,3}\s*(?=\w)")
_AROUND = " \t\n[](),.:"


def note_labels(segments: Sequence[Record]) -> dict[str, str]:
    """The labels of footnotes by their ids, in the order of their references: of those that a segment refers to, and
    that a segment outside of tables is."""
    defined = {note for segment in segments if (note := note_id(segment)) and table_of(segment) is None}
    if not defined:
        return {}
    marks: dict[str, str] = {}
    for segment in segments:
        for start, end, kind, *value in segment.get("spans") or ():
            if kind == "note" and value[0] in defined:
                marks.setdefault(value[0], segment["text"][start:end].strip(_BRACKETS))
    taken: set[str] = set()
    labels = {}
    for number, (note, mark) in enumerate(marks.items(), 1):
        for label in (mark, note, str(number), f"note-{number}"):
            if _LABEL.fullmatch(label) and label.lower() not in taken:  # labels are the same in either case
                break
        else:
            label = f"note-{number}-{len(taken)}"
        labels[note] = label
        taken.add(label.lower())
    return labels


def note_id(segment: Record) -> str | None:
    """The id of the footnote that a segment is."""
    note = segment.get("note")
    found = note.get("id") if isinstance(note, dict) else None
    return found if isinstance(found, str) else None


def label_end(segment: Record, label: str) -> int:
    """Where the text of a footnote begins, after its *label* as plain text ("1. In a letter.")."""
    match = _SIGN.match(segment["text"]) or _NOTE_LABEL.match(segment["text"])
    if not match or match.re is not _SIGN and match[1].lower() != label.lower():
        return 0
    is_plain = not any(span[0] == 0 < span[1] for span in segment.get("spans", ()))
    return match.end() if is_plain and "cells" not in segment else 0


def without_links_back(nodes: Nodes) -> Nodes:
    """The text of a footnote without links back at its ends."""
    _cut_end(nodes, _BACK_AT_END)
    at = start = 0
    while start < len(nodes):
        node = nodes[start]
        if not (isinstance(node, str) and not node.strip(_AROUND)):
            inner = _inner_link(node)
            if inner is None or not _BACK_AT_START.fullmatch(text_of([inner])):
                break
            at = start + 1
        start += 1
    if at:
        del nodes[:at]
        lstrip(nodes, _AROUND)
    return nodes


def heading_of(nodes: Nodes, segment: Record, page: str) -> Nodes:
    """The text of a heading without permalinks at its end, without links to itself, and without one all around it to
    the *page* (see `page_at`) or to a place in it: to its line in the contents, or to the text that it unfolds."""
    _cut_end(nodes, _PERMALINK)
    if len(nodes) == 1 and _is_in_page(nodes[0], page):
        nodes = nodes[0].content
    ids = _IDS.findall(segment.get("path", "").replace("/.../", "/")[-MAX_OWN_PATH:])
    return _without_own_links(nodes, ids) if ids else nodes


def page_at(url: object) -> str:
    """The address of a page without the place in it, and a slash at its end."""
    return url.partition("#")[0].rstrip("/") if isinstance(url, str) else ""


def _inner_link(node: Node | str) -> Node | None:
    """A link to a place in a page, or the one that is all of a node, as in a superscript."""
    while isinstance(node, Node) and node.kind in STYLES and len(node.content) == 1:
        node = node.content[0]
    return node if isinstance(node, Node) and is_anchor(node) else None


def _cut_end(nodes: Nodes, pattern: re.Pattern[str]) -> None:
    """Cuts links of a *pattern* at the end of nodes, and the white space before them."""
    while nodes:
        link = _inner_link(nodes[-1])
        if link is None or not pattern.fullmatch(text_of(link.content)):
            break
        del nodes[-1]
        if nodes and isinstance(last := nodes[-1], str):
            nodes[-1] = last.rstrip()
            if not nodes[-1]:
                del nodes[-1]


def _is_in_page(node: Node | str, page: str) -> bool:
    """Whether a node is a link to the *page*, or to a place in it."""
    if isinstance(node, str) or node.kind not in LINKS:
        return False
    return node.value.startswith("#") or page != "" and page_at(node.value) == page


def _without_own_links(nodes: Nodes, ids: list[str]) -> Nodes:
    """Nodes with the text of links to a place with one of the *ids*, which are cut in paths."""
    out: Nodes = []
    for node in nodes:
        if isinstance(node, Node):
            node.content = _without_own_links(node.content, ids)
            if node.kind in LINKS and _leads_to(node.value, ids):
                out += node.content
                continue
        out.append(node)
    return out


def _leads_to(url: str, ids: list[str]) -> bool:
    place = url.partition("#")[2]
    return any(
        place == one or place.startswith(f"{one}.") or len(one) == MAX_NAME_CHARS and place.startswith(one)
        for one in ids
    )
