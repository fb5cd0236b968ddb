"""Markdown as a page: what readers of the form markdown see.

markdown_page("# Rain", "")    # …<h1>Rain</h1>…
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .page_view import page_html, page_parts

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def markdown_page(markdown: str, stylesheet: str) -> str:
    """A page with the text, without links, images and HTML of its own (see `page_view`)."""
    html = _renderer().render(markdown)
    parts = page_parts(f'<body class="nc-rendered">{html}</body>', [])
    return page_html(parts, stylesheet, "Text")


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt  # of the extra web

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
