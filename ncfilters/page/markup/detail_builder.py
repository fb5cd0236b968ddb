"""Visual blocks with their markup and with tables, code, formulas and footnotes (see `page_details`).

page = parse_html("<table><tr><th>Rain<th>mm<tr><td>Monday<td>3</table>")
blocks_with_details(page, details_of_page(page), PageLinks(), Numbers())[1]
# {'text': 'Monday\\t3', 'tag': 'tr', …, 'table': 1,
#  'cells': [{'start': 0, 'end': 6, 'row': 1, 'column': 0}, {'start': 7, 'end': 8, 'row': 1, 'column': 1}]}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...record import Block
from ..html_parser import walked_root
from ..open_elements import ARIA_HIDDEN, Holder
from ..tree_walk import End, Handler, end_skipped, walk
from .detail_fields import FieldAdder, drop_in_formulas, place_formulas
from .figures import Figure
from .images import Image
from .markup_builder import MARKUP_HANDLERS, MarkupBuilder
from .markup_context import Numbers
from .markup_run import Mark
from .page_details import Details, Fields
from .page_links import PageLinks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The entry of a span: its kind, and perhaps values.
Entry = tuple[Any, ...]


def blocks_with_details(
    tree: LexborHTMLParser, details: Details, links: PageLinks, numbers: Numbers, holders: list[Holder] | None = None
) -> list[Block]:
    """The visual blocks of a tree with these *details*, with all fields of markup (see nc-stream(5)). *numbers* are
    those of its items. Raises OverflowError for too many blocks."""
    root = walked_root(tree)
    if root is None:
        return []
    builder = DetailBuilder(details, links, holders) if details.tags else MarkupBuilder(links, holders)
    builder.numbers = numbers
    builder.max_blocks = details.max_blocks
    walk(root, builder, _handlers(details.tags))
    builder.attach_figures()
    if isinstance(builder, DetailBuilder) and builder.has_formula_images:
        place_formulas(builder.blocks)
    return builder.blocks


class DetailBuilder(MarkupBuilder):
    """A builder that also records details."""

    __slots__ = ("adder", "details", "fields", "has_formula_images", "next_fields")

    def __init__(self, details: Details, links: PageLinks, holders: list[Holder] | None = None) -> None:
        super().__init__(links, holders)
        self.details = details
        self.fields: list[Fields] = [{}]  # of the blocks in the open elements
        self.next_fields: Fields = {}  # of the next block alone
        self.adder = FieldAdder()
        self.has_formula_images = False

    def start_element(self, name: str, node: Any, handler: Handler) -> End | None:
        """Begins an element with details; *handler* is that of its tag. Returns what its end does."""
        details, mem_id = self.details, node.mem_id
        entry, fields = details.marks.get(mem_id), details.fields.get(mem_id)
        if name == "img" and entry is not None:
            self._add_formula_image(entry)
            return None
        place = self._place()
        if entry is not None:
            self.run.open(*entry)
        start, usual_end = handler
        end = start(self, name, node) or usual_end
        if mem_id in details.next_fields:
            self.next_fields = details.next_fields[mem_id]
        if end is end_skipped:  # its content is skipped, or written by its start
            if entry is not None:
                self._close(place)
            return end_skipped
        if fields is not None:
            self.fields.append({**self.fields[-1], **fields})

        def end_element(builder: DetailBuilder) -> None:
            if end is not None:
                end(builder)
            if fields is not None:
                own = builder.fields.pop()
                if builder.run.parts:  # of an inline element
                    builder.next_fields = {**own, **builder.next_fields}
            if entry is not None:
                builder._close(place)

        return end_element

    def flush(self) -> None:
        count = len(self.blocks)
        super().flush()
        if len(self.blocks) == count:
            return
        block, fields = self.blocks[-1], self.fields[-1]
        if self.next_fields:
            fields = {**fields, **self.next_fields}
            self.next_fields = {}
        if fields:
            self.adder.add_fields(block, fields)
        if "spans" in block:
            drop_in_formulas(block)

    def add_figure(self, image: Image, marks: tuple[Mark, ...]) -> Figure:
        figure = super().add_figure(image, marks)
        cell = self.fields[-1].get("cell")
        if cell is not None:
            figure.set_cell(self.open_blocks, (cell.row, cell.column))
        return figure

    def _add_formula_image(self, entry: Entry) -> None:
        if self.run.parts:
            self.run.add_point(*entry)
        else:
            self.has_formula_images = True
            super().add_figure({"math": entry}, self.run.around())

    def _place(self) -> tuple[int, int]:
        return len(self.blocks), len(self.run.parts)

    def _close(self, place: tuple[int, int]) -> None:
        """Ends the span that began at *place*. One without text is a point, except for asides."""
        run = self.run
        mark = run.open_marks[-1] if run.open_marks else None
        run.close()
        if mark is None or self._place() != place:
            return
        if mark.entry[0] == "aside":
            run.marks.remove(mark)
        else:
            mark.is_point, mark.around = True, run.around()


def _handlers(tags: set[str]) -> Mapping[str, Handler]:
    """The handlers of elements, for a page where elements of these tags have details."""
    return {**MARKUP_HANDLERS, **{tag: _handler(tag) for tag in tags}} if tags else MARKUP_HANDLERS


@lru_cache(maxsize=256)
def _handler(tag: str) -> Handler:
    usual = MARKUP_HANDLERS.get(tag, (_start_inline, None))

    def start(builder: DetailBuilder, name: str, node: Any) -> End | None:
        if node.mem_id in builder.details:
            return builder.start_element(name, node, usual)
        end: End | None = usual[0](builder, name, node)
        return end

    return start, usual[1]


def _start_inline(builder: MarkupBuilder, name: str, node: Any) -> End | None:
    """Begins an inline element, as `tree_walk.walk` does."""
    attributes = node.attributes
    if attributes and ("style" in attributes or "hidden" in attributes or ARIA_HIDDEN in attributes):
        return builder.start_hidden_inline(name, node, attributes)
    return None
