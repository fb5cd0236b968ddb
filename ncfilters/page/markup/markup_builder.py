"""Visual blocks with their markup: links, emphasis, code, images, and what the elements around them say.

    html = "<blockquote><p>See <a href=b.html>this</a>."
    MarkupBuilder(table_of(parse_html(html).root), PageLinks("http://a.example/"), Details()).read().records()
    # [{'text': 'See this.', …, 'spans': [[4, 8, 'link', 'http://a.example/b.html']], 'quote': 1}]

The blocks are those of `block_reader`, with more fields. To record another kind of element, add its tag to KINDS, and
its start and end to `start_own` and `end_own`: `run` has `open`, `close` and `add_point`. For a field from the elements
around a block, see `markup_context`.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from itertools import accumulate
from typing import Any

from ...native.element_names import CLASS, HREF, ROLE, STYLE, number_of_tag
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..blocks.block_reader import BlockReader
from ..blocks.block_table import BlockTable
from ..blocks.open_elements import MAY_HIDE_INLINE, Holder, OpenCells
from ..tree.elements import BREAK, CONTROL, HIDDEN_INLINE, INLINE, OWN, SKIPPED, name_at
from ..tree.elements import KINDS as PLAIN_KINDS
from .images import Figure, Image, Place, image_of, is_caption_class, is_image_address, leads_to_sharing
from .markup_context import Contexts, Details, PageNumbers, new_quote
from .markup_fields import cell_field, drop_in_formulas, join, keep_part, without_images
from .markup_run import Mark, MarkupRun
from .page_links import PageLinks

Fields = dict[str, Any]

# The elements around a check box whose classes say that it is that of a task.
MAX_TASK_DEPTH = 4
# Styles that make text bold (the group) or italic, and that undo what <b> or <em> does.
_STRONG_STYLE = lazy_pattern(r"font-weight:\s*(bold|[6-9]00)|font-style:\s*(?:italic|oblique)", re.I)
_PLAIN_STYLE = lazy_pattern(r"font-weight:\s*(?:normal|[34]00)|font-style:\s*normal", re.I)
# Classes of elements that show the sign which their text names.
_ICON_CLASS = lazy_pattern(r"icon|material-symbols", re.I | re.A)

# What the start of an element does. The end of a marked one is that of its plain kind, and OWN.
MARKED, BASE, IMAGE, WRAPPED_IMAGE, TASK, LINE_BREAK, DETAIL = range(OWN + HIDDEN_INLINE + 1, OWN + HIDDEN_INLINE + 8)
_OWN_TAGS = {BASE: "base", IMAGE: "img", WRAPPED_IMAGE: "amp-img", TASK: "input", LINE_BREAK: "br hr"}
# The kinds of the spans of marked elements; that of others is in their style, or they are links.
_SPANS = {"em": "em i", "code": "code kbd samp tt", "del": "del s strike", "mark": "mark", "strong": "b strong"}
_SPANS |= {"sub": "sub", "sup": "sup", "": "font span", "link": "a"}
KINDS = bytearray(PLAIN_KINDS)
for _kind, _names in _OWN_TAGS.items():
    for _name in _names.split():
        KINDS[number_of_tag(_name)] = _kind
_ENTRIES: list[tuple[str, ...]] = [("",)] * len(KINDS)
for _span, _names in _SPANS.items():
    for _name in _names.split():
        KINDS[number_of_tag(_name)] = MARKED
        _ENTRIES[number_of_tag(_name)] = (_span,)
_IMG = number_of_tag("img")

# The element of an image before another line.
NOWHERE = -2
_NO_IMAGE: tuple[Image, tuple[int, int, object], bool] = ({}, (-1, 0, None), False)


class MarkupBuilder(BlockReader):
    """A reader that also records markup, and the *details* of the page."""

    run: MarkupRun

    def __init__(
        self,
        table: PageTable,
        links: PageLinks,
        details: Details,
        numbers: PageNumbers | None = None,
        max_blocks: int = sys.maxsize,
        holders: list[Holder] | None = None,
    ) -> None:
        BlockReader.__init__(self, table, max_blocks, holders)
        self.kinds = KINDS
        self.links = links
        self.details = details
        self.detail_rows = details.rows
        self.num_marks = 0  # inline elements of all texts
        self.contexts = Contexts(table, details.fields, numbers or PageNumbers())
        self.figures: list[Figure] = []  # the images since the last block
        # the last image, its place (the blocks and the pieces of text before it), and whether it is in a <noscript>
        self.last_image = _NO_IMAGE
        self.last_link: Mark | None = None  # around the last image
        self.last_quotes: tuple[int, ...] = ()  # around the last block in a quote
        self.last: Place | None = None  # the last visible block
        self.next_fields: Fields = {}  # of the next block alone
        # of the open elements with details: the kinds of their ends, and their places
        self.detail_ends: list[tuple[int, tuple[int, int]]] = []
        self.code_numbers: set[int] = set()  # of the code that has a block

    def new_run(self) -> MarkupRun:
        """An empty text."""
        return MarkupRun()

    def read(self) -> BlockTable:
        """The blocks of the page. Raises OverflowError for too many blocks or inline elements."""
        BlockReader.read(self)
        self.attach_figures(-1, False)
        return self.blocks

    # ---- elements

    def start(self, row: int) -> int:
        """Begins an element. Returns the kind of its end, or SKIPPED."""
        if self.detail_rows and row in self.detail_rows:
            return self._start_detail(row)
        return BlockReader.start(self, row)

    def start_own(self, row: int, kind: int) -> int:
        """Begins an element of a kind of markup. Returns the kind of its end, or SKIPPED."""
        run = self.run
        if kind == LINE_BREAK:
            if self.figures and not run.parts:
                for figure in self.figures:  # what follows is another line
                    figure.element = NOWHERE
            self.start_kind(row, BREAK)
            return INLINE
        if kind != MARKED:
            return self._start_object(row, kind)
        plain = PLAIN_KINDS[self.table.tag[row]]
        is_shown = plain == INLINE and not self.table.flags[row] & MAY_HIDE_INLINE  # for speed: most
        end = INLINE if is_shown else self.start_kind(row, plain)
        entry = self._entry_of(row) if end == plain else None
        if entry is None:
            return end
        self.run.open(entry)
        return OWN + plain

    def end_own(self, row: int, kind: int) -> None:
        """Ends an element of a kind of markup."""
        if kind == DETAIL:
            self._end_detail(row)
            return
        if kind > OWN:
            self.end_kind(row, kind - OWN)
        self.run.close()

    def _entry_of(self, row: int) -> tuple[str, ...] | None:
        """The entry of the span of an inline element; None if it has none."""
        table, flags = self.table, self.table.flags[row]
        entry = _ENTRIES[table.tag[row]]
        kind = entry[0]
        if kind == "link":
            url = self.links.resolve(table.attribute_of(row, "href")) if flags & HREF else None
            if url is None or flags & ROLE and table.attribute_of(row, "role") == "tab":
                return None
            return ("link", url)
        if kind == "" or flags & STYLE and kind in ("em", "strong"):
            style = table.attribute_of(row, "style") or "" if flags & STYLE else ""
            if kind == "":
                kind = style_kind(style) if style else ""
                return (kind,) if kind else None
            if is_plain_style(style):  # of a <b>, editors wrap whole texts in it
                return None
        if kind == "em" and flags & CLASS and _ICON_CLASS.search(table.attribute_of(row, "class") or ""):
            return None
        return entry

    def _start_object(self, row: int, kind: int) -> int:
        """An image, a control, or a `<base>` in the body, for the links after it: something before it has ended the
        head."""
        end = INLINE
        if kind == BASE:
            self.links.set_base(self.table.attribute_of(row, "href"))
        elif kind == TASK:
            self._start_task(row)
        else:
            if kind == WRAPPED_IMAGE and self.table.flags[row] & MAY_HIDE_INLINE:  # it has another one in it
                end = self.start_hidden_inline(row)
            self._start_image(row)
        return end

    def _start_image(self, row: int) -> None:
        run = self.run
        # another form of a formula is none
        if self.block.hidden is not None and self.block.hidden != "aria" or run.is_in("math"):
            return
        image = image_of(self.table, row, self.links)
        if image is None:
            self.last_image = _NO_IMAGE
            return
        if self._is_twin(image, row) or self._is_no_picture():
            return
        if run.parts:
            run.add_point(("image", image))
        else:
            self.add_figure(image, run.around())

    def _is_twin(self, image: Image, row: int) -> bool:
        """Whether an image is another form of the one before it in the same cell, for browsers without scripts."""
        place = (*self._place(), self.contexts.of(self.at).details.get("cell"))
        in_noscript = self.noscript_depth > 0 or name_at(self.table, self.table.parent[row]) == "noscript"
        before, before_place, was_in_noscript = self.last_image
        if before_place == place and (before["src"] == image["src"] or in_noscript and not was_in_noscript):
            return True
        self.last_image = (image, place, in_noscript)
        return False

    def _is_no_picture(self) -> bool:
        """Whether an image is a control, but for a figure in a `<button>`, or around one, which is enlarged by it; in a
        link to the front page, as the sign of the site is, or to what shares the page; or in the link that the one
        before it is in, and that leads to no image, as all photographs of a product are but the first."""
        names = [element.name for element in self.open_blocks]
        if "button" in names and "figure" not in names:
            return True
        before, link = self.last_link, None
        for mark in self.run.open_marks:
            if mark is not None and mark.entry[0] == "link":
                link = mark
        self.last_link = link
        if link is None:
            return False
        url = link.entry[1]
        is_same = link is before and not is_image_address(url)
        return is_same or self.links.is_front_page(url) or leads_to_sharing(url)

    def _start_task(self, row: int) -> None:
        """A control; the box of a task, at the start of an item, is a point in its text. Nobody can change it, or a
        class says what it is."""
        run, page = self.run, self.table
        if not run.parts and "item" in self.contexts.of(self.at).fields:
            attributes = page.attributes_of(row)
            if attributes.get("type") == "checkbox":
                at, is_task = row, "disabled" in attributes
                for _ in range(MAX_TASK_DEPTH + 1):
                    is_task = is_task or at >= 0 and "task" in (page.attribute_of(at, "class") or "").lower()
                    at = page.parent[at] if at >= 0 else at
                if is_task:
                    run.add_point(("task", "x" if "checked" in attributes else " "))
        self.start_kind(row, CONTROL)

    # ---- details

    def _start_detail(self, row: int) -> int:
        """Begins an element with details. Returns the kind of its end, or SKIPPED."""
        details = self.details
        entry = details.marks.get(row)
        if entry is not None and self.table.tag[row] == _IMG:
            if self.run.parts:
                self.run.add_point(entry)
            else:
                self.add_figure({"math": entry}, self.run.around())
            return INLINE
        place = self._place()
        if entry is not None:
            self.run.open(entry)
        kind = BlockReader.start(self, row)
        if row in details.next_fields:
            self.next_fields = details.next_fields[row]
        if kind == SKIPPED:  # its content is skipped, or written by its start
            if entry is not None:
                self._close_detail(place)
            return kind
        self.detail_ends.append((kind, place))
        return DETAIL

    def _end_detail(self, row: int) -> None:
        kind, place = self.detail_ends.pop()
        if kind != INLINE:
            self.end(row, kind)
        if row in self.details.fields and self.run.parts:  # of an inline element
            self.next_fields = {**self.contexts.of(row).details, **self.next_fields}
        if row in self.details.marks:
            self._close_detail(place)

    def _place(self) -> tuple[int, int]:
        return len(self.blocks.text), len(self.run.parts)

    def _close_detail(self, place: tuple[int, int]) -> None:
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

    # ---- blocks

    def flush(self) -> bool:
        """Makes a block of the open text, if there is any. Whether there is a new one."""
        run, element = self.run, self.block
        if self.figures:
            self._place_in_text(run)
        self.num_marks += len(run.marks)
        if self.num_marks > self.max_blocks:
            raise OverflowError("marks")
        if not BlockReader.flush(self):
            for span in run.spans:
                if span[2] == "image":
                    self.add_figure(span[3], ())
                elif span[2] == "math" and span[0] == span[1]:
                    self.add_figure({"math": tuple(span[2:])}, ())
            return False
        row = len(self.blocks.text) - 1
        extra: Fields = {}
        if run.spans:
            self._add_spans(row, run, extra)
        context = self.contexts.of(self.at)
        if context.fields:
            extra.update(context.fields)
        if context.quotes:
            depth = new_quote(self.last_quotes, context.quotes)
            if depth:
                extra["new_quote"] = depth
            self.last_quotes = context.quotes
        if context.details or self.next_fields:
            self._add_details(extra, len(self.blocks.text[row]), {**context.details, **self.next_fields})
            self.next_fields = {}
        if "spans" in extra and self.detail_rows:
            drop_in_formulas(extra)
        self.blocks.extra[row] = extra or None
        if element.hidden is None:
            if self.figures:
                self.attach_figures(row, context.is_caption or self._is_caption(element.row))
            self.last = (row, element.row)
        return True

    def _add_details(self, extra: Fields, size: int, details: Fields) -> None:
        """Adds fields of `markup_reader` to those of a block of *size* characters: no `cell` is that of a caption, no
        `code` that of a title. The first block of code has its text."""
        for name, value in details.items():
            if name not in ("cell", "code"):
                extra[name] = value
            elif value is None:
                continue
            elif name == "cell":
                extra["cells"] = [cell_field(value, size)]
            else:
                extra["code"] = value.number
                if value.number not in self.code_numbers:
                    self.code_numbers.add(value.number)
                    extra["code_text"] = value.text
                    if value.language:
                        extra["code_language"] = value.language

    def _add_spans(self, row: int, run: MarkupRun, extra: Fields) -> None:
        spans = run.spans
        if self.pre_depth:
            spans = [span for span in spans if span[2] != "code"]
        if spans:
            extra["spans"] = spans
            size = len(self.blocks.text[row])
            if len(run.taken) != size:  # a marker of nc-normalize
                keep_part(extra, len(run.taken) - size, len(run.taken))

    def join_cells(self, cells: OpenCells) -> bool:
        """As in BlockReader; the block of the row has the fields of its cells."""
        blocks, start = self.blocks, cells.start
        texts, extras = blocks.text[start:], blocks.extra[start:]
        if not BlockReader.join_cells(self, cells):
            return False
        row: Fields = {}
        ends = list(accumulate([len(text) + 1 for text in texts]))
        parts = [{"text": text, **(extra or {})} for text, extra in zip(texts, extras)]
        outside = [image for part in parts for image in part.get("figure", ()) if "table" in image]
        join(row, [without_images(part, outside) for part in parts], [0, *ends[:-1]])
        if outside:
            row["figure"] = outside
        blocks.extra[start] = row or None
        if self.last is not None and self.last[0] >= start:
            self.last = start, self.last[1]
        for figure in self.figures:
            if figure.before is not None and figure.before[0] >= start:
                figure.before = start, figure.before[1]
        return True

    def add_figure(self, image: Image, marks: tuple[Mark, ...]) -> None:
        """Adds an image that stands here, in the inline elements of these *marks*."""
        self.figures.append(Figure(self.table, image, self.block.row, self.last, marks, self.contexts.of(self.at)))

    def attach_figures(self, row: int, in_caption: bool) -> None:
        """Attaches the images since the last block to it or to the next, that of a *row*; -1 at the end of the page."""
        blocks, element = self.blocks, self.block.row
        waiting = []
        is_of_next = False
        for figure in self.figures:
            if in_caption and "caption" not in figure.image:
                is_of_next = True
        for figure in self.figures:
            if row >= 0 and figure.waits(blocks, row, element, in_caption, is_of_next):
                waiting.append(figure)
                if in_caption:
                    figure.add_caption(blocks.text[row], element)
            else:
                figure.attach(blocks, (row, element) if row >= 0 else None)
        self.figures = waiting

    def _place_in_text(self, run: MarkupRun) -> None:
        """Makes the images at the start of the open text, in the same element, part of it."""
        waiting = []
        for figure in self.figures:
            if figure.element == self.block.row:
                run.marks.append(Mark(0, figure.image.get("math") or ("image", figure.image), figure.marks))
            else:
                waiting.append(figure)
        self.figures = waiting

    def _is_caption(self, row: int) -> bool:
        """Whether a block element is a caption by its class, as in old pages of WordPress."""
        if row < 0 or not self.table.flags[row] & CLASS:
            return False
        return is_caption_class(self.table.attribute_of(row, "class") or "")


@lru_cache(maxsize=1 << 12)
def is_plain_style(style: str) -> bool:
    """Whether a style undoes what `<b>` or `<em>` does."""
    return _PLAIN_STYLE.search(style) is not None


@lru_cache(maxsize=1 << 12)
def style_kind(style: str) -> str:
    """The kind of the spans of elements with a style: `strong`, `em` or neither."""
    found = _STRONG_STYLE.search(style)
    return "" if found is None else "strong" if found[1] else "em"
