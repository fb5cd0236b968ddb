"""Names and days that only classes and the markup of forums tell."""

from __future__ import annotations

from ncfilters.page.metadata.bylines import day_of_post, read_bylines, read_poster
from ncfilters.page.metadata.page_elements import PageElements
from ncfilters.page.tree.survey import survey
from tests.page.metadata.test_page_elements import page_of


def bare(html: str) -> PageElements:
    """The elements of a page before one is read."""
    table = page_of(html)
    return PageElements(table, survey(table))


def test_bylines() -> None:
    out = bare(
        "<p class=entry-Byline>By Ann Lee</p><b class=author-name>Bob Ray</b><i class=authorized-dealer>Duck</i>"
    )
    assert read_bylines(out) and not read_bylines(bare("<p>By Ann Lee"))
    assert out.statements["byline"] == {
        "author": [("By Ann Lee", "class entry-Byline")],
        "name": [("Bob Ray", "class author-name")],
    }


def test_the_first_user_outside_of_the_header_posts() -> None:
    page = "<header><b class=username>me</b></header><input class=username><a class=username>@ann</a>"
    out = bare(page)
    read_poster(out)
    assert out.statements == {"byline": {"user": [("ann", "class username")]}}


def test_times_of_posts_that_scripts_show() -> None:
    for attributes, name in (
        ("created-timestamp='2024-03-04T05:06:07.0+0000'", "created-timestamp"),
        ("class=age title='2024-03-04T05:06:07 1709528767'", "title"),
        ("data-utime=1709528767", "data-utime"),
        ("class='relative-date' data-time=1709528767000", "data-time"),
    ):
        table = page_of(f"<i {attributes}>3 h</i><i class=age title='5 May 2020'>2 h</i>")
        assert day_of_post(table) == ("2024-03-04", name)
    assert day_of_post(page_of("<i class=age title=old>3 h</i>")) is None
    page = "<a class=hnuser>ann</a>"
    out = bare(page)
    read_poster(out)
    assert out.statements == {"byline": {"user": [("ann", "class hnuser")]}}
