"""Images, figures and their captions."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.page.markup.images import image_of
from ncfilters.page.markup.markup_reader import MarkupReader
from ncfilters.page.markup.page_links import PageLinks
from ncfilters.page.tree.html_parser import parse_html

BLANK = "src='data:image/gif;base64,R0lGOD'"


def source_of(html: str) -> str | None:
    page = page_of(html)
    image = image_of(page, rows_of(page, "img")[0], PageLinks("http://a.example/"))
    return image["src"].removeprefix("http://a.example/") if image else None


@pytest.mark.parametrize(("html", "src"), [
    ("<img src=a.jpg>", "a.jpg"), (f"<img {BLANK} data-src=a.jpg>", "a.jpg"),
    ("<img src=small.jpg data-original=large.jpg>", "large.jpg"),
    ("<img src=small.jpg data-large-file=large.jpg data-src=true>", "small.jpg"),
    (f"<img {BLANK} data-large-file=large.jpg>", "large.jpg"), ("<img class=wp-smiley src=smile.png>", None),
    ("<img src=/favicon.ico>", None), ("<img class='user avatar' src=a.jpg>", None),
    ("<img src=https://secure.gravatar.com/avatar/0a?s=60>", None), ("<img src=/data/avatars/m/1/1.jpg>", None),
    ("<img class='icon-copycode' src=copy.svg>", None), ("<img src=copy.svg onclick='copy()'>", None),
    ("<img class='silicone icon_x' src=a.jpg onclick='zoom()' alt=A>", "a.jpg"),
    ("<img src=avatar-the-film.jpg>", "avatar-the-film.jpg"), ("<img src=/cgi-bin/Count.cgi?x>", None),
    ("<img src=/img/spacer.gif data-lazy-src=a.jpg>", "a.jpg"), ("<img data-src=/img/blank.gif src=a.jpg>", "a.jpg"),
    ("<img src=/lazy-load/images/1x1.trans.gif data-src=a.jpg>", "a.jpg"),
    (f"<img {BLANK} srcset='a.jpg 320w, b.jpg 1024w, c.jpg 640w'>", "b.jpg"),
    (f"<img {BLANK} srcset='a.jpg, b.jpg 2x'>", "b.jpg"), ("<img src=a.jpg srcset='a.jpg 40w, b.jpg 1280w'>", "b.jpg"),
    ("<img src=a.jpg srcset='a.jpg 400w, b.jpg 1280w'>", "a.jpg"),
    (f"<img {BLANK} srcset='a.jpg 1x,b,c.jpg 1.5x'>", "b,c.jpg"),
    (f"<img {BLANK} data-srcset='w_2,h_3/a.jpg 2x,'>", "w_2,h_3/a.jpg"),
    (f"<picture><source srcset='a.webp 1x'><!-- --><img {BLANK}></picture>", "a.webp"),
    ("<picture><source data-srcset='a.webp'>\n<img></picture>", "a.webp"),
    ("<picture><source srcset=a.webp><img src=a.jpg></picture>", "a.jpg"), (f"<img {BLANK}>", None), ("<img>", None),
    ("<img src=''>", None), ("<img src=spacer.gif>", None), ("<img src=img/transparent.png?x>", None),
    ("<img src=count width=1 height=1>", None), ("<img src=line.gif height='1px'>", None),
    ("<img src=wide.jpg width=100% height=auto>", "wide.jpg"), ("<img src=//pixel.example/t.gif>", None),
    ("<img src=https://sb.scorecardresearch.com/p?c1=2&cj=1>", None),
    ("<img src=//c12.statcounter.com/counter.php?sc_project=1>", None), ("<img src=//mc.yandex.ru/watch/1>", None),
    ("<img src=//a.example/piwik.php?idsite=1>", None),
    ("<img src=/how-statcounter.com/works.jpg>", "how-statcounter.com/works.jpg"),
    ("<img src=/pub/viewrequest style='width:1px; height:1px'>", None), ("<img src=a.jpg style='height: 3px;'>", None),
    ("<img src=flag.png width=24 height=18>", None), ("<img src=logo.png width=40 height=35>", None),
    ("<img src=formula.png width=140 height=35>", "formula.png"), ("<img src=a.jpg width=49 height=49>", "a.jpg"),
    ("<img src=a.jpg width=16 height=9 layout=responsive>", "a.jpg"), ("<img src=quote.svg?x alt=''>", None),
    ("<img src=chart.svg alt=Chart>", "chart.svg"), ("<img src=chart.svg alt='' width=600>", "chart.svg"),
    ("<div class=MuiAvatar-root><img src=a.jpg></div>", None),
    ("<a class='ipsUserPhoto ipsUserPhoto_large'><img src=a.jpg></a>", None),
    ("<img class='pane_badge--rank' src=member.png>", None), ("<img src=/forum/ranks/member.png>", None),
    ("<img src=/uploads/reactions/like.png>", None),
    ("<img src=a.jpg style='max-width:1px;border-width: 1px;width:100px'>", "a.jpg"),
    ("<img src=a.jpg alt=Arrow>", None), ("<img src=/static/icons/search.f1.svg?x>", None),
    ("<img src=play-icon.svg>", None), ("<img src=Facebook-icon2.gif>", None), ("<img src=rss_16.png>", None),
    ("<img src=photo_1916.png>", "photo_1916.png"), ("<img src=//ads.example/adx/b.gif>", None),
    ("<img src=silicon.svg>", "silicon.svg"), ("<img src=icon-of-1400.jpg>", "icon-of-1400.jpg"),
    ("<img src=loading-dock.jpg>", "loading-dock.jpg"), ("<img src=blanket.jpg>", "blanket.jpg"),
])  # fmt: skip
def test_sources(html: str, src: str | None) -> None:
    assert source_of(html) == src


def test_alternative_text() -> None:
    for alt, expected in (
        (" A\n cat ", "A cat"),
        ("Food &amp;amp; drink", "Food & drink"),
        ("AT&T", "AT&T"),
        ("<p>A <a href=b>cat</a><br />&lt;b>sleeps</p>", "A cat sleeps"),
        ("The <picture> of 1<2", "The <picture> of 1<2"),
    ):
        page = page_of(f"<img src=a alt='{alt}'>")
        assert image_of(page, rows_of(page, "img")[0], PageLinks()) == {"src": "a", "alt": expected}


def test_time_for_long_sets_is_linear() -> None:
    assert_linear(source_of, lambda size: f"<img srcset='{'a, b 2x,' * size}'>", 2_000)
    assert_linear(source_of, lambda size: "<picture>" + "<source>" * 100 + f"<img {BLANK}>" * size, 300)


LONG = "Some text of the article, of more than a hundred characters, so that it counts as a real paragraph. " * 2


def figures_of(html: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """The first word of each block with images, and these."""
    blocks = MarkupReader(PageLinks())(parse_html(html))
    return [(block["text"].split()[0], block["figure"]) for block in blocks if "figure" in block]


@pytest.mark.parametrize(
    ("html", "word", "is_after"),
    [
        ("<div><p>One</p></div><article><img src=a><p>Two", "Two", False),
        ("<article><p>One</p><img src=a></article><p>Two", "One", True),
        ("<article><div><p>One</p></div><div><img src=a></div></article><div><p>Two", "One", True),
        (f"<h2>One</h2><img src=a><p>{LONG}", "Some", False),
        (f"<p>{LONG}</p><img src=a><p><a href=b>{LONG}</a>", "Some", True),
        ("<p>One</p><p hidden>No</p><img src=a><p hidden>No</p>", "One", True),
        ("<img src=a><p>Two", "Two", False),
        ("<ul><li>One word of many</ul><img src=a><p>Two", "Two", False),
        ("<blockquote><p>One word of many</blockquote><img src=a><p>Two", "Two", False),
        ("<table><tr><td><p>One word of many</table><img src=a><p>Two", "Two", False),
        ("<p>One</p><img src=a>", "One", True),
    ],
)
def test_the_block_in_the_same_container(html: str, word: str, is_after: bool) -> None:
    image = {"src": "a", "alt": ""}
    assert figures_of(html) == [(word, [{**image, "after": True} if is_after else image])]


@pytest.mark.parametrize(
    ("html", "place"),
    [
        ("<ul><li>One</ul><img src=a>", {"depth": 0}),
        ("<ol><li>One<ul><li>Two</ul><img src=a></ol>", {"depth": 1}),
        ("<ul><li>One</li><img src=a></ul>", {}),
        ("<li><p>One</p><img src=a></li>", {}),
        ("<blockquote>One</blockquote><img src=a>", {"quote": 0}),
        ("<table><tr><th>One<th>Two</table><img src=a>", {"table": 0}),
        ("<ul><li><table><tr><th>One<th>Two</table></ul><img src=a>", {"depth": 0, "table": 0}),
        ("<table><tr><th>One<th><p>Two</p><img src=a></table>", {}),
        ("<table><tr><td><h2>One</h2><p>Two</table><img src=a>", {}),
        ("<div role=list><blockquote><ul><li>One</ul></blockquote></div><img src=a>", {"depth": 0, "quote": 0}),
    ],
)
def test_lists_quotes_and_tables_that_an_image_is_not_in(html: str, place: dict[str, int]) -> None:
    (_, figures), *_ = figures_of(html)
    assert figures == [{"src": "a", "alt": "", **place, "after": True}]


def test_images_of_the_text_and_others() -> None:
    # a linked image has its link
    assert figures_of("<p>One</p><a href=b><img src=a></a>")[0][1][0]["link"] == "b"
    # a page without text has no images
    assert figures_of("<img src=a>") == []
    # text after a line break is not the line of the image
    assert figures_of("<p>One</p><div><img src=a><br>Two</div>") == [("Two", [{"src": "a", "alt": ""}])]
    assert figures_of("<p>One</p><div><img src=a> Two</div>") == []
    # the sign of the site is no image of the text
    assert figures_of("<a href=/><img src=logo.png></a><p>One</p><p><a href=/><img src=logo.png></a> Two") == []
    # an image before a table is in no cell
    ((_, figures),) = figures_of("<div><img src=a></div><table><tr><th>One<th>Two</table>")
    assert figures == [{"src": "a", "alt": "", "table": 0}]
    # controls are no images unless they enlarge a figure
    assert figures_of("<p>One</p><button aria-label=Red><img src=red.jpg></button><p>Two") == []
    for html in ("<figure><button><img src=a></button></figure>", "<button><figure><img src=a></figure></button>"):
        assert [image["src"] for _, images in figures_of(f"<p>One</p>{html}") for image in images] == ["a"]
    # of the images in a link to a page the first is one
    for url, found in (("shoe.html", ["a"]), ("a.jpg", ["a", "b"])):
        html = f"<p>One</p><a href={url}><div><img src=a></div><div><img src=b></div></a><p>Two"
        assert [image["src"] for _, images in figures_of(html) for image in images] == found


def test_where_captions_belong() -> None:
    # captions belong to the image
    html = f"<p>{LONG}</p><figure><img src=a alt=A><figcaption>By <b>Ann</b>.<p>Yes.</figcaption></figure><p>Next"
    assert figures_of(html) == [("Some", [{"src": "a", "alt": "A", "caption": "By Ann. Yes.", "after": True}])]
    # a caption outside of figures is that of the image before it
    html = f"<p>{LONG}</p><div><img src=a><figcaption>Ann</figcaption><p>One</div>"
    assert figures_of(html) == [("One", [{"src": "a", "alt": "", "caption": "Ann"}])]
    # the caption of the next image is not added
    one, two = (f"<dl><dt><img src={name}><dd class=wp-caption-text>Of {name}</dl>" for name in "ab")
    captions = [image["caption"] for _, images in figures_of(f"<p>{LONG}</p>{one}{two}<p>Next") for image in images]
    assert captions == ["Of a", "Of b"]
    # a caption alone has its image
    html = "<nav>Menu</nav><div><figure><img src=a><figcaption>A caption</figcaption></figure></div>"
    assert figures_of(html)[0][1][0]["src"] == "a"
    # the size of an enlarged image is no place for it
    html = f"<p>{LONG}</p><div><a href=big.jpg><img src=a><div>10 KB</div></a></div><p>Two"
    assert figures_of(html) == [("Some", [{"src": "a", "alt": "", "link": "big.jpg", "after": True}])]
    # an image stays before a table caption
    html = "<p>One word</p><div class=figure><img src=a><p class=caption>Fig</p></div><table><caption>Longer text of it"
    assert figures_of(html) == [("One", [{"src": "a", "alt": "", "caption": "Fig", "after": True}])]
    # captions in a gallery are those of their image
    one, two, three = (
        f"<figure><img src={name}>{caption}</figure>"
        for name, caption in (("a", "<figcaption>Ann</figcaption>"), ("b", ""), ("c", "<figcaption>Cy</figcaption>"))
    )
    page = f"<p>{LONG}</p><figure>{one}{two}{three}<figcaption>All</figcaption></figure><p>Next"
    captions = [image.get("caption") for _, images in figures_of(page) for image in images]
    assert captions == ["Ann", None, "Cy"]


@pytest.mark.parametrize(
    "html",
    [
        "<div class='wp-caption x'><a href=b.gif><img src=a></a><p class=wp-caption-text>Debt</div>",
        "<div><img src=a><p class=image-caption>Debt</div>",
    ],
)
def test_captions_by_their_class(html: str) -> None:
    ((word, (image,)),) = figures_of(f"<p>{LONG}</p>{html}<p>Next")
    assert (word, image["caption"]) == ("Some", "Debt")


@pytest.mark.parametrize(("link", "is_button"), [
    ("mailto:?subject=Rain", True), ("https://www.pinterest.com/pin/create/button/?url=a", True),
    ("https://www.facebook.com/sharer/sharer.php?u=a", True), ("https://example.org/shared/rain.html", False),
])  # fmt: skip
def test_buttons_to_share_are_no_images(link: str, is_button: bool) -> None:
    assert (figures_of(f"<p>One</p><a href='{link}'><img src=a></a><p>Two") == []) == is_button
