"""Addresses of images, also of those that scripts load late."""

from __future__ import annotations

import pytest
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.page.markup.images import image_of
from ncfilters.page.markup.page_links import PageLinks

BLANK = "src='data:image/gif;base64,R0lGOD'"


def source_of(html: str) -> str | None:
    page = page_of(html)
    image = image_of(page, rows_of(page, "img")[0], PageLinks("http://a.example/"))
    return image["src"].removeprefix("http://a.example/") if image else None


@pytest.mark.parametrize(
    ("html", "src"),
    [
        ("<img src=a.jpg>", "a.jpg"),
        (f"<img {BLANK} data-src=a.jpg>", "a.jpg"),
        ("<img src=small.jpg data-original=large.jpg>", "large.jpg"),
        ("<img src=small.jpg data-large-file=large.jpg data-src=true>", "small.jpg"),
        (f"<img {BLANK} data-large-file=large.jpg>", "large.jpg"),
        ("<img class=wp-smiley src=smile.png>", None),
        ("<img src=/favicon.ico>", None),
        ("<img class='user avatar' src=a.jpg>", None),
        ("<img src=https://secure.gravatar.com/avatar/0a?s=60>", None),
        ("<img src=/data/avatars/m/1/1.jpg>", None),
        ("<img class='icon-copycode' src=copy.svg>", None),
        ("<img src=copy.svg onclick='copy()'>", None),
        ("<img class='silicone icon_x' src=a.jpg onclick='zoom()' alt=A>", "a.jpg"),
        ("<img src=avatar-the-film.jpg>", "avatar-the-film.jpg"),
        ("<img src=/cgi-bin/Count.cgi?x>", None),
        ("<img src=/img/spacer.gif data-lazy-src=a.jpg>", "a.jpg"),
        ("<img data-src=/img/blank.gif src=a.jpg>", "a.jpg"),
        ("<img src=/lazy-load/images/1x1.trans.gif data-src=a.jpg>", "a.jpg"),
        (f"<img {BLANK} srcset='a.jpg 320w, b.jpg 1024w, c.jpg 640w'>", "b.jpg"),
        (f"<img {BLANK} srcset='a.jpg, b.jpg 2x'>", "b.jpg"),
        ("<img src=a.jpg srcset='a.jpg 40w, b.jpg 1280w'>", "b.jpg"),
        ("<img src=a.jpg srcset='a.jpg 400w, b.jpg 1280w'>", "a.jpg"),
        (f"<img {BLANK} srcset='a.jpg 1x,b,c.jpg 1.5x'>", "b,c.jpg"),
        (f"<img {BLANK} data-srcset='w_2,h_3/a.jpg 2x,'>", "w_2,h_3/a.jpg"),
        (f"<picture><source srcset='a.webp 1x'><!-- --><img {BLANK}></picture>", "a.webp"),
        ("<picture><source data-srcset='a.webp'>\n<img></picture>", "a.webp"),
        ("<picture><source srcset=a.webp><img src=a.jpg></picture>", "a.jpg"),
        (f"<img {BLANK}>", None),
        ("<img>", None),
        ("<img src=''>", None),
        ("<img src=spacer.gif>", None),
        ("<img src=img/transparent.png?x>", None),
        ("<img src=count width=1 height=1>", None),
        ("<img src=line.gif height='1px'>", None),
        ("<img src=wide.jpg width=100% height=auto>", "wide.jpg"),
        ("<img src=//pixel.example/t.gif>", None),
        ("<img src=https://sb.scorecardresearch.com/p?c1=2&cj=1>", None),
        ("<img src=//c12.statcounter.com/counter.php?sc_project=1>", None),
        ("<img src=//mc.yandex.ru/watch/1>", None),
        ("<img src=//a.example/piwik.php?idsite=1>", None),
        ("<img src=/how-statcounter.com/works.jpg>", "how-statcounter.com/works.jpg"),
        ("<img src=/pub/viewrequest style='width:1px; height:1px'>", None),
        ("<img src=a.jpg style='height: 3px;'>", None),
        ("<img src=flag.png width=24 height=18>", None),
        ("<img src=logo.png width=40 height=35>", None),
        ("<img src=formula.png width=140 height=35>", "formula.png"),
        ("<img src=a.jpg width=49 height=49>", "a.jpg"),
        ("<img src=a.jpg width=16 height=9 layout=responsive>", "a.jpg"),
        ("<img src=quote.svg?x alt=''>", None),
        ("<img src=chart.svg alt=Chart>", "chart.svg"),
        ("<img src=chart.svg alt='' width=600>", "chart.svg"),
        ("<div class=MuiAvatar-root><img src=a.jpg></div>", None),
        ("<a class='ipsUserPhoto ipsUserPhoto_large'><img src=a.jpg></a>", None),
        ("<img class='pane_badge--rank' src=member.png>", None),
        ("<img src=/forum/ranks/member.png>", None),
        ("<img src=/uploads/reactions/like.png>", None),
        ("<img src=a.jpg style='max-width:1px;border-width: 1px;width:100px'>", "a.jpg"),
        ("<img src=a.jpg alt=Arrow>", None),
        ("<img src=/static/icons/search.f1.svg?x>", None),
        ("<img src=play-icon.svg>", None),
        ("<img src=Facebook-icon2.gif>", None),
        ("<img src=rss_16.png>", None),
        ("<img src=photo_1916.png>", "photo_1916.png"),
        ("<img src=//ads.example/adx/b.gif>", None),
        ("<img src=silicon.svg>", "silicon.svg"),
        ("<img src=icon-of-1400.jpg>", "icon-of-1400.jpg"),
        ("<img src=loading-dock.jpg>", "loading-dock.jpg"),
        ("<img src=blanket.jpg>", "blanket.jpg"),
    ],
)
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
