"""The walk over a page with markup: compiled, if there is a compiled core (see `walks`), else in Python.

    MarkupReader(PageLinks())(parse_html("<p>See <em>this</em>."))
    # [{'text': 'See this.', 'tag': 'p', 'path': 'body/p', 'links': 0, 'spans': [[4, 8, 'em']]}]

Both return the same blocks; `detail_builder` is the reference.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ...record import Block
from .. import walks
from ..html_parser import walked_root
from ..open_elements import Holder
from ..present_selectors import Search
from . import figures, images, markup_builder, markup_context, page_links
from .markup_context import Numbers
from .page_details import Details, PageNumbers, details_of_page
from .page_links import PageLinks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_FUNCTIONS: dict[str, Any] = {
    "image_of": images.image_of_attributes,
    "is_caption_class": figures.is_caption_class,
    "is_image_address": figures.is_image_address,
    "document_level": markup_context.document_level,
    "is_plain_style": markup_builder.is_plain_style,
    "style_kind": markup_builder.style_kind,
}
_LIMITS = (
    markup_context.MAX_LEVEL,
    markup_builder.MAX_ROLE_DEPTH,
    page_links.MAX_URL_CHARS,
    images.MAX_SOURCES,
    figures.MAX_WAITED,
    figures.ENOUGH_CHARS,
    images.MAX_ALT_CHARS,
    images.MAX_PIXEL_SIZE,
    images.MAX_SET_CHARS,
)
_WORDS = (
    images.LAZY_SOURCES,
    [*images.LARGE_SOURCES, "srcset", *images.LAZY_SETS],
    images.PLACEHOLDERS,
    images.EMOJI_CLASSES,
    images.PORTRAIT_FOLDERS,
    images.PIXEL_HOSTS,
)

# A tree, its details, its links, the numbers of its items, and the elements that may hold hidden content, to blocks.
Read = Callable[["LexborHTMLParser", Details, PageLinks, Numbers, "list[Holder] | None"], list[Block]]


class MarkupReader:
    """Reads the blocks of a page and of the pages in it, which share the numbers of tables, code and items."""

    def __init__(
        self, links: PageLinks, read: Read | None = None, max_blocks: int = sys.maxsize, search: Search | None = None
    ) -> None:
        self._links = links
        self._search = search  # of the page
        self._max_blocks = max_blocks
        self._read = read or read_blocks
        self._numbers = PageNumbers()
        self._items = Numbers()

    def __call__(self, tree: LexborHTMLParser, holders: list[Holder] | None = None) -> list[Block]:
        """The visual blocks of a tree, with all fields of markup (see nc-stream(5)). Raises RuntimeError and
        OverflowError as `walks.blocks` does."""
        details = self._details_of(tree)
        details.max_blocks = self._max_blocks
        return self._read(tree, details, self._links, self._items, holders)

    def columns(self, tree: LexborHTMLParser, holders: list[Holder] | None = None, is_condensed: bool = False) -> Any:
        """The same in a capsule (see `columns`); None without a compiled core, or if an image has details that
        are no formula. If the page *is_condensed*, *holders* are only JSON-LD and others that may hold something.
        Raises UnicodeDecodeError for a text that only the walk in Python reads."""
        core, root = _core(), walked_root(tree)
        if core is None or root is None:
            return None
        details = self._details_of(tree)
        found: list[walks.FoundHolder] | None = None if holders is None else []
        given = details.marks, details.fields, details.next_fields, b"".join(details.cells)
        node_at = walks.Nodes(root).node_at
        out = core.marked_columns(
            root.mem_id, node_at, found, self._links, self._items.items, given, self._max_blocks, is_condensed
        )
        if holders is not None and found:
            holders += walks.holders_of(core, found)
        return out

    def _details_of(self, tree: LexborHTMLParser) -> Details:
        search = self._search if self._search and self._search.tree is tree else None
        return details_of_page(tree, self._numbers, search)


def read_blocks(
    tree: LexborHTMLParser, details: Details, links: PageLinks, numbers: Numbers, holders: list[Holder] | None = None
) -> list[Block]:
    """As `detail_builder.blocks_with_details`. Raises RuntimeError if NC_WALK asks for a walk that there is not."""
    core = _core()
    if core is None:
        return _blocks_in_python(tree, details, links, numbers, holders)
    root = walked_root(tree)
    if root is None:
        return []
    nodes = walks.Nodes(root)
    found: list[walks.FoundHolder] | None = None if holders is None else []
    given = details.marks, details.fields, details.next_fields, b"".join(details.cells)
    before = dict(vars(links)), copy.copy(numbers.items)
    try:
        out, has_formula_images = core.marked_blocks(
            root.mem_id, nodes.node_at, found, links, numbers.items, given, details.max_blocks
        )
    except UnicodeError:  # as in walks.blocks; or an address that has no UTF-8
        vars(links).update(before[0])
        numbers.items = before[1]
        return _blocks_in_python(tree, details, links, numbers, holders)
    if has_formula_images:
        from .detail_fields import place_formulas  # start-up: few pages have them

        place_formulas(out)
    if holders is not None and found:
        holders += walks.holders_of(core, found)
    blocks: list[Block] = out
    return blocks


def _blocks_in_python(
    tree: LexborHTMLParser, details: Details, links: PageLinks, numbers: Numbers, holders: list[Holder] | None
) -> list[Block]:
    from .detail_builder import blocks_with_details  # start-up: few pages need it where there is a core

    return blocks_with_details(tree, details, links, numbers, holders)


@cache
def _core() -> Any:
    """The compiled core with the tables of both walks, or None."""
    core = walks.core_of_walk()
    if core is not None:
        core.setup_markup(_tags(), _FUNCTIONS, page_links.WRAPPER, _LIMITS, _WORDS)
    return core


def _tags() -> list[tuple[str, str, str]]:
    """Each tag that the walk treats otherwise than without markup, or whose text is a span: its name, the method of the
    builder that begins it, and the kind of its spans."""
    kinds = {**markup_builder.KINDS, "sub": "sub", "sup": "sup"}
    starts = {name: start.__name__ for name, (start, _) in markup_builder.MARKUP_HANDLERS.items()}
    own = {name: starts[name] for name, method in starts.items() if walks.start_of(name) != method or name in kinds}
    return [(name, start, kinds.get(name, "")) for name, start in sorted(own.items())]
