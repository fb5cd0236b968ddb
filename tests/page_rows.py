"""Tables of pages, and the rows of their elements.

rows_of(page_of("<p>One<p>Two"), "p")    # [3, 5]
"""

from __future__ import annotations

from collections.abc import Container

from ncfilters.native.page_table import PageTable, table_of
from ncfilters.page.tree.html_parser import parse_html


def page_of(html: str) -> PageTable:
    """The table of a page."""
    return table_of(parse_html(html).root)


def rows_of(page: PageTable, *names: str) -> list[int]:
    """The rows of the elements with these names; of all without."""
    return [row for row in range(page.size) if page.tag[row] >= 0 and (not names or page.name_of(row) in names)]


def texts_in(page: PageTable, rows: Container[int]) -> list[str]:
    """The texts of those elements that are in *rows*."""
    return [page.text_below(row).strip() for row in rows_of(page) if row in rows]
