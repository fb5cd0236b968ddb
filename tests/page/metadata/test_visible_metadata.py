"""Elements that say metadata."""

from __future__ import annotations

import pytest

from ncfilters.page.html_parser import parse_html
from ncfilters.page.metadata.page_sources import page_sources
from ncfilters.page.metadata.visible_metadata import PageElements, day_of_post, names_apart, read_bylines, read_poster
from ncfilters.page.page_search import search_page

PAGE = """<html lang=en-GB><title>Rain</title><svg><title>Close</title></svg><link rel=canonical href=/rain>
<meta name=Author content=Ann><meta itemprop=datePublished content=2024-05-03><body><header><h1>It <i>r</i>ained¶</h1>
<h1>Puddle<br>Post</h1><div class="entry-byline">By <a rel=author href=/ann>Ann Lee</a></div><time>3 May 2024</time>
<time class=updated datetime=2024-05-04>yesterday</time></header>
<span itemprop=author itemscope><span itemprop=name>Ann B. Lee</span> of Saltmarsh</span>
<div id=comments><p class=author>A troll</p><time datetime=2025-01-01></time></div>
<aside><a rel=author>Bob</a></aside><a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC</a>"""


def elements(html: str) -> PageElements:
    search = search_page(parse_html(html))
    out = page_sources(search).elements
    read_bylines(out, search)
    return out


def test_elements_of_a_page() -> None:
    said = elements(PAGE)
    assert (said.language, said.window_title, said.canonical) == ("en-GB", "Rain", "/rain")
    assert said.headings == ["It rained", "Puddle Post"]
    assert said.statements["meta"]["author"] == [("Ann", "meta author")]
    assert said.statements["microdata"]["author"] == [("Ann B. Lee", "itemprop")]
    assert said.statements["microdata"]["date"] == [("2024-05-03", "itemprop")]
    assert said.statements["rel-author"]["author"] == [("Ann Lee", "rel=author")]
    assert said.statements["time"] == {"date": [("3 May 2024", "time")], "modified": [("2024-05-04", "time")]}
    assert said.statements["byline"] == {"author": [("By Ann Lee", "class entry-byline")]}
    assert said.statements["microdata"]["license"][0][0].endswith("/by/4.0/")


def test_empty_pages() -> None:
    assert elements("").statements == {}
    assert elements("<frameset><frame src=a></frameset>").headings == []


@pytest.mark.parametrize(("more", "is_read"), [(1597, True), (1598, True), (1599, False), (2000, False)])
def test_elements_of_many_nodes_name_nobody(more: int, is_read: bool) -> None:
    tree = parse_html("<i itemprop=author>Ann<!-- -->" + "<b></b>" * more)
    found = page_sources(search_page(tree)).elements
    assert found.statements.get("microdata", {}) == ({"author": [("Ann", "itemprop")]} if is_read else {})


def test_elements_are_bounded() -> None:
    said = elements("<p class=author>By Ann</p>" * 5000 + "<h1>Rain</h1>" * 500)
    assert len(said.statements["byline"]["name"]) <= 40 and len(said.headings) <= 40


def test_headings_that_lead_to_the_front_page_are_names_of_sites() -> None:
    for href in ("/", "./", "https://a.example/", "//a.example"):
        said = elements(f"<h1><a href={href}>The Log</a></h1><h1><a href=/x>Rain</a></h1>")
        assert (said.site_names, said.headings) == (["The Log"], ["Rain"])


def test_the_first_user_outside_of_the_header_posts() -> None:
    page = "<header><b class=username>me</b></header><input class=username><a class=username>@ann</a>"
    out = PageElements()
    read_poster(out, search_page(parse_html(page)))
    assert out.statements == {"byline": {"user": [("ann", "class username")]}}


def test_times_of_posts_that_scripts_show() -> None:
    for attributes, name in (
        ("created-timestamp='2024-03-04T05:06:07.0+0000'", "created-timestamp"),
        ("class=age title='2024-03-04T05:06:07 1709528767'", "title"),
        ("data-utime=1709528767", "data-utime"),
        ("class='relative-date' data-time=1709528767000", "data-time"),
    ):
        page = search_page(parse_html(f"<i {attributes}>3 h</i><i class=age title='5 May 2020'>2 h</i>"))
        assert day_of_post(page) == ("2024-03-04", name)
    assert day_of_post(search_page(parse_html("<i class=age title=old>3 h</i>"))) is None
    page = "<a class=hnuser>ann</a>"
    out = PageElements()
    read_poster(out, search_page(parse_html(page)))
    assert out.statements == {"byline": {"user": [("ann", "class hnuser")]}}


def test_names_in_elements_and_lines_of_their_own() -> None:
    for byline, names in (
        ("By <b>Ann Lee</b> <b>Bob Ray</b>", ["Ann Lee", "Bob Ray"]),
        ("By Ann Lee<br>Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("By Ann Lee Bob Ray", ["Ann Lee Bob Ray"]),
        ("<b>Ann Lee Bob</b> <b>Ray</b>", ["Ann Lee Bob Ray"]),
    ):
        page = search_page(parse_html(f"<p class=byline>Duck</p><p class=byline>{byline}</p>"))
        assert names_apart(page, "Ann Lee Bob Ray") == names
    page = search_page(parse_html("<p class=author><b>Ann Lee</b> <b>Rain Marketing</b>"))
    assert names_apart(page, "Ann Lee Rain Marketing") == ["Ann Lee Rain Marketing"]


def test_headings_that_are_escaped_twice() -> None:
    assert elements("<h1>Rain &amp;#x26; snow & hail</h1>").headings == ["Rain & snow & hail"]


def test_headings_of_other_pages_and_of_the_menu() -> None:
    other = "<div class=widget><h1>Where to hail</h1></div>"
    assert elements(f"<h1>Where to rain</h1>{other}").headings == ["Where to rain"]
    assert elements(other).headings == ["Where to hail"]
    menu = "<div id=menu-bar><h1>The Book of Rain</h1></div>"
    assert elements(f"<title>Drops - The Book of Rain</title>{menu}<h2>Drops</h2>").headings == []
    assert elements(f"<title>Drops - The Book of Rain</title>{menu}<h2>Drops</h2>").site_names == ["The Book of Rain"]
    assert elements(f"<title>The Book of Rain</title>{menu}").headings == ["The Book of Rain"]


def test_a_heading_for_each_width_of_the_window_is_one() -> None:
    assert elements("<h1><span>It rained</span> <span>It rained</span> <span>It rained</span></h1>").headings == [
        "It rained"
    ]
    assert elements("<h1>Rain, rain</h1>").headings == ["Rain, rain"]
    assert elements("<h1>Rain all day Rain all day</h1>").headings == ["Rain all day"]
    assert elements("<h1>New York New York</h1>").headings == ["New York New York"]
