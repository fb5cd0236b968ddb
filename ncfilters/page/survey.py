"""What is around the text of a page: its meta fields, titles and structured data, found in one walk over the tree.

survey(parse_html("<title>It rained</title><p>Text.")).titles    # [('It rained', False)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_LINKED_DATA = 'script[type*="ld+json" i]'


class Survey(NamedTuple):
    """Of a page: the name and content of its meta fields; its titles, and whether each is in a drawing; the texts of
    its JSON-LD; and its item types."""

    metas: list[tuple[str | None, str | None]]
    titles: list[tuple[str, bool]]
    linked_data: list[str]
    item_types: list[str | None]


def survey(tree: LexborHTMLParser) -> Survey:
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
    """Whether a page may have shadow roots, or frames that `<noscript>` ends in."""
    special = tree.css("template[shadowrootmode], iframe")
    return any(
        node.tag == "template" or node.child is not None and "</noscript" in node.text(deep=True) for node in special
    )


def _is_in_drawing(node: LexborNode) -> bool:
    around = node.parent
    while around is not None and around.tag not in ("svg", "math"):
        around = around.parent
    return around is not None
