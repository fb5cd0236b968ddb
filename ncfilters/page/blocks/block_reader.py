"""Reads the rows of a page's table, and makes visual blocks of them (NCleaner, stage 2, as Lynx does).

    reader = BlockReader(table_of(parse_html("<p>One <b>two</b><p>three").root))
    reader.read().text    # ['One two', 'three']

A block is a run of text that a text browser sets apart from its neighbours. Hidden blocks are marked, and the model
decides; only what inline elements have for screen readers alone is dropped.

A subclass may record more, such as markup. Its `kinds` gives tags that it treats in its own way numbers from OWN
on (see `elements`); their elements begin and end in `start_own` and `end_own`, which call `start_kind` and
`end_kind` for what such elements do otherwise. `start` and `end` see all elements, `flush` and `join_cells` all blocks:
fields of markup go to `blocks.extra`. `new_run` makes the texts; `len(run.parts)` is a position in the open one.
"""

from __future__ import annotations

import sys

from ...native.element_names import (
    ARIA_HIDDEN,
    BLANK,
    CLASS,
    EMPTY,
    HIDDEN,
    HREF,
    START,
    STYLE,
    TEXT,
    VALUE,
    number_of_tag,
    tag_groups,
)
from ...native.page_table import PageTable
from ..tree.elements import (
    BLOCK,
    BOLD,
    BREAK,
    CELL,
    CITE,
    CONTROL,
    HIDDEN_INLINE,
    INLINE,
    ITEM,
    KINDS,
    LINK,
    LIST,
    MATH,
    NOSCRIPT,
    OWN,
    PRE,
    ROW,
    SHADOW_ROOT,
    SKIPPED,
    SUB,
    SUP,
)
from .block_table import BOLD as _BOLD
from .block_table import BR as _BR
from .block_table import PRE as _PRE
from .block_table import BlockTable
from .formulas import is_drawn_again, is_formula, is_shown_beside, math_text, tex_of_script
from .open_elements import (
    CELL_TEXT_TAGS,
    MAX_CELL_CHARS,
    MAY_HIDE_INLINE,
    HeldElement,
    Holder,
    OpenCells,
    OpenElement,
    has_numbers,
    hiding_in,
    is_sign,
    name_in,
    number_in,
    path_element,
    says_who_is_quoted,
)
from .screen_readers import is_drawn_beside, is_for_screen_readers, is_read_beside
from .text_run import TextRun
from .word_spaces import needs_space

# A block is bold if at least this share of its text is bold.
MIN_BOLD = 0.9
# The number of line breaks since the last block that make a paragraph break.
PARAGRAPH_BREAK = 2
_HIDING = STYLE | HIDDEN | ARIA_HIDDEN
# Of hidden elements: inline ones that mark text are set apart; readers may have kinds of their own for them. What a
# script may show later, such as "Thank you for subscribing", is passed over: 1 % of the words in paragraphs and
# headings that are themselves hidden are gold text on the development pages. Those in a hidden part often are, as in
# tabs.
_APART, _PASSED = 1, 2
_HIDEABLE = tag_groups({_APART: "a b strong sub sup", _PASSED: "p h1 h2 h3 h4 h5 h6"})
_HR, _OL, _SCRIPT, _BODY, _HTML = map(number_of_tag, ("hr", "ol", "script", "body", "html"))
_HOLDERS = tag_groups({1: "script iframe template"})
# What nc-normalize writes (see `tidy.MARKERS`).
_MARKERS = ("<h> ", "<l> ")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def first_row(table: PageTable) -> int:
    """The row of the element whose blocks are those of the page: the body, unless a `<frameset>` has replaced it."""
    if table.tag[0] == _HTML:
        at = 1
        while at < table.size:
            if table.tag[at] == _BODY:
                return at
            at = table.end[at]
    return 0


