"""The items that a page lists."""

from __future__ import annotations

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page.metadata.bylines import read_bylines
from ncfilters.page.metadata.page_elements import page_elements
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.page.tree.survey import survey

BYLINE = "<p class=entry-byline>By Ann Lee</p><time>3 May 2024</time>"
THING, PERSON = "<li itemscope itemtype=https://schema.org/Book>", "<li itemscope itemtype=https://schema.org/Person>"


@pytest.mark.parametrize(
    ("item", "count", "is_read"),
    [
        ("<li><h3><a href=/{0}>Rain {0}</a></h3>", 3, False),
        ("<li><a href=/{0}><h3>Rain {0}</h3></a>", 3, False),
        ("<li><h3><a href=/{0}>Rain {0}</a></h3>", 2, True),
        ("<li><h3>Rain {0}</h3><a href=/{0}>more</a>", 3, True),
        ("<li><h3><a href=/rain#{0}>Re: Rain</a></h3>", 3, True),  # a thread
        ("<li><h3><a href=/news>News</a></h3><h1>Rain {0}</h1>", 3, True),  # the next articles
        ("<li class=a{0}><h3><a href=/{0}>Rain {0}</a></h3>", 3, True),
        (THING, 3, False),
        (PERSON, 3, True),
    ],
)
def test_authors_and_days_of_the_items_of_a_list_are_not_those_of_the_page(
    item: str, count: int, is_read: bool
) -> None:
    page = "<h2>Rain</h2><ul>" + "".join(item.format(number) + BYLINE for number in range(count)) + "</ul>"
    table = table_of(parse_html(page).root)
    found = page_elements(table, survey(table))
    read_bylines(found)
    said = {"time": {"date": [("3 May 2024", "time")]}, "byline": {"author": [("By Ann Lee", "class entry-byline")]}}
    assert found.statements == (said if is_read else {})
