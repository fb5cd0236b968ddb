"""Elements that say metadata."""

from __future__ import annotations

import random
from functools import partial

import pytest
from no_memory import failures_without_memory

from ncfilters.page.html_parser import parse_html
from ncfilters.page.metadata.page_sources import page_sources, page_sources_in_python
from ncfilters.page.metadata.visible_metadata import PageElements, day_of_post, names_apart, read_bylines, read_poster
from ncfilters.page.page_search import BYLINES, ELEMENTS, search_page
from ncfilters.page.present_selectors import Search
from ncfilters.page.survey import SURVEYED

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
    compiled = page_sources(search_page(tree)).elements
    assert compiled == page_sources_in_python(Search(tree)).elements
    assert compiled.statements.get("microdata", {}) == ({"author": [("Ann", "itemprop")]} if is_read else {})


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


NAMES = (
    "div span p article footer aside nav blockquote main a b time meta link h1 header section li svg template".split()
)
CLASSES = (
    "",
    " ",
    "byline",
    "Byline",
    "author",
    "post-author",
    "author-bio",
    "authorbox",
    "about-author",
    "AUTHOR vcard",
    "name",
    "x byline",
    "fn",
    "fnord",
    "authorized",
    "authori\u017fe",
    "comment-list",
    "related",
    "card",
    "vcard",
    "nav-x",
    "hentry tag",
    "entry-footer",
    "meta",
    "user_name",
    "sidebar-left",
    "\u0130author",
    "a\u00a0byline",
    "author ",
    "x\tauthor",
    "lin\u212a",
    "a b author",
    "elementor-widget",
    "updated",
    "\u2003",
    "ABOUT_THE_AUTHOR",
    "wp-author-card",
)
ATTRIBUTES = {
    "class": CLASSES,
    "id": ("", "author", "comments", "x", "\u00fcber-author"),
    "itemprop": (
        "author",
        "Creator",
        "x author",
        "headline datePublished",
        "dateModified\u00a0author",
        "name",
        "NAME",
        "",
        "http://schema.org:author",
        "\u212aauthor",
        "author author",
    ),
    "property": ("schema:author", "dc:creator", "foaf:name", "NAME", "datePublished", ""),
    "rel": (
        "author",
        "AUTHOR nofollow",
        "license",
        "me license",
        "canonical",
        "Canonical",
        "canonical x",
        "",
        "aut\u0131hor",
    ),
    "content": ("", " ", "2024-05-03", "Ann\n Lee", "x" * 2100, "\u2003"),
    "datetime": ("", "2024-05-03", "\u00a0"),
    "href": ("/", "./", "https://a.example/", "/x", "", " // b ", "//b.example"),
    "http-equiv": ("content-language", "refresh", ""),
    "itemtype": ("https://schema.org/Comment", "Answer", "Answer\n", "answer", "x"),
    "hidden": ("",),
}
TEXTS = (
    "Ann Lee",
    " By  Bob\nOde ",
    "3 May 2024",
    "updated 2024",
    "modif\u0131ed",
    "",
    " ",
    "\u00a0",
    "Rain &amp;amp; snow",
    "#",
    "\u00b6 Rain #",
    "x" * 190,
    "x y " * 100,
    "x" * 1700,
    "It rained It rained",
    "Rain on us Rain on us Rain on us",
    "a b c a b d",
    "edit&#0;ed",
    "\u5c0f\u96e8",
    "&lt;b>",
    "<!-- x -->",
    "<br>",
    "<button>Share</button>",
    "2024",
)


def random_page(rng: random.Random, count: int) -> str:
    """Markup that says metadata, right or wrong."""
    out = [rng.choice(("", "<title>It rained - Ann Lee</title>", "<title>x</title>"))]
    for _ in range(count):
        name = rng.choice(NAMES)
        own = rng.sample(sorted(ATTRIBUTES), rng.randrange(5))
        attributes = "".join(
            f" {key}" + (f'="{rng.choice(ATTRIBUTES[key])}"' if rng.random() < 0.95 else "") for key in own
        )
        out.append(f"<{name}{attributes}>{rng.choice(TEXTS)}")
        out += [f"</{rng.choice(NAMES)}>"] * rng.randrange(3)
    return "".join(out)


@pytest.mark.parametrize("seed", range(6))
def test_the_core_reads_as_python_does(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(400):
        tree = parse_html(random_page(rng, rng.choice((3, 10, 40))))
        (_, compiled, said), (_, reference, expected) = (
            page_sources(search_page(tree)),
            page_sources_in_python(Search(tree)),
        )
        assert (compiled, said) == (reference, expected)
        for out, search in ((compiled, search_page(tree)), (reference, Search(tree))):
            read_bylines(out, search)
        assert compiled == reference


def test_many_elements_as_python_reads_them() -> None:
    for repeated in (
        "<h1>Rain</h1>",
        "<h1 itemprop=headline>Rain</h1>",
        "<a rel=author class=author>A{}</a>",
        "<i itemprop='author x:creator' class=byline>B{}</i>",
        "<div itemprop=author>",
        "<time>{} May 2024",
        "<p class='author byline'>By Ann {}",
    ):
        tree = parse_html("".join(repeated.format(number) for number in range(500)))
        compiled = page_sources(search_page(tree)).elements
        reference = page_sources_in_python(Search(tree)).elements
        read_bylines(compiled, search_page(tree))
        read_bylines(reference, Search(tree))
        assert compiled == reference


PAGE_OF_MANY = """<title>It rained - Gazette</title><h1>It rained <a href=/>Log</a></h1><h1 class=menu>a b a b</h1>
<link rel=canonical href=/x><link rel=license href=y><meta http-equiv=content-language content=en><footer class=x>
<i class=byline>By Bo</i></footer><div class="elementor-widget nav">
<p class="post-author name" itemprop="author headline">Ann <b itemprop=name>Lee</b></p>
<time class=updated datetime=2024-05-03>x</time><a rel=author class=author>\u00e9 Ann 2024</a></div>
<meta itemprop=author content=Ann><meta name=author content=Ann><meta property=og:title content="It rained">
<script type=application/ld+json>[{"@type": "Article", "name": "Rain\\n", "author": [{"name": "Ann"}], "x": 1}]</script>
<p class="authorbox card">z</p><p class=byline>By Ann</p>"""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of generators that are closed
def test_without_memory_there_is_an_error_and_no_other_result() -> None:
    search = search_page(parse_html(PAGE_OF_MANY))
    elements, bylines = search.compiled(ELEMENTS), search.compiled(BYLINES)
    if elements is None or bylines is None:
        pytest.skip("no compiled core here: python setup.py build_ext --inplace")
    read_bylines(page_sources(search).elements, search)
    surveyed = search.compiled(SURVEYED)
    assert surveyed is not None
    core, found, wanted = elements
    for read, masks in ((core.page_sources, (surveyed[2], wanted)), (core.bylines, bylines[2:])):
        assert failures_without_memory(partial(read, found, *masks), 300) > 10
