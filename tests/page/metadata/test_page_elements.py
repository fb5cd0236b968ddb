"""Elements of a page that say its metadata: classes, bylines, lists of other pages."""

from __future__ import annotations

import pytest
from page_rows import page_of

from ncfilters.page.metadata.page_elements import PageElements, first_post, is_foreign_name, page_elements, read_bylines
from ncfilters.page.tree.survey import survey

PAGE = """<html lang=en-GB><title>Rain</title><svg><title>Close</title></svg><link rel=canonical href=/rain>
<meta name=Author content=Ann><meta itemprop=datePublished content=2024-05-03><body><header><h1>It <i>r</i>ained¶</h1>
<h1>Puddle<br>Post</h1><div class="entry-byline">By <a rel=author href=/ann>Ann Lee</a></div><time>3 May 2024</time>
<time class=updated datetime=2024-05-04>yesterday</time></header>
<span itemprop=author itemscope><span itemprop=name>Ann B. Lee</span> of Saltmarsh</span>
<div id=comments><p class=author>A troll</p><time datetime=2025-01-01></time></div>
<aside><a rel=author>Bob</a></aside><a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC</a>"""


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
    assert said.said.by_source["microdata"]["author"] == [("Ann B. Lee", "itemprop")]
    assert said.said.by_source["microdata"]["date"] == [("2024-05-03", "itemprop")]
    assert said.said.by_source["rel-author"]["author"] == [("Ann Lee", "rel=author")]
    assert said.said.by_source["time"] == {"date": [("3 May 2024", "time")], "modified": [("2024-05-04", "time")]}
    assert said.said.by_source["byline"] == {"author": [("By Ann Lee", "class entry-byline")]}
    assert said.said.by_source["microdata"]["license"][0][0].endswith("/by/4.0/")


def test_empty_pages_have_no_elements_and_long_ones_a_few() -> None:
    assert elements("").said.by_source == {}
    assert elements("<frameset><frame src=a></frameset>").headings == []
    said = elements("<p class=author>By Ann</p>" * 5000 + "<h1>Rain</h1>" * 500)
    assert len(said.said.by_source["byline"]["name"]) <= 40 and len(said.headings) <= 40


@pytest.mark.parametrize(("more", "is_read"), [(1597, True), (1598, False), (2000, False)])
def test_elements_of_many_nodes_name_nobody(more: int, is_read: bool) -> None:
    found = elements("<i itemprop=author>Ann<!-- -->" + "<b></b>" * more)
    assert found.said.by_source.get("microdata", {}) == ({"author": [("Ann", "itemprop")]} if is_read else {})


def test_which_headings_are_of_the_page() -> None:
    for href in ("/", "./", "https://a.example/", "//a.example"):
        said = elements(f"<h1><a href={href}>The Log</a></h1><h1><a href=/x>Rain</a></h1>")
        assert (said.site_names, said.headings) == (["The Log"], ["Rain"])
    assert elements("<h1>Rain &amp;#x26; snow & hail</h1>").headings == ["Rain & snow & hail"]
    other = "<div class=widget><h1>Where to hail</h1></div>"
    assert elements(f"<h1>Where to rain</h1>{other}").headings == ["Where to rain"]
    assert elements(other).headings == ["Where to hail"]
    menu = "<div id=menu-bar><h1>The Book of Rain</h1></div>"
    assert elements(f"<title>Drops - The Book of Rain</title>{menu}<h2>Drops</h2>").headings == []
    assert elements(f"<title>Drops - The Book of Rain</title>{menu}<h2>Drops</h2>").site_names == ["The Book of Rain"]
    assert elements(f"<title>The Book of Rain</title>{menu}").headings == ["The Book of Rain"]
    assert elements("<h1>Rain, rain</h1>").headings == ["Rain, rain"]


def test_the_text_of_a_heading_is_without_buttons_and_labels() -> None:
    label = "<span class='label label--red'>News</span><span>&nbsp;</span>"
    for html, headings, sites in (
        ("<h1>Rain<br>again <a href=/>Log</a></h1>", [], ["Rain again Log"]),
        ("<h1><svg><a xlink:href=/x>A</a></svg><a href=/>Log</a></h1>", ["ALog"], []),
        ("<h1>Crate <a href=/x>tokio</a><button>Copy item <b>path</b></button>!</h1>", ["Crate tokio!"], []),
        (f"<h1>{label}Rain<i class='ltx_note ltx_thanks'>Thanks</i></h1>", ["Rain"], []),
    ):
        found = elements(html)
        assert (found.headings, found.site_names) == (headings, sites)


