"""What the elements around a block say about it: the level of a heading, the depth of a list item, its number, and
the depth of quotes.

CONTEXTS["blockquote"](Context(), OpenBlock("blockquote", {}, None, None), Numbers()).fields    # {'quote': 1}
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from ...text.lazy_pattern import lazy_pattern
from ..open_elements import OpenBlock, number_of

# Levels of headings, and of lists in Google's documents, whose lists are not nested.
MAX_LEVEL, MAX_DOCUMENT_LEVEL = 6, 9
_DOCUMENT_LEVEL = lazy_pattern(r"(?:^|\s)lst-kix_\w+-(\d)(?:\s|$)")


class Numbers:
    """The numbers of the elements of a page."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items = count(1)


class Context:
    """The *fields* that a block gets from the elements around it, the number of open *lists*, whether the block is
    in the caption of a figure, and the open *quotes*, from the outermost on."""

    __slots__ = ("fields", "is_caption", "lists", "quotes")

    def __init__(
        self,
        fields: dict[str, Any] | None = None,
        lists: int = 0,
        is_caption: bool = False,
        quotes: tuple[OpenBlock, ...] = (),
    ) -> None:
        self.fields = fields or {}
        self.lists = lists
        self.is_caption = is_caption
        self.quotes = quotes

    def changed(self, **fields: Any) -> Context:
        """The context with other *fields*."""
        return Context({**self.fields, **fields}, self.lists, self.is_caption, self.quotes)


def context_in(around: Context, element: OpenBlock, numbers: Numbers) -> Context:
    """The context of the blocks in *element*, which is in the context *around*."""
    derive = CONTEXTS.get(element.name)
    if derive is not None:
        around = derive(around, element, numbers)
    if element.attributes and element.attributes.get("role") == "heading":
        level = number_of(element.attributes, "aria-level", 2)
        around = around.changed(level=min(max(level, 1), MAX_LEVEL))
    return around


def new_quote(before: tuple[OpenBlock, ...], quotes: tuple[OpenBlock, ...]) -> int:
    """The depth of the outermost of *quotes* that is another one than that of *before*; 0 if there is none."""
    return next((depth for depth, (one, other) in enumerate(zip(before, quotes), 1) if one is not other), 0)


def document_level(classes: str) -> int:
    """The level of a list of Google's documents, by its class; 0 for others."""
    level = _DOCUMENT_LEVEL.search(classes)
    return min(int(level[1]), MAX_DOCUMENT_LEVEL) if level else 0


def _heading(around: Context, element: OpenBlock, numbers: Numbers) -> Context:
    return around.changed(level=int(element.name[1]))


def _list(around: Context, element: OpenBlock, numbers: Numbers) -> Context:
    level = document_level(element.attributes.get("class") or "") if element.attributes else 0
    return Context(around.fields, around.lists + level + 1, around.is_caption, around.quotes)


def _item(around: Context, element: OpenBlock, numbers: Numbers) -> Context:
    return around.changed(depth=max(around.lists, 1), item=next(numbers.items))


def _caption(around: Context, element: OpenBlock, numbers: Numbers) -> Context:
    return Context(around.fields, around.lists, True, around.quotes)


def _quote(around: Context, element: OpenBlock, numbers: Numbers) -> Context:
    context = around.changed(quote=around.fields.get("quote", 0) + 1)
    context.quotes = (*around.quotes, element)
    return context


# tag name → how its context differs from that around it
CONTEXTS: dict[str, Callable[[Context, OpenBlock, Numbers], Context]] = {
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), _heading),
    **dict.fromkeys("ul ol menu dir".split(), _list),
    "li": _item,
    "blockquote": _quote,
    "figcaption": _caption,
}
