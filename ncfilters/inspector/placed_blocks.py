"""The segments of a page with the text nodes that they come from, to show where each stands on the page.

    tree = parse_html("<p>One<p>Two")
    segments, nodes = placed_segments(tree)
    segments[1]["text"], len(nodes[1])    # ('Two', 1)

The walk is that of `block_builder`, traced: nothing is added to segments, so that streams and models do not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, SupportsIndex

from ..page import hidden_content
from ..page.block_builder import HANDLERS, BlockBuilder
from ..page.block_table import table_of
from ..page.html_parser import walked_root
from ..page.open_elements import Holder
from ..page.text_run import TextRun
from ..page.tree_walk import Handler, walk
from ..record import Block, Segment
from ..segmentation import segmenter

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# The addresses of the text nodes (and formulas) of a segment, in reading order.
Nodes = list[int]


def placed_segments(tree: LexborHTMLParser) -> tuple[list[Segment], list[Nodes]]:
    """The segments of a page, and for each its nodes; none for embedded content, which the page does not show."""
    root = walked_root(tree)
    if root is None:
        return [], []
    holders: list[Holder] = []
    builder = _PlacedBuilder(holders)
    walk(_TracedRoot(root, builder), builder, _HANDLERS)
    blocks = hidden_content.add_hidden_content(builder.blocks, tree, holders)
    segments, numbers = segmenter.numbered_segments(table_of(blocks))
    nodes: list[Nodes] = [[] for _ in range(len(segments))]
    for block, number in zip(blocks, numbers):
        if number >= 0:
            nodes[number] += builder.places.get(id(block), (block, []))[1]
    return segments.records(), nodes


def nodes_of(texts: Sequence[str], placed: list[Segment], nodes: list[Nodes]) -> list[Nodes]:
    """The nodes of segments with these *texts*, of which a page with *placed* segments may have others."""
    own = [segment["text"] for segment in placed]
    if own == list(texts):
        return nodes
    out: list[Nodes] = [[] for _ in texts]
    for start, end, size in SequenceMatcher(None, own, texts, autojunk=False).get_matching_blocks():
        out[end : end + size] = nodes[start : start + size]
    return out


class _TracedRoot:
    """An element whose traversal tells a builder the node that it has reached."""

    def __init__(self, root: LexborNode, builder: _PlacedBuilder) -> None:
        self._root, self._builder = root, builder

    @property
    def parent(self) -> LexborNode | None:
        return self._root.parent

    def traverse(self, include_text: bool) -> Iterator[LexborNode]:
        for node in self._root.traverse(include_text=include_text):
            self._builder.node_id = node.mem_id
            yield node


class _TracedParts(list[str]):
    """The pieces of a text, and the nodes that they come from."""

    def __init__(self, builder: _PlacedBuilder) -> None:
        super().__init__()
        self._builder = builder
        self.nodes: Nodes = []

    def append(self, piece: str) -> None:
        self._add_node()
        super().append(piece)

    def __iadd__(self, pieces: Iterable[str]) -> _TracedParts:  # type: ignore[override,misc] # as of a list
        self._add_node()
        super().extend(pieces)
        return self

    def __setitem__(self, at: SupportsIndex | slice, value: Any) -> None:
        super().__setitem__(at, value)

    def clear(self) -> None:
        super().clear()
        self.nodes = []

    def _add_node(self) -> None:
        if not self.nodes or self.nodes[-1] != self._builder.node_id:
            self.nodes.append(self._builder.node_id)


class _PlacedBuilder(BlockBuilder):
    """A builder that knows the nodes of its blocks."""

    def __init__(self, holders: list[Holder]) -> None:
        self.node_id = 0  # of the node that the walk has reached
        self.places: dict[int, tuple[Block, Nodes]] = {}  # by the id of the block, which stays alive with it
        super().__init__(holders)

    def new_run(self) -> TextRun:  # type: ignore[override] # the class has a class in its place
        run = TextRun()
        run.parts = _TracedParts(self)
        return run

    def flush(self) -> None:
        parts = self.run.parts
        nodes = parts.nodes if isinstance(parts, _TracedParts) else []
        count = len(self.blocks)
        super().flush()
        if len(self.blocks) > count:
            self._place(self.blocks[-1], nodes)

    def end_row(self) -> None:
        if self.run.parts:
            self.flush()
        start = self.rows[-1].start
        cells = self.blocks[start:]
        super().end_row()
        if cells and len(self.blocks) == start + 1 and self.blocks[start] is not cells[0]:
            self._place(self.blocks[start], [node for cell in cells for node in self.places[id(cell)][1]])

    def _place(self, block: Block, nodes: Nodes) -> None:
        self.places[id(block)] = block, nodes


_HANDLERS: dict[str, Handler] = {**HANDLERS, "tr": (BlockBuilder.start_row, _PlacedBuilder.end_row)}
