"""Groups of what a structure model reads, which it can be trained without: to measure what each brings.

    columns(("position", "page"), NAMES)    # True for "index", "repeats_short", "page_n", …; False for the others

A column that is left out is the same for all segments, in training and whenever the model is used.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

# group → the families of `columns` in it
OF_COLUMNS: dict[str, tuple[str, ...]] = {
    "text": ("characters", "flags"),
    "element": ("type", "tag", "rule", "origin", "hidden"),
    "position": ("position", "repeats"),
    "relatives": ("groups",),
    "neighbours": ("neighbours", "windows"),
    "main": ("landmarks", "section", "main"),
    "head": ("head",),
    "page": ("page",),
}
# group → what it brings, for people. The last five are no columns: vocabularies that stay empty, averages that the
# network does not take, pages made of pages that it does not learn from.
ABOUT = {
    "text": "the text's own characters, words and signs",
    "element": "its type, its element, the rule that marked it, where it comes from",
    "position": "where on the page it stands, and what is repeated",
    "relatives": "what stands in the same elements, from the parent up",
    "neighbours": "the segments next to it, and windows of them",
    "main": "headings, prose and the main text, and how far they are",
    "head": "the page's title and description: words in common, where they stand; its kinds, its address",
    "page": "what the page is like as a whole",
    "names": "names on paths: elements, ids and classes",
    "words": "first words, its own and its heading's",
    "around": "the network's averages over what is around it",
    "fragments": "pieces of pages beside whole ones in training",
    "portals": "articles among lists of other pages, in training",
}
GROUPS = tuple(ABOUT)


def columns(without: Collection[str], names: Sequence[str]) -> list[bool]:
    """Whether each of the columns *names* is in a group that is left out."""
    from .schema import FAMILIES

    left_out = {name for group in without for family in OF_COLUMNS.get(group, ()) for name in FAMILIES[family]}
    return [name in left_out for name in names]
