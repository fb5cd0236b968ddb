"""Elements that may be posts."""

from __future__ import annotations

from ncfilters.native.page_table import table_of
from ncfilters.page.posts.post_rows import may_have_posts, post_rows
from ncfilters.page.tree.html_parser import parse_html


def test_items_ids_and_classes() -> None:
    html = (
        "<div id=post1>a</div><div class=comment>b</div><p class=post>c</p><div itemtype=x>d</div><div id=a1 class=b>e"
    )
    table = table_of(parse_html(html).root)
    assert [table.text_below(row) for row in post_rows(table)] == ["a", "b", "d"]


def test_paths_that_may_have_posts() -> None:
    assert may_have_posts(["body/div", "body/ol/li#comment-12/p", "body/ol/li#comment-14/p"])
    assert not may_have_posts(["body/article#post-12", "body/article#post-12/p"])
    assert may_have_posts(["body/div#main.a/div.b.comment"])
    assert may_have_posts(["body/div#c_ab12cd", "body/div#c_ab12ef"])
    assert not may_have_posts(
        ["", "body/div#comments/p", "body/article#post-12.post.type-post.hentry/p.post-body"][1:2]
    )
    assert not may_have_posts(["body/div#post-content.entry"])
