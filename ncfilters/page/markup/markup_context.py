"""What the elements around a text say about its block: the level of a heading, the depth of a list item, its number,
the depth of quotes, the cell, the code and the footnote that it is in.

page = table_of(parse_html("<blockquote>a").css_first("blockquote"))
Contexts(page, {}, PageNumbers()).of(0).fields    # {'quote': 1}
"""

from __future__ import annotations

from typing import Any

from ...native.element_names import CLASS, ROLE, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..blocks.open_elements import name_in

# Levels of headings, and of lists in Google's documents, whose lists are not nested.
MAX_LEVEL, MAX_DOCUMENT_LEVEL = 6, 9
_DOCUMENT_LEVEL = lazy_pattern(r"(?:^|\s)lst-kix_\w+-(\d)(?:\s|$)")
_HEADING, _LIST, _ITEM, _CAPTION, _QUOTE = range(1, 6)
_CONTEXTS = tag_groups(
    {_HEADING: "h1 h2 h3 h4 h5 h6", _LIST: "ul ol menu dir", _ITEM: "li", _CAPTION: "figcaption", _QUOTE: "blockquote"}
)
_LEVEL = lazy_pattern(r"\s*-?\d{1,9}")


class PageNumbers:
    """The numbers of the next data table, of the next block of code and of the next item of a list."""

    def __init__(self) -> None:
        self.table = self.code = self.item = 1


class Details:
    """The details of a page, by the rows of elements.

    *marks* are the entries of spans (kind, and perhaps value) that elements have; *fields* those of all blocks in an
    element, *next_fields* those of the next block. *rows* are those of all these elements.
    """

    __slots__ = ("fields", "marks", "next_fields", "rows")

    def __init__(self) -> None:
        self.marks: dict[int, tuple[Any, ...]] = {}
        self.fields: dict[int, dict[str, Any]] = {}
        self.next_fields: dict[int, dict[str, Any]] = {}
        self.rows: set[int] = set()

    def add_fields(self, row: int, **fields: Any) -> None:
        """Adds fields of the blocks in an element."""
        self.fields.setdefault(row, {}).update(fields)

    def add_mark(self, row: int, *entry: Any) -> None:
        """Adds the span of an element; the first one counts."""
        self.marks.setdefault(row, entry)


class Context:
    """The *fields* that a block gets from the elements around it, and those of their *details*, the number of *lists*,
    whether it is in the caption of a figure, and the rows of its *quotes*, from the outermost on."""

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self.details: dict[str, Any] = {}
        self.lists = 0
        self.is_caption = False
        self.quotes: tuple[int, ...] = ()


class Contexts:
    """The contexts of the elements of a *page*, of which some have *details*, by their rows. Those in which nothing is
    different have that of the element around them."""

    def __init__(self, page: PageTable, details: dict[int, dict[str, Any]], numbers: PageNumbers) -> None:
        self._page, self._details, self._numbers = page, details, numbers
        self._known: list[Context | None] = [None] * page.size
        self._known.append(Context())  # of row -1

    def of(self, row: int) -> Context:
        """The context in an element."""
        known, page = self._known, self._page
        context = known[row]
        if context is not None:
            return context
        rows = []
        while context is None:
            rows.append(row)
            row = page.parent[row]
            context = known[row]
        for at in reversed(rows):
            context = known[at] = self._context_in(at, context)
        return context

    def _context_in(self, row: int, around: Context) -> Context:
        page = self._page
        kind, flags = _CONTEXTS[page.tag[row]], page.flags[row]
        details = self._details.get(row) if self._details else None
        is_heading = flags & ROLE != 0 and page.attribute_of(row, "role") == "heading"
        if not (kind or is_heading or details):
            return around
        own = Context.__new__(Context)  # speed: without its __init__
        own.fields, own.lists = around.fields.copy(), around.lists
        own.is_caption, own.quotes = around.is_caption, around.quotes
        own.details = {**around.details, **details} if details else around.details
        if kind == _HEADING:
            own.fields["level"] = int(page.name_of(row)[1])
        elif kind == _LIST:
            own.lists += (document_level(page.attribute_of(row, "class") or "") if flags & CLASS else 0) + 1
        elif kind == _ITEM:
            own.fields["depth"] = max(around.lists, 1)
            own.fields["item"] = self._numbers.item
            self._numbers.item += 1
        elif kind == _CAPTION:
            own.is_caption = True
        elif kind == _QUOTE and name_in(page, row) == "blockquote":
            own.fields["quote"] = own.fields.get("quote", 0) + 1
            own.quotes = (*around.quotes, row)
        if is_heading:
            number = _LEVEL.match(page.attribute_of(row, "aria-level") or "")
            own.fields["level"] = min(max(int(number[0]) if number else 2, 1), MAX_LEVEL)
        return own


def new_quote(before: tuple[int, ...], quotes: tuple[int, ...]) -> int:
    """The depth of the outermost of *quotes* that is another one than that of *before*; 0 if there is none."""
    return next((depth for depth, (one, other) in enumerate(zip(before, quotes), 1) if one != other), 0)


def document_level(classes: str) -> int:
    """The level of a list of Google's documents, by its class; 0 for others."""
    level = _DOCUMENT_LEVEL.search(classes)
    return min(int(level[1]), MAX_DOCUMENT_LEVEL) if level else 0
