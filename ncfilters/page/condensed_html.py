"""The HTML of a page without what is not read, so that the parser takes less time.

    condensed(source_of('<style>p { margin: 0 }</style><p id=a data-b="c">One')).utf8
    # b'<style>x</style><p id=a >One'

Most attributes are cut, the text of scripts (but not JSON-LD and formulas) and of style sheets, and the content of
drawings. Where text is cut, a letter stays. Otherwise the tree has the same elements and texts. Pages that need their
hydration data, or have shadow roots, are parsed as they are: see `columns`.

With markup, more is read: more attributes stay, unless their values are such that nobody reads, and scripts and style
sheets in the body may be in an element whose text is read. The long ones have a short name instead, and
`page_search` puts them into the tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..streams.utf8_pages import encoded
from .compiled_core import core
from .html_parser import limited
from .html_source import HtmlSource

# Pages of fewer characters are parsed as they are: many of them show so little that their hydration data is read.
MIN_CHARS = 10_000
# Pages of more tags are parsed as they are, too: they have little that is cut, and without text they would be parsed
# twice. No development page has fewer than 15 characters for each tag.
MIN_CHARS_PER_TAG = 12


class CondensedHtml(NamedTuple):
    """The HTML; at least as many attributes as `density.tag_counts` finds in the page, None if that is unknown; and the
    texts that are put back into its tree, which they must outlive, or None. *may_be_special* as in HtmlSource."""

    utf8: bytes
    num_attributes: int | None
    texts: Any = None
    may_be_special: bool = False


def condensed(
    source: HtmlSource, has_markup: bool = False, limited_html: str | bytes | None = None
) -> CondensedHtml | None:
    """The HTML of a page in short, with the bounds of `html_parser.limited`; None for a small page, for one of many
    tags, for one with lone surrogates, and without a compiled core. *limited_html* is what `limited` makes of the page,
    if that is known."""
    if source.utf8 is None or source.num_chars < max(MIN_CHARS, MIN_CHARS_PER_TAG * source.num_tags):
        return None
    if source.is_plain:
        utf8, num_attributes, texts = core().condense(source.utf8, source.num_tags, has_markup)
        return CondensedHtml(utf8, num_attributes if num_attributes >= 0 else None, texts, source.may_be_special)
    html = limited(source) if limited_html is None else limited_html
    utf8, _, texts = core().condense(encoded(html) if isinstance(html, str) else html, 0, has_markup)
    return CondensedHtml(utf8, None, texts, source.may_be_special or html is not source.utf8)
