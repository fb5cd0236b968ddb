"""The walk over a page: compiled, if there is a compiled core that reads trees as selectolax does, else in Python.

    blocks(parse_html("<p>One<p>Two"))[1]["text"]    # 'Two'
    walk_in_use()                                    # 'c', or 'python'

Both return the same blocks; `block_builder` is the reference. The environment variable NC_WALK chooses one (`python` or
`c`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ..record import Block
from . import block_builder, dom_path, html_parser, inline_spacing, math_text, open_elements, raised_text, text_run
from .open_elements import Holder

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# The environment variable, and the names of the walks.
VARIABLE, PYTHON, COMPILED = "NC_WALK", "python", "c"
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
    text_run.MAX_PARTS_BEFORE,
    inline_spacing.MAX_NOTE_CHARS,
)
# A page with each kind of node that the core reads from lexbor's structures.
_SAMPLE = (
    "<!doctype html><title>a</title><!-- b --><p id=c class='d e' hidden>f é 中<b data-g>h<br></b> i"
    "<svg xlink:href=j><foreignObject>k"
)


def blocks(tree: LexborHTMLParser, holders: list[Holder] | None = None) -> list[Block]:
    """As `block_builder.blocks`. Raises RuntimeError if NC_WALK asks for a walk that there is not."""
    core = _core()
    if core is None:
        return block_builder.blocks(tree, holders)
    root = html_parser.walked_root(tree)
    if root is None:
        return []
    nodes = _Nodes(root)
    found: list[tuple[int, str, int]] | None = None if holders is None else []
    try:
        out: list[Block] = core.blocks(root.mem_id, nodes.node_at, found)
    except UnicodeDecodeError:  # bytes that lexbor passes through, which selectolax replaces node by node
        return block_builder.blocks(tree, holders)
    if holders is not None and found:
        elements = {node.mem_id: node for node in root.css(",".join(block_builder.HOLDER_TAGS))}
        holders += [Holder(position, path, elements[at]) for position, path, at in found]
    return out


def walk_in_use() -> str:
    """The name of the walk that `blocks` uses. Raises RuntimeError as `blocks` does."""
    return PYTHON if _core() is None else COMPILED


def description() -> str:
    """The walk in use, and why it is not the compiled one."""
    if os.environ.get(VARIABLE) == PYTHON:
        return f"{PYTHON} ({VARIABLE}={PYTHON})"
    core, problem = _find_core()
    return f"{PYTHON} ({problem})" if core is None else COMPILED


class _Nodes:
    """The nodes of a tree by their addresses. Few pages need them."""

    def __init__(self, root: LexborNode) -> None:
        self._root = root
        self._nodes: dict[int, LexborNode] = {}

    def node_at(self, address: int) -> LexborNode:
        """The node with an address."""
        if not self._nodes:
            self._nodes = {node.mem_id: node for node in self._root.traverse()}
        return self._nodes[address]


@cache
def _core() -> Any:
    """The compiled core, or None (see `chosen`)."""
    return chosen(_find_core)


def chosen(find: Callable[[], tuple[Any, str]]) -> Any:
    """What *find* finds of the compiled parts; None if NC_WALK says so, or if *find* gives None and a reason. Raises
    RuntimeError if NC_WALK asks for it and there is none."""
    wanted = os.environ.get(VARIABLE) or None
    if wanted not in (None, PYTHON, COMPILED):
        raise RuntimeError(f"{VARIABLE}: expected {PYTHON} or {COMPILED}, got {wanted!r}")
    core, problem = (None, "") if wanted == PYTHON else find()
    if wanted == COMPILED and core is None:
        raise RuntimeError(f"{VARIABLE}={COMPILED}: {problem}")
    return core


def _find_core() -> tuple[Any, str]:
    """The compiled core, or None and why it cannot be used."""
    from selectolax import lexbor  # start-up: --help needs no parser

    try:
        from . import _core as core  # type: ignore[attr-defined] # optional: it may not be built

        core.setup(
            lexbor.__file__, _tags(), inline_spacing.EDGE_PAIRS, inline_spacing.ELEMENT_PAIRS, _FUNCTIONS, _LIMITS
        )
    except (ImportError, TypeError, ValueError) as error:
        return None, str(error)
    root = lexbor.LexborHTMLParser(_SAMPLE).root
    if root is None or core.nodes(root.mem_id) != [_description(node) for node in root.traverse(include_text=True)]:
        return None, "the parser has other structures"
    return core, ""


def _tags() -> list[tuple[str, str, int]]:
    """Each tag that has a meaning: its name, the method of the builder that begins it, and its groups."""
    starts = {name: start.__name__ for name, (start, _) in block_builder.HANDLERS.items()}
    names = {*starts, *(name for tags, _ in _GROUPS for name in tags if not name.startswith("-"))}
    return [(name, starts.get(name, ""), sum(bit for tags, bit in _GROUPS if name in tags)) for name in sorted(names)]


def _description(node: LexborNode) -> tuple[Any, ...]:
    """A node as the core describes it."""
    if node.tag == "-text":
        return (node.mem_id, node.text_content)
    if node.tag is None or node.tag.startswith("-"):
        return (node.mem_id,)
    return (node.mem_id, node.tag, node.attributes)
