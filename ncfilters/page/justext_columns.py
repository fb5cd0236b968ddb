"""jusText's paragraphs in the compiled core, for stages that read them there: no dicts are made.

    paragraphs_in_columns(source_of("<p>It rained."), options)    # a capsule for segmentation's core

They are those of `justext_blocks`, which is the reference.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from ..record import Block
from . import compiled_core, density, dom_path, justext_blocks
from .html_parser import return_memory
from .html_source import HtmlSource
from .justext_markup import DELETED_TAGS, TEMPLATE, UNWRAPPED_TAGS, parse_whole
from .page_options import PageOptions

# What an element is to the core.
_INLINE, _PARAGRAPH, _LINK, _BREAK, _DELETED, _UNWRAPPED = range(6)
_KINDS = {justext_blocks.PARAGRAPH: _PARAGRAPH, justext_blocks.LINK: _LINK, justext_blocks.BREAK: _BREAK}


def paragraphs_in_columns(source: HtmlSource, options: PageOptions) -> Any:
    """The capsule of the paragraphs of a page; None without a compiled core or with another parser than lexbor.

    Raises RecordError for a page that is too dense, OverflowError for one with too many paragraphs, and ValueError for
    one that only the walk in Python reads."""
    if not options.dense:
        density.check_tree(source)
    return _columns(source, options, sys.maxsize if options.dense else density.max_blocks(source.num_chars))


def blocks_of_html(source: HtmlSource, options: PageOptions, max_blocks: int) -> list[Block]:
    """The paragraphs of a page as dicts: those of `justext_blocks.blocks_of_html`, which is the reference, by the core
    where it reads the page. Raises what that raises."""
    try:
        columns = _columns(source, options, max_blocks)
    except ValueError:
        columns = None
    if columns is None:
        return justext_blocks.blocks_of_html(source, options.parser, max_blocks, options.dense)
    blocks: list[Block] = _core().paragraph_dicts(columns)
    return blocks


def _columns(source: HtmlSource, options: PageOptions, max_blocks: int) -> Any:
    """The capsule of at most so many paragraphs."""
    core = _core()
    if core is None or options.parser != "lexbor":
        return None
    tree = parse_whole(source, options.dense)
    columns = None if tree.root is None else core.paragraphs(tree.root.mem_id, max_blocks)
    del tree
    return_memory(source.num_chars)
    return columns


@cache
def _core() -> Any:
    """The compiled core with the tables of the walk, or None (see `compiled_core.chosen`)."""
    return compiled_core.chosen(_find_core)


def _find_core() -> tuple[Any, str]:
    core, problem = compiled_core.find_core()
    if core is not None:
        try:
            core.setup_paragraphs(_parts(), justext_blocks.shorten_path, dom_path.MAX_PATH_CHARS)
        except (AttributeError, TypeError, ValueError) as error:
            return None, str(error)
    return core, problem


def _parts() -> list[tuple[str, str, int, int, int]]:
    """Each element that is not merely inline: its name, that in paths, what it is, a bit if it ends others, and the
    bits of those that end it."""
    ending = sorted(frozenset().union(*justext_blocks.CLOSED_BY.values()))
    bits = {name: 1 << number for number, name in enumerate(ending)}
    kinds = {name: _KINDS[kind] for name, kind in justext_blocks.KINDS.items() if kind in _KINDS}
    kinds |= dict.fromkeys(DELETED_TAGS, _DELETED) | dict.fromkeys(UNWRAPPED_TAGS, _UNWRAPPED) | {TEMPLATE: _INLINE}
    return [
        (
            name,
            "template" if name == TEMPLATE else name,
            kind,
            bits.get(name, 0),
            sum(bits[other] for other in justext_blocks.CLOSED_BY.get(name, ())),
        )
        for name, kind in kinds.items()
    ]
