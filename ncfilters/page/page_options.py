"""How a page becomes blocks: options of the stages that read HTML.

PageOptions(markup=True).profile    # 'visual'
"""

from __future__ import annotations

from typing import NamedTuple

PROFILES = ("visual", "justext")


class PageOptions(NamedTuple):
    """How a page becomes blocks."""

    parser: str = "lexbor"  # one of html_parser.PARSERS
    profile: str = "visual"  # one of PROFILES
    embedded: bool = True  # include content outside the visible tree (see `hidden_content`)
    markup: bool = False  # record links, emphasis, images and the like (see `markup_builder`)
    dense: bool = False  # accept pages with more tags, blocks and segments than their size allows (see `density`)


DEFAULT_OPTIONS = PageOptions()
