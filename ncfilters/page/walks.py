"""The walk over a page: compiled, if there is a compiled core that reads trees as selectolax does, else in Python.

    blocks(parse_html("<p>One<p>Two"))[1]["text"]    # 'Two'
    walk_in_use()                                    # 'c', or 'python'

Both return the same blocks; `block_builder` is the reference. The environment variable NC_WALK chooses one (`python` or
`c`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from ..record import Block
from . import (
    block_builder,
    compiled_core,
    dom_path,
    html_parser,
    inline_spacing,
    json_ld,
    math_text,
    open_elements,
    raised_text,
    text_run,
)
from .open_elements import Holder

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# An element that may hold hidden content, as the compiled core has it: see `Holder`; its tag and its address.
FoundHolder = tuple[int, str, str, int]

# The groups of tags that the compiled core knows.
_TRANSPARENT, _ATTACHED, _CELL_TEXT, _HOLDER = 1, 2, 4, 8
_GROUPS = (
    (inline_spacing.TRANSPARENT_TAGS, _TRANSPARENT),
    (inline_spacing.ATTACHED_TAGS, _ATTACHED),
    (open_elements.CELL_TEXT_TAGS, _CELL_TEXT),
    (block_builder.HOLDER_TAGS, _HOLDER),
    (("nobr",), 0),  # the core knows it by name
)
_FUNCTIONS: dict[str, Any] = {
    "superscript": raised_text.superscript,
    "subscript": raised_text.subscript,
    "math_text": math_text.math_text,
    "tex_of_script": math_text.tex_of_script,
    "is_drawn_again": math_text.is_drawn_again,
    "is_formula": math_text.is_formula,
    "is_shown_beside": math_text.is_shown_beside,
    "path_element": dom_path.path_element,
    "join_path": dom_path.join_path,
    "hiding_of": open_elements.hiding_of,
    "number_of": open_elements.number_of,
}
_LIMITS = (
    block_builder.MIN_BOLD,
    block_builder.PARAGRAPH_BREAK,
    open_elements.MAX_CELL_CHARS,
    dom_path.MAX_NAME_CHARS,
    dom_path.MAX_PATH_CHARS,
    dom_path.PATH_HEAD_CHARS,
    dom_path.PATH_TAIL_CHARS,
    text_run.MAX_PARTS_BEFORE,
    inline_spacing.MAX_NOTE_CHARS,
)


def blocks(tree: LexborHTMLParser, holders: list[Holder] | None = None, max_blocks: int = sys.maxsize) -> list[Block]:
    """As `block_builder.blocks`. Raises RuntimeError if NC_WALK asks for a walk that there is not."""
    core = core_of_walk()
    if core is None:
        return block_builder.blocks(tree, holders, max_blocks)
    root = html_parser.walked_root(tree)
    if root is None:
        return []
    nodes = Nodes(root)
    found: list[FoundHolder] | None = None if holders is None else []
    try:
        out: list[Block] = core.blocks(root.mem_id, nodes.node_at, found, max_blocks)
    except UnicodeDecodeError:  # bytes that lexbor passes through, which selectolax replaces node by node
        return block_builder.blocks(tree, holders, max_blocks)
    if holders is not None and found:
        holders += holders_of(core, found)
    return out


def holders_of(core: Any, found: Iterable[FoundHolder]) -> list[Holder]:
    """The elements that the compiled *core* has *found*."""
    return [Holder(position, path, _Held(core, name, at)) for position, path, name, at in found]


def walk_in_use() -> str:
    """The name of the walk that `blocks` uses. Raises RuntimeError as `blocks` does."""
    return compiled_core.PYTHON if core_of_walk() is None else compiled_core.COMPILED


def description() -> str:
    """The walk in use, and why it is not the compiled one."""
    about = compiled_core.description()
    core, problem = (None, "") if about != compiled_core.COMPILED else _find_core()
    return about if core or not problem else f"{compiled_core.PYTHON} ({problem})"


class _Held:
    """An element that may hold hidden content: of a node, what `hidden_content` reads."""

    __slots__ = ("_core", "mem_id", "tag")

    def __init__(self, core: Any, tag: str, mem_id: int) -> None:
        self._core, self.tag, self.mem_id = core, tag, mem_id

    @property
    def attributes(self) -> dict[str, str | None]:
        out: dict[str, str | None] = self._core.attributes(self.mem_id)
        return out

    def text(self, deep: bool = True) -> str:
        """The text below it; *deep* is for the sake of nodes."""
        out: str = self._core.text(self.mem_id)
        return out

    @property
    def html(self) -> str | None:
        out: str | None = self._core.html(self.mem_id)
        return out


class Nodes:
    """The nodes of a tree by their addresses. Few pages need them, and nearly always in the order of the page: only one
    is kept, until one is wanted that is before it."""

    def __init__(self, root: LexborNode) -> None:
        self._root = self._last = root
        self._following: Iterator[LexborNode] | None = None
        self._nodes: dict[int, LexborNode] = {}

    def node_at(self, address: int) -> LexborNode:
        """The node with an address."""
        if self._nodes:
            return self._nodes[address]
        if self._last.mem_id == address:
            return self._last
        if self._following is None:
            self._following = self._root.traverse()
        for node in self._following:
            if node.mem_id == address:
                self._last = node
                return node
        self._nodes = {node.mem_id: node for node in self._root.traverse()}
        return self._nodes[address]


@cache
def core_of_walk() -> Any:
    """The compiled core with the tables of the walk, or None (see `compiled_core.chosen`)."""
    return compiled_core.chosen(_find_core)


def _find_core() -> tuple[Any, str]:
    core, problem = compiled_core.find_core()
    if core is not None:
        try:
            core.setup_linked_data(
                json_ld.CONTENT_PROPERTIES, tuple(json_ld.NAMED_TYPES), json_ld.TYPES_WITHOUT_SUMMARY
            )
            core.setup(_tags(), inline_spacing.EDGE_PAIRS, inline_spacing.ELEMENT_PAIRS, _FUNCTIONS, _LIMITS)
        except (AttributeError, TypeError, ValueError) as error:
            return None, str(error)
    return core, problem


def start_of(name: str) -> str:
    """The name of the method of the builder that begins an element; empty if there is none."""
    return block_builder.HANDLERS[name][0].__name__ if name in block_builder.HANDLERS else ""


def _tags() -> list[tuple[str, str, int]]:
    """Each tag that has a meaning: its name, the method of the builder that begins it, and its groups."""
    names = {*block_builder.HANDLERS, *(name for tags, _ in _GROUPS for name in tags if not name.startswith("-"))}
    return [(name, start_of(name), sum(bit for tags, bit in _GROUPS if name in tags)) for name in sorted(names)]