def test_elements_around_tell_what_is_foreign() -> None:
    page = "<div class=related><p><b>a</b></div><div itemtype=x/Comment><i>b</i></div><main class=menu><u>c"
    found = elements(page)
    rows = {found.table.name_of(row): row for row in range(found.table.size) if found.table.tag[row] >= 0}
    assert {name: found.is_foreign(rows[name]) for name in "biu"} == {"b": True, "i": True, "u": False}


def bare(html: str) -> PageElements:
    """The elements of a page before one is read."""
    table = page_of(html)
    return PageElements(table, survey(table))


def test_bylines_by_their_classes() -> None:
    out = bare(
        "<p class=entry-Byline>By Ann Lee</p><b class=author-name>Bob Ray</b><i class=authorized-dealer>Duck</i>"
    )
    assert read_bylines(out) and not read_bylines(bare("<p>By Ann Lee"))
    assert out.said.by_source["byline"] == {
        "author": [("By Ann Lee", "class entry-Byline")],
        "name": [("Bob Ray", "class author-name")],
    }


def test_the_first_post_of_forums_whose_posts_have_no_elements() -> None:
    for html, post in (
        ("<b class=username>ann</b><a class=hnuser>bob</a>", {"author": "ann"}),
        ("<a class=author>@ann</a><b class=author>bob</b>", {"author": "ann"}),
        ("<i created-timestamp='2024-03-04T05:06:07.0+0000'>3 h</i>", {"date": "2024-03-04"}),
        ("<i data-utime=1709528767>3 h</i><i data-utime=1700000000>4 h</i>", {"date": "2024-03-04"}),
        ("<i class=relative-date data-time=1709528767000>3 h</i>", {"date": "2024-03-04"}),
        ("<i data-time=old>3 h</i>", {}),
    ):
        assert first_post(page_of(html)) == post


def statements(html: str) -> dict[str, dict[str, list[tuple[str, str]]]]:
    return elements(html).said.by_source


def test_names_of_classes() -> None:
    assert is_foreign_name("author-bio") and not is_foreign_name("author-bio", is_name=True)
    assert is_foreign_name("author-bio related", is_name=True)
    for text, field in (
        ("Updated: 3 May 2024", "modified"),
        ("обновлено 3 мая 2024", "modified"),
        ("3 May 2024", "date"),
    ):
        assert statements(f"<time>{text}</time>")["time"] == {field: [(text, "time")]}


FOREIGN = (
    "comment reply replies respond Response disqus related recommended left-sidebar my-widget trending popular TEASER "
    "page-footer more-posts read-next readnext also-like alsolike newsletter promo carousel latest testimonial quotes "
    "card cards card-deck cardlist listing subnav-nav menu forumlist forum-list review-box kommentar-reply\u00e9"
)


def test_elements_in_what_is_not_of_the_page_do_not_count() -> None:
    for name in FOREIGN.split():
        for attribute in ("class", "id"):
            assert statements(f"<div {attribute}='{name}'><p class=author>Ann Lee</p></div>") == {}, name
    for name in ("vcard", "newsletter-post", "has-sidebar", "hentry related", "article", "promoted", "author-box"):
        assert statements(f"<div class='{name}'><p class=author>Ann Lee</p></div>"), name
    assert statements("<div class=author-bio><p class=meta-author-x>Ann Lee</p></div>") == {}


def test_elements_whose_names_sound_foreign_or_like_authors() -> None:
    html = (
        "<a class=authorized-dealer>Duck Dealer</a><a class=AuthoriserName>Bob Ray</a><i class=author-name>Ann Lee</i>"
    )
    assert statements(html) == {"byline": {"name": [("Ann Lee", "class author-name")]}}
    for name in ("MessageCard js-card-x", "p-body-main--withSidebar"):
        day = f"<div class='{name.split()[0]}'><time>3 May 2024</time></div>"
        assert statements(day)["time"] == {"date": [("3 May 2024", "time")]}
    footer = "<footer class=article-footer-wrap><div class=article-footer><time>3 May 2024</time></div></footer>"
    assert statements(footer)["time"] == {"date": [("3 May 2024", "time")]}
    assert statements("<div class=card><time>3 May 2024</time></div>") == {}
    assert statements("<div class=page-footer><time>3 May 2024</time></div>") == {}
