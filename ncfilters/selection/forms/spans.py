"""The markup within a segment as a tree: `spans` to nested nodes.

inline_nodes({"text": "A good day", "spans": [[2, 6, "em"]]})    # ['A ', Node('em', None, ['good']), ' day']
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from ...page.markup.markup_run import sort_spans
from ...record import Record
from .plain import BREAK, has_lines, without_controls

# Kinds whose neighbours are one where they touch, and that do not nest in their like.
STYLES = frozenset(("em", "strong", "code", "sup", "sub", "del", "mark"))
# Kinds that may have no text.
EMPTY_KINDS = frozenset(("image", "math", "note"))
LINKS = ("link", "reference")
# Nodes in nodes; what is deeper is text. Pages seldom have more than four.
MAX_DEPTH = 16
_LANGUAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+#._-]{0,29}")
_WHITE = re.compile(r"\s+")
# What is left of a label behind the mark of a note.
_AFTER_LABEL = " \t\n]),.:"


class Node:
    """A block, or an element within one. *value* is the URL of a link, `src` and `alt` of an image, the id of a note,
    and of a formula its TeX and whether it is displayed; those of blocks are in `blocks`."""

    def __init__(self, kind: str, value: Any = None, content: Nodes | None = None) -> None:
        self.kind, self.value = kind, value
        self.content: Nodes = [] if content is None else content

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return False
        return self.kind == other.kind and self.value == other.value and self.content == other.content

    def __repr__(self) -> str:
        return f"Node({self.kind!r}, {self.value!r}, {self.content!r})"


# Nodes and strings.
Nodes: TypeAlias = list[Any]
# A span: where it starts and ends in the text of its segment, its kind and its value.
Span: TypeAlias = tuple[int, int, str, Any]


def inline_nodes(segment: Record, start: int = 0, end: int | None = None, spans: Sequence[Span] | None = None) -> Nodes:
    """The text of a segment from *start* to *end* as nested nodes and strings, without white space at its ends, and
    without asides. *spans* are those that touch it, if they are known; else all of the segment are read.

    A line break is a line of the page; all other white space is as `plain.lines` has it.
    """
    size = len(segment["text"])
    end = size if end is None else min(end, size)
    text, place = _placed(without_controls(segment["text"][start:end]), segment)
    if not segment.get("spans"):
        return [text] if (text := text.strip()) else []
    kept = spans_of(segment) if spans is None else list(spans)
    if start or end < size:
        # what only touches the part belongs to its neighbours
        kept = [
            (max(first, start) - start, min(last, end) - start, kind, value)
            for first, last, kind, value in kept
            if first <= end and last >= start and (first == last or max(first, start) < min(last, end))
        ]
    if len(kept) > 1:
        sort_spans(kept)
    nodes = _nested(text, kept, place)
    if "cells" not in segment and ("¶" in text or any(span[2] == "aside" for span in kept)):
        is_label = any(span[2] == "aside" and span[0] == 0 for span in kept)
        nodes = _without_asides(nodes)
        if is_label:
            lstrip(nodes, _AFTER_LABEL)
    return _stripped(_tidy(nodes, frozenset()))


def listing(segment: Record, start: int = 0, end: int | None = None) -> Node:
    """The preformatted text of a segment, with the name of its programming language if that is one."""
    language = segment.get("code_language")
    is_name = isinstance(language, str) and _LANGUAGE.fullmatch(language)
    text = without_controls(BREAK.sub("\n", segment["text"][start:end]))
    return Node("listing", language if is_name else "", [text])


def spans_of(segment: Record) -> list[Span]:
    """The spans of a segment with their values, without images that show a formula of it, and without the box of a
    task, which is that of its item. The value of a formula is its TeX and whether it is displayed."""
    out: list[Span] = []
    formulas = set()
    for start, end, kind, *values in segment.get("spans") or ():
        value: Any = values[0] if values else None
        if kind == "math":
            formulas.add(value.strip())
            value = (value, values[1:] == ["display"])
        elif value is not None and kind in ("sup", "sub"):
            kind = "text"  # the text has its own form of it, such as ²
        elif kind == "task":
            continue
        out.append((start, end, kind, value))
    if formulas:
        return [span for span in out if not (span[2] == "image" and str(span[3].get("alt")).strip() in formulas)]
    return out


def span_kinds(segments: Iterable[Record]) -> set[str]:
    """The kinds of spans in segments."""
    return {span[2] for segment in segments if "spans" in segment for span in segment["spans"]}


def without_bold(nodes: Nodes) -> Nodes:
    """Nodes without bold that spans all of them: it is how headings look."""
    only = nodes[0] if len(nodes) == 1 else None
    if not isinstance(only, Node) or only.kind not in ("strong", *LINKS):
        return nodes
    content = without_bold(only.content)
    return content if only.kind == "strong" else [Node(only.kind, only.value, content)]


def text_of(nodes: Nodes) -> str:
    """The text of nodes alone."""
    return "".join([node if isinstance(node, str) else text_of(node.content) for node in nodes])


def walk(nodes: Nodes) -> Iterator[Node]:
    """All nodes, outer ones first."""
    for node in nodes:
        if isinstance(node, Node):
            yield node
            yield from walk(node.content)


def is_anchor(node: Node | str) -> bool:
    """Whether a node is a link to a place in a page, which may be written as text."""
    return isinstance(node, Node) and node.kind in (*LINKS, "text") and "#" in str(node.value)


def lstrip(nodes: Nodes, signs: str) -> None:
    """Strips signs from the start of the text of nodes."""
    while nodes:
        first = nodes[0]
        if isinstance(first, str):
            nodes[0] = first = first.lstrip(signs)
        else:
            lstrip(first.content, signs)
        if first if isinstance(first, str) else first.content or first.kind in EMPTY_KINDS:
            break
        del nodes[0]


def _without_asides(nodes: Nodes) -> Nodes:
    """Nodes without the text that nc-segment has found to be no part of it, and without pilcrows."""
    out: Nodes = []
    for node in nodes:
        if isinstance(node, str):
            out.append(node)
        elif node.kind != "aside" and not (is_anchor(node) and text_of(node.content).strip() == "¶"):
            out.append(Node(node.kind, node.value, _without_asides(node.content)))
    return out


def _nested(text: str, spans: list[Span], place: Callable[[int], int]) -> Nodes:
    """The spans as a tree. A span that overlaps the end of its parent ends with it."""
    root = Node("text")
    open_nodes: list[tuple[int, int, Node]] = [(0, len(text), root)]
    at = 0
    for span_start, span_end, kind, value in spans:
        start, end = max(place(span_start), at), place(span_end)
        while len(open_nodes) > 1 and _is_left(open_nodes[-1], start):
            at = _close(open_nodes, text, at)
        if len(open_nodes) > MAX_DEPTH:
            continue
        _, parent_end, parent = open_nodes[-1]
        if start > at:
            parent.content.append(text[at:start])
            at = start
        node = Node(kind, value)
        parent.content.append(node)
        open_nodes.append((start, max(start, min(end, parent_end)), node))
    while open_nodes:
        at = _close(open_nodes, text, at)
    return root.content


def _is_left(open_node: tuple[int, int, Node], start: int) -> bool:
    """Whether a node ends before a span that starts at *start*. An empty link holds what is at its place."""
    node_start, end, node = open_node
    return end < start or end == start and (node_start < start or node.kind in EMPTY_KINDS)


def _close(open_nodes: list[tuple[int, int, Node]], text: str, at: int) -> int:
    """Closes the innermost node, whose text is complete up to *at*; returns its end."""
    _, end, node = open_nodes.pop()
    if at < end:
        node.content.append(text[at:end])
    return max(at, end)


def _placed(text: str, segment: Record) -> tuple[str, Callable[[int], int]]:
    """*text* with its white space folded, and the function from places in *text* to places there."""
    if not ("\n" in text or "\r" in text or segment.get("pre")):
        return text, lambda place: min(place, len(text))
    by_line = has_lines(segment)
    out, places, shifts, size, at = [], [0], [0], 0, 0
    for match in _WHITE.finditer(text):
        space = "\n" if by_line and ("\n" in match[0] or "\r" in match[0]) else " "
        out += [text[at : match.start()], space]
        size += match.start() - at + 1
        at = match.end()
        places += [match.start() + 1, at]
        shifts += [size, size]
    out.append(text[at:])
    folded = "".join(out)

    def place(old: int) -> int:
        last = bisect_left(places, old + 1) - 1
        inside = last % 2  # from the second character of a run of white space on
        return min(shifts[last] if inside else shifts[last] + old - places[last], len(folded))

    return folded, place


def _tidy(nodes: Nodes, outer: frozenset[str]) -> Nodes:
    """Nodes without those that are empty or in their like; white space at the ends of a node is outside of it, strings
    and styles that touch are one."""
    out: Nodes = []
    for node in nodes:
        if isinstance(node, str):
            _add(out, node)
            continue
        text = node.content[0] if len(node.content) == 1 else None
        if isinstance(text, str) and node.kind not in outer and not (text[:1].isspace() or text[-1:].isspace()):
            _add(out, node)  # most
            continue
        inner = outer if node.kind in EMPTY_KINDS else outer | {node.kind}
        content = _tidy(node.content, inner)
        if node.kind in outer:
            for child in content:
                _add(out, child)
            continue
        before = after = ""
        if content and isinstance(first := content[0], str):
            content[0] = rest = first.lstrip()
            before = _space(first[: len(first) - len(rest)])
        if content and isinstance(last := content[-1], str):
            content[-1] = rest = last.rstrip()
            after = _space(last[len(rest) :])
        content = [child for child in content if child != ""]
        if before:
            _add(out, before)
        if node.kind == "code" and len(content) == 1 and isinstance(only := content[0], Node) and only.kind == "math":
            node, content = only, only.content  # pages write formulas as code
        notes = _last_notes(content) if node.kind in LINKS else []
        if content or node.kind in EMPTY_KINDS:
            _add(out, Node(node.kind, node.value, content))
        for note in notes:
            _add(out, note)
        if after:
            _add(out, after)
    return out


def _last_notes(content: Nodes) -> Nodes:
    """The references to footnotes at the end of a link, which are taken out of its *content*: none is in a link."""
    at = len(content)
    while at > 1 and isinstance(node := content[at - 1], Node) and (node.kind == "note" or _is_raised_note(node)):
        at -= 1
    notes = content[at:]
    del content[at:]
    last = content[-1] if content and not notes else None
    return _last_notes(last.content) if isinstance(last, Node) and last.kind in STYLES else notes


def _is_raised_note(node: Node) -> bool:
    child = node.content[0] if node.kind == "sup" and len(node.content) == 1 else None
    return isinstance(child, Node) and child.kind == "note"


def _space(space: str) -> str:
    """White space, or the line break in it."""
    return "\n" if "\n" in space else space


def _add(out: Nodes, node: Node | str) -> None:
    last = out[-1] if out else None
    if isinstance(node, str) and isinstance(last, str):
        out[-1] = last + node
    elif isinstance(node, Node) and isinstance(last, Node) and node.kind == last.kind and node.kind in STYLES:
        for child in node.content:
            _add(last.content, child)
    elif isinstance(node, Node) and last in ("\n", " ") and len(out) > 1 and _is_same_link(out[-2], node):
        space = out.pop()
        link = out[-1]
        assert isinstance(link, Node)
        for child in (space, *node.content):
            _add(link.content, child)
    else:
        out.append(node)


def _is_same_link(before: Node | str, node: Node) -> bool:
    """Whether a link goes on after a space or a line break, with words: a heading has a permalink there."""
    if not (isinstance(before, Node) and before.kind == node.kind in LINKS and before.value == node.value):
        return False
    return not is_anchor(node) or any(map(str.isalnum, text_of(node.content)))


def _stripped(nodes: Nodes) -> Nodes:
    """Nodes without white space at both ends."""
    if nodes and isinstance(nodes[0], str):
        nodes[0] = nodes[0].lstrip()
    if nodes and isinstance(nodes[-1], str):
        nodes[-1] = nodes[-1].rstrip()
    return [node for node in nodes if node != ""]
