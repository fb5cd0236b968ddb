"""The HTML of a page before it is parsed, in UTF-8, and as text where that is needed.

source_of("<p>One").utf8    # b'<p>One'
"""

from __future__ import annotations

from functools import cached_property

from ...record import PageText
from ...text.lazy_pattern import lazy_pattern

_SURROGATE = lazy_pattern("[\ud800-\udfff]")


class HtmlSource:
    """The HTML of a page in UTF-8. A lone surrogate is U+FFFD, as the parser reads it."""

    def __init__(self, utf8: bytes, text: str | None = None) -> None:
        self.utf8 = utf8
        if text is not None:
            self.text = text

    @cached_property
    def text(self) -> str:
        """The page as text."""
        return self.utf8.decode()


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
