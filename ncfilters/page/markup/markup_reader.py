"""Reads the blocks of a page with their markup, and those of the pages in it.

MarkupReader(PageLinks())(parse_html("<p>See <em>this</em>."))
# [{'text': 'See this.', 'tag': 'p', 'path': 'body/p', 'links': 0, 'spans': [[4, 8, 'em']]}]
details = details_of_page(table_of(parse_html("<p>If <math><mi>x</mi></math> is one.").root))
list(details.marks.values())    # [('math', 'x')]

What the elements of a page say about tables, code, formulas and footnotes is found first; reading the page then only
looks its elements up (see `markup_builder`). The modules that read tables, code, formulas and footnotes are imported
for the first page that may have one, for the start-up of the others.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...native.element_names import tag_groups
from ...native.page_table import PageTable, table_of
from ...record import Block
from ...text.lazy_pattern import lazy_pattern
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import Holder
from ..blocks.visual_blocks import RuledBlocks
from .candidates import Candidates, candidates_of
from .markup_builder import MarkupBuilder
from .markup_context import Details, PageNumbers
from .page_links import PageLinks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from .code_blocks import CodeBlock

# Elements between a table of code and the element that holds the code.
MAX_CODE_DEPTH = 6
# Links of headings to themselves: by their text, which has no words, or by their class.
_WORD = lazy_pattern(r"[^\W_]")
_ANCHORS = frozenset(
    "hash-link headerlink header-link headeranchor header-anchor headinganchor heading-anchor anchorlink anchor-link "
    "direct-link permalink perma-link".split()
)
_HEADINGS = tag_groups({1: "h1 h2 h3 h4 h5 h6"})


class MarkupReader:
    """Reads the blocks of a page and of the pages in it, which share the numbers of tables, code and items."""

    def __init__(self, links: PageLinks, max_blocks: int = sys.maxsize) -> None:
        self._links = links
        self._max_blocks = max_blocks
        self._numbers = PageNumbers()

    def __call__(self, tree: LexborHTMLParser, holders: list[Holder] | None = None) -> list[Block]:
        """The visual blocks of a tree, with all fields of markup (see nc-stream(5)). Raises OverflowError as
        `block_reader` does."""
        return [] if tree.root is None else self.blocks_of(table_of(tree.root), holders).records()

    def blocks_of(
        self,
        table: PageTable,
        holders: list[Holder] | None = None,
        marks: dict[int, str] | None = None,
        text_rows: list[tuple[int, int]] | None = None,
    ) -> BlockTable:
        """The same as a table, of the table of a tree. *marks*: the rules of its elements (see `RuledBlocks`);
        *text_rows* is as in `visual_blocks.block_table`."""
        details = details_of_page(table, self._numbers)
        kind = _RuledBuilder if marks else MarkupBuilder
        reader = kind(table, self._links, details, self._numbers, self._max_blocks, holders)
        if isinstance(reader, _RuledBuilder):
            reader.marks = marks or {}
        if text_rows is not None:
            reader.text_rows = text_rows
        return reader.read()


class _RuledBuilder(RuledBlocks, MarkupBuilder):
    """Blocks with markup and the names of rules."""


def details_of_page(page: PageTable, numbers: PageNumbers | None = None) -> Details:
    """The details of a page, whose tables and code have numbers from *numbers* on."""
    numbers, found, details = numbers or PageNumbers(), candidates_of(page), Details()
    code = _code_of_page(page, found, numbers)
    if found.tables:
        _add_tables(page, _not_in_code(page, found.tables, code), numbers, details)
    if found.has_rows:
        _add_role_tables(page, found.cells, numbers, details)
    if code:
        _add_code(page, code, found.tables, details)
    for row in found.edit_links:
        details.marks[row] = ("aside",)
    if found.has_formulas:
        _add_formulas(page, found, details)
    if found.superscripts or found.links or found.sidenotes:
        _add_notes(page, found, details)
    for link in found.links:
        if page.parent[link] >= 0 and _HEADINGS[page.tag[page.parent[link]]] and _is_anchor(page, link):
            details.add_mark(link, "aside")
    details.rows.update(details.marks, details.fields, details.next_fields)
    return details


def _is_anchor(page: PageTable, link: int) -> bool:
    """Whether a link in a heading is that of the heading to itself."""
    text = page.text_below(link)
    if not _WORD.search(text):
        return text != ""
    classes = (page.attribute_of(link, "class") or "").casefold()
    if _ANCHORS.isdisjoint(classes.split()) and not _leads_to_heading(page, link, classes):
        return False
    rest = page.text_below(page.parent[link]).replace(text, "", 1)
    return _WORD.search(rest) is not None  # else it is the heading


def _leads_to_heading(page: PageTable, link: int, classes: str) -> bool:
    """Whether a link, by its classes one to a place, leads to the heading that it is in."""
    if "link" not in classes and "anchor" not in classes:
        return False
    own = page.attribute_of(page.parent[link], "id")
    return own is not None and page.attribute_of(link, "href") == f"#{own}"


def _code_of_page(page: PageTable, found: Candidates, numbers: PageNumbers) -> dict[int, CodeBlock]:
    """The blocks of code of a page."""
    if not found.has_code and not found.tables:
        return {}
    from .code_blocks import code_blocks, may_be_code  # start-up: many pages have neither code nor tables

    if not found.has_code and not any(may_be_code(page, table) for table in found.tables):
        return {}
    code = code_blocks(page, found, numbers.code)
    numbers.code += len(set(code.values()))
    return code


def _add_code(page: PageTable, code: dict[int, CodeBlock], tables: list[int], details: Details) -> None:
    """Adds blocks of code; the titles of those that are *tables* are not in them."""
    from .code_text import title_row  # start-up: as code_blocks

    for row, block in code.items():
        details.add_fields(row, code=block)
    for table in tables:
        if table in code and (title := title_row(page, table)) >= 0:
            details.add_fields(title, code=None)


def _add_tables(page: PageTable, tables: list[int], numbers: PageNumbers, details: Details) -> None:
    """Adds the cells and captions of data tables."""
    from .table_grid import caption_of, cells_of, is_data_table  # start-up: many pages have no tables

    figures: dict[int, bool] = {}
    for table in tables:
        cells = cells_of(page, table)
        if not is_data_table(page, table, cells, figures):
            continue
        caption = caption_of(page, table)
        if caption >= 0:
            details.add_fields(caption, table=numbers.table, cell=None)
        for row, cell in cells.items():
            details.fields[row] = {"table": numbers.table, "cell": cell}
        numbers.table += 1


def _add_role_tables(page: PageTable, candidates: list[int], numbers: PageNumbers, details: Details) -> None:
    """Adds the cells of tables of elements with roles."""
    from .table_grid import role_tables  # start-up: few pages have them

    for cells in role_tables(page, candidates):
        for row, cell in cells.items():
            details.add_fields(row, table=numbers.table, cell=cell)
        numbers.table += 1


def _not_in_code(page: PageTable, tables: list[int], code: dict[int, CodeBlock]) -> list[int]:
    """Those of *tables* that are no blocks of *code* and not in one."""
    return [table for table in tables if not _is_in_code(page, table, code)] if code else tables


def _is_in_code(page: PageTable, table: int, code: dict[int, CodeBlock]) -> bool:
    at = table
    for _ in range(MAX_CODE_DEPTH + 1):
        if at < 0:
            break
        if at in code:
            return True
        at = page.parent[at]
    return False


def _add_formulas(page: PageTable, found: Candidates, details: Details) -> None:
    from .tex import formulas  # start-up: few pages have formulas

    for row, formula in formulas(page, found.formulas).items():
        details.marks[row] = ("math", formula.tex, "display") if formula.is_display else ("math", formula.tex)


def _add_notes(page: PageTable, found: Candidates, details: Details) -> None:
    """Adds the footnotes of a page, and the notes in its sentences."""
    has_notes = _may_have_notes(page, found)
    if not has_notes and not found.sidenotes:
        return
    from .footnotes import footnotes  # start-up: many pages have no links to places in them
    from .note_marks import (
        no_footnotes,
        sidenotes,  # start-up: few pages have notes
    )

    notes = footnotes(page, found.superscripts, found.links) if has_notes else no_footnotes()
    for row, name in sidenotes(page, found.sidenotes, notes).items():
        details.add_mark(row, "footnote", name)
    for row, name in notes.references.items():
        details.add_mark(row, "note", name)
    for row, name in notes.definitions.items():
        details.add_fields(row, note={"id": name})
    for row, name in notes.starts.items():
        details.next_fields[row] = {"note": {"id": name}}
    for row in notes.asides:
        details.add_mark(row, "aside")


def _may_have_notes(page: PageTable, found: Candidates) -> bool:
    """Whether links or superscripts may be the marks of notes, for speed: on most pages that have some, none is."""
    if found.links:
        from .note_marks import may_be_mark  # start-up: many pages have no links to places in them

        return bool(found.superscripts) or any(may_be_mark(page, link) for link in found.links)
    if len(found.superscripts) < 2:
        return False
    from .note_marks import may_be_unlinked  # start-up: many pages have no superscripts

    return may_be_unlinked(page, found.superscripts)
