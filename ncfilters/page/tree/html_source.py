"""The HTML of a page before it is parsed, as text and as UTF-8, and what its tags make.

    source_of("<p>One &lt; <b>two</b>").num_tags    # 3

What limits a page reads the UTF-8, and so does the parser: the text of most pages is never made.
"""

from __future__ import annotations

from functools import cached_property

from ...native.utf8 import char_places
from ...record import PageText
from ...text.lazy_pattern import lazy_pattern
from .tag_counts import TagCounts, tag_counts

# Half the characters of a long tag (see `limits`).
PLACES = 15_000
_SURROGATE = lazy_pattern("[\ud800-\udfff]")


class HtmlSource:
    """The HTML of a page, and the same in UTF-8. A lone surrogate is U+FFFD, as the parser reads it."""

    def __init__(self, utf8: bytes, text: str | None = None) -> None:
        self.utf8 = utf8
        if text is not None:
            self.text = text

    @cached_property
    def text(self) -> str:
        """The page as text."""
        return self.utf8.decode()

    @cached_property
    def places(self) -> tuple[int, list[int]]:
        """The number of characters; and where in the UTF-8 every PLACES of them begin."""
        return char_places(self.utf8, PLACES)

    @property
    def num_chars(self) -> int:
        """The number of characters."""
        return self.places[0]

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
        return self if text is self.text else HtmlSource(text.encode(), text)

    def with_utf8(self, utf8: bytes) -> HtmlSource:
        """The source of the page after a change to its UTF-8, which may be none."""
        return self if utf8 is self.utf8 else HtmlSource(utf8)


def source_of(html: str | PageText | HtmlSource) -> HtmlSource:
    """The source of a page."""
    if isinstance(html, HtmlSource):
        return html
    if isinstance(html, PageText):
        return HtmlSource(html.utf8)
    try:
        return HtmlSource(html.encode(), html)
    except UnicodeEncodeError:
        return source_of(_SURROGATE.sub("\ufffd", html))
