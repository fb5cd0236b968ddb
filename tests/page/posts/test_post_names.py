"""Names of posts and of their parts."""

from __future__ import annotations

import pytest

from ncfilters.page.posts.post_names import (
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
        ("menu-item-12", None),
        ("post-content-12", None),
        ("related-post-3", None),
        ("comments", None),
    ],
)
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
        ("message message--post js-post", "message"),
        ("Item ItemComment", "itemcomment"),
        ("athing comtr", "comtr"),
        ("post-12 reply type-reply status-publish hentry", "reply"),  # bbPress
        ("post-12 post type-post status-publish hentry", None),  # an article of WordPress
        ("blog-post", None),
        ("post-body", None),
        ("postage", None),
    ],
)
def test_posts_by_class(classes: str, own: str | None) -> None:
    assert post_of_class(classes) == own


@pytest.mark.parametrize(
    ("classes", "bits"),
    [
        ("username", NAME),
        ("bbp-author-link", NAME),
        ("post-author", AUTHOR),
        ("postBody", TEXT_PART),
        ("comment-content", TEXT_PART),
        ("post-date", DAY),
        ("cAuthorPane", AUTHOR | PANEL),
        ("postedit", FURNITURE),
        ("quote quote-modified", 0),
        ("message-signature", FURNITURE | MENU),
        ("popupmenu memberaction", FURNITURE | MENU),
        ("wrapper", 0),
    ],
)
def test_parts_of_posts(classes: str, bits: int) -> None:
    assert parts_of_class(classes) == bits


def test_parts_by_id_have_the_number_of_the_post() -> None:
    assert parts_of_id("post_message_12") == TEXT_PART
    assert parts_of_id("post_message") == 0


def test_comments_and_members() -> None:
    assert is_comment("comment")
    assert not is_comment("post")
    assert is_member("/members/ann-lee.12/")
    assert is_member("https://forum.example/u/ann")
    assert not is_member("/threads/rain.12/")
