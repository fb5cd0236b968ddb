"""The HTML of a page before it is parsed, as text and as UTF-8.

    source_of("<p>One &lt; <b>two</b>").num_tags    # 3

A page is encoded once: what limits it reads the UTF-8, and so does the parser.
"""

from __future__ import annotations

from typing import NamedTuple

from ..text.lazy_pattern import lazy_pattern

_SURROGATE = lazy_pattern("[\ud800-\udfff]")


class HtmlSource(NamedTuple):
    """The HTML of a page, and the same in UTF-8. A lone surrogate is U+FFFD, as the parser reads it."""

    text: str
    utf8: bytes

    @property
    def num_chars(self) -> int:
        """The number of characters."""
        return len(self.text)

    @property
    def num_tags(self) -> int:
        """The number of `<`."""
        return self.utf8.count(b"<")


def source_of(html: str | HtmlSource) -> HtmlSource:
    """The source of a page."""
    if isinstance(html, HtmlSource):
        return html
    try:
        return HtmlSource(html, html.encode())
    except UnicodeEncodeError:
        html = _SURROGATE.sub("\ufffd", html)
        return HtmlSource(html, html.encode())


def source_of_utf8(utf8: bytes) -> HtmlSource:
    """The source of a page in valid UTF-8."""
    return HtmlSource(utf8.decode(), utf8)
