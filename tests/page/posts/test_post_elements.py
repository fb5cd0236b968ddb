"""Posts of pages, and pages that have none."""

from __future__ import annotations

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page.posts.post_elements import posts_of_page
from ncfilters.page.posts.post_fields import Post
from ncfilters.page.tree.html_parser import parse_html

POST = "<div id=post{0}><b class=username>{1}</b><div class=content>It rained on day {0}.</div>{2}</div>"
COMMENT = "<li id=comment-{0}><b class=fn>{1}</b><div class=comment-content>Rain {0}.</div>{2}</li>"


def posts_of(html: str) -> list[Post]:
    return posts_of_page(table_of(parse_html(html).root))


def test_a_thread() -> None:
    posts = posts_of(POST.format(1, "Ann", "") + POST.format(2, "Bob", ""))
    assert [(post.author, post.is_comment) for post in posts] == [("Ann", False), ("Bob", False)]


def test_replies_within_posts() -> None:
    posts = posts_of(f"<ol>{COMMENT.format(1, 'Ann', '<ol>' + COMMENT.format(2, 'Bob', '') + '</ol>')}</ol>")
    assert [(post.author, post.is_comment) for post in posts] == [("Ann", True), ("Bob", True)]


def test_several_elements_of_one_post() -> None:
    inner = "<div id=post{0}-x class=post><span id=post-{0}></span>"
    html = "".join(POST.format(n, name, inner.format(n)) for n, name in ((1, "Ann"), (2, "Bob")))
    assert [post.author for post in posts_of(html)] == ["Ann", "Bob"]


def test_an_item_alone() -> None:
    html = "<div itemscope itemtype=https://schema.org/Comment><i itemprop=author>Ann</i><p itemprop=text>Rain.</div>"
    assert [post.author for post in posts_of(html)] == ["Ann"]


def test_an_item_that_says_the_first_post_again() -> None:
    first = "<i itemprop=author>Ann</i><p itemprop=text>It rained on day 1.</p>"
    html = f"<div itemscope itemtype=https://schema.org/DiscussionForumPosting>{first}{POST.format(1, 'Ann', '')}"
    posts = posts_of(html + POST.format(2, "Bob", "") + "</div>")
    assert [post.author for post in posts] == ["Ann", "Bob"]


def test_a_post_without_author_among_others() -> None:
    html = POST.format(1, "Ann", "") + POST.format(2, "Bob", "") + "<div id=post3><div class=content>Rain.</div></div>"
    assert [post.author for post in posts_of(html)] == ["Ann", "Bob", ""]


@pytest.mark.parametrize(
    "html",
    [
        POST.format(1, "Ann", ""),  # one alone
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
