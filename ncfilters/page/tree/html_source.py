"""The HTML of a page before it is parsed, as text and as UTF-8, and what its tags make.

    source_of("<p>One &lt; <b>two</b>").num_tags    # 3

A page is encoded once: what limits it reads the UTF-8, and so does the parser.
"""

from __future__ import annotations

from functools import cached_property

from ...native.utf8 import encoded
from ...text.lazy_pattern import lazy_pattern
from .tag_counts import TagCounts, tag_counts

_SURROGATE = lazy_pattern("[\ud800-\udfff]")


class HtmlSource:
    """The HTML of a page, and the same in UTF-8. A lone surrogate is U+FFFD, as the parser reads it."""

    def __init__(self, text: str, utf8: bytes) -> None:
        self.text, self.utf8 = text, utf8

    @property
    def num_chars(self) -> int:
        """The number of characters."""
        return len(self.text)

    @property
    def num_tags(self) -> int:
        """The number of `<`."""
        return self.counts.tags

    @cached_property
    def counts(self) -> TagCounts:
        """What the tags make at most."""
        return tag_counts(self.utf8)

    def with_text(self, text: str) -> HtmlSource:
        """The source of the page after a change to its text, which may be none."""
        return self if text is self.text else HtmlSource(text, encoded(text))


def source_of(html: str | HtmlSource) -> HtmlSource:
    """The source of a page."""
    if isinstance(html, HtmlSource):
        return html
    try:
        return HtmlSource(html, encoded(html))
    except UnicodeEncodeError:
        return source_of(_SURROGATE.sub("\ufffd", html))


def source_of_utf8(utf8: bytes) -> HtmlSource:
    """The source of a page in valid UTF-8."""
    return HtmlSource(utf8.decode(), utf8)
