"""The HTML of a page before it is parsed, as text or as UTF-8, and what one pass over it finds.

    source_of("<p>One &lt; <b>two</b>").num_tags    # 3

Most pages need none of the changes that `html_parser` makes before it parses; these are parsed as they are, and a page
that is read as UTF-8 is never made a string.
"""

from __future__ import annotations

from typing import NamedTuple

from ..streams.utf8_pages import encoded
from . import broken_markup, deep_markup, limits
from .compiled_core import core

# What the scan compares with.
_LIMITS = (
    limits.MAX_TAG_CHARS // 2,
    broken_markup.MIN_TAGS,
    broken_markup.MAX_NESTED,
    broken_markup.RUN_LENGTH,
    broken_markup.MIN_COPIED,
    broken_markup.MAX_COPIES,
    broken_markup.MAX_EQUAL,
    deep_markup.MAX_DEPTH,
    *deep_markup.bounds(),
)


class HtmlSource(NamedTuple):
    """The HTML of a page; the number of its characters, and of `<` in it; whether its tree may have shadow roots, or
    frames that `<noscript>` ends in; and whether `html_parser.close_title` and `limits.limit_markup` surely leave it as
    it is.

    One of `given` and `utf8` may be missing."""

    given: str | None
    utf8: bytes | None
    num_chars: int
    num_tags: int
    may_be_special: bool
    is_plain: bool

    @property
    def text(self) -> str:
        """The HTML. Lone surrogates are as they were given."""
        return (self.utf8 or b"").decode() if self.given is None else self.given


def source_of(html: str | HtmlSource) -> HtmlSource:
    """The source of a page. Without a compiled core, and for HTML with lone surrogates, only the numbers are known.
    Raises RuntimeError as `compiled_core.core`."""
    if isinstance(html, HtmlSource):
        return html
    if core() is not None:
        try:
            return source_of_utf8(encoded(html), html)
        except UnicodeEncodeError:
            pass
    return HtmlSource(html, None, len(html), html.count("<"), True, False)


def source_of_utf8(utf8: bytes, given: str | None = None) -> HtmlSource:
    """The source of a page in valid UTF-8, whose text is *given*, if it is known. There must be a compiled core."""
    num_chars, num_tags, may_be_special, is_plain = core().scan(utf8, *_LIMITS)
    is_small = num_tags < limits.MIN_TAGS_TO_LIMIT
    return HtmlSource(given, utf8, num_chars, num_tags, may_be_special, is_plain and is_small)
