"""Groups of features that a structure model can be trained without, to measure what each contributes.

    left_out_columns(("position", "page"), NAMES)    # True for "index", "repeats_short", "page_n", …; False for others

A column that is left out has the same value for all segments, in training and whenever the model is used.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

# group → the families of `schema` in it
GROUP_FAMILIES: dict[str, tuple[str, ...]] = {
    "text": ("characters", "flags"),
    "element": ("type", "tag", "rule", "origin", "hidden"),
    "position": ("position", "repeats"),
    "relatives": ("groups",),
    "neighbours": ("neighbours", "windows"),
    "main": ("landmarks", "section", "main"),
    "head": ("head",),
    "page": ("page",),
}
# group → what it contributes, in reports. The last five have no columns: without them, vocabularies stay empty, the
# network has no averages, and training has less data augmentation.
GROUP_DESCRIPTIONS = {
    "text": "the characters, words and signs of the text",
    "element": "its type, its element, the rule that marks it, its origin",
    "position": "its position on the page, and repetitions",
    "relatives": "the segments in the same elements, from the parent up",
    "neighbours": "the segments next to it, and windows of them",
    "main": "the distances of headings, prose and the main text",
    "head": "the page's title and description: words in common, positions; its types, its address",
    "page": "features of the page as a whole",
    "names": "names on paths: elements, ids and classes",
    "words": "first words, its own and its heading's",
    "around": "the network's averages over its surroundings",
    "fragments": "data augmentation: pieces of pages",
    "portals": "data augmentation: articles among lists of other pages",
}
GROUPS = tuple(GROUP_DESCRIPTIONS)


def left_out_columns(without: Collection[str], names: Sequence[str]) -> list[bool]:
    """Whether each of the columns *names* is in one of the groups *without*."""
    from .schema import FAMILIES  # imports numpy, which `nc-train --help` must not

    left_out = {name for group in without for family in GROUP_FAMILIES.get(group, ()) for name in FAMILIES[family]}
    return [name in left_out for name in names]
