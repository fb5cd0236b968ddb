"""Posts of threads: rows, blocks, elements, fields, names."""

from __future__ import annotations

import pytest
from page_elements import elements_of

from ncfilters.native.page_table import table_of
from ncfilters.page.page_options import PageOptions
from ncfilters.page.posts.post_blocks import posts_of_page
from ncfilters.page.posts.post_fields import Marks, PostFields
from ncfilters.page.posts.post_rows import may_have_posts, post_rows
from ncfilters.page.profiles import page_blocks
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.words.post_names import (
    AUTHOR,
    DAY,
    FURNITURE,
    MENU,
    NAME,
    PANEL,
    TEXT_PART,
    is_comment,
    is_member,
    parts_of_class,
    parts_of_id,
    post_of_class,
    post_of_id,
)


# ---- post_rows ----
def test_which_rows_and_paths_may_have_posts() -> None:
    html = (
        "<div id=post1>a</div><div class=comment>b</div><p class=post>c</p><div itemtype=x>d</div><div id=a1 class=b>e"
    )
    table = table_of(parse_html(html).root)
    assert [table.text_below(row) for row in post_rows(table)] == ["a", "b", "d"]
    pages = [
        (["body/div", "body/ol/li#comment-12/p", "body/ol/li#comment-14/p"], True),
        (["body/article#post-12", "body/article#post-12/p"], False),
        (["body/div#main.a/div.b.comment"], True),
        (["body/div#c_ab12cd", "body/div#c_ab12ef"], True),
        (["body/ol/li#c_ab12cd/p", "body/ol#b/li#c_ab12cd/p"], True),
        (["body/div#comments/p"], False),
        (["body/div#post-content.entry"], False),
    ]
    for paths, expected in pages:
        assert may_have_posts(elements_of(paths)) == expected, paths


# ---- post_blocks ----
POST = (
    "<li id=post{0}><p><b class=username>{1}</b> <time datetime=2024-05-0{0}>{0} d</time></p><p>Joined: 2010</p>"
    "<div class=content><p>It rained on day {0}.</p></div><div class=signature>Me</div></li>"
)


def test_marks() -> None:
    html = f"<h1>Rain</h1><ol>{POST.format(1, 'Ann')}{POST.format(2, 'Bob')}</ol><p>Page 1 of 1"
    for options in (PageOptions(), PageOptions(markup=True), PageOptions(embedded=False)):
        page = page_blocks(html, options)
        assert [*page.posts] == [
            {"author": "Ann", "date": "2024-05-01", "path": "body/ol/li#post1"},
            {"author": "Bob", "date": "2024-05-02", "path": "body/ol/li#post2"},
        ]
        marks = [(block.get("post"), block.get("part")) for block in page.blocks.records()]
        parts = ["byline", "furniture", None, "furniture"]
        assert marks == [(None, None), *[(n, part) for n in (0, 1) for part in parts], (None, None)]


def test_comments_and_what_is_not_told() -> None:
    html = "<ul>" + "".join(
        f"<li id=comment-{n}><b class=fn>Ann</b><div class=comment-content>Rain {n}.</div></li>" for n in (1, 2)
    )
    assert [block.get("part") for block in page_blocks(html).blocks.records()][1] == "comment"
    declared = '<script type=application/ld+json>{"@type": "DiscussionForumPosting", "headline": "Rain"}</script>'
    assert [block.get("part") for block in page_blocks(declared + html).blocks.records()][1] is None
    html = "".join(
        f"<div id=post{n}><p><b class=username>Ann</b></p><p>It rained all day in the town {n}.</p></div>"
        for n in (1, 2)
    )
    assert [block.get("part") for block in page_blocks(html).blocks.records()][:2] == ["byline", "rest"]


