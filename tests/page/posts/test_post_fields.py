"""Author, day and text of posts."""

from __future__ import annotations

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page.posts.post_fields import Marks, PostFields
from ncfilters.page.tree.html_parser import parse_html


def fields_of(html: str) -> PostFields:
    table = table_of(parse_html(f"<article>{html}</article>").root)
    row = next(at for at in range(table.size) if table.tag[at] >= 0 and table.name_of(at) == "article")
    marks = Marks()
    marks.add(table, row, table.end[row])
    return PostFields(table, row, [], marks)


@pytest.mark.parametrize(
    "html",
    [
        "<div itemprop=author><span itemprop=name>Ann</span> 12 posts</div>",
        "<div itemprop=author><a href=/x>Ann</a><p>Senior member</div>",
        "<h4><a class=username href=/members/ann.1/>Ann</a></h4>",
        "<p class=comment-author><b class=fn>Ann</b> <span>says:</span>",
        "<p>by <a href='memberlist.php?mode=viewprofile&amp;u=2'>Ann</a>",
        "<div class=post_author><strong>Ann</strong><p>Member",
    ],
)
def test_authors(html: str) -> None:
    assert fields_of(f"{html}<div class=post-body>It rained all day.").author == "Ann"


@pytest.mark.parametrize("text", ["Jun 27, 2016 at 13:02", "#10", "https://rain.example/user/ann"])
def test_what_is_no_author(text: str) -> None:
    assert fields_of(f"<p class=post-author><a href=/x>{text}</a><div class=post-body>Text.").author == ""


@pytest.mark.parametrize(
    "html",
    [
        "<time datetime=2024-05-03T10:00:00Z>3 d</time>",
        "<meta itemprop=datePublished content=2024-05-03>",
        "<span class=age title=2024-05-03T10:00:00>3 days ago</span>",
        "<span class=post-time data-tippy-content='Friday, May 3rd, 2024 at 3:43:10 PM GMT+03:00'>1 year ago</span>",
        "<p class=post-date>May 3, 2024, 10:32 am",
        "<dl><dt>Joined<dd>1 May 2010</dl><p>Posted by Ann, 3 May 2024",
        "<dl class=postprofile><dt>Ann<dd>Founded: 1 May 2010</dl><p>by Ann » 3 May 2024",
    ],
)
def test_days(html: str) -> None:
    assert fields_of(f"<b class=username>Ann</b>{html}<div class=post-body>Text of 1 May 2001.").date == "2024-05-03"


def test_the_day_that_a_panel_alone_has() -> None:
    assert fields_of("<div class=postprofile>Ann, 3 May 2024</div><div class=post-body>It rained.").date == "2024-05-03"


def test_the_day_of_the_last_reply_above_the_first_post() -> None:
    reply = "<p>Latest reply: Bob <time datetime=2024-06-01>1 June</time>"
    own = "<b class=username>Ann</b><time datetime=2024-05-03>3 May</time><div class=post-body>It rained."
    assert fields_of(f"{reply}{own}").date == "2024-05-03"


def test_the_element_around_a_byline_is_no_text() -> None:
    day = "Posted <time datetime=2024-05-03>3 May</time>"
    panel = f"<aside class=authorPane><b class=username>Ann</b>{day}</aside>"
    for meta in (f"<p class=meta>{' ' * 50}{day}</p>", "<p class=author>by Ann » 3 May 2024</p>"):
        fields = fields_of(f"{panel}<div class=post-body>{meta}<div class=content>It rained.</div></div>")
        assert [fields.table.text_below(start) for start, _ in fields.texts] == ["It rained."]


def test_texts() -> None:
    fields = fields_of(
        "<b class=username>Ann</b><div class=post-body>It rained.</div><div class=signature>Ann L.</div>"
    )
    assert [fields.table.text_below(start) for start, _ in fields.texts] == ["It rained."]
    assert fields.is_named
    assert not fields_of("<b class=username>Ann</b><p>It rained all day in the town.").is_named


@pytest.mark.parametrize(
    "other",
    [
        "<ul class=popupbody><li class=siteicon_message>Private message</ul>",
        "<div class=ipsEntry__signature><div class=ipsRichText>Rain is my hobby.</div></div>",
    ],
)
def test_what_is_in_a_menu_or_a_signature_is_no_text(other: str) -> None:
    fields = fields_of(f"<b class=username>Ann</b>{other}<div class=post-body>It rained.</div>")
    assert [fields.table.text_below(start) for start, _ in fields.texts] == ["It rained."]


def test_the_text_of_a_quotation_is_not_that_of_the_post() -> None:
    quote = "<blockquote><div class=quote-content>It rained.</div></blockquote>"
    assert not fields_of(f"<b class=username>Ann</b><div class=alt>{quote}Here, too.").is_named
    fields = fields_of(f"<b class=username>Ann</b><blockquote class=messageText>{quote}Here, too.</blockquote>")
    assert [fields.table.text_below(start) for start, _ in fields.texts] == ["It rained.Here, too."]
