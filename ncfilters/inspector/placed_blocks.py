"""The segments of a page with the text nodes that they come from, to show where each stands on the page.

    tree = parse_html("<p>One<p>Two")
    segments, nodes = placed_segments(tree)
    segments[1]["text"], len(nodes[1])    # ('Two', 1)

The reader is that of blocks, traced: nothing is added to segments, so that streams and models do not change.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ..native import page_table
from ..native.element_names import EMPTY
from ..page.blocks.block_reader import BlockReader
from ..page.blocks.open_elements import Holder, OpenCells
from ..page.blocks.text_run import TextRun
from ..page.embedded import hidden_content
from ..page.metadata.page_head import head_of_page
from ..page.posts.post_blocks import posts_in_blocks
from ..page.tree.elements import SKIPPED
from ..record import Segment
from ..segmentation import segmenter

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The addresses of the text nodes (and formulas) of a segment, in reading order.
Nodes = list[int]


def placed_segments(tree: LexborHTMLParser) -> tuple[list[Segment], list[Nodes]]:
    """The segments of a page, and for each its nodes; none for embedded content, which the page does not show."""
    if tree.root is None:
        return [], []
    ids = [node.mem_id for node in tree.root.traverse(include_text=True)]  # by the rows of the table
    holders: list[Holder] = []
    table = page_table.table_of(tree.root)
    reader = _PlacedReader(table, holders)
    blocks = reader.read()
    posts_in_blocks(blocks, reader.text_rows, table, head_of_page(table).get("kinds", ()))
    rows = hidden_content.add_hidden_rows(blocks, table, holders)
    segments, numbers = segmenter.numbered_segments(blocks)
    nodes: list[Nodes] = [[] for _ in range(len(segments))]
    for row, number in zip(rows, numbers):
        if number >= 0 and row < len(reader.places):
            nodes[number] += [ids[at] for at in reader.places[row]]
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


class _PlacedRun(TextRun):
    """A text and the rows that it comes from."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[int] = []


class _PlacedReader(BlockReader):
    """A reader that knows the rows that its blocks come from: their *places*."""

    run: _PlacedRun

    def __init__(self, table: page_table.PageTable, holders: list[Holder]) -> None:
        super().__init__(table, sys.maxsize, holders)
        self.places: list[list[int]] = []

    def new_run(self) -> _PlacedRun:
        return _PlacedRun()

    def add_text(self, row: int) -> None:
        super().add_text(row)
        if self.run.parts and not self.table.flags[row] & EMPTY:
            self.run.sources.append(row)

    def start(self, row: int) -> int:
        size = len(self.run.parts)
        kind = super().start(row)
        if kind == SKIPPED and len(self.run.parts) > size:  # a formula
            self.run.sources.append(row)
        return kind

    def flush(self) -> bool:
        sources, self.run.sources = self.run.sources, []
        is_new = super().flush()
        if is_new:
            self.places.append(sources)
        return is_new

    def join_cells(self, cells: OpenCells) -> bool:
        is_joined = super().join_cells(cells)
        if is_joined:
            self.places[cells.start :] = [[row for own in self.places[cells.start :] for row in own]]
        return is_joined
