"""How a page becomes blocks: options of the stages that read HTML.

PageOptions(markup=True).profile    # 'visual'
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings, which takes 2 ms.
from typing import NamedTuple

PROFILES = ("visual", "justext")
PARSERS = ("lexbor", "html5lib")


class PageOptions(NamedTuple):
    """How a page becomes blocks."""

    parser: str = "lexbor"  # one of PARSERS
    profile: str = "visual"  # one of PROFILES
    embedded: bool = True  # include content outside the visible tree (see `hidden_content`)
    markup: bool = False  # record links, emphasis, images and the like (see `markup_builder`)
    metadata: bool = False  # the head has the metadata of the page, which it also has with markup
    # rules of the user, which mark blocks (see `element_rules`): a host, selectors to drop, selectors to keep
    elements: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()


DEFAULT_OPTIONS = PageOptions()
