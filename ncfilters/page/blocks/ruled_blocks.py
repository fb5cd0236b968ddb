"""Blocks with the names of the rules of a user that are about their elements (see `element_rules`).

    class RuledReader(RuledBlocks, BlockReader): ...
    reader = RuledReader(table)
    reader.marks = {3: "drop aside"}    # by the rows of elements
    reader.read().extra[0]    # {'element_rule': 'drop aside'}

A block has the rule of the innermost of the elements around it that have one. An inline element that is dropped is a
block by itself, so that its sentence goes on without it; one that is kept keeps its block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...native.element_names import number_of_tag
from ...record import ELEMENT_RULE
from .element_kinds import BOLD, BREAK, CELL, CITE, CONTROL, INLINE, KINDS, LINK, MATH, SKIPPED, SUB, SUP
from .open_elements import OpenCells

if TYPE_CHECKING:
    from .block_reader import BlockReader as _Reader
else:
    _Reader = object

_IMAGE = number_of_tag("img")
_INLINE = frozenset((INLINE, LINK, BOLD, SUB, SUP, CITE))
# Elements without a block of their own: a cell is a part of its row.
_WITHOUT_BLOCK = frozenset((BREAK, CONTROL, MATH, SKIPPED, CELL))


class RuledBlocks(_Reader):
    """What a reader of blocks does besides for rules; it comes before the reader among the bases of a class."""

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