def test_quotations_and_notes_of_changes_are_no_text_of_a_post() -> None:
    notes = ["Edited May 3, 2024 by Ann", "Last edited by: Ann, 3 May 2024", "*edited to note that it rained by May"]
    html = "".join(
        f"<div id=post{n}><b class=username>Ann</b><div class=content><p>Rain {n}.<p>{note}</div></div>"
        for n, note in enumerate(notes)
    )
    parts = [block.get("part") for block in page_blocks(html).blocks.records()]
    assert parts == ["byline", None, "furniture"] * 2 + ["byline", None, None]
    quotes = [
        "<div><div><label>Quote:</label></div> <div><p>Originally Posted by <b>Bob</b><p>It rained.</div></div>",
        "<div><p>Originally posted by Bob<p>It rained.</div>",
        "<p>Originally posted by Bob<p>It rained.",
    ]
    for quote, number in zip(quotes, (3, 2, 0), strict=True):
        html = "".join(
            f"<div id=post{n}><p class=username>Ann</p><div class=content>{quote}<p>Here, too.</div></div>"
            for n in (1, 2)
        )
        parts = [block.get("part") for block in page_blocks(html).blocks.records()]
        own = parts[: len(parts) // 2]
        assert own == ["byline", *["rest"] * number, *[None] * (len(own) - 1 - number)]
        assert own[-1] is None


# ---- post_elements ----
POST_ELEMENT = "<div id=post{0}><b class=username>{1}</b><div class=content>It rained on day {0}.</div>{2}</div>"
COMMENT = "<li id=comment-{0}><b class=fn>{1}</b><div class=comment-content>Rain {0}.</div>{2}</li>"


def posts_of(html: str) -> list[PostFields]:
    return posts_of_page(table_of(parse_html(html).root))


def test_posts_of_threads_and_items() -> None:
    # a thread
    posts = posts_of(POST_ELEMENT.format(1, "Ann", "") + POST_ELEMENT.format(2, "Bob", ""))
    assert [(post.author, post.is_comment) for post in posts] == [("Ann", False), ("Bob", False)]
    # replies within posts
    posts = posts_of(f"<ol>{COMMENT.format(1, 'Ann', '<ol>' + COMMENT.format(2, 'Bob', '') + '</ol>')}</ol>")
    assert [(post.author, post.is_comment) for post in posts] == [("Ann", True), ("Bob", True)]
    # several elements of one post
    inner = "<div id=post{0}-x class=post><span id=post-{0}></span>"
    html = "".join(POST_ELEMENT.format(n, name, inner.format(n)) for n, name in ((1, "Ann"), (2, "Bob")))
    assert [post.author for post in posts_of(html)] == ["Ann", "Bob"]
    # an item alone
    html = "<div itemscope itemtype=https://schema.org/Comment><i itemprop=author>Ann</i><p itemprop=text>Rain.</div>"
    assert [post.author for post in posts_of(html)] == ["Ann"]
    # an item that says the first post again
    first = "<i itemprop=author>Ann</i><p itemprop=text>It rained on day 1.</p>"
    html = (
        f"<div itemscope itemtype=https://schema.org/DiscussionForumPosting>{first}{POST_ELEMENT.format(1, 'Ann', '')}"
    )
    posts = posts_of(html + POST_ELEMENT.format(2, "Bob", "") + "</div>")
    assert [post.author for post in posts] == ["Ann", "Bob"]
    # a post without author among others
    html = (
        POST_ELEMENT.format(1, "Ann", "")
        + POST_ELEMENT.format(2, "Bob", "")
        + "<div id=post3><div class=content>Rain.</div></div>"
    )
    assert [post.author for post in posts_of(html)] == ["Ann", "Bob", ""]


@pytest.mark.parametrize(
    "html",
    [
        POST_ELEMENT.format(1, "Ann", ""),  # one alone
        "<div id=post1><div class=content>Rain.</div></div><div id=post2><div class=content>Snow.</div></div>",
        "".join(  # a list of articles
            f"<article id=post-{n}><h2><a href=/{n}>Rain {n}</a></h2><p class=author>Ann Lee<p class=content>It rained."
            for n in range(3)
        ),
        "".join(  # of WordPress
            f"<article id=p{n} class='post type-post hentry'><h2><a href=/{n}>Rain</a></h2><i class=author>Ann</i><p>R"
            for n in range(3)
        ),
        "<div itemscope itemtype=https://schema.org/Question><b itemprop=name>Why?</b><p itemprop=text>Rain.</div>",
    ],
)
def test_pages_without_posts(html: str) -> None:
    assert posts_of(html) == []


# ---- post_fields ----
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


def test_days_of_panels_and_replies() -> None:
    assert fields_of("<div class=postprofile>Ann, 3 May 2024</div><div class=post-body>It rained.").date == "2024-05-03"
    reply = "<p>Latest reply: Bob <time datetime=2024-06-01>1 June</time>"
    own = "<b class=username>Ann</b><time datetime=2024-05-03>3 May</time><div class=post-body>It rained."
    assert fields_of(f"{reply}{own}").date == "2024-05-03"


def test_the_text_of_a_post_is_without_byline_and_quotation() -> None:
    day = "Posted <time datetime=2024-05-03>3 May</time>"
    panel = f"<aside class=authorPane><b class=username>Ann</b>{day}</aside>"
    for meta in (f"<p class=meta>{' ' * 50}{day}</p>", "<p class=author>by Ann » 3 May 2024</p>"):
        fields = fields_of(f"{panel}<div class=post-body>{meta}<div class=content>It rained.</div></div>")
        assert [fields.table.text_below(start) for start, _ in fields.texts] == ["It rained."]
    fields = fields_of(
        "<b class=username>Ann</b><div class=post-body>It rained.</div><div class=signature>Ann L.</div>"
    )
    assert [fields.table.text_below(start) for start, _ in fields.texts] == ["It rained."]
    assert fields.is_named
    assert not fields_of("<b class=username>Ann</b><p>It rained all day in the town.").is_named
    quote = "<blockquote><div class=quote-content>It rained.</div></blockquote>"
    assert not fields_of(f"<b class=username>Ann</b><div class=alt>{quote}Here, too.").is_named
    fields = fields_of(f"<b class=username>Ann</b><blockquote class=messageText>{quote}Here, too.</blockquote>")
    assert [fields.table.text_below(start) for start, _ in fields.texts] == ["It rained.Here, too."]


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


# ---- post_names ----
@pytest.mark.parametrize(
    ("identity", "named"),
    [
        ("post_12", ("post", "12")),  # Discourse, vBulletin, MyBB
        ("js-post-4711", ("post", "4711")),  # XenForo
        ("p815", ("p", "815")),  # phpBB, FluxBB
        ("elComment_99", ("comment", "99")),  # Invision
        ("Comment_3", ("comment", "3")),  # Vanilla
        ("li-comment-7", ("comment", "7")),  # WordPress
        ("thing_t1_abc12de", ("t1", "abc12de")),  # Reddit
        ("issuecomment-1", ("comment", "1")),  # GitHub
        ("msg42", ("msg", "42")),  # SMF
        ("menu-item-12", None), ("post-content-12", None), ("related-post-3", None), ("comments", None),
    ],
)  # fmt: skip
def test_posts_by_id(identity: str, named: tuple[str, str] | None) -> None:
    assert post_of_id(identity) == named


@pytest.mark.parametrize("classes", ["csc-default", "news csc-element", "frame frame-default", "ce-bodytext"])
def test_the_content_elements_of_typo3_are_no_comments(classes: str) -> None:
    assert post_of_id("c181", classes) is None
    assert post_of_id("c181", "framed comment") == ("c", "181")
    assert post_of_id("comment-181", classes) == ("comment", "181")


@pytest.mark.parametrize(
    ("classes", "own"),
    [
        ("message message--post js-post", "message"), ("Item ItemComment", "itemcomment"), ("athing comtr", "comtr"),
        ("post-12 reply type-reply status-publish hentry", "reply"),  # bbPress
        ("post-12 post type-post status-publish hentry", None),  # an article of WordPress
        ("blog-post", None), ("post-body", None), ("postage", None),
    ],
)  # fmt: skip
def test_posts_by_class(classes: str, own: str | None) -> None:
    assert post_of_class(classes) == own


@pytest.mark.parametrize(("classes", "bits"), [
    ("username", NAME), ("bbp-author-link", NAME), ("post-author", AUTHOR), ("postBody", TEXT_PART),
    ("comment-content", TEXT_PART), ("post-date", DAY), ("cAuthorPane", AUTHOR | PANEL), ("postedit", FURNITURE),
    ("quote quote-modified", 0), ("message-signature", FURNITURE | MENU), ("popupmenu memberaction", FURNITURE | MENU),
    ("wrapper", 0),
])  # fmt: skip
def test_parts_of_posts(classes: str, bits: int) -> None:
    assert parts_of_class(classes) == bits


def test_parts_by_id_comments_and_members() -> None:
    assert parts_of_id("post_message_12") == TEXT_PART
    assert parts_of_id("post_message") == 0
    assert is_comment("comment")
    assert not is_comment("post")
    assert is_member("/members/ann-lee.12/")
    assert is_member("https://forum.example/u/ann")
    assert not is_member("/threads/rain.12/")
