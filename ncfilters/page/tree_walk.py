"""The walk over a tree, which tells a builder of the start and the end of each element, and of each text.

    walk(parse_html("<p>One <b>two</b>").body, BlockBuilder(), HANDLERS)    # see block_builder

An element whose end is `end_skipped` is skipped with all that is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from .inline_spacing import needs_space
from .open_elements import ARIA_HIDDEN, Attributes
from .text_run import TextRun

End = Callable[[Any], None]
# A start may return another end than elements of its name have.
Start = Callable[[Any, str, Any], "End | None"]
# What the start and the end of an element do.
Handler = tuple[Start, "End | None"]


class Builder(Protocol):
    """What the walk needs of a builder."""

    pre_depth: int

    @property
    def run(self) -> TextRun:
        """The text of the open block."""

    def start_hidden_inline(self, name: str, node: Any, attributes: Attributes) -> End | None:
        """Begins an inline element that its attributes may hide; returns what its end does."""


def walk(root: Any, builder: Builder, table: Mapping[str, Handler]) -> None:
    """Sends the start and the end of each element to its handlers in *table*, and each text to the builder.

    Text and inline elements, two of three nodes, are handled in the loop, for speed. A start may change the run.
    """
    ids: list[int] = [root.parent.mem_id if root.parent else 0]  # of the open elements
    ends: list[End | None] = [None]  # and what their ends do
    parts = builder.run.parts
    handlers = table.get
    node: Any  # Any, because tag and parent are declared optional
    for node in root.traverse(include_text=True):
        name = node.tag
        if name == "-text":
            if ends[-1] is end_skipped and node.parent.mem_id == ids[-1]:
                continue
            text = node.text_content
            if not text or not parts and not builder.pre_depth and text.isspace():
                continue
        elif not name or name[0] == "-":  # comments, processing instructions
            continue
        else:
            text = ""
        parent = node.parent.mem_id
        if ids[-1] != parent:
            while ids[-1] != parent:
                ids.pop()
                end = ends.pop()
                if end is not None:
                    end(builder)
                    parts = builder.run.parts
            if text and ends[-1] is end_skipped:
                continue
        if text:
            if parts:
                last = parts[-1]
                # for most texts this test suffices
                if text[0] > " " and last[-1] > " " and not builder.pre_depth and needs_space(last, text, node):
                    parts.append(" ")
                parts.append(text)
            elif builder.pre_depth or not text.isspace():
                parts.append(text)
            continue
        ids.append(node.mem_id)
        if ends[-1] is end_skipped:
            ends.append(end_skipped)
            continue
        end, handler = None, handlers(name)
        if handler is not None:
            start, end = handler
            end = start(builder, name, node) or end
        elif (a := node.attributes) and ("style" in a or "hidden" in a or ARIA_HIDDEN in a):
            end = builder.start_hidden_inline(name, node, a)
        parts = builder.run.parts
        ends.append(end)
    for end in reversed(ends):
        if end is not None:
            end(builder)


def end_skipped(builder: Any) -> None:
    """The end of an element whose content is skipped. It also marks such elements (see `walk`)."""
