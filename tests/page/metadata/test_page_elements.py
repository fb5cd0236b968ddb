"""Elements of a page that say its metadata."""

from __future__ import annotations

import pytest

from ncfilters.native.page_table import PageTable, table_of
from ncfilters.page.metadata.bylines import read_bylines
from ncfilters.page.metadata.page_elements import PageElements, page_elements, read_heading
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.page.tree.survey import survey

PAGE = """<html lang=en-GB><title>Rain</title><svg><title>Close</title></svg><link rel=canonical href=/rain>
<meta name=Author content=Ann><meta itemprop=datePublished content=2024-05-03><body><header><h1>It <i>r</i>ained¶</h1>
<h1>Puddle<br>Post</h1><div class="entry-byline">By <a rel=author href=/ann>Ann Lee</a></div><time>3 May 2024</time>
<time class=updated datetime=2024-05-04>yesterday</time></header>
<span itemprop=author itemscope><span itemprop=name>Ann B. Lee</span> of Saltmarsh</span>
<div id=comments><p class=author>A troll</p><time datetime=2025-01-01></time></div>
<aside><a rel=author>Bob</a></aside><a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC</a>"""


def page_of(html: str) -> PageTable:
    """The table of a page."""
    return table_of(parse_html(html).root)


def elements(html: str) -> PageElements:
    """The elements of a page, with its bylines."""
    table = page_of(html)
    out = page_elements(table, survey(table))
    read_bylines(out)
    return out


def test_elements_of_a_page() -> None:
    said = elements(PAGE)
    assert (said.language, said.window_title, said.canonical) == ("en-GB", "Rain", "/rain")
    assert said.headings == ["It rained", "Puddle Post"]
    assert said.tags == [("Author", "Ann")]
    assert said.statements["microdata"]["author"] == [("Ann B. Lee", "itemprop")]
    assert said.statements["microdata"]["date"] == [("2024-05-03", "itemprop")]
    assert said.statements["rel-author"]["author"] == [("Ann Lee", "rel=author")]
    assert said.statements["time"] == {"date": [("3 May 2024", "time")], "modified": [("2024-05-04", "time")]}
    assert said.statements["byline"] == {"author": [("By Ann Lee", "class entry-byline")]}
    assert said.statements["microdata"]["license"][0][0].endswith("/by/4.0/")


def test_empty_pages() -> None:
    assert elements("").statements == {}
    assert elements("<frameset><frame src=a></frameset>").headings == []


@pytest.mark.parametrize(("more", "is_read"), [(1597, True), (1598, False), (2000, False)])
def test_elements_of_many_nodes_name_nobody(more: int, is_read: bool) -> None:
    found = elements("<i itemprop=author>Ann<!-- -->" + "<b></b>" * more)
    assert found.statements.get("microdata", {}) == ({"author": [("Ann", "itemprop")]} if is_read else {})


def test_elements_are_bounded() -> None:
    said = elements("<p class=author>By Ann</p>" * 5000 + "<h1>Rain</h1>" * 500)
    assert len(said.statements["byline"]["name"]) <= 40 and len(said.headings) <= 40


def test_headings_that_lead_to_the_front_page_are_names_of_sites() -> None:
    for href in ("/", "./", "https://a.example/", "//a.example"):
        said = elements(f"<h1><a href={href}>The Log</a></h1><h1><a href=/x>Rain</a></h1>")
        assert (said.site_names, said.headings) == (["The Log"], ["Rain"])


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


def heading(html: str) -> tuple[str, str | None]:
    """What is read of the first h1 of a page."""
    table = page_of(html)
    return read_heading(table, next(row for row in range(table.size) if table.name_of(row) == "h1"))


def test_a_heading() -> None:
    assert heading("<h1>Rain<br>again <a href=/>Log</a></h1>") == ("Rain again  Log", "/")
    assert heading("<h1><svg><a xlink:href=/x>A</a></svg><a href=/>Log</a></h1>") == ("ALog", None)


def test_buttons_are_no_text_of_headings() -> None:
    page = "<h1>Crate <a href=/>tokio</a><button>Copy item <b>path</b></button>!</h1>"
    assert heading(page) == ("Crate tokio!", "/")


def test_labels_of_threads_and_notes_are_no_text_of_headings() -> None:
    label = "<span class='label label--red'>News</span><span>&nbsp;</span>"
    assert heading(f"<h1>{label}Rain<i class='ltx_note ltx_thanks'>Thanks</i></h1>")[0].strip() == "Rain"


def test_elements_around_tell_what_is_foreign() -> None:
    page = "<div class=related><p><b>a</b></div><div itemtype=x/Comment><i>b</i></div><main class=menu><u>c"
    found = elements(page)
    rows = {found.table.name_of(row): row for row in range(found.table.size) if found.table.tag[row] >= 0}
    assert {name: found.is_foreign(rows[name]) for name in "biu"} == {"b": True, "i": True, "u": False}


@pytest.mark.parametrize(("depth", "is_foreign"), [(22, True), (23, True), (24, False)])
def test_ancestors_are_bounded(depth: int, is_foreign: bool) -> None:
    found = elements("<nav>" + "<i>" * depth + "<b>a</b><b>b")
    rows = [row for row in range(found.table.size) if found.table.tag[row] >= 0 and found.table.name_of(row) == "b"]
    assert [found.is_foreign(row) for row in rows] == [is_foreign] * 2
