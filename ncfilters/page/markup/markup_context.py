"""What the elements around a block say about it: the level of a heading, the depth of a list item, its number, and
the depth of quotes.

page = table_of(parse_html("<blockquote>a").css_first("blockquote"))
context_in(page, Context(), OpenElement(0, "blockquote", -1, None), Numbers()).fields    # {'quote': 1}
"""

from __future__ import annotations

from typing import Any

from ...native.element_names import CLASS, ROLE, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..blocks.open_elements import OpenElement

# Levels of headings, and of lists in Google's documents, whose lists are not nested.
MAX_LEVEL, MAX_DOCUMENT_LEVEL = 6, 9
_DOCUMENT_LEVEL = lazy_pattern(r"(?:^|\s)lst-kix_\w+-(\d)(?:\s|$)")


_HEADING, _LIST, _ITEM, _CAPTION, _QUOTE = range(1, 6)
_CONTEXTS = tag_groups(
    {_HEADING: "h1 h2 h3 h4 h5 h6", _LIST: "ul ol menu dir", _ITEM: "li", _CAPTION: "figcaption", _QUOTE: "blockquote"}
)
_LEVEL = lazy_pattern(r"\s*-?\d{1,9}")


class Numbers:
    """The numbers of the elements of a page: that of the last item of a list."""

    def __init__(self) -> None:
        self.items = 0


class Context:
    """The *fields* that a block gets from the elements around it, the number of open *lists*, whether the block is
    in the caption of a figure, and the open *quotes*, from the outermost on."""

    def __init__(
        self,
        fields: dict[str, Any] | None = None,
        lists: int = 0,
        is_caption: bool = False,
        quotes: tuple[OpenElement, ...] = (),
    ) -> None:
        self.fields: dict[str, Any] = {} if fields is None else fields
        self.lists = lists
        self.is_caption = is_caption
        self.quotes = quotes

    def copy(self) -> Context:
        """The same, with fields of its own."""
        return Context(self.fields.copy(), self.lists, self.is_caption, self.quotes)


def context_in(page: PageTable, around: Context, element: OpenElement, numbers: Numbers) -> Context:
    """The context of the blocks in *element*, which is in the context *around*."""
    row, own = element.row, around.copy()
    kind, flags = _CONTEXTS[page.tag[row]], page.flags[row]
    if kind == _HEADING:
        own.fields["level"] = int(element.name[1])
    elif kind == _LIST:
        level = document_level(page.attribute_of(row, "class") or "") if flags & CLASS else 0
        own.lists += level + 1
    elif kind == _ITEM:
        numbers.items += 1
        own.fields["depth"] = max(around.lists, 1)
        own.fields["item"] = numbers.items
    elif kind == _CAPTION:
        own.is_caption = True
    elif kind == _QUOTE and element.name == "blockquote":  # not that of `name_in`
        own.fields["quote"] = own.fields.get("quote", 0) + 1
        own.quotes = (*around.quotes, element)
    if flags & ROLE and page.attribute_of(row, "role") == "heading":
        number = _LEVEL.match(page.attribute_of(row, "aria-level") or "")
        own.fields["level"] = min(max(int(number[0]) if number else 2, 1), MAX_LEVEL)
    return own


def new_quote(before: tuple[OpenElement, ...], quotes: tuple[OpenElement, ...]) -> int:
    """The depth of the outermost of *quotes* that is another one than that of *before*; 0 if there is none."""
    return next((depth for depth, (one, other) in enumerate(zip(before, quotes), 1) if one is not other), 0)


def document_level(classes: str) -> int:
    """The level of a list of Google's documents, by its class; 0 for others."""
    level = _DOCUMENT_LEVEL.search(classes)
    return min(int(level[1]), MAX_DOCUMENT_LEVEL) if level else 0
