"""The blocks of a page with markup, and of the pages in it."""

from __future__ import annotations

from ncfilters.page.html_parser import parse_html
from ncfilters.page.markup.markup_reader import MarkupReader
from ncfilters.page.markup.page_links import PageLinks


def test_items_of_all_pages_in_a_page_are_numbered() -> None:
    reader = MarkupReader(PageLinks())
    numbers = [block["item"] for _ in range(2) for block in reader(parse_html("<ul><li>a<li>b</ul>"))]
    assert numbers == [1, 2, 3, 4]
