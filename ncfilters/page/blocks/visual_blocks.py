"""The visual blocks of a page (see `block_reader`), also with the rules of elements, and as text laid out as by Lynx.

blocks(parse_html("<p>One <b>two</b><p>three"))[1]["text"]    # 'three'
block_table(parse_html("<p>One <b>two</b><p>three")).text     # ['One two', 'three']
dump([{"text": "Title", "path": "body/h1"}, {"text": "Some text.", "path": "body/p"}])    # 'Title\\n\\n   Some text.'
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...native.element_names import number_of_tag
from ...native.page_table import PageTable, table_of
from ...record import ELEMENT_RULE, Block
from ..dom_path import HEADING, LIST
from ..tree.elements import BOLD, BREAK, CELL, CITE, CONTROL, INLINE, KINDS, LINK, MATH, SKIPPED, SUB, SUP
from .block_reader import BlockReader
from .block_table import BlockTable
from .open_elements import Holder, OpenCells

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    _Reader = BlockReader
else:
    _Reader = object  # reading markup has another reader

_IMAGE = number_of_tag("img")
_INLINE = frozenset((INLINE, LINK, BOLD, SUB, SUP, CITE))
# Elements without a block of their own: a cell is a part of its row.
_WITHOUT_BLOCK = frozenset((BREAK, CONTROL, MATH, SKIPPED, CELL))

# Columns of a dump, by default and at least.
DEFAULT_WIDTH, MIN_WIDTH = 80, 20
# Indents, in columns: of text, and of each list level. Headings are at the margin.
TEXT_INDENT, LIST_INDENT = 3, 2


def blocks(tree: LexborHTMLParser, holders: list[Holder] | None = None, max_blocks: int = sys.maxsize) -> list[Block]:
    """The visual blocks of a page (see `html_parser.parse_html`), in reading order.

    Each is a dict: `text` (white space collapsed, except in `<pre>`), `tag` (the nearest block element), `path` (the
    block ancestors, `name#id.class`, joined by `/`), `links` (characters of text inside `<a>`), and where they
    apply: `br` (only one `<br>` separates it from the block before), `marker` (of a list item: `*` or `3.`),
    `hidden` (`display`, `hidden` or `aria`), `pre`, `bold` (all of it), `origin` (`noscript` or `shadow`). Linear in
    the page. Elements that may have content outside the visible tree are appended to *holders*. Raises OverflowError
    for more than *max_blocks*.
    """
    return block_table(tree, holders, max_blocks).records()


def block_table(
    page: LexborHTMLParser | PageTable,
    holders: list[Holder] | None = None,
    max_blocks: int = sys.maxsize,
    text_rows: list[tuple[int, int]] | None = None,
) -> BlockTable:
    """The same as a table, of a page or of its table. *text_rows* gets the rows of the first and the last text of each
    block."""
    if not isinstance(page, PageTable):
        if page.root is None:
            return BlockTable()
        page = table_of(page.root)
    return _read(BlockReader(page, max_blocks, holders), text_rows)


def ruled_table(
    page: PageTable,
    marks: dict[int, str],
    holders: list[Holder] | None,
    max_blocks: int,
    text_rows: list[tuple[int, int]] | None = None,
) -> BlockTable:
    """The same, with the rules of elements that *marks* has by their rows (see `RuledBlocks`)."""
    reader = _RuledReader(page, max_blocks, holders)
    reader.marks = marks
    return _read(reader, text_rows)


def _read(reader: BlockReader, text_rows: list[tuple[int, int]] | None) -> BlockTable:
    if text_rows is not None:
        reader.text_rows = text_rows
    return reader.read()


class RuledBlocks(_Reader):
    """What a reader of blocks does besides for rules; it comes before the reader among the bases of a class.

    A block has the rule of the innermost of the elements around it that have one. An inline element that is dropped is
    a block by itself, so that its sentence goes on without it; one that is kept keeps its block.
    """

    marks: dict[int, str]
    # The rule of an inline element that is kept, and the open text and block in which it is.
    _kept: tuple[Any, int, str] = (None, -1, "")

    def start(self, row: int) -> int:
        """Begins an element. Returns the kind of its end, or SKIPPED."""
        mark, tag = self.marks.get(row), self.table.tag[row]
        if mark is None:
            return SKIPPED if tag == _IMAGE and self.rule_of(row).startswith("drop ") else super().start(row)
        kind = KINDS[tag]
        if mark.startswith("drop "):
            if kind in _WITHOUT_BLOCK or tag == _IMAGE:
                return SKIPPED
            if kind in _INLINE:
                return self.set_apart(row, self.block.hidden)
        elif kind in _INLINE:
            self._kept = (self.run, self.block.row, mark)
        return super().start(row)

    def flush(self) -> bool:
        """Makes a block of the open text, if there is any. Whether there is a new one."""
        run, row = self.run, self.block.row
        is_new = super().flush()
        if is_new:
            kept_run, kept_row, kept = self._kept
            self._mark(len(self.blocks) - 1, kept if kept_run is run and kept_row == row else self.rule_of(row))
            self._kept = (None, -1, "")
        return is_new

    def join_cells(self, cells: OpenCells) -> bool:
        """Replaces the blocks of the row that ends by one, if its cells are short. Whether it did."""
        rules = [(extra or {}).get(ELEMENT_RULE, "") for extra in self.blocks.extra[cells.start :]]
        is_joined = super().join_cells(cells)
        if is_joined:
            kept = next((rule for rule in rules if rule.startswith("keep ")), "")
            self._mark(cells.start, kept or self.rule_of(self.block.row))
        return is_joined

    def rule_of(self, row: int) -> str:
        """The rule of the innermost element around *row* that has one; empty if none has."""
        while row >= 0:
            if row in self.marks:
                return self.marks[row]
            row = self.table.parent[row]
        return ""

    def _mark(self, row: int, rule: str) -> None:
        if rule:
            extra = self.blocks.extra[row]
            self.blocks.extra[row] = {ELEMENT_RULE: rule} if extra is None else {**extra, ELEMENT_RULE: rule}


class _RuledReader(RuledBlocks, BlockReader):
    """Blocks with the names of rules."""


def dump(blocks: Sequence[dict[str, Any]], width: int = DEFAULT_WIDTH) -> str:
    """The blocks as plain text of *width* columns, similar to `lynx -dump -nolist`; 0 does not wrap lines.

    Hidden blocks are left out, except those with `aria-hidden`.
    """
    out: list[str] = []
    after_item = False  # no empty line between the items of a list
    for block in blocks:
        if block.get("hidden") in ("display", "hidden"):
            continue
        depth = len(LIST.findall(block["path"]))
        indent = TEXT_INDENT + LIST_INDENT * max(depth, 1) if depth else TEXT_INDENT
        marker = block.get("marker")
        if HEADING.search(block["path"]) and not depth:
            indent = 0
        if out and not block.get("br") and not (after_item and marker):
            out.append("")
        lines = (
            block["text"].split("\n")
            if "pre" in block
            else _wrap(block["text"].replace("\t", "  "), max(width - indent, MIN_WIDTH // 2) if width else 0)
        )
        first = f"{marker} ".rjust(indent + 2) if marker else " " * (indent + (2 if depth else 0))
        rest = " " * len(first)
        out += [((first if not at else rest) + line).rstrip() for at, line in enumerate(lines)]
        after_item = bool(depth)
    return "\n".join(out)


def _wrap(text: str, width: int) -> list[str]:
    if not width or len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [text]
