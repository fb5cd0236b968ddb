"""The markup within a segment as a tree: `spans` to nested nodes.

inline_nodes({"text": "A good day", "spans": [[2, 6, "em"]]})    # ['A ', Node('em', None, ['good']), ' day']
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from ...errors import RecordError
from ...page.markup.markup_run import sort_spans
from ...record import Record
from .lines import BREAK, has_lines, without_controls

# Kinds whose neighbours are one where they touch, and that do not nest in their like.
_STYLES = frozenset(("em", "strong", "code", "sup", "sub", "del", "mark"))
# Kinds that may have no text.
EMPTY_KINDS = frozenset(("image", "math", "note"))
LINKS = ("link", "reference")
# Nodes in nodes; what is deeper is text. Pages seldom have more than four.
MAX_DEPTH = 16
_WHITE = re.compile(r"\s+")
_LINE_SPACE = re.compile(r"[^\S\n]*\n\s*|[^\S\n]+\Z|\A[^\S\n]+")


class Node:
    """An element within a paragraph. *value* is the URL of a link, `src` and `alt` of an image, the id of a note, and
    of a formula its TeX and whether it is displayed."""

    def __init__(self, kind: str, value: Any = None, content: list[Node | str] | None = None) -> None:
        self.kind, self.value = kind, value
        self.content: list[Node | str] = [] if content is None else content

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return False
        return self.kind == other.kind and self.value == other.value and self.content == other.content

    def __repr__(self) -> str:
        return f"Node({self.kind!r}, {self.value!r}, {self.content!r})"


Nodes = list[Node | str]
# A span: where it starts and ends in the text of its segment, its kind and its value.
CheckedSpan: TypeAlias = tuple[int, int, str, Any]


def inline_nodes(
    segment: Record, start: int = 0, end: int | None = None, spans: Sequence[CheckedSpan] | None = None
) -> Nodes:
    """The text of a segment from *start* to *end* as nested nodes and strings, without white space at its ends. *spans*
    are those that touch it, if they are known; else all of the segment are read.

    A line break is a line of the page; all other white space is as `lines.lines` has it. Raises RecordError if `spans`
    are not as nc-stream(5) describes them.
    """
    size = len(segment["text"])
    end = size if end is None else min(end, size)
    text = without_controls(segment["text"][start:end])
    if not segment.get("spans"):
        return [text] if (text := _folded(segment, text)) else []
    checked = checked_spans(segment) if spans is None else spans
    if start or end < size:
        checked = [span for span in checked if span[0] <= end and span[1] >= start]
        kept = [(max(s, start) - start, min(e, end) - start, kind, value) for s, e, kind, value in checked]
        # what only touches the part belongs to its neighbours
        kept = [span for span, old in zip(kept, checked) if span[0] < span[1] or old[0] == old[1]]
    else:
        kept = [(s, min(e, end), kind, value) for s, e, kind, value in checked if s <= end]
    if len(kept) > 1:
        sort_spans(kept)
    nodes = _side_by_side(text, kept, segment) or _nested(text, kept, segment).content
    return _stripped(_tidy(nodes, frozenset()))


def heading_nodes(segment: Record) -> Nodes:
    """The text of a heading as nodes. Bold that spans all of it is left out: it is how headings look."""
    return _without_bold(inline_nodes(segment))


def _without_bold(nodes: Nodes) -> Nodes:
    only = nodes[0] if len(nodes) == 1 else None
    if not isinstance(only, Node) or only.kind not in ("strong", *LINKS):
        return nodes
    content = _without_bold(only.content)
    return content if only.kind == "strong" else [Node(only.kind, only.value, content)]


def text_of(nodes: Nodes) -> str:
    """The text of nodes alone."""
    return "".join([node if isinstance(node, str) else text_of(node.content) for node in nodes])


def span_kinds(segments: Iterable[Record]) -> set[str]:
    """The kinds of spans in segments. Spans that are not as described are left to `inline_nodes`."""
    return {
        span[2]
        for segment in segments
        if "spans" in segment
        for span in segment["spans"]
        if isinstance(span, list) and len(span) > 2 and isinstance(span[2], str)
    }


def walk(nodes: Nodes) -> Iterator[Node]:
    """All nodes, outer ones first."""
    for node in nodes:
        if isinstance(node, Node):
            yield node
            yield from walk(node.content)


def checked_spans(segment: Record) -> list[CheckedSpan]:
    """The spans of a segment, without images that show a formula of it, and without the box of a task, which is that
    of its item. Raises RecordError."""
    spans = _without_copies(list(map(checked_span, segment.get("spans") or ())))
    return [span for span in spans if span[2] != "task"] if "task" in [span[2] for span in spans] else spans


def checked_span(span: Any) -> CheckedSpan:
    """A span with its value; that of a formula is its TeX and whether it is displayed. Raises RecordError."""
    if (
        type(span) not in (list, tuple)
        or not 3 <= len(span) <= 5
        or not (type(span[0]) is type(span[1]) is int and type(span[2]) is str)
        or not 0 <= span[0] <= span[1]
    ):
        raise RecordError(f"spans: expected [start, end, kind, value], got {str(span)[:60]}")
    start, end, kind, *values = span
    value = values[0] if values else None
    if kind == "math":
        return start, end, kind, (value if isinstance(value, str) else "", values[1:] == ["display"])
    if kind in ("sup", "sub") and value is not None:
        kind = "text"  # the text has its own form of it, such as ²
    if kind == "image" and not (isinstance(value, dict) and isinstance(value.get("src"), str)):
        raise RecordError("spans: expected an image with src")
    if kind in ("link", "reference", "note", "task") and not isinstance(value, str):
        raise RecordError(f"spans: expected a {kind} with a string")
    return start, end, kind, value


def _without_copies(spans: list[CheckedSpan]) -> list[CheckedSpan]:
    """Spans without images that show a formula of the same segment."""
    formulas = {span[3][0].strip() for span in spans if span[2] == "math"}
    if not formulas:
        return spans
    return [span for span in spans if not (span[2] == "image" and str(span[3].get("alt")).strip() in formulas)]


def _folded(segment: Record, text: str) -> str:
    """The text of a segment with the white space of `lines.lines`."""
    if has_lines(segment):
        return _LINE_SPACE.sub(lambda match: "\n" if "\n" in match[0] else "", BREAK.sub("\n", text)).strip("\n")
    return " ".join(text.split()) if segment.get("pre") or "\n" in text or "\r" in text else text.strip()


def _side_by_side(text: str, spans: list[CheckedSpan], segment: Record) -> Nodes | None:
    """The same as `_nested` for spans that do not nest, as most; None for others."""
    if "\n" in text or "\r" in text or segment.get("pre"):
        return None
    out: Nodes = []
    at, size, holds_next = 0, len(text), False
    for start, end, kind, value in spans:
        if start < at or holds_next and start == at:
            return None
        if start > at:
            out.append(text[at:start])
        if end > start:
            out.append(Node(kind, value, [text[start:end]]))
            holds_next = False
        else:
            out.append(Node(kind, value))
            holds_next = kind not in EMPTY_KINDS
        at = max(start, end)
    if at < size:
        out.append(text[at:])
    return out


def _nested(text: str, spans: list[CheckedSpan], segment: Record) -> Node:
    """The spans as a tree. A span that overlaps the end of its parent ends with it."""
    text, place = _placed(text, segment)
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
    while len(open_nodes) > 1:
        at = _close(open_nodes, text, at)
    if at < len(text):
        root.content.append(text[at:])
    return root


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


def _placed(text: str, segment: Record) -> tuple[str, Any]:
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
    return _last_notes(last.content) if isinstance(last, Node) and last.kind in _STYLES else notes


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
    elif isinstance(node, Node) and isinstance(last, Node) and node.kind == last.kind and node.kind in _STYLES:
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
    """Whether a link goes on after a space or a line break."""
    return isinstance(before, Node) and before.kind == node.kind in LINKS and before.value == node.value


def _stripped(nodes: Nodes) -> Nodes:
    """Nodes without white space at both ends."""
    if nodes and isinstance(nodes[0], str):
        nodes[0] = nodes[0].lstrip()
    if nodes and isinstance(nodes[-1], str):
        nodes[-1] = nodes[-1].rstrip()
    return [node for node in nodes if node != ""]
