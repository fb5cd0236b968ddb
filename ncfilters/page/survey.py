"""What is around the text of a page: its meta fields, titles and structured data, found in one walk over the tree.

    survey(parse_html("<title>It rained</title><p>Text.")).titles    # [('It rained', False)]

Compiled where there is a compiled core, else by selectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .compiled_core import core

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_LINKED_DATA = 'script[type*="ld+json" i]'
# The elements that a survey reads.
SURVEYED = f"meta,title,{_LINKED_DATA},[itemtype]"


class Survey(NamedTuple):
    """Of a page: the name and content of its meta fields; its titles, and whether each is in a drawing; the texts of
    its JSON-LD; and its item types."""

    metas: list[tuple[str | None, str | None]]
    titles: list[tuple[str, bool]]
    linked_data: list[str]
    item_types: list[str | None]


def survey(tree: LexborHTMLParser) -> Survey:
    """As `survey_by_selectors`. Raises RuntimeError if NC_WALK asks for a core that there is not."""
    compiled, root = core(), tree.root
    return survey_by_selectors(tree) if compiled is None or root is None else Survey(*compiled.survey(root.mem_id))


def survey_of_head(tree: LexborHTMLParser, fields: tuple[str, ...], max_bytes: int) -> tuple[Survey, list[str]]:
    """The survey of a page for `page_head.head_of_page`, and names of types in its JSON-LD: where it can, with these
    meta *fields* alone, and with all types instead of the texts of JSON-LD, which has at most *max_bytes*."""
    compiled, root = core(), tree.root
    found = compiled.head_survey(root.mem_id, fields, max_bytes) if compiled is not None and root is not None else None
    if found is None:
        return survey(tree), []
    metas, titles, types, item_types = found
    return Survey(metas, titles, [], item_types), types


def survey_by_selectors(tree: LexborHTMLParser) -> Survey:
    """The survey of a page."""
    metas = [node.attributes for node in tree.css("meta[content]")]
    return Survey(
        [
            (own.get("property") or own.get("name"), own["content"])
            for own in metas
            if "property" in own or "name" in own
        ],
        [(node.text(deep=True), _is_in_drawing(node)) for node in tree.css("title")],
        [node.text(deep=True) for node in tree.css(_LINKED_DATA)],
        [node.attributes.get("itemtype") for node in tree.css("[itemtype]")],
    )


def has_special(tree: LexborHTMLParser) -> bool:
    """Whether a page may have shadow roots, or frames that `<noscript>` ends in. Raises RuntimeError as `survey`."""
    compiled, root = core(), tree.root
    if compiled is not None and root is not None:
        return bool(compiled.has_special(root.mem_id))
    special = tree.css("template[shadowrootmode], iframe")
    return any(
        node.tag == "template" or node.child is not None and "</noscript" in node.text(deep=True) for node in special
    )


def _is_in_drawing(node: LexborNode) -> bool:
    around = node.parent
    while around is not None and around.tag not in ("svg", "math"):
        around = around.parent
    return around is not None