class BlockReader:
    """The blocks so far, and the open elements, text, links, lists and rows.

    `holders`, if it is a list, gets the elements that may have content outside the visible tree (see `hidden_content`).
    """

    def __init__(self, table: PageTable, max_blocks: int = sys.maxsize, holders: list[Holder] | None = None) -> None:
        self.table = table
        self.max_blocks = max_blocks
        self.holders = holders
        self.kinds = KINDS
        self.blocks = BlockTable()
        self.at = -1  # the row of the innermost open element
        self.ends = bytearray(table.size)  # the kinds of the ends of open elements
        self.run = self.new_run()  # the text of the open block
        self.outer_runs: list[TextRun] = []  # the texts around open hidden inline elements
        self.block = OpenElement(-1, "", 0, None)  # the innermost open block element
        self.open_blocks = [self.block]
        self.lists: list[int | None] = []  # the last number of each open list; None where it has bullets
        self.rows: list[OpenCells] = []
        self.marker: str | None = None  # of the list item that has no block yet
        self.breaks = PARAGRAPH_BREAK  # line breaks since the last block
        self.bold_depth = self.pre_depth = self.noscript_depth = self.shadow_depth = 0  # open elements of these kinds
        self.shadow_ended = False  # whether a shadow root ended in the open block
        self.text_rows: list[tuple[int, int]] = []  # of the first and the last text of each block

    def new_run(self) -> TextRun:
        """An empty text."""
        return TextRun()

    def read(self) -> BlockTable:
        """The blocks of the page. Raises OverflowError for more than *max_blocks*."""
        table = self.table
        row = first_row(table)
        last = table.end[row]
        while row < last:
            tag = table.tag[row]
            if tag == TEXT:
                self.add_text(row)
            elif tag >= 0:
                if row >= table.end[self.at]:
                    self._end_elements(row)
                kind = self.start(row)
                if kind == SKIPPED:
                    row = table.end[row]
                    continue
                self.ends[row] = kind
                self.at = row
            row += 1
        self._end_elements(last)
        return self.blocks

    def _end_elements(self, row: int) -> None:
        """Ends the open elements that *row* is not in."""
        table = self.table
        while self.at >= 0 and row >= table.end[self.at]:
            at = self.at
            kind = self.ends[at]
            if kind != INLINE:
                self.end(at, kind)
            self.at = table.parent[at]

    def add_text(self, row: int) -> None:
        """Adds a text to the open block."""
        table = self.table
        flags = table.flags[row]
        if flags & BLANK and (flags & EMPTY or not self.run.parts and not self.pre_depth):
            return
        if row >= table.end[self.at]:
            self._end_elements(row)
        run = self.run
        parts = run.parts
        run.last = row
        if not parts:
            if not flags & BLANK or self.pre_depth:
                parts.append(table.text_of(row))
                run.first = row
            return
        text = table.text_of(row)
        last = parts[-1]
        # for most texts this test suffices
        if text[0] > " " and last[-1] > " " and not self.pre_depth and needs_space(table, last, text, row):
            parts.append(" ")
        parts.append(text)

    # ---- starts and ends of elements

    def start(self, row: int) -> int:
        """Begins an element. Returns the kind of its end, or SKIPPED."""
        tag = self.table.tag[row]
        if self.table.flags[row] & _HIDING and _HIDEABLE[tag]:
            hidden = hiding_in(self.table, row)
            if hidden is not None and hidden != "aria":
                return SKIPPED if _HIDEABLE[tag] == _PASSED else self.set_apart(row, hidden)
        kind = self.kinds[tag]
        return self.start_kind(row, kind) if kind < OWN else self.start_own(row, kind)

    def end(self, row: int, kind: int) -> None:
        """Ends an element, whose start returned *kind*, which is not INLINE."""
        if kind < OWN:
            self.end_kind(row, kind)
        else:
            self.end_own(row, kind)

    def start_own(self, row: int, kind: int) -> int:
        """Begins an element of a kind of the subclass."""
        raise NotImplementedError(kind)

    def end_own(self, row: int, kind: int) -> None:
        """Ends an element of a kind of the subclass."""
        raise NotImplementedError(kind)

    def start_kind(self, row: int, kind: int) -> int:
        """Begins an element of a *kind* before OWN. Returns the kind of its end, or SKIPPED."""
        if kind == CITE:
            kind = BLOCK if says_who_is_quoted(self.table, row) else INLINE
        if kind == INLINE:
            return self.start_hidden_inline(row) if self.table.flags[row] & MAY_HIDE_INLINE else INLINE
        if kind <= PRE:
            self.start_block(row)
            if kind != BLOCK:
                self._start_in_block(row, kind)
        elif kind == LINK:
            if not self.table.flags[row] & HREF and self.table.attribute_of(row, "name"):
                return INLINE  # an anchor, which pages often leave open
            self._start_link()
        elif kind == BOLD:
            if not self.bold_depth:
                self.run.bold_start = len(self.run.parts)
            self.bold_depth += 1
        elif kind == BREAK:
            self._start_break(row)
            return INLINE
        elif kind == CONTROL:
            if self.run.parts:
                self.run.parts.append(" ")
            return SKIPPED
        elif kind in (SUB, SUP):
            self.run.raised_starts.append(len(self.run.parts))
        elif kind == NOSCRIPT:
            return self._start_noscript(row)
        elif kind == SHADOW_ROOT:
            self.shadow_depth += 1
        else:
            self._start_skipped(row, kind)
            return SKIPPED
        return kind

    def end_kind(self, row: int, kind: int) -> None:
        """Ends an element of a *kind* before OWN."""
        if kind <= NOSCRIPT:
            self._end_block(kind)
        elif kind == LINK:
            run = self.run
            if run.link_start >= 0:
                run.link_spans.append((run.link_start, len(run.parts)))
                run.link_start = -1
        elif kind == BOLD:
            self.bold_depth -= 1
            if not self.bold_depth:
                self.run.bold_spans.append((self.run.bold_start, len(self.run.parts)))
        elif kind in (SUB, SUP):
            self.run.end_raised(kind == SUP)
        elif kind == SHADOW_ROOT:
            self.shadow_depth -= 1
            self.shadow_ended = bool(self.run.parts)
        elif kind == HIDDEN_INLINE:
            self._flush_text()
            self.run = self.outer_runs.pop()
            self._close_block()

    def start_block(self, row: int) -> None:
        """Begins a block element."""
        self._flush_text()
        self.breaks = PARAGRAPH_BREAK
        hidden = self.block.hidden
        if hidden is None and self.table.flags[row] & _HIDING:
            hidden = hiding_in(self.table, row)
        self._open_block(row, hidden)

    def _end_block(self, kind: int) -> None:
        self._flush_text()
        self.breaks = PARAGRAPH_BREAK
        if kind == ROW:
            self.join_cells(self.rows.pop())
        self._close_block()
        if kind == LIST:
            self.lists.pop()
        elif kind == ITEM:
            self.marker = None
        elif kind == CELL:
            if self.rows:
                cells = self.rows[-1]
                if len(self.blocks.text) - cells.cell_start > 1:
                    cells.is_data = False
        elif kind == PRE:
            self.pre_depth -= 1
        elif kind == NOSCRIPT:
            self.noscript_depth -= 1

    def _start_in_block(self, row: int, kind: int) -> None:
        """What the start of a list, an item, a row, a cell or preformatted text does besides."""
        if kind == LIST:
            is_numbered = self.table.tag[row] == _OL or has_numbers(self.table, row)
            self.lists.append(number_in(self.table, row, START, 1) - 1 if is_numbered else None)
        elif kind == ITEM:
            self.marker = "*"
            last = self.lists[-1] if self.lists else None
            if last is None and self.lists and has_numbers(self.table, row):
                last = 0
            if last is not None:
                number = number_in(self.table, row, VALUE, last + 1)
                self.lists[-1] = number
                self.marker = f"{number}."
        elif kind == ROW:
            if self.rows:
                cells = self.rows[-1]
                cells.is_data = False
            self.rows.append(OpenCells(len(self.blocks.text)))
        elif kind == CELL:
            if self.rows:
                cells = self.rows[-1]
                cells.cell_start = len(self.blocks.text)
        else:
            self.pre_depth += 1

    def _open_block(self, row: int, hidden: str | None) -> None:
        block = OpenElement.__new__(OpenElement)  # speed: without its __init__
        block.row, block.name, block.element, block.hidden, block.last = row, name_in(self.table, row), -1, hidden, -1
        self.block = block
        self.open_blocks.append(block)

    def _close_block(self) -> None:
        self.open_blocks.pop()
        self.block = self.open_blocks[-1]

    def _start_link(self) -> None:
        run = self.run
        if run.link_spans and run.link_spans[-1][1] == len(run.parts):  # adjacent links are set apart by style
            run.parts.append(" ")
        run.link_start = len(run.parts)

    def _start_break(self, row: int) -> None:
        if self.pre_depth:
            self.run.parts.append("\n")
            return
        self._flush_text()
        self.breaks += PARAGRAPH_BREAK if self.table.tag[row] == _HR else 1

    def _start_noscript(self, row: int) -> int:
        if self.run.parts and not self.table.has_text(row):
            return INLINE  # an image within a sentence
        self.start_block(row)
        self.noscript_depth += 1
        return NOSCRIPT

    def _start_skipped(self, row: int, kind: int) -> None:
        """A formula; a script or another invisible element."""
        table, run = self.table, self.run
        tag = table.tag[row]
        formula = ""
        if kind == MATH:
            formula = math_text(table, row)
        elif tag == _SCRIPT and (table.attribute_of(row, "type") or "").startswith("math/"):
            formula = tex_of_script(table, row)
        if formula:
            run.parts.append(formula)
        elif self.holders is not None and _HOLDERS[tag]:
            path = "" if tag == _SCRIPT else self.blocks.elements.path(self.element_of_block())
            self.holders.append(Holder(len(self.blocks.text) + (len(run.parts) > 0), path, HeldElement(table, row)))

    def start_hidden_inline(self, row: int) -> int:
        """Begins a separate block for an inline element if its attributes hide it. Returns HIDDEN_INLINE then, INLINE
        if it is shown, and SKIPPED if it is a sign, for screen readers alone, or shown or read in another form beside
        it: its sentence has it once."""
        flags = self.table.flags[row]
        # in a cell, `check` is what it says
        if flags & CLASS and not self.rows and is_sign(self.table, row):
            return SKIPPED
        hidden = hiding_in(self.table, row) if flags & _HIDING else None
        if hidden is None:
            # in a heading or a cell it may be the only text beside a picture
            if not flags & (CLASS | STYLE) or self.rows or self.block.name in _HEADINGS:
                return INLINE
            if is_for_screen_readers(self.table, row) and not is_drawn_beside(self.table, row):
                return SKIPPED
            return INLINE
        if hidden == "aria":
            is_for_nobody = is_for_screen_readers(self.table, row)
            is_twice = is_for_nobody or is_drawn_again(self.table, row) or is_read_beside(self.table, row)
            return SKIPPED if is_twice else INLINE
        if not self.outer_runs and is_formula(self.table, row):
            return SKIPPED if is_shown_beside(self.table, row) else INLINE
        return self.set_apart(row, hidden)

    def set_apart(self, row: int, hidden: str | None) -> int:
        """Begins a separate block for an inline element. Returns the kind of its end."""
        self._open_block(row, hidden)
        self.outer_runs.append(self.run)
        self.run = self.new_run()
        return HIDDEN_INLINE

    # ---- blocks

    def _flush_text(self) -> None:
        if self.run.parts:
            self.flush()

    def flush(self) -> bool:
        """Makes a block of the open text, if there is any. Whether there is a new one."""
        text, link_chars, bold_chars = self.run.take(self.pre_depth > 0, self.bold_depth > 0)
        if not text or self.pre_depth and text.isspace():
            return False
        if text[0] == "<" and text.startswith(_MARKERS):
            text = text[4:].lstrip()
            if not text:
                return False
        blocks = self.blocks
        row = len(blocks.text)
        if row >= self.max_blocks:
            raise OverflowError("blocks")
        element = self.block
        blocks.append(text, element.name, self.element_of_block(), link_chars)
        self._add_text_rows()
        flags = _BR if self.breaks == 1 else 0
        if self.pre_depth:
            flags |= _PRE
        elif bold_chars >= MIN_BOLD * len(text):
            flags |= _BOLD
        blocks.flags[row] = flags
        if self.marker is not None and not self.outer_runs:  # what is hidden in an item is none
            blocks.marker[row] = self.marker
            self.marker = None
        if element.hidden is not None:
            blocks.hidden[row] = element.hidden
        if self.noscript_depth or self.shadow_depth or self.shadow_ended:
            blocks.origin[row] = "noscript" if self.noscript_depth else "shadow"
            self.shadow_ended = False
        self.breaks = 0
        return True

    def join_cells(self, cells: OpenCells) -> bool:
        """Replaces the blocks of the row that ends by one with tabs between the cells, if the cells are short. Whether
        it did."""
        blocks, start = self.blocks, cells.start
        size = len(blocks.text)
        if not cells.is_data or size - start < 2:
            return False
        hidden, origin = blocks.hidden[start], blocks.origin[start]
        for at in range(start, size):
            if blocks.hidden[at] != hidden or blocks.tag[at] not in CELL_TEXT_TAGS:
                return False
            if len(blocks.text[at]) > MAX_CELL_CHARS:
                return False
        text, links = "\t".join(blocks.text[start:]), sum(blocks.links[start:])
        blocks.truncate(start)
        blocks.append(text, self.block.name, self.element_of_block(), links)
        blocks.hidden[start], blocks.origin[start] = hidden, origin
        self.text_rows[start:] = [(self.text_rows[start][0], self.text_rows[-1][1])]
        return True

    def _add_text_rows(self) -> None:
        """Adds the rows of the text of a new block; one without a text has that of its element."""
        run, row = self.run, self.block.row
        self.text_rows.append((run.first, run.last) if run.first >= row else (row, max(row, run.last)))
        run.first = run.last = -1

    def element_of_block(self) -> int:
        """The element of the open block in the table of elements: its block ancestors."""
        if self.block.element >= 0:
            return self.block.element
        at = len(self.open_blocks) - 1
        block = self.block
        while block.element < 0:
            at -= 1
            block = self.open_blocks[at]
        element: int = block.element
        for inner in self.open_blocks[at + 1 :]:
            if block.last < 0 or not self.table.is_alike(inner.row, block.last):  # for speed: siblings often are
                block.last = inner.row
                block.last_element = self.blocks.elements.child(
                    element, path_element(self.table, inner.row, inner.name)
                )
            element = inner.element = block.last_element
            block = inner
        return element
