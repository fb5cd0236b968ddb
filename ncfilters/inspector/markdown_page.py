"""Markdown as a page: what readers of the form markdown see.

markdown_page("# Rain", "")    # …<h1>Rain</h1>…
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import TYPE_CHECKING

from ..record import Record
from .analysis import Analysis
from .page_view import page_html, page_parts
from .settings import Settings

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def rendered(analysis: Analysis, key: Hashable, record: Record, settings: Settings, stylesheet: str) -> str:
    """The page with the Markdown of a document. Raises RecordError and UsageError."""
    return markdown_page(analysis.result(key, record, settings)["text"], stylesheet)


def markdown_page(markdown: str, stylesheet: str) -> str:
    """A page with the text, without links, images and HTML of its own (see `page_view`)."""
    html = _renderer().render(markdown)
    parts = page_parts(f'<body class="nc-rendered">{html}</body>', [])
    return page_html(parts, stylesheet, "Text")


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt  # of the extra web

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
